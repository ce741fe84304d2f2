package cursor

import (
	"strconv"
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
	"fsql/types"
)

// Qualifier is the unit of an interval: From [TO To], the digits its first
// field may have and those of the fraction of a second.
type Qualifier struct {
	ast.At
	From, To string // in the singular; To "" for a single unit
	Digits   int
	Fraction int
}

// Unit is the qualifier without its digits, as types hold it.
func (q Qualifier) Unit() string {
	if q.To == "" {
		return q.From
	}
	return q.From + " TO " + q.To
}

// Type is the interval type. Values are whole months or milliseconds whatever
// the digits, so the type does not keep them (Flink: INTERVAL MONTH and
// INTERVAL SECOND(3) are the only resolutions).
func (q Qualifier) Type() types.Type {
	kind := types.IntervalMillis
	switch q.From {
	case "YEAR", "QUARTER", "MONTH":
		kind = types.IntervalMonths
	}
	t := types.Of(kind)
	t.Unit = q.Unit()
	return t
}

// unitOf is the unit a word names, in the singular, or "".
func unitOf(t lex.Token) string {
	switch t.Key {
	case "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND":
		return t.Key
	case "YEARS", "QUARTERS", "MONTHS", "WEEKS", "DAYS", "HOURS", "MINUTES", "SECONDS":
		return t.Key[:len(t.Key)-1]
	}
	return ""
}

// LooksUnit tells whether a token is the unit of an interval.
func LooksUnit(t lex.Token) bool { return unitOf(t) != "" }

var intervalUnits = []string{"YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"}

// ends are the units a range may end with, by its first unit.
func ends(from string) []string {
	switch from {
	case "YEAR":
		return []string{"MONTH"}
	case "DAY":
		return []string{"HOUR", "MINUTE", "SECOND"}
	case "HOUR":
		return []string{"MINUTE", "SECOND"}
	case "MINUTE":
		return []string{"SECOND"}
	}
	return nil
}

// IntervalQualifier takes UNIT[(digits)] [TO UNIT[(digits)]].
func (c *Cursor) IntervalQualifier() (Qualifier, error) {
	start := c.Tok().Start
	q := Qualifier{Digits: 2, Fraction: 6}
	if q.From = unitOf(c.Tok()); q.From == "" {
		return q, c.Unexpected(intervalUnits...)
	}
	c.Next()
	if c.TakeSymbol("(") {
		n, err := c.Count("the digits of " + q.From)
		if err != nil {
			return q, err
		}
		q.Digits = int(n)
		if q.From == "SECOND" && c.TakeSymbol(",") {
			if n, err = c.Count("the digits of the fraction"); err != nil {
				return q, err
			}
			q.Fraction = int(n)
		}
		if err := c.WantSymbol(")"); err != nil {
			return q, err
		}
	}
	if may := ends(q.From); c.Looks("TO") && may != nil {
		c.Next()
		to := unitOf(c.Tok())
		known := false
		for _, u := range may {
			known = known || u == to
		}
		if !known {
			return q, c.Unexpected(may...)
		}
		q.To = to
		c.Next()
		if to == "SECOND" && c.TakeSymbol("(") {
			n, err := c.Count("the digits of the fraction")
			if err != nil {
				return q, err
			}
			q.Fraction = int(n)
			if err := c.WantSymbol(")"); err != nil {
				return q, err
			}
		}
	}
	q.Pos = c.From(start)
	if q.Digits < 1 || q.Digits > 10 {
		return q, diag.New(diag.BadLiteral, q.Pos, "the first field of an interval has 1 to 10 digits, not %d", q.Digits)
	}
	if q.Fraction < 1 || q.Fraction > 9 {
		return q, diag.New(diag.BadLiteral, q.Pos, "the seconds of an interval have 1 to 9 digits behind the point, not %d", q.Fraction)
	}
	return q, nil
}

// Interval reads the text of INTERVAL 'text' UNIT as months or milliseconds.
func (q Qualifier) Interval(span diag.Span, text string, negative bool) (*ast.Literal, error) {
	bad := func(format string, args ...any) error {
		return diag.New(diag.BadLiteral, span, "INTERVAL '%s' %s "+format, append([]any{text, q.Unit()}, args...)...)
	}
	rest := strings.Trim(text, " ")
	if s := strings.TrimPrefix(rest, "-"); s != rest {
		negative, rest = !negative, s
	} else {
		rest = strings.TrimPrefix(rest, "+")
	}
	fields, ok := q.split(rest)
	if !ok {
		return nil, bad("is not of the form %s", q.form())
	}
	first := fields[0]
	if n := len(strings.TrimLeft(first.digits, "0")); n > q.Digits || first.value > 1<<31-1 {
		e := diag.New(diag.BadLiteral, span, "INTERVAL '%s' %s has %d digits in its first field, more than %d", text, q.Unit(), n, q.Digits)
		if n > q.Digits && n <= 10 {
			to := ""
			if q.To != "" {
				to = " TO " + q.To
			}
			e.WithHint("write INTERVAL '%s' %s(%d)%s", text, q.From, n, to)
		}
		return nil, e
	}
	var total int64
	for _, f := range fields {
		total += f.value * f.weight
	}
	t := q.Type().NotNull()
	if t.Kind == types.IntervalMonths && total > 1<<31-1 {
		return nil, bad("is longer than 2147483647 months")
	}
	if negative {
		total = -total
	}
	return &ast.Literal{At: ast.At{Pos: span}, Type: t, Text: strconv.FormatInt(total, 10)}, nil
}

// form is an example of the text, for messages.
func (q Qualifier) form() string {
	if q.To == "" {
		if q.From == "SECOND" {
			return "'5' or '5.25'"
		}
		return "'5'"
	}
	forms := map[string]string{"YEAR TO MONTH": "'1-6'", "DAY TO HOUR": "'1 02'", "DAY TO MINUTE": "'1 02:03'",
		"DAY TO SECOND": "'1 02:03:04.5'", "HOUR TO MINUTE": "'02:03'", "HOUR TO SECOND": "'02:03:04.5'", "MINUTE TO SECOND": "'03:04.5'"}
	return forms[q.Unit()]
}

// field is one part of an interval's text with its weight in months or
// milliseconds.
type field struct {
	digits string
	value  int64
	weight int64
}

// units in the order of their size, with what separates each from the one
// before it, its highest value behind that one, and its weight.
var fieldOrder = []struct {
	unit   string
	before byte
	most   int64
	weight int64
}{
	{"YEAR", 0, 0, 12}, {"QUARTER", 0, 0, 3}, {"MONTH", '-', 11, 1},
	{"WEEK", 0, 0, 7 * 86_400_000}, {"DAY", 0, 0, 86_400_000}, {"HOUR", ' ', 23, 3_600_000},
	{"MINUTE", ':', 59, 60_000}, {"SECOND", ':', 59, 1000},
}

// split parts the text of an interval, which has no sign any more, into its
// fields. Digits of the first field are not counted here.
func (q Qualifier) split(text string) ([]field, bool) {
	last := q.To
	if last == "" {
		last = q.From
	}
	var fields []field
	started := false
	for _, u := range fieldOrder {
		first := u.unit == q.From
		if !first && !started || q.From == "YEAR" && u.unit == "QUARTER" {
			continue
		}
		if !first {
			if text == "" || text[0] != u.before {
				return nil, false
			}
			text = text[1:]
		}
		started = true
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		v, err := strconv.ParseInt(text[:n], 10, 64)
		if n == 0 || !first && (n > 2 || v > u.most) {
			return nil, false
		}
		if err != nil {
			v = 1 << 40 // beyond every limit; the caller counts the digits
		}
		fields = append(fields, field{text[:n], v, u.weight})
		text = text[n:]
		if u.unit == "SECOND" && strings.HasPrefix(text, ".") {
			frac := text[1:]
			if frac == "" || len(frac) > q.Fraction || strings.Trim(frac, "0123456789") != "" {
				return nil, false
			}
			ms, _ := strconv.ParseInt((frac + "00")[:3], 10, 64) // what is below a millisecond is cut off
			fields = append(fields, field{frac, ms, 1})
			text = ""
		}
		if u.unit == last {
			return fields, text == ""
		}
	}
	return nil, false
}
