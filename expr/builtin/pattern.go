package builtin

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
	"fsql/internal/value"
)

// token is a piece of a date pattern: a letter with its count, or a text.
type token struct {
	letter byte // 0: text
	n      int
	text   string
	pad    int // least width, filled with blanks
}

// datePattern is a pattern of Java's DateTimeFormatter, or of SimpleDateFormat
// (old), which differ in a few letters and in how they read.
type datePattern struct {
	tokens []token
	old    bool
}

const (
	newLetters = "GuyYDMLdQqwWFEecaBhKkHmsSAnNgXxZzVO"
	oldLetters = "GyYMLwWDdFEuaHkKhmsSzZX"
)

func newPattern(p string, old bool) (*datePattern, error) {
	d := &datePattern{old: old}
	letters := newLetters
	if old {
		letters = oldLetters
	}
	pad := 0
	for i := 0; i < len(p); {
		c := p[i]
		switch {
		case c == '\'':
			text, n, ok := quoted(p[i:])
			if !ok {
				return nil, badPattern(p, "a quote is not closed")
			}
			d.literal(text)
			i += n
		case !old && c == 'p':
			n := run(p[i:])
			if i += n; i == len(p) || strings.IndexByte(letters, p[i]) < 0 {
				return nil, badPattern(p, "p, which pads, needs a letter behind it")
			}
			pad = n
		case !old && strings.IndexByte("{}#", c) >= 0:
			return nil, badPattern(p, "the character "+string(c)+" is reserved; put it in quotes")
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			if strings.IndexByte(letters, c) < 0 {
				return nil, badPattern(p, "the letter "+string(c)+" means nothing; put text in quotes")
			}
			n := run(p[i:])
			if !old && n > mostLetters(c) {
				return nil, badPattern(p, "too many letters "+string(c))
			}
			d.tokens = append(d.tokens, token{letter: c, n: n, pad: pad})
			pad = 0
			i += n
		case !old && (c == '[' || c == ']'):
			i++ // optional sections are read as if they had to be there
		default:
			_, n := utf8.DecodeRuneInString(p[i:])
			d.literal(p[i : i+n])
			i += n
		}
	}
	return d, nil
}

// run counts how often the first letter stands in a row.
func run(p string) int {
	n := 1
	for n < len(p) && p[n] == p[0] {
		n++
	}
	return n
}

// mostLetters is how often DateTimeFormatter takes a letter in a row.
func mostLetters(c byte) int {
	switch c {
	case 'd', 'h', 'H', 'k', 'K', 'm', 's', 'w':
		return 2
	case 'D':
		return 3
	case 'F', 'W', 'a':
		return 1
	case 'V':
		return 2
	case 'z', 'O':
		return 4
	case 'S':
		return 9
	case 'M', 'L', 'Q', 'q', 'E', 'e', 'c', 'G', 'B', 'X', 'x', 'Z':
		return 5
	}
	return 19
}

func badPattern(p, why string) error {
	return diag.New(diag.BadValue, diag.Span{}, "invalid date pattern '%s': %s", p, why)
}

// quoted reads '..' at the start of p; ” is a quote.
func quoted(p string) (text string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(p); i++ {
		if p[i] != '\'' {
			b.WriteByte(p[i])
			continue
		}
		if i+1 < len(p) && p[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		if i == 1 {
			return "'", 2, true
		}
		return b.String(), i + 1, true
	}
	return "", 0, false
}

func (d *datePattern) literal(s string) {
	if n := len(d.tokens); n > 0 && d.tokens[n-1].letter == 0 {
		d.tokens[n-1].text += s
		return
	}
	d.tokens = append(d.tokens, token{text: s})
}

// clock is a wall clock in parts, as patterns print it.
type clock struct {
	year, month, day  int64
	days              int64 // since 1970
	hour, minute, sec int64
	nano              int64  // of the second
	offset            int64  // of the zone, milliseconds
	zone, longZone    string // its names at the instant
}

// clockOf takes a wall clock in milliseconds and nanoseconds apart.
func clockOf(ms int64, nano int32) clock {
	days := value.FloorDiv(ms, value.Day)
	rest := ms - days*value.Day
	k := clock{days: days, hour: rest / value.Hour, minute: rest / value.Minute % 60, sec: rest / value.Second % 60,
		nano: rest%value.Second*1e6 + int64(nano)}
	k.year, k.month, k.day = value.Civil(days)
	return k
}

var (
	monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	quarters   = [...]string{"1st quarter", "2nd quarter", "3rd quarter", "4th quarter"}
)

// append writes a clock.
func (d *datePattern) append(dst []byte, k clock) ([]byte, error) {
	for _, t := range d.tokens {
		if t.letter == 0 {
			dst = append(dst, t.text...)
			continue
		}
		var err error
		from := len(dst)
		if dst, err = d.field(dst, t, k); err != nil {
			return dst, err
		}
		for t.pad > len(dst)-from {
			dst = slices.Insert(dst, from, ' ')
		}
	}
	return dst, nil
}

func (d *datePattern) field(dst []byte, t token, k clock) ([]byte, error) {
	switch t.letter {
	case 'y', 'u', 'Y':
		if d.old && t.letter == 'u' {
			return padded(dst, (value.Weekday(k.days)+6)%7+1, t.n), nil
		}
		y := k.year
		if t.letter == 'Y' {
			y, _ = usWeek(k.days)
		} else if t.letter == 'y' && y <= 0 {
			y = 1 - y
		}
		if t.n == 2 {
			return padded(dst, y%100, 2), nil
		}
		return padded(dst, y, t.n), nil
	case 'M', 'L':
		return name(dst, k.month, t.n, monthNames[k.month-1]), nil
	case 'd':
		return padded(dst, k.day, t.n), nil
	case 'D':
		return padded(dst, k.days-value.Days(k.year, 1, 1)+1, t.n), nil
	case 'Q', 'q':
		q := (k.month + 2) / 3
		switch {
		case t.n <= 2:
			return padded(dst, q, t.n), nil
		case t.n == 3:
			return strconv.AppendInt(append(dst, 'Q'), q, 10), nil
		}
		return append(dst, quarters[q-1]...), nil
	case 'w':
		_, w := usWeek(k.days)
		return padded(dst, w, t.n), nil
	case 'W':
		first := value.Weekday(value.Days(k.year, k.month, 1))
		return padded(dst, (k.day-1+first)/7+1, t.n), nil
	case 'F':
		if !d.old { // the day of the week that begins with the month
			return padded(dst, (k.day-1)%7+1, t.n), nil
		}
		return padded(dst, (k.day-1)/7+1, t.n), nil
	case 'E':
		return name(dst, 0, max(t.n, 3), dayNames[value.Weekday(k.days)]), nil
	case 'e', 'c':
		return name(dst, value.Weekday(k.days)+1, t.n, dayNames[value.Weekday(k.days)]), nil
	case 'a':
		if k.hour < 12 {
			return append(dst, "AM"...), nil
		}
		return append(dst, "PM"...), nil
	case 'H':
		return padded(dst, k.hour, t.n), nil
	case 'k':
		return padded(dst, (k.hour+23)%24+1, t.n), nil
	case 'K':
		return padded(dst, k.hour%12, t.n), nil
	case 'h':
		return padded(dst, (k.hour+11)%12+1, t.n), nil
	case 'm':
		return padded(dst, k.minute, t.n), nil
	case 's':
		return padded(dst, k.sec, t.n), nil
	case 'S':
		if d.old {
			return padded(dst, k.nano/1e6, t.n), nil
		}
		for unit := int64(1e8); t.n > 0; t.n-- {
			digit := int64(0)
			if unit > 0 {
				digit = k.nano / unit % 10
			}
			dst = append(dst, byte('0'+digit))
			unit /= 10
		}
		return dst, nil
	case 'n':
		return padded(dst, k.nano, t.n), nil
	case 'N':
		return padded(dst, k.ofDay()*1e9+k.nano, t.n), nil
	case 'A':
		return padded(dst, k.ofDay()*1000+k.nano/1e6, t.n), nil
	case 'g':
		return padded(dst, k.days+40587, t.n), nil // the modified Julian day
	case 'B':
		return append(dst, k.partOfDay(t.n)...), nil
	case 'G':
		if k.year <= 0 {
			return append(dst, "BC"...), nil
		}
		return append(dst, "AD"...), nil
	}
	if !d.old {
		return dst, diag.New(diag.BadValue, diag.Span{}, "the pattern letter %c needs a zone, which DATE_FORMAT does not know", t.letter)
	}
	if t.letter == 'z' && t.n > 3 {
		return append(dst, k.longZone...), nil
	}
	if t.letter == 'z' {
		return append(dst, k.zone...), nil
	}
	return appendOffset(dst, k.offset, t), nil
}

// partOfDay names the part of the day, as the Unicode locale data do in
// English.
func (k clock) partOfDay(n int) string {
	switch {
	case k.minute == 0 && k.hour == 0 && n == 5:
		return "mi"
	case k.minute == 0 && k.hour == 0:
		return "midnight"
	case k.minute == 0 && k.hour == 12 && n == 5:
		return "n"
	case k.minute == 0 && k.hour == 12:
		return "noon"
	case k.hour < 6, k.hour >= 21:
		return "at night"
	case k.hour < 12:
		return "in the morning"
	case k.hour < 18:
		return "in the afternoon"
	}
	return "in the evening"
}

func (k clock) ofDay() int64 { return k.hour*3600 + k.minute*60 + k.sec }

// appendOffset writes Z (+0530), X (+05, Z), XX, XXX (+05:30).
func appendOffset(dst []byte, offset int64, t token) []byte {
	if t.letter == 'X' && offset == 0 {
		return append(dst, 'Z')
	}
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	h, m := offset/value.Hour, offset/value.Minute%60
	dst = append(dst, sign, byte('0'+h/10), byte('0'+h%10))
	if t.letter == 'X' && t.n == 1 {
		return dst
	}
	if t.n == 3 && t.letter == 'X' {
		dst = append(dst, ':')
	}
	return append(dst, byte('0'+m/10), byte('0'+m%10))
}

// padded writes a number of at least n digits.
func padded(dst []byte, v int64, n int) []byte {
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	for limit := int64(1); n > 1; n-- {
		if limit *= 10; v < limit {
			for m := n; m > 1; m-- {
				dst = append(dst, '0')
			}
			break
		}
	}
	return strconv.AppendInt(dst, v, 10)
}

// name writes a number for one or two letters, a short, full or narrow name
// for three, four and five.
func name(dst []byte, v int64, n int, full string) []byte {
	switch n {
	case 1, 2:
		return padded(dst, v, n)
	case 3:
		return append(dst, full[:3]...)
	case 5:
		return append(dst, full[0])
	}
	return append(dst, full...)
}

// usWeek counts weeks from Sunday; week 1 is that of 1 January, as in Java's
// US locale.
func usWeek(days int64) (year, week int64) {
	saturday := days - value.Weekday(days) + 6
	year, _, _ = value.Civil(saturday)
	start := value.Days(year, 1, 1)
	return year, (days-(start-value.Weekday(start)))/7 + 1
}
