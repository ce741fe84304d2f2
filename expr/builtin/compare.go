package builtin

import (
	"math"
	"slices"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func comparisons() []*expr.Func {
	docs := [...]string{
		eq: "TRUE if the values are equal.", ne: "TRUE if the values differ.", lt: "TRUE if the first value is smaller.",
		le: "TRUE if the first value is not larger.", gt: "TRUE if the first value is larger.", ge: "TRUE if the first value is not smaller.",
	}
	examples := [...]string{eq: "1 = 1.0", ne: "'a' <> 'a '", lt: "1 < 1.5", le: "DATE '2024-02-29' <= DATE '2024-02-29'", gt: "'b' > 'a'", ge: "TRUE >= FALSE"}
	var out []*expr.Func
	for r := eq; r <= ge; r++ {
		out = append(out, &expr.Func{
			BareNull: true, Name: symbols[r], Doc: docs[r], Example: examples[r], Syntax: "a " + symbols[r] + " b",
			Resolve: func(args []expr.Node) (*expr.Call, error) { return compare(r, args) },
		})
	}
	return append(out, distinctFrom(false), distinctFrom(true))
}

func compare(r relation, args []expr.Node) (*expr.Call, error) {
	if len(args) != 2 {
		return nil, expr.ErrArguments
	}
	a, b, err := comparable(r, args[0], args[1])
	if err != nil {
		return nil, err
	}
	call := &expr.Call{Args: []expr.Node{a, b}, T: of(types.Boolean, nullable(a, b)), Text: "({} " + symbols[r] + " {})"}
	ta, tb := a.Type(), b.Type()
	switch {
	case ta.Kind == types.Boolean && tb.IsString():
		// Flink accepts the pair and finds it unequal.
		call.Safe, call.Eval = true, func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range out.Bool {
				out.Bool[i] = r == ne
			}
			return nil
		}
	case ta.IsNested():
		rows := ta.Kind == types.Row && constructed("ROW", args)
		call.Eval = nestedKernel(r, ta, rows || constructed("ARRAY", args) || constructed("MAP", args) && allConstant(args))
		if ta.Kind == types.Row {
			call.T = of(types.Boolean, nullable(a, b) || anyNullable(ta) || anyNullable(tb))
		}
	case (args[0].Type().Kind == types.Decimal) != (args[1].Type().Kind == types.Decimal) && ta.Kind == types.Double && tb.Kind == types.Double:
		call.Safe, call.Eval = true, totalKernel(r)
	default:
		call.Safe, call.Eval = true, compareKernel(r, ta, tb)
	}
	return call, nil
}

// anyNullable tells whether a field of a row can be NULL.
func anyNullable(t types.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f types.Field) bool { return f.Type.Nullable })
}

// totalKernel compares a DECIMAL with a FLOAT or DOUBLE, both read as DOUBLE, by
// the order of Java's Double.compare: -0.0 is below 0.0 and NaN above all.
func totalKernel(r relation) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := args[0].F64, args[1].F64
		for i := range expr.Rows(sel, out.Len) {
			d := compareFloat(a[i], b[i])
			if a[i] == 0 && b[i] == 0 {
				d = number(math.Signbit(b[i])) - number(math.Signbit(a[i]))
			}
			out.Bool[i] = r.holds(d)
		}
		return nil
	}
}

// comparable brings two operands to types that compare (flink-sql 2.4).
func comparable(r relation, a, b expr.Node) (expr.Node, expr.Node, error) {
	ta, tb := a.Type(), b.Type()
	order := r != eq && r != ne
	if ta.Kind == types.Null || tb.Kind == types.Null {
		t := ta
		if t.Kind == types.Null {
			t = tb
		}
		if t.Kind == types.Null {
			t = intType
		}
		return nullAs(a, t), nullAs(b, t), nil
	}
	both := func(t types.Type) (x, y expr.Node, err error) {
		// What has the type stays as it is: an interval join looks for time
		// attributes.
		if x = a; !ta.Same(t) {
			if x, err = expr.Coerce(a, t); err != nil {
				return nil, nil, err
			}
		}
		if y = b; !tb.Same(t) {
			y, err = expr.Coerce(b, t)
		}
		return x, y, err
	}
	switch {
	case ta.IsNumeric() && tb.IsNumeric():
		if ta.Kind != types.Decimal && tb.Kind != types.Decimal || ta.IsApprox() || tb.IsApprox() {
			t, err := expr.Common(ta, tb)
			if err != nil {
				return nil, nil, err
			}
			return both(t)
		}
		// Decimals compare exactly, whatever their scales.
		x, err := expr.Coerce(a, expr.AsDecimal(ta))
		if err != nil {
			return nil, nil, err
		}
		y, err := expr.Coerce(b, expr.AsDecimal(tb))
		return x, y, err
	case ta.IsString() && tb.IsString(), ta.IsBinary() && tb.IsBinary(), ta.Kind == types.Boolean && tb.Kind == types.Boolean:
		return a, b, nil
	case ta.Kind == types.Boolean && tb.IsString() && !order:
		return a, b, nil
	case ta.IsString() && tb.Kind == types.Boolean && !order:
		return b, a, nil
	case ta.IsString() && readsText(tb, order):
		x, err := expr.NewCast(a, tb, !order && !written(a))
		return x, b, err
	case tb.IsString() && readsText(ta, order):
		y, err := expr.NewCast(b, ta, !order && !written(b))
		return a, y, err
	case ta.IsNumeric() && tb.IsString(), ta.IsString() && tb.IsNumeric():
		return nil, nil, diag.New(diag.TypeMismatch, diag.Span{}, "%s and %s do not compare with %s: there is no implicit conversion between text and number",
			ta.Short(), tb.Short(), symbols[r]).WithHint("convert one of them: CAST(x AS type)")
	case ta.IsTimestamp() && tb.IsTimestamp(), ta.IsInterval() && ta.Kind == tb.Kind, ta.Kind == types.TimeOfDay && tb.Kind == types.TimeOfDay:
		t, err := expr.CommonWide(ta, tb)
		if err != nil {
			return nil, nil, err
		}
		return both(t)
	case ta.Kind == tb.Kind && (ta.Kind == types.Date || !order && (ta.Kind == types.Bitmap || ta.Kind == types.Variant)):
		return a, b, nil
	case ta.Kind == tb.Kind && ta.IsNested() && ta.Kind != types.Multiset:
		if order {
			return nil, nil, diag.New(diag.TypeMismatch, diag.Span{}, "values of type %s have no order: operator %s compares them with = and <> only", ta.Short(), symbols[r])
		}
		if t, err := expr.Common(ta, tb); err == nil {
			return both(t)
		}
	}
	return nil, nil, expr.ErrArguments
}

// written tells a literal, which must be a good one: only texts of columns are
// compared through TRY_CAST.
func written(n expr.Node) bool {
	lit, ok := expr.IsConst(n)
	return ok && !lit.IsNull()
}

// readsText tells the types that a text is converted to: times always, numbers
// and BOOLEAN for order only.
func readsText(t types.Type, order bool) bool {
	return t.IsTemporal() || order && (t.IsNumeric() || t.Kind == types.Boolean)
}

func nullAs(n expr.Node, t types.Type) expr.Node {
	if n.Type().Kind == types.Null {
		return expr.NullLiteral(t.Plain())
	}
	return n
}

// distinctFrom is IS [NOT] DISTINCT FROM: comparison in which NULL equals NULL.
func distinctFrom(not bool) *expr.Func {
	f := &expr.Func{Name: "IS DISTINCT FROM", Syntax: "a IS DISTINCT FROM b", Nulls: expr.NullSeen, BareNull: true,
		Doc: "TRUE if the values differ, NULL counting as a value.", Example: "CAST(NULL AS INT) IS DISTINCT FROM 1"}
	if not {
		f.Name, f.Syntax = "IS NOT DISTINCT FROM", "a IS NOT DISTINCT FROM b"
		f.Doc, f.Example = "TRUE if the values are equal, NULL counting as a value.", "CAST(NULL AS INT) IS NOT DISTINCT FROM NULL"
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		call, err := compare(eq, args)
		if err != nil {
			return nil, err
		}
		equal := call.Eval
		nested := call.Args[0].Type().Kind == types.Row
		call.T, call.Text = of(types.Boolean, false), "({} "+f.Name+" {})"
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a, b := args[0], args[1]
			if nested {
				for i := range expr.Rows(sel, out.Len) {
					an, bn := a.IsNull(int(i)), b.IsNull(int(i))
					same := an && bn || !an && !bn && sameRow(a, int(i), b, int(i))
					out.Bool[i] = same == not
				}
				return nil
			}
			live := sel
			if (a.Valid != nil || b.Valid != nil) && !call.Safe {
				live = make([]int32, 0, out.Len)
				for i := range expr.Rows(sel, out.Len) {
					if !a.IsNull(int(i)) && !b.IsNull(int(i)) {
						live = append(live, i)
					}
				}
			}
			if err := equal(c, call, args, live, out); err != nil {
				return err
			}
			for i := range expr.Rows(sel, out.Len) {
				an, bn := a.IsNull(int(i)), b.IsNull(int(i))
				same := an && bn || !an && !bn && out.Bool[i]
				out.Bool[i] = same == not
			}
			return nil
		}
		return call, nil
	}
	return f
}
