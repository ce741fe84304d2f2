package builtin

import (
	"math"
	"strconv"
	"strings"

	"fsql/internal/value"
)

// absent is the number of a part that a text does not have.
const absent = math.MinInt64

// reading is what a pattern found in a text.
type reading struct {
	year, month, day, dayOfYear  int64
	weekday                      int64 // Sunday is 0
	weekYear, week               int64
	hour, hour12, half, min, sec int64
	nano                         int64
	offset                       int64
	zoned                        bool
}

func newReading() reading {
	return reading{year: absent, month: absent, day: absent, dayOfYear: absent, weekday: absent, weekYear: absent, week: absent, hour: absent, hour12: absent, half: absent,
		min: absent, sec: absent, nano: absent}
}

// read parses all of s (DateTimeFormatter) or its start (SimpleDateFormat).
func (d *datePattern) read(s string) (reading, bool) {
	r, whole := newReading(), s
	for i, t := range d.tokens {
		var ok bool
		if t.letter == 0 {
			s, ok = strings.CutPrefix(s, t.text)
		} else {
			s, ok = d.readField(&r, s, i)
		}
		if !ok {
			return r, false
		}
	}
	if d.old {
		return r, len(s) < len(whole)
	}
	return r, s == "" && d.agrees(r)
}

// agrees tells whether the day of the week that was read is that of the date.
func (d *datePattern) agrees(r reading) bool {
	if r.weekday == absent || r.year == absent || r.month == absent || r.day == absent {
		return true
	}
	ms, _ := d.wall(r)
	return value.Weekday(value.FloorDiv(ms, value.Day)) == r.weekday
}

// readWeekday takes the name of a day.
func readWeekday(r *reading, s string, t token) (rest string, ok bool) {
	for i, name := range dayNames {
		if t.n < 4 {
			name = name[:3]
		}
		if after, ok := strings.CutPrefix(s, name); ok {
			r.weekday = int64(i)
			return after, true
		}
	}
	return s, false
}

// width returns the least and most digits of a number, given what follows:
// numbers that touch have the width of their letters.
func (d *datePattern) width(i int) (least, most int) {
	t := d.tokens[i]
	touches := i+1 < len(d.tokens) && d.tokens[i+1].numeric()
	touched := i > 0 && d.tokens[i-1].numeric()
	if d.old {
		if touches {
			return 1, t.n
		}
		return 1, 18
	}
	switch {
	case t.letter == 'S':
		return t.n, t.n
	case (t.letter == 'y' || t.letter == 'u') && t.n != 2:
		if touches || t.n >= 4 {
			return t.n, t.n
		}
		return t.n, 18
	case t.letter == 'D':
		return t.n, 3
	case t.n == 1 && !touches && !touched:
		return 1, 18
	}
	return t.n, t.n
}

func (t token) numeric() bool {
	switch t.letter {
	case 'y', 'Y', 'w', 'u', 'D', 'd', 'H', 'k', 'K', 'h', 'm', 's', 'S', 'n', 'A', 'N':
		return true
	case 'M', 'L':
		return t.n <= 2
	}
	return false
}

func (d *datePattern) readField(r *reading, s string, i int) (rest string, ok bool) {
	t := d.tokens[i]
	switch t.letter {
	case 'M', 'L':
		if t.n > 2 {
			return d.readMonth(r, s, t)
		}
	case 'E':
		if !d.old && t.n < 5 {
			return readWeekday(r, s, t)
		}
		return skipWord(s)
	case 'Y', 'w':
		if !d.old {
			return skipWord(s)
		}
	case 'B', 'e', 'c', 'G', 'g', 'Q', 'q', 'W', 'F':
		return skipWord(s)
	case 'a':
		for half, text := range [...]string{"AM", "PM"} {
			if len(s) >= 2 && (s[:2] == text || d.old && strings.EqualFold(s[:2], text)) {
				r.half = int64(half)
				return s[2:], true
			}
		}
		return s, false
	case 'z', 'V', 'O':
		return skipWord(s)
	case 'X', 'x', 'Z':
		return readOffset(r, s)
	}
	least, most := d.width(i)
	if d.old {
		// Blanks before a number count as its digits where it has a width.
		trimmed := strings.TrimLeft(s, " \t")
		if i+1 < len(d.tokens) && d.tokens[i+1].numeric() {
			most -= len(s) - len(trimmed)
		}
		s = trimmed
	}
	n, v := 0, int64(0)
	// SimpleDateFormat takes a sign, which counts as a digit.
	minus := d.old && len(s) > 0 && s[0] == '-'
	if minus {
		n++
		least++
	}
	for n < len(s) && n < most && s[n] >= '0' && s[n] <= '9' {
		v = v*10 + int64(s[n]-'0')
		n++
	}
	if n < least {
		return s, false
	}
	if minus {
		v = -v
	}
	if !d.old && n == most && most >= 4 && n < len(s) && s[n] >= '0' && s[n] <= '9' && !(i+1 < len(d.tokens) && d.tokens[i+1].numeric()) {
		return s, false // a year of more digits needs a sign
	}
	return s[n:], d.set(r, t, v, n)
}

// set stores a number; the strict form checks its range.
func (d *datePattern) set(r *reading, t token, v int64, n int) bool {
	in := func(lo, hi int64) bool { return d.old || v >= lo && v <= hi }
	switch {
	case d.old && t.letter == 'Y':
		r.weekYear = v
		return true
	case d.old && t.letter == 'w':
		r.week = v
		return true
	case d.old && t.letter == 'u': // Monday is 1
		r.weekday = v % 7
		return true
	}
	switch t.letter {
	case 'y', 'u':
		if t.n == 2 && n == 2 {
			if v += 2000; d.old && v > 2044 {
				v -= 100
			}
		}
		r.year = v
		return d.old || v >= 1
	case 'M', 'L':
		r.month = v
		return in(1, 12)
	case 'd':
		r.day = v
		return in(1, 31)
	case 'D':
		r.dayOfYear = v
		return in(1, 366)
	case 'H':
		r.hour = v
		return in(0, 24)
	case 'k':
		r.hour = v % 24
		return in(1, 24)
	case 'K':
		r.hour12 = v
		return in(0, 11)
	case 'h':
		r.hour12 = v % 12
		return in(1, 12)
	case 'm':
		r.min = v
		return in(0, 59)
	case 's':
		r.sec = v
		return in(0, 59)
	case 'S':
		if d.old {
			r.nano = v * 1e6
			return true
		}
		for ; n < 9; n++ {
			v *= 10
		}
		for ; n > 9; n-- {
			v /= 10
		}
		r.nano = v
	case 'n':
		r.nano = v
	}
	return true
}

func (d *datePattern) readMonth(r *reading, s string, t token) (string, bool) {
	// The longest name first: SimpleDateFormat takes short and full ones.
	for _, full := range []bool{true, false} {
		if !d.old && full != (t.n == 4) {
			continue
		}
		for i, m := range monthNames {
			if !full {
				m = m[:3]
			}
			if len(s) >= len(m) && (s[:len(m)] == m || d.old && strings.EqualFold(s[:len(m)], m)) {
				r.month = int64(i + 1)
				return s[len(m):], true
			}
		}
	}
	return s, false
}

// skipWord passes over a name or number that does not matter.
func skipWord(s string) (string, bool) {
	n := 0
	for n < len(s) && s[n] != ' ' && s[n] != ',' && s[n] != '.' {
		n++
	}
	return s[n:], n > 0
}

// readOffset reads Z, +05, +0530 or +05:30.
func readOffset(r *reading, s string) (string, bool) {
	r.zoned = true
	if strings.HasPrefix(s, "Z") {
		return s[1:], true
	}
	if len(s) < 3 || s[0] != '+' && s[0] != '-' {
		return s, false
	}
	digits, n := int64(0), 0
	i := 1
	for ; i < len(s) && n < 4; i++ {
		if s[i] == ':' && n == 2 {
			continue
		}
		if s[i] < '0' || s[i] > '9' {
			break
		}
		digits = digits*10 + int64(s[i]-'0')
		n++
	}
	switch n {
	case 2:
		r.offset = digits * value.Hour
	case 4:
		r.offset = digits/100*value.Hour + digits%100*value.Minute
	default:
		return s, false
	}
	if s[0] == '-' {
		r.offset = -r.offset
	}
	return s[i:], true
}

// wall is the wall clock that was read, in milliseconds and nanoseconds of the
// millisecond; parts that are missing are those of 1970-01-01 00:00:00. Days
// beyond the month become its last one, or with the old reader run over into
// the next, as all its numbers may.
func (d *datePattern) wall(r reading) (ms int64, nano int32) {
	or := func(v, missing int64) int64 {
		if v == absent {
			return missing
		}
		return v
	}
	y, m, day := or(r.year, 1970), or(r.month, 1), or(r.day, 1)
	var days int64
	if d.old {
		months := y*12 + m - 1
		y, m = value.FloorDiv(months, 12), value.FloorMod(months, 12)+1
		days = value.Days(y, m, 1) + day - 1
	} else {
		days = value.Days(y, m, min(day, value.MonthDays(y, m)))
	}
	if r.dayOfYear != absent && r.day == absent && (r.year != absent || d.old) {
		days = value.Days(y, 1, 1) + r.dayOfYear - 1
	}
	if r.weekYear != absent {
		// A year of weeks outdoes all else; week 1 is that of 1 January and
		// begins on a Sunday.
		first := value.Days(r.weekYear, 1, 1)
		days = first - value.Weekday(first) + 7*(or(r.week, 1)-1) + or(r.weekday, 0)
	}
	hour := or(r.hour, 0)
	if hour == 24 && !d.old && r.year == absent && r.month == absent && r.day == absent && r.dayOfYear == absent {
		hour = 0 // without a date there is no next day
	}
	if r.hour == absent && r.hour12 != absent {
		hour = r.hour12 + 12*or(r.half, 0)
	}
	n := or(r.nano, 0)
	ms = days*value.Day + hour*value.Hour + or(r.min, 0)*value.Minute + or(r.sec, 0)*value.Second + n/1e6
	return ms, int32(n % 1e6)
}

// timestamp reads a wall clock in milliseconds. A text that does not fit the
// pattern may be one that java.sql.Timestamp and Date read: yyyy-[m]m-[d]d
// [h:m:s[.f]], where days and times beyond the range run over.
func (d *datePattern) timestamp(s string) (ms int64, ok bool) {
	if r, ok := d.read(s); ok {
		ms, _ = d.wall(r)
		return ms, true
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, false
	}
	date, clock, timed := strings.Cut(s, " ")
	var y, m, day, h, min, sec int64
	if !numbers(date, "-", &y, &m, &day) || len(date) < 4 || date[4] != '-' || m < 1 || m > 12 || day < 1 || day > 31 {
		return 0, false
	}
	fraction, millis := "", int64(0)
	if clock, fraction, _ = strings.Cut(clock, "."); timed && !numbers(clock, ":", &h, &min, &sec) {
		return 0, false
	}
	for i := range len(fraction) {
		if fraction[i] < '0' || fraction[i] > '9' || i > 8 {
			return 0, false
		}
		if i < 3 {
			millis += int64(fraction[i]-'0') * [...]int64{100, 10, 1}[i]
		}
	}
	days := value.Days(y, m, 1) + day - 1
	return days*value.Day + h*value.Hour + min*value.Minute + sec*value.Second + millis, true
}

// numbers reads whole numbers between separators, all of s.
func numbers(s, sep string, out ...*int64) bool {
	parts := strings.Split(s, sep)
	if len(parts) != len(out) {
		return false
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 31)
		if err != nil {
			return false
		}
		*out[i] = int64(n)
	}
	return true
}
