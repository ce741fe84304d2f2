package expr

import (
	"errors"
	"math"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// Fold computes what is constant in n: calls of functions that depend on
// nothing but constants, and conditions that are decided. A constant that
// fails is an error (constant-failure), but not in a branch that a constant
// condition rules out.
func Fold(n Node, zone Zone) (Node, error) {
	f := folder{c: &Ctx{Zone: zone}}
	return f.fold(n)
}

type folder struct{ c *Ctx }

// neverNull decides IS NULL and IS NOT NULL of a column that has no NULLs: null
// tells which of the two was asked.
func neverNull(c *Call) (null, ok bool) {
	if null = c.Fn.Name == "IS NULL"; !null && c.Fn.Name != "IS NOT NULL" {
		return false, false
	}
	col, ok := c.Args[0].(*Column)
	return null, ok && !col.T.Nullable
}

func (f *folder) fold(n Node) (Node, error) {
	call, ok := n.(*Call)
	if !ok {
		return n, nil
	}
	switch call.Fn.Lazy {
	case LazyAnd, LazyOr:
		return f.logic(call)
	case LazyCase:
		return f.choice(call)
	}
	if call.Fn.Name == "COALESCE" {
		call = f.reached(call)
	}
	args, changed, err := f.all(call.Args)
	if err != nil {
		return nil, err
	}
	if changed {
		call = call.WithChildren(args).(*Call)
	}
	if call.Fn.Volatile || call.Fn.Dynamic || len(args) == 0 && call.Eval == nil {
		return call, nil
	}
	if null, ok := neverNull(call); ok {
		return Bool(!null), nil
	}
	constant := true
	for _, a := range args {
		lit, ok := a.(*Literal)
		if ok && lit.IsNull() && call.Fn.Nulls == NullPropagates {
			return NullLiteral(call.T), nil
		}
		constant = constant && ok
	}
	if !constant {
		return call, nil
	}
	return f.compute(call)
}

// reached leaves out the operands of COALESCE behind one that is never NULL, as
// Flink does before it computes constants: COALESCE(a, 7, 1 / 0) does not fail.
func (f *folder) reached(call *Call) *Call {
	for i, a := range call.Args[:len(call.Args)-1] {
		if !a.Type().Nullable {
			d := *call
			d.Args = call.Args[:i+1]
			return &d
		}
	}
	return call
}

func (f *folder) all(nodes []Node) (out []Node, changed bool, err error) {
	out = make([]Node, len(nodes))
	for i, n := range nodes {
		if out[i], err = f.fold(n); err != nil {
			return nil, false, err
		}
		changed = changed || out[i] != n
	}
	return out, changed, nil
}

// compute runs a call of constants over one row.
func (f *folder) compute(call *Call) (Node, error) {
	p, err := Compile([]Node{call}, &types.Schema{})
	if err != nil {
		return nil, err
	}
	out, err := p.Eval(f.c, &row.Batch{Schema: &types.Schema{}, Rows: 1}, nil)
	if err != nil {
		var d *diag.Error
		if errors.As(err, &d) {
			e := *d
			e.Msg = "the constant " + clip(call.String()) + " fails: " + d.Msg
			e.Code = diag.ConstantFailure
			return nil, &e
		}
		return nil, err
	}
	v := out[0]
	if !v.IsNull(0) && call.T.IsApprox() {
		// Flink's constants are decimal numbers: there is no negative zero
		// among them, and a division by zero fails.
		f := approx(v, 0)
		if call.Fn.Name == "/" && (math.IsInf(f, 0) || f != f) {
			return nil, diag.New(diag.ConstantFailure, diag.Span{}, "the constant %s fails: division by zero", clip(call.String()))
		}
		if f == 0 {
			v = row.NewVec(call.T, 1)
		}
	}
	return &Literal{T: call.T.Plain(), Value: v}, nil
}

// clip shortens the text of a constant for a message: what it was made of may be
// very long.
func clip(s string) string {
	const most = 100
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "..."
		}
	}
	return s
}

// logic folds AND and OR: a constant that decides wins, one that does not
// goes away.
func (f *folder) logic(call *Call) (Node, error) {
	and := call.Fn.Lazy == LazyAnd
	a, err := f.fold(call.Args[0])
	if err != nil {
		return nil, err
	}
	if v, ok := constBool(a); ok {
		if v != and {
			return Bool(!and), nil
		}
		return f.fold(call.Args[1])
	}
	b, err := f.fold(call.Args[1])
	if err != nil {
		return nil, err
	}
	if v, ok := constBool(b); ok {
		if v != and {
			return Bool(!and), nil
		}
		return a, nil
	}
	_, ca := a.(*Literal)
	_, cb := b.(*Literal)
	if ca && cb {
		return NullLiteral(call.T), nil // neither decides: both are NULL
	}
	if a == call.Args[0] && b == call.Args[1] {
		return call, nil
	}
	return call.WithChildren([]Node{a, b}), nil
}

// choice folds CASE: branches whose condition is constant.
func (f *folder) choice(call *Call) (Node, error) {
	var args []Node
	last := len(call.Args) - 1
	for i := 0; i < last; i += 2 {
		cond, err := f.fold(call.Args[i])
		if err != nil {
			return nil, err
		}
		if lit, ok := cond.(*Literal); ok {
			if v, _ := constBool(lit); !v {
				continue
			}
			last = i + 1
			break
		}
		v, err := f.fold(call.Args[i+1])
		if err != nil {
			return nil, err
		}
		args = append(args, cond, v)
	}
	v, err := f.fold(call.Args[last])
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return v, nil
	}
	args = append(args, v)
	d := *call
	if len(args) != len(call.Args) {
		d.Text = caseText(len(args))
	}
	d.Args = args
	return &d, nil
}

// caseText is how a CASE of n operands prints.
func caseText(n int) string {
	s := "CASE"
	for i := 0; i+1 < n; i += 2 {
		s += " WHEN {} THEN {}"
	}
	return s + " ELSE {} END"
}

// NewCase makes a CASE of conditions and values in turn and the ELSE value,
// which already have their types.
func NewCase(fn *Func, args []Node, t types.Type) *Call {
	return &Call{Fn: fn, Args: args, T: t, Text: caseText(len(args))}
}
