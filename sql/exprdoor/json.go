package exprdoor

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// jsonPath cuts document, path.
func (k *cutter) jsonPath(n *int) error {
	if err := k.jsonInput(n); err != nil {
		return err
	}
	if err := k.WantSymbol(","); err != nil {
		return err
	}
	if err := k.more(n); err != nil {
		return err
	}
	if k.Looks("PASSING") {
		return diag.New(diag.NotSupported, k.Tok().Span(), "Flink reads PASSING and ignores it").WithHint("build the path with ||")
	}
	return nil
}

// jsonInput cuts one value; FORMAT JSON behind it is in Flink's grammar only.
func (k *cutter) jsonInput(n *int) error {
	if err := k.more(n); err != nil {
		return err
	}
	if k.Looks("FORMAT", "JSON") {
		return diag.New(diag.NotSupported, k.Tok().Span().Join(k.Peek(1).Span()), "Flink has no FORMAT JSON").
			WithHint("JSON(text) puts a text in as JSON")
	}
	return nil
}

// jsonExists cuts document, path [TRUE|FALSE|UNKNOWN|ERROR ON ERROR].
func (k *cutter) jsonExists(c *ast.Call) (n int, err error) {
	if err := k.jsonPath(&n); err != nil {
		return n, err
	}
	if k.LooksAny("TRUE", "FALSE", "UNKNOWN", "ERROR") {
		c.JSON = &ast.JSONClauses{OnError: k.Next().Key}
		err = k.Want("ON", "ERROR")
	}
	return n, err
}

// jsonValue cuts document, path [RETURNING type] [NULL|ERROR|DEFAULT x ON
// EMPTY|ERROR]...
func (k *cutter) jsonValue(c *ast.Call) (n int, err error) {
	if err := k.jsonPath(&n); err != nil {
		return n, err
	}
	c.JSON = &ast.JSONClauses{}
	if err := k.returning(c.JSON); err != nil {
		return n, err
	}
	for k.LooksAny("NULL", "ERROR", "DEFAULT") {
		what := k.Next().Key
		var x ast.Expr
		if what == "DEFAULT" {
			if x, err = k.door.Expr(); err != nil {
				return n, err
			}
		}
		empty, err := k.onEmptyOrError()
		switch {
		case err != nil:
			return n, err
		case empty:
			c.JSON.OnEmpty, c.JSON.EmptyDef = what, x
		default:
			c.JSON.OnError, c.JSON.ErrorDef = what, x
		}
	}
	return n, nil
}

// jsonQuery cuts document, path [RETURNING type] [wrapper] [NULL|ERROR|EMPTY
// ARRAY|EMPTY OBJECT ON EMPTY|ERROR]...
func (k *cutter) jsonQuery(c *ast.Call) (n int, err error) {
	if err := k.jsonPath(&n); err != nil {
		return n, err
	}
	c.JSON = &ast.JSONClauses{}
	if err := k.returning(c.JSON); err != nil {
		return n, err
	}
	switch {
	case k.Take("WITHOUT"):
		c.JSON.Wrapper = "WITHOUT"
	case k.Take("WITH"):
		c.JSON.Wrapper = "UNCONDITIONAL"
		if k.LooksAny("CONDITIONAL", "UNCONDITIONAL") {
			c.JSON.Wrapper = k.Next().Key
		}
	}
	if c.JSON.Wrapper != "" {
		k.Take("ARRAY")
		if err := k.Want("WRAPPER"); err != nil {
			return n, err
		}
	}
	for k.LooksAny("NULL", "ERROR", "EMPTY") {
		what := k.Next().Key
		if what == "EMPTY" {
			if !k.LooksAny("ARRAY", "OBJECT") {
				return n, k.Unexpected("ARRAY", "OBJECT")
			}
			what += " " + k.Next().Key
		}
		empty, err := k.onEmptyOrError()
		switch {
		case err != nil:
			return n, err
		case empty:
			c.JSON.OnEmpty = what
		default:
			c.JSON.OnError = what
		}
	}
	return n, nil
}

func (k *cutter) returning(j *ast.JSONClauses) error {
	if !k.Take("RETURNING") {
		return nil
	}
	t, err := k.CastType()
	j.Returning = &t
	return err
}

// onEmptyOrError takes ON EMPTY or ON ERROR and reports which.
func (k *cutter) onEmptyOrError() (empty bool, err error) {
	if err := k.Want("ON"); err != nil {
		return false, err
	}
	if k.Take("EMPTY") {
		return true, nil
	}
	if !k.Take("ERROR") {
		return false, k.Unexpected("EMPTY", "ERROR")
	}
	return false, nil
}

// jsonObject cuts pairs [KEY] k VALUE v or k : v, of which the aggregate has
// one, and [NULL|ABSENT ON NULL].
func (k *cutter) jsonObject(c *ast.Call) (n int, err error) {
	c.JSON = &ast.JSONClauses{Pairs: true}
	aggregate := lex.Upper(c.Func.Parts[0].Text) == "JSON_OBJECTAGG"
	if k.Tok().Is(")") && !aggregate {
		return 0, nil
	}
	for {
		key := k.Looks("KEY")
		if key {
			k.Next()
		}
		if err := k.more(&n); err != nil {
			return n, err
		}
		switch {
		case k.Take("VALUE"):
		case !key && k.TakeSymbol(":"):
		default:
			e := k.Unexpected("VALUE")
			if k.Tok().Is(",") {
				e.WithHint("pairs are written KEY 'a' VALUE 1, KEY 'b' VALUE 2")
			}
			return n, e
		}
		if err := k.jsonInput(&n); err != nil {
			return n, err
		}
		if aggregate || !k.TakeSymbol(",") {
			return n, k.onNull(c.JSON)
		}
	}
}

// jsonArray cuts the elements of an array, of which the aggregate has one, and
// [NULL|ABSENT ON NULL].
func (k *cutter) jsonArray(c *ast.Call) (n int, err error) {
	c.JSON = &ast.JSONClauses{}
	aggregate := lex.Upper(c.Func.Parts[0].Text) == "JSON_ARRAYAGG"
	if k.Tok().Is(")") && !aggregate {
		return 0, nil
	}
	for {
		if err := k.jsonInput(&n); err != nil {
			return n, err
		}
		if aggregate || !k.TakeSymbol(",") {
			break
		}
	}
	if aggregate && k.Take("ORDER") {
		if err := k.Want("BY"); err != nil {
			return n, err
		}
		if c.Within, err = k.door.OrderItems(); err != nil {
			return n, err
		}
	}
	return n, k.onNull(c.JSON)
}

func (k *cutter) onNull(j *ast.JSONClauses) error {
	if !k.LooksAny("NULL", "ABSENT") {
		return nil
	}
	j.OnNull = k.Next().Key
	return k.Want("ON", "NULL")
}

// jsonAggregate cuts WITHIN GROUP behind JSON_ARRAYAGG. Flink's grammar gives
// the JSON aggregates no FILTER and no OVER.
func (k *cutter) jsonAggregate(n int, t lex.Token, c *ast.Call) (err error) {
	if t.Key != "JSON_ARRAYAGG" && t.Key != "JSON_OBJECTAGG" {
		return nil
	}
	if t.Key == "JSON_ARRAYAGG" && k.Looks("WITHIN") {
		if c.Within, err = k.door.within(); err != nil {
			return err
		}
		k.pieces[n].span.End = k.Prev().End
	}
	if k.LooksAny("FILTER", "OVER") {
		return diag.New(diag.NotSupported, k.Tok().Span(), "%s cannot be used with %s", t.Key, k.Tok().Key).
			WithHint("aggregate in a query with GROUP BY")
	}
	return nil
}
