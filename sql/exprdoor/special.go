package exprdoor

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// special cuts a call with a grammar of its own. It reports false for calls
// that are ordinary.
func (k *cutter) special(at int, t lex.Token) (bool, error) {
	var inside func(*ast.Call) (int, error)
	switch t.Key {
	case "EXTRACT":
		inside = k.extract
	case "FLOOR", "CEIL", "CEILING":
		inside = k.floor
	case "SUBSTRING":
		inside = k.substring
	case "TRIM":
		inside = k.trim
	case "POSITION":
		inside = k.position
	case "OVERLAY":
		inside = k.overlay
	case "TIMESTAMPADD", "TIMESTAMPDIFF":
		inside = k.timestampUnit
	case "TRANSLATE":
		inside = k.translate
	case "JSON_EXISTS":
		inside = k.jsonExists
	case "JSON_VALUE":
		inside = k.jsonValue
	case "JSON_QUERY":
		inside = k.jsonQuery
	case "JSON_OBJECT", "JSON_OBJECTAGG":
		inside = k.jsonObject
	case "JSON_ARRAY", "JSON_ARRAYAGG":
		inside = k.jsonArray
	default:
		return false, nil
	}
	name := cursor.NameOf(t)
	c := &ast.Call{Func: ast.Path{At: name.At, Parts: []ast.Name{name}}}
	k.At += 2
	n := len(k.pieces)
	err := k.around(at, func() (int, error) { return inside(c) }, func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		c.At, c.Args = ast.At{Pos: span}, args
		return c, nil
	})
	if err != nil {
		return true, err
	}
	if err := k.jsonAggregate(n, t, c); err != nil {
		return true, err
	}
	return true, k.behind(n)
}

// more cuts one more operand of a special call behind a keyword or comma.
func (k *cutter) more(n *int) error {
	if *n > 0 {
		k.raw(",")
	}
	*n++
	return k.expr(anyOperator)
}

// timeFrames are the units of EXTRACT, FLOOR, CEIL, TIMESTAMPADD and
// TIMESTAMPDIFF. Which of them a function takes is checked when it is bound.
var timeFrames = []string{"SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DOW", "ISODOW", "DOY", "ISOYEAR",
	"DECADE", "CENTURY", "MILLENNIUM", "EPOCH", "MILLISECOND", "MICROSECOND", "NANOSECOND"}

// timeFrame takes a unit and adds it to the words of a call.
func (k *cutter) timeFrame(c *ast.Call) error {
	t := k.Tok()
	if t.Kind != lex.Word {
		e := k.Unexpected("a unit of time, such as DAY")
		if t.Kind == lex.String {
			e.WithHint("write the unit without quotes: %s", t.Text)
		}
		return e
	}
	unit := lex.Upper(t.Text)
	if len(unit) > 8 && unit[:8] == "SQL_TSI_" {
		unit = unit[8:]
	}
	for _, u := range timeFrames {
		if u == unit {
			k.Next()
			c.Words = append(c.Words, u)
			return nil
		}
	}
	e := diag.New(diag.Syntax, t.Span(), "'%s' is no unit of time", t.Text).WithHint("units are %s", cursor.Either(timeFrames))
	if near := diag.Nearest(unit, timeFrames); near != "" {
		e.WithLabel("did you mean %s?", near)
	}
	return e
}

// extract cuts unit FROM x.
func (k *cutter) extract(c *ast.Call) (n int, err error) {
	if err := k.timeFrame(c); err != nil {
		return 0, err
	}
	if err := k.Want("FROM"); err != nil {
		diag.Of(err).WithHint("write EXTRACT(%s FROM x)", c.Words[0])
		return 0, err
	}
	err = k.more(&n)
	return n, err
}

// floor cuts x [TO unit].
func (k *cutter) floor(c *ast.Call) (n int, err error) {
	if err := k.more(&n); err != nil {
		return n, err
	}
	if k.Take("TO") {
		return n, k.timeFrame(c)
	}
	return n, nil
}

// substring cuts x FROM i [FOR n], or x, i [, n].
func (k *cutter) substring(*ast.Call) (n int, err error) {
	if err := k.more(&n); err != nil {
		return n, err
	}
	words := k.Take("FROM")
	if !words && !k.TakeSymbol(",") {
		return n, k.Unexpected("FROM", "','")
	}
	if err := k.more(&n); err != nil {
		return n, err
	}
	if words && k.Take("FOR") || !words && k.TakeSymbol(",") {
		err = k.more(&n)
	}
	return n, err
}

// trim cuts [BOTH|LEADING|TRAILING] [characters] FROM x, or x. The characters
// come first among the arguments.
func (k *cutter) trim(c *ast.Call) (n int, err error) {
	if k.LooksAny("BOTH", "LEADING", "TRAILING") {
		c.Words = []string{k.Next().Key}
		if k.Take("FROM") {
			err = k.more(&n)
			return n, err
		}
	}
	if err := k.more(&n); err != nil {
		return n, err
	}
	if k.Take("FROM") {
		err = k.more(&n)
	} else if k.Tok().Is(",") {
		return n, k.Unexpected("FROM", "')'").WithHint("write TRIM('x' FROM s), or BTRIM(s, 'x')")
	}
	return n, err
}

// position cuts a IN b [FROM n]. The first operand has no operators, since IN
// is one.
func (k *cutter) position(*ast.Call) (n int, err error) {
	n = 1
	if err := k.primary(); err != nil {
		return n, err
	}
	if !k.Take("IN") {
		e := k.Unexpected("IN")
		if k.Tok().Is(",") {
			e.WithHint("write POSITION(a IN b), or LOCATE(a, b)")
		} else {
			e.WithHint("put the part before IN into parentheses")
		}
		return n, e
	}
	if err := k.more(&n); err != nil {
		return n, err
	}
	if k.Take("FROM") {
		err = k.more(&n)
	}
	return n, err
}

// overlay cuts x PLACING y FROM i [FOR n].
func (k *cutter) overlay(*ast.Call) (n int, err error) {
	for _, word := range []string{"PLACING", "FROM"} {
		if err := k.more(&n); err != nil {
			return n, err
		}
		if err := k.Want(word); err != nil {
			return n, err
		}
	}
	if err := k.more(&n); err != nil {
		return n, err
	}
	if k.Take("FOR") {
		err = k.more(&n)
	}
	return n, err
}

// timestampUnit cuts unit, a, b.
func (k *cutter) timestampUnit(c *ast.Call) (n int, err error) {
	if err := k.timeFrame(c); err != nil {
		return 0, err
	}
	for range 2 {
		if err := k.WantSymbol(","); err != nil {
			return n, err
		}
		if err := k.more(&n); err != nil {
			return n, err
		}
	}
	return n, nil
}

// translate cuts a, b, c.
func (k *cutter) translate(*ast.Call) (n int, err error) {
	for {
		if err := k.more(&n); err != nil {
			return n, err
		}
		if k.Looks("USING") {
			return n, diag.New(diag.NotSupported, k.Tok().Span(), "Flink does not run TRANSLATE with USING").WithHint("ENCODE and DECODE convert character sets")
		}
		if !k.TakeSymbol(",") {
			return n, nil
		}
	}
}
