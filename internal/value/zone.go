package value

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"fsql/internal/diag"
)

// Zone converts between instants and wall clocks, both in milliseconds since
// 1970. Local is the wall clock at an instant. UTC is the instant of a wall
// clock: one that does not exist moves forward by the gap, one that comes
// twice means the first (Java's ZonedDateTime.ofLocal).
type Zone interface {
	Local(utc int64) int64
	UTC(local int64) int64
	String() string
}

// UTC is the zone without an offset.
func UTC() Zone { return fixed{name: "UTC"} }

// fixed is a zone with one offset.
type fixed struct {
	name   string
	offset int64
}

func (z fixed) Local(utc int64) int64 { return utc + z.offset }
func (z fixed) UTC(local int64) int64 { return local - z.offset }
func (z fixed) String() string        { return z.name }

// LoadZone returns a zone by its name in the time-zone database
// ("Europe/Berlin") or as an offset ("GMT+08:00"), the names that Flink takes
// for table.local-time-zone. Names are case-sensitive.
func LoadZone(name string) (Zone, error) {
	if z, ok := gmt(name); ok {
		return z, nil
	}
	if !knownToJava(name) {
		return nil, unknownZone(name)
	}
	loc, err := location(name)
	if err != nil {
		return nil, unknownZone(name)
	}
	return newRegion(loc), nil
}

func unknownZone(name string) error {
	return diag.New(diag.BadOption, diag.Span{}, "unknown time zone '%s'", name).
		WithHint("use a name of the time-zone database such as 'Europe/Berlin', an offset such as 'GMT+08:00', or 'UTC'")
}

// LoadTimeZone returns a zone as Java's java.util.TimeZone reads names, which
// is how CONVERT_TZ does: also the three-letter names, and UTC for all that is
// unknown.
func LoadTimeZone(name string) Zone {
	switch name {
	case "EST":
		return fixed{"-05:00", -5 * Hour}
	case "HST":
		return fixed{"-10:00", -10 * Hour}
	case "MST":
		return fixed{"-07:00", -7 * Hour}
	}
	if long, ok := shortName(name); ok {
		name = long
	}
	z, err := LoadZone(name)
	if err != nil {
		return UTC()
	}
	return z
}

// shortName resolves the names that Java kept from its first releases
// (java.time.ZoneId.SHORT_IDS).
func shortName(name string) (string, bool) {
	const list = "ACT=Australia/Darwin AET=Australia/Sydney AGT=America/Argentina/Buenos_Aires ART=Africa/Cairo " +
		"AST=America/Anchorage BET=America/Sao_Paulo BST=Asia/Dhaka CAT=Africa/Harare CNT=America/St_Johns " +
		"CST=America/Chicago CTT=Asia/Shanghai EAT=Africa/Addis_Ababa ECT=Europe/Paris IET=America/Indiana/Indianapolis " +
		"IST=Asia/Kolkata JST=Asia/Tokyo MIT=Pacific/Apia NET=Asia/Yerevan NST=Pacific/Auckland PLT=Asia/Karachi " +
		"PNT=America/Phoenix PRT=America/Puerto_Rico PST=America/Los_Angeles SST=Pacific/Guadalcanal VST=Asia/Ho_Chi_Minh "
	if len(name) != 3 {
		return "", false
	}
	i := strings.Index(list, name+"=")
	if i < 0 {
		return "", false
	}
	rest := list[i+4:]
	return rest[:strings.IndexByte(rest, ' ')], true
}

// knownToJava refuses names that Go's database has and Java's lacks.
func knownToJava(name string) bool {
	switch name {
	case "EST", "HST", "MST", "ROC", "Factory":
		return false
	}
	return true
}

// gmt reads UTC, GMT and GMT+h, GMT+hh, GMT+hhmm, GMT+hh:mm up to 18 hours.
func gmt(name string) (Zone, bool) {
	if name == "UTC" || name == "GMT" {
		return fixed{name: name}, true
	}
	rest, ok := strings.CutPrefix(name, "GMT")
	if !ok || len(rest) < 2 || rest[0] != '+' && rest[0] != '-' {
		return nil, false
	}
	var h, m string
	switch digits := rest[1:]; {
	case len(digits) <= 2:
		h = digits
	case len(digits) == 4:
		h, m = digits[:2], digits[2:]
	case len(digits) == 5 && digits[2] == ':':
		h, m = digits[:2], digits[3:]
	default:
		return nil, false
	}
	hours, end := number(h, 0, len(h))
	minutes, endm := number(m, 0, len(m))
	offset := hours*Hour + minutes*Minute
	if end != len(h) || endm != len(m) || minutes > 59 || offset > 18*Hour {
		return nil, false
	}
	if offset == 0 {
		return fixed{name: "GMT"}, true
	}
	z := fixed{name: fmt.Sprintf("GMT%c%02d:%02d", rest[0], hours, minutes), offset: offset}
	if rest[0] == '-' {
		z.offset = -offset
	}
	return z, true
}

// region is a zone of the database with its transitions laid out in tables
// that are never written again: several subtasks share it.
type region struct {
	loc *time.Location
	// Span k has offset[k] milliseconds and ends before the instant end[k];
	// wall clocks below wall[k] and not below wall[k-1] belong to it.
	offset, end, wall []int64
	byEnd, byWall     index
}

// horizon is where the tables stop: beyond it the database's rule is asked.
const horizon = 4133980800 // 2101-01-01, in seconds

func newRegion(loc *time.Location) *region {
	z := &region{loc: loc}
	t := time.Unix(-1<<40, 0).In(loc)
	for {
		_, off := t.Zone()
		_, next := t.ZoneBounds()
		if n := len(z.offset); n > 0 && z.offset[n-1] == int64(off)*1000 {
			// Go ends a span at the end of a year too.
			z.offset, z.end = z.offset[:n-1], z.end[:n-1]
		}
		z.offset = append(z.offset, int64(off)*1000)
		if next.IsZero() {
			z.end = append(z.end, 1<<63-1)
			break
		}
		if !next.After(t) {
			// On the last day of a leap year Go answers with the day itself.
			next = t.Add(24 * time.Hour)
		}
		z.end = append(z.end, next.UnixMilli())
		if next.Unix() > horizon {
			break
		}
		t = next
	}
	z.wall = make([]int64, len(z.end))
	for k := range z.end {
		if k+1 < len(z.end) {
			// In a gap the earlier offset moves the clock forward; of two
			// equal clocks the first belongs to the earlier offset too.
			z.wall[k] = z.end[k] + max(z.offset[k], z.offset[k+1])
		} else if z.wall[k] = z.end[k]; z.end[k] != 1<<63-1 {
			z.wall[k] += z.offset[k]
		}
	}
	z.byEnd, z.byWall = newIndex(z.end), newIndex(z.wall)
	return z
}

func (z *region) String() string { return z.loc.String() }

// ZoneName is the short name of a zone at an instant: CEST. Offsets, and zones
// whose clocks have no name, keep the name of the zone.
func ZoneName(z Zone, utc int64) string {
	r, ok := z.(*region)
	if !ok {
		return z.String()
	}
	name, _ := time.UnixMilli(utc).In(r.loc).Zone()
	if strings.ContainsAny(name, "+-0123456789") {
		return z.String()
	}
	return name
}

// LongZoneName is the name of a zone at an instant in words, as Java has it,
// or the short name where none is known here.
func LongZoneName(z Zone, utc int64) string {
	short := ZoneName(z, utc)
	switch zone := z.String(); short {
	case "UTC":
		return "Coordinated Universal Time"
	case "GMT":
		return "Greenwich Mean Time"
	case "CET":
		return "Central European Standard Time"
	case "CEST":
		return "Central European Summer Time"
	case "JST":
		return "Japan Standard Time"
	case "AEST":
		return "Australian Eastern Standard Time"
	case "BST":
		if zone == "Europe/London" {
			return "British Summer Time"
		}
	case "IST":
		if zone == "Asia/Kolkata" {
			return "India Standard Time"
		}
	case "CST":
		if zone == "Asia/Shanghai" {
			return "China Standard Time"
		}
	}
	if long := american[short]; long != "" && strings.HasPrefix(z.String(), "America/") {
		return long
	}
	return short
}

var american = map[string]string{
	"EST": "Eastern Standard Time", "EDT": "Eastern Daylight Time", "CST": "Central Standard Time", "CDT": "Central Daylight Time",
	"MST": "Mountain Standard Time", "MDT": "Mountain Daylight Time", "PST": "Pacific Standard Time", "PDT": "Pacific Daylight Time",
}

func (z *region) Local(utc int64) int64 {
	k := z.byEnd.find(z.end, utc)
	if k == len(z.end) {
		_, off := time.UnixMilli(utc).In(z.loc).Zone()
		return utc + int64(off)*1000
	}
	return utc + z.offset[k]
}

func (z *region) UTC(local int64) int64 {
	k := z.byWall.find(z.wall, local)
	if k == len(z.wall) {
		// The offsets before and after: the later instant that reads so.
		_, before := time.UnixMilli(local).Add(-24 * time.Hour).In(z.loc).Zone()
		if utc := local - int64(before)*1000; z.Local(utc) == local {
			return utc
		}
		_, after := time.UnixMilli(local).Add(24 * time.Hour).In(z.loc).Zone()
		if utc := local - int64(after)*1000; z.Local(utc) == local {
			return utc
		}
		return local - int64(before)*1000
	}
	return local - z.offset[k]
}

// index finds the first element above a value in a sorted table: values fall
// into buckets of about 97 days, which rarely hold two elements.
type index struct {
	base  int64
	first []int32
}

const bucket = 33 // bits of a millisecond number within a bucket

func newIndex(table []int64) index {
	var x index
	if len(table) < 8 {
		return x
	}
	// From the first regular transitions on; what is before is searched.
	x.base = -2208988800000 // 1900-01-01
	last := table[len(table)-1]
	if last == 1<<63-1 {
		last = table[len(table)-2]
	}
	if last <= x.base {
		return x
	}
	n := int((last-x.base)>>bucket) + 1
	x.first = make([]int32, n)
	for i, k := 0, 0; i < n; i++ {
		from := x.base + int64(i)<<bucket
		for k < len(table) && table[k] <= from {
			k++
		}
		x.first[i] = int32(k)
	}
	return x
}

func (x *index) find(table []int64, v int64) int {
	b := (v - x.base) >> bucket
	if b < 0 || b >= int64(len(x.first)) {
		return sort.Search(len(table), func(k int) bool { return table[k] > v })
	}
	k := int(x.first[b])
	for k < len(table) && table[k] <= v {
		k++
	}
	return k
}
