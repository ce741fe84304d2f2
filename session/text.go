package session

import (
	"encoding/hex"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fsql/internal/diag"
	"fsql/sql/lex"
)

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Expand puts the values of variables into a script: each ${name} becomes the
// text that vars has for it, as it stands. A name without a value is an error.
// Values that come from elsewhere go through Literal or Name first. Errors of
// statements have their places in the text that Expand returns.
func Expand(script string, vars map[string]string) (string, error) {
	var err error
	out := variable.ReplaceAllStringFunc(script, func(m string) string {
		name := m[2 : len(m)-1]
		v, found := vars[name]
		if !found && err == nil {
			err = unset(name, strings.Index(script, m))
		}
		return v
	})
	return out, err
}

// Unset is the error of the first ${name} in the SQL of a script itself. In a
// text or a comment, which may hold one for another reader, it is left alone.
func Unset(script string) error {
	for _, t := range lex.Scan(script).Tokens {
		if t.Kind != lex.Word || !strings.HasPrefix(script[t.Start:], "${") {
			continue
		}
		if m := variable.FindStringSubmatchIndex(script[t.Start:]); m != nil && m[0] == 0 {
			return unset(script[t.Start+m[2]:t.Start+m[3]], t.Start)
		}
	}
	return nil
}

func unset(name string, at int) error {
	return diag.New(diag.Usage, diag.Span{Start: at, End: at + len("${}") + len(name)}, "the script uses ${%s}, which has no value", name).
		WithHint("give it one: -v %s=...", name)
}

// Literal writes a Go value as a SQL literal that no content can break out of:
// nil, bool, whole numbers, floats, strings, []byte, and time.Time, which
// becomes a TIMESTAMP of its wall clock.
func Literal(v any) (string, error) {
	r := reflect.ValueOf(v)
	switch x := v.(type) {
	case nil:
		return "NULL", nil
	case []byte:
		return "x'" + hex.EncodeToString(x) + "'", nil
	case time.Time:
		digits, layout := 0, "2006-01-02 15:04:05"
		for n := x.Nanosecond(); n != 0; n = n * 10 % 1_000_000_000 {
			digits++
		}
		if digits > 0 {
			layout += "." + strings.Repeat("0", digits)
		}
		if y := x.Year(); y < 1 || y > 9999 {
			return "", diag.New(diag.BadValue, diag.Span{}, "a TIMESTAMP literal has years from 1 to 9999, not %d", y)
		}
		return "TIMESTAMP '" + x.Format(layout) + "'", nil
	case time.Duration: // an integer for Go, an interval for SQL
	default:
		switch {
		case r.Kind() == reflect.String:
			return "'" + strings.ReplaceAll(r.String(), "'", "''") + "'", nil
		case r.Kind() == reflect.Bool:
			return strings.ToUpper(strconv.FormatBool(r.Bool())), nil
		case r.CanInt():
			return strconv.FormatInt(r.Int(), 10), nil
		case r.CanUint():
			return strconv.FormatUint(r.Uint(), 10), nil
		case r.CanFloat() && !math.IsNaN(r.Float()) && !math.IsInf(r.Float(), 0):
			text := strconv.FormatFloat(r.Float(), 'E', -1, r.Type().Bits())
			return strings.Replace(text, "E+", "E", 1), nil
		}
	}
	return "", diag.New(diag.BadValue, diag.Span{}, "a value of Go's type %T (%v) has no literal in SQL", v, v)
}

// Name writes an identifier in back-quotes, whatever is in it.
func Name(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }
