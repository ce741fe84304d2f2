package option

import (
	"math"
	"strconv"
	"strings"
)

// ParseBool reads true or false in any case, as Flink does.
func ParseBool(s string) (v, ok bool) {
	switch {
	case strings.EqualFold(s, "true"):
		return true, true
	case strings.EqualFold(s, "false"):
		return false, true
	}
	return false, false
}

// ParseInt reads a whole number in decimal digits.
func ParseInt(s string) (int64, bool) {
	v, err := strconv.ParseInt(s, 10, 64)
	return v, err == nil
}

// ParseFloat reads a number.
func ParseFloat(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

// unit is a label of Flink's and how many base units it stands for.
type unit struct {
	labels string // between blanks
	size   float64
}

// ParseDuration reads Flink's durations, a whole number and a unit ("10 s",
// "500ms", "1 min", "1d"; none is milliseconds), as milliseconds. Parts of a
// millisecond are cut off.
func ParseDuration(s string) (ms int64, ok bool) {
	return measure(s, []unit{
		{" ms milli millis millisecond milliseconds  ", 1},
		{" s sec secs second seconds ", 1e3},
		{" min m minute minutes ", 6e4},
		{" h hour hours ", 36e5},
		{" d day days ", 864e5},
		{" µs micro micros microsecond microseconds ", 1e-3},
		{" ns nano nanos nanosecond nanoseconds ", 1e-6},
	})
}

// ParseBytes reads Flink's memory sizes, a whole number and a unit of powers
// of 1024 ("128 mb", "64kb"; none is bytes).
func ParseBytes(s string) (int64, bool) {
	return measure(s, []unit{
		{" b bytes  ", 1},
		{" k kb kibibytes ", 1 << 10},
		{" m mb mebibytes ", 1 << 20},
		{" g gb gibibytes ", 1 << 30},
		{" t tb tebibytes ", 1 << 40},
	})
}

func measure(s string, units []unit) (int64, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseInt(s[:digits], 10, 64)
	if err != nil {
		return 0, false
	}
	label := strings.TrimSpace(s[digits:])
	if strings.Contains(label, " ") {
		return 0, false
	}
	for _, u := range units {
		// The base unit's list ends with two blanks, so that no label finds it.
		if !strings.Contains(u.labels, " "+label+" ") {
			continue
		}
		if u.size < 1 {
			return n / int64(1/u.size), true
		}
		if n > math.MaxInt64/int64(u.size) {
			return 0, false
		}
		return n * int64(u.size), true
	}
	return 0, false
}

// parses tells whether a value is of the option's type.
func (d *Def) parses(value string) bool {
	ok := true
	switch d.Type {
	case Bool:
		_, ok = ParseBool(value)
	case Int:
		var n int64
		n, ok = ParseInt(value)
		ok = ok && (!d.bounded() || d.From <= n && n <= d.To)
	case Float:
		_, ok = ParseFloat(value)
	case Duration:
		_, ok = ParseDuration(value)
	case Bytes:
		_, ok = ParseBytes(value)
	case Enum:
		_, ok = d.choice(value)
	}
	return ok
}

func (d *Def) bounded() bool { return d.From != 0 || d.To != 0 }

// choice returns the declared spelling of an enum's value; case does not matter.
func (d *Def) choice(value string) (string, bool) {
	for _, c := range d.Choices {
		if strings.EqualFold(c, value) {
			return c, true
		}
	}
	return "", false
}

// wants says what the type takes, with an example.
func (d *Def) wants() string {
	switch d.Type {
	case Bool:
		return "a boolean: true or false"
	case Int:
		switch {
		case d.bounded() && d.To == math.MaxInt64:
			return "a whole number from " + strconv.FormatInt(d.From, 10) + " on"
		case d.bounded():
			return "a whole number from " + strconv.FormatInt(d.From, 10) + " to " + strconv.FormatInt(d.To, 10)
		}
		return "a whole number such as " + orElse(d.Default, "10")
	case Float:
		return "a number such as " + orElse(d.Default, "0.5")
	case Duration:
		return "a duration such as '10 s', '500 ms' or '1 min'"
	case Bytes:
		return "a memory size such as '128 mb'"
	case Enum:
		return "one of " + strings.Join(d.Choices, ", ")
	}
	return "a text"
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
