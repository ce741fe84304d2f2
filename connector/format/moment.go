package format

import "fsql/internal/value"

// Moments of text formats follow Java's DateTimeFormatter and are stricter than
// CAST: two-digit fields, no blanks around, nothing left over.

// Style is the form of a timestamp in a format.
type Style struct {
	Sep     byte // between date and time: ' ' or 'T'
	AnyCase bool // Sep may be a small letter
	// Smart is Java's way to resolve days 29 to 31 that a month lacks (the last
	// one is meant) and 24:00:00 (midnight of the next day); strict refuses both.
	Smart     bool
	NoSeconds bool // the seconds may be missing
	Zone      bool // 'Z' must follow
}

// The styles of Flink's json and csv formats (TimeFormats).
var (
	SQL     = Style{Sep: ' ', Smart: true}
	SQLZone = Style{Sep: ' ', Smart: true, Zone: true}
	ISO     = Style{Sep: 'T', AnyCase: true, NoSeconds: true}
	ISOZone = Style{Sep: 'T', Smart: true, NoSeconds: true, Zone: true}
)

// Parse reads a timestamp: whole milliseconds since 1970 and the nanoseconds of
// the millisecond.
func (s Style) Parse(b []byte) (millis int64, nano int32, ok bool) {
	if s.Zone {
		if len(b) == 0 || b[len(b)-1] != 'Z' {
			return 0, 0, false
		}
		b = b[:len(b)-1]
	}
	y, m, d, n := ymd(b)
	if n < 0 || n >= len(b) {
		return 0, 0, false
	}
	if c := b[n]; c != s.Sep && !(s.AnyCase && c == s.Sep|0x20) {
		return 0, 0, false
	}
	if last := value.MonthDays(y, m); d > last {
		if !s.Smart {
			return 0, 0, false
		}
		d = last
	}
	ms, nano, ok := clock(b[n+1:], s.NoSeconds, s.Smart)
	return value.Days(y, m, d)*value.Day + ms, nano, ok
}

// Moments parses timestamps of one style and remembers the last date, which
// neighbours in a file mostly share.
type Moments struct {
	Style Style
	date  [10]byte
	start int64 // of the date, in milliseconds
}

// Parse is Style.Parse.
func (m *Moments) Parse(b []byte) (millis int64, nano int32, ok bool) {
	const day = 10 // characters of the date
	if len(b) > day && [day]byte(b) == m.date && b[day] == m.Style.Sep {
		rest := b[day+1:]
		if m.Style.Zone {
			if len(rest) == 0 || rest[len(rest)-1] != 'Z' {
				return 0, 0, false
			}
			rest = rest[:len(rest)-1]
		}
		ms, nano, ok := clock(rest, m.Style.NoSeconds, m.Style.Smart)
		return m.start + ms, nano, ok
	}
	if millis, nano, ok = m.Style.Parse(b); ok && len(b) > day && b[4] == '-' {
		m.date = [day]byte(b)
		m.start = millis - value.FloorMod(millis, value.Day)
		if b[day+1] == '2' && b[day+2] == '4' {
			m.date = [day]byte{} // 24:00:00 belongs to the next day
		}
	}
	return millis, nano, ok
}

// ymd reads yyyy-MM-dd as ISO_LOCAL_DATE does and returns the position behind
// it, -1 if there is none. A year of more digits has a sign. The day is at
// most 31.
func ymd(b []byte) (y, m, d int64, next int) {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	start := i
	for ; i < len(b) && b[i]-'0' <= 9 && i-start < 10; i++ {
		y = y*10 + int64(b[i]-'0')
	}
	digits := i - start
	switch {
	case digits < 4 || digits > 4 && start == 0 || digits == 4 && start == 1 && b[0] == '+':
		return 0, 0, 0, -1
	case start == 1 && b[0] == '-':
		y = -y
	}
	if len(b)-i < 6 || b[i] != '-' || b[i+3] != '-' {
		return 0, 0, 0, -1
	}
	m, d = two(b[i+1:]), two(b[i+4:])
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, 0, 0, -1
	}
	return y, m, d, i + 6
}

// two reads two digits, -1 if there are none.
func two(b []byte) int64 {
	h, l := b[0]-'0', b[1]-'0'
	if h > 9 || l > 9 {
		return -1
	}
	return int64(h)*10 + int64(l)
}

// clock reads HH:mm:ss and an optional fraction of up to nine digits, which may
// be a bare point. 24:00:00 is a day, where it is allowed.
func clock(b []byte, noSeconds, smart bool) (millis int64, nano int32, ok bool) {
	if len(b) < 5 || b[2] != ':' {
		return 0, 0, false
	}
	h, m := two(b), two(b[3:])
	if h < 0 || m < 0 || m > 59 {
		return 0, 0, false
	}
	s, nanos := int64(0), int64(0)
	switch {
	case len(b) == 5 && noSeconds:
	case len(b) < 8 || b[5] != ':':
		return 0, 0, false
	default:
		if s = two(b[6:]); s < 0 || s > 59 {
			return 0, 0, false
		}
		if len(b) > 8 {
			if b[8] != '.' || len(b) > 18 {
				return 0, 0, false
			}
			unit := int64(1e8)
			for _, c := range b[9:] {
				if c-'0' > 9 {
					return 0, 0, false
				}
				nanos += int64(c-'0') * unit
				unit /= 10
			}
		}
	}
	if h > 23 && !(smart && h == 24 && m == 0 && s == 0 && nanos == 0) {
		return 0, 0, false
	}
	return h*value.Hour + m*value.Minute + s*value.Second + nanos/1e6, int32(nanos % 1e6), true
}

// ISODate reads yyyy-MM-dd, of days that exist, as days since 1970.
func ISODate(b []byte) (days int32, ok bool) {
	y, m, d, n := ymd(b)
	if n != len(b) || d > value.MonthDays(y, m) {
		return 0, false
	}
	return int32(value.Days(y, m, d)), true
}

// SQLDate reads a date as java.sql.Date.valueOf does, which csv uses: four
// digits of year, one or two of month and day; days up to 31 that the month
// lacks count on into the next one.
func SQLDate(b []byte) (days int32, ok bool) {
	if len(b) < 8 || len(b) > 10 || b[4] != '-' {
		return 0, false
	}
	hi, lo := two(b), two(b[2:])
	if hi < 0 || lo < 0 {
		return 0, false
	}
	m, rest := oneOrTwo(b[5:])
	if m < 1 || m > 12 || len(rest) == 0 || rest[0] != '-' {
		return 0, false
	}
	d, rest := oneOrTwo(rest[1:])
	if d < 1 || d > 31 || len(rest) > 0 {
		return 0, false
	}
	return int32(value.Days(hi*100+lo, m, d)), true
}

func oneOrTwo(b []byte) (v int64, rest []byte) {
	if len(b) == 0 || b[0]-'0' > 9 {
		return -1, b
	}
	if len(b) > 1 && b[1]-'0' <= 9 {
		return two(b), b[2:]
	}
	return int64(b[0] - '0'), b[1:]
}

// SQLTime reads HH:mm:ss[.fraction] in milliseconds, as json does; 24:00:00 is
// midnight.
func SQLTime(b []byte) (ms int32, ok bool) {
	v, _, ok := clock(b, false, true)
	return int32(v % value.Day), ok
}

// ISOTime reads HH:mm[:ss[.fraction]] in milliseconds, as csv does.
func ISOTime(b []byte) (ms int32, ok bool) {
	v, _, ok := clock(b, true, false)
	return int32(v), ok
}

// CutMillis cuts milliseconds to the precision of TIME(p).
func CutMillis(ms int32, p int32) int32 {
	switch {
	case p <= 0:
		return ms - ms%1000
	case p == 1:
		return ms - ms%100
	case p == 2:
		return ms - ms%10
	}
	return ms
}

// CutMicros makes the microseconds of a TIMESTAMP(p) of up to six digits of a
// moment; digits beyond the precision are cut, towards the past.
func CutMicros(millis int64, nano int32, p int32) int64 {
	us := millis*1000 + int64(nano)/1000
	if p >= 6 {
		return us
	}
	unit := [6]int64{1e6, 1e5, 1e4, 1e3, 1e2, 1e1}[p]
	return us - value.FloorMod(us, unit)
}

// CutNanos cuts the nanoseconds of the millisecond to the precision of a
// TIMESTAMP(p) of seven digits or more.
func CutNanos(nano int32, p int32) int32 {
	switch p {
	case 7:
		return nano - nano%100
	case 8:
		return nano - nano%10
	}
	return nano
}
