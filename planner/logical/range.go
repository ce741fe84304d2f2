package logical

import (
	"math"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/value"
	"fsql/types"
)

// Range is where the values of a column of numbers lie.
type Range struct{ Lo, Hi float64 }

var anywhere = Range{math.Inf(-1), math.Inf(1)}

func (s Range) and(t Range) Range { return Range{max(s.Lo, t.Lo), min(s.Hi, t.Hi)} }
func (s Range) or(t Range) Range  { return Range{min(s.Lo, t.Lo), max(s.Hi, t.Hi)} }

// ArgumentRange is that of the argument of a call, of the rows that pass its
// FILTER.
func ArgumentRange(in Node, c *agg.Call) Range {
	if len(c.Args) != 1 {
		return anywhere
	}
	r := rangeOf(in, c.Args[0])
	calc, ok := in.(*Calc)
	if !ok || c.Filter < 0 {
		return r
	}
	if col := AsRef(calc.Exprs[c.Args[0]]); col >= 0 {
		r = r.and(allowed(calc.Exprs[c.Filter], col))
	}
	return r
}

// rangeOf tells what conditions and aggregates below say of a column
// (FlinkRelMdColumnInterval).
func rangeOf(n Node, col int) Range {
	switch n := n.(type) {
	case *Calc:
		e := n.Exprs[col]
		c := AsRef(e)
		if c < 0 {
			return constants(e)
		}
		return rangeOf(n.Input, c).and(allowed(n.Cond, c))
	case *Aggregate:
		if col < len(n.Keys) {
			return rangeOf(n.Input, n.Keys[col])
		}
		c := &n.Calls[col-len(n.Keys)]
		switch c.Fn.Name {
		case "COUNT":
			return Range{0, math.Inf(1)}
		case "MAX", "MIN":
			return ArgumentRange(n.Input, c)
		case "SUM":
			if ArgumentRange(n.Input, c).Lo >= 0 {
				return Range{0, math.Inf(1)}
			}
		}
	case *Union:
		r := rangeOf(n.Ins[0], col)
		for _, in := range n.Ins[1:] {
			r = r.or(rangeOf(in, col))
		}
		return r
	}
	return anywhere
}

// constants is the range of a constant number, or of a CASE of such.
func constants(e expr.Node) Range {
	if v, ok := number(e); ok {
		return Range{v, v}
	}
	c, ok := e.(*expr.Call)
	if !ok || c.Fn.Name != "CASE" {
		return anywhere
	}
	r := Range{math.Inf(1), math.Inf(-1)}
	for i, a := range c.Args {
		if i%2 == 0 && i < len(c.Args)-1 {
			continue // a condition
		}
		v, ok := number(a)
		if l, constant := expr.IsConst(a); constant && l.IsNull() {
			continue
		}
		if !ok {
			return anywhere
		}
		r = r.or(Range{v, v})
	}
	return r
}

// allowed is where a column lies when cond is TRUE.
func allowed(cond expr.Node, col int) Range {
	c, ok := cond.(*expr.Call)
	if !ok {
		return anywhere
	}
	switch {
	case c.Fn.Lazy == expr.LazyAnd:
		r := anywhere
		for _, a := range c.Args {
			r = r.and(allowed(a, col))
		}
		return r
	case c.Fn.Lazy == expr.LazyOr:
		r := allowed(c.Args[0], col)
		for _, a := range c.Args[1:] {
			r = r.or(allowed(a, col))
		}
		return r
	case c.Fn.Name == "IN" && column(c.Args[0]) == col:
		r := Range{math.Inf(1), math.Inf(-1)}
		for _, a := range c.Args[1:] {
			v, ok := number(a)
			if !ok {
				return anywhere
			}
			r = r.or(Range{v, v})
		}
		return r
	}
	if at, r := Compared(cond); at == col {
		return r
	}
	return anywhere
}

// turned are comparisons with their sides changed, denied those that hold where
// others do not.
var (
	turned = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
	denied = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
)

// Compared reads a comparison of a column with a constant number: the column
// and the values that pass. -1: it is none.
func Compared(cond expr.Node) (col int, passing Range) {
	c, ok := cond.(*expr.Call)
	if !ok {
		return -1, anywhere
	}
	not := c.Fn.Name == "NOT" && len(c.Args) == 1
	if not {
		if c, ok = c.Args[0].(*expr.Call); !ok {
			return -1, anywhere
		}
	}
	if len(c.Args) != 2 {
		return -1, anywhere
	}
	name, col := c.Fn.Name, column(c.Args[0])
	v, ok := number(c.Args[1])
	if col < 0 {
		name, col = turned[name], column(c.Args[1])
		v, ok = number(c.Args[0])
	}
	if not {
		name = denied[name]
	}
	switch {
	case !ok || col < 0:
	case name == "=":
		return col, Range{v, v}
	case name == "<", name == "<=":
		return col, Range{math.Inf(-1), v}
	case name == ">", name == ">=":
		return col, Range{v, math.Inf(1)}
	}
	return -1, anywhere
}

// column is the column that e is, as it is or as a wider number, or -1.
func column(e expr.Node) int {
	if c, ok := e.(*expr.Call); ok && c.Fn.Name == "CAST" && c.T.IsNumeric() {
		e = c.Args[0]
	}
	return AsRef(e)
}

// number is the value of a constant number.
func number(e expr.Node) (float64, bool) {
	l, ok := expr.IsConst(e)
	if !ok || l.IsNull() || !l.T.IsNumeric() {
		return 0, false
	}
	switch v := l.Value; v.Type.Layout() {
	case types.LayoutI32:
		return float64(v.I32[0]), true
	case types.LayoutI64:
		return float64(v.I64[0]), true
	case types.LayoutF32:
		return float64(v.F32[0]), true
	case types.LayoutF64:
		return v.F64[0], true
	case types.LayoutDec:
		return value.DecToFloat64(v.Dec[0], int(l.T.Scale), int(l.T.Precision)), true
	}
	return 0, false
}
