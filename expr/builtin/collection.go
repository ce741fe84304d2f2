package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func collections() []*expr.Func {
	return []*expr.Func{
		{Name: "ARRAY", Doc: "An array of the operands.", Example: "ARRAY[1, 2] = ARRAY[1, 1 + 1]", Syntax: "ARRAY[a, ...]", BareNull: true, Nulls: expr.NullSeen, Resolve: resolveArray},
		{Name: "MAP", Doc: "A map of keys and values in turn; of a repeated key the last value stays.", Example: "MAP['a', 1]['a'] = 1", Syntax: "MAP[k, v, ...]", BareNull: true, Nulls: expr.NullSeen, Resolve: resolveMap},
		{Name: "ROW", Doc: "A row of the operands.", Example: "ROW(1, 'a') = ROW(1, 'a')", Syntax: "ROW(a, ...)", Nulls: expr.NullSeen, Resolve: resolveRow},
		{Name: "ITEM", Doc: "Element i of an array (1 is the first) or the value of a key of a map; NULL when there is none.", Example: "ARRAY['a', 'b'][2] = 'b'", Syntax: "a[i]", Resolve: resolveItem},
		{Name: "CARDINALITY", Doc: "The number of elements.", Example: "CARDINALITY(ARRAY[1, 2, 3]) = 3", Syntax: "CARDINALITY(array or map)", Resolve: resolveCardinality},
		{Name: "ELEMENT", Doc: "The only element of an array, NULL if it has none; more than one fail the job.", Example: "ELEMENT(ARRAY[7]) = 7", Syntax: "ELEMENT(array)", Resolve: resolveElement},
		typeOf(),
	}
}

// columns brings operands to their common type.
func commonArgs(name, what string, args []expr.Node) ([]expr.Node, types.Type, error) {
	ts := make([]types.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	t, err := expr.Common(ts...)
	if err != nil || t.Kind == types.Null {
		return nil, t, mixed(name, what, ts)
	}
	args, err = to(args, t)
	return args, t, err
}

func resolveArray(args []expr.Node) (*expr.Call, error) {
	if len(args) == 0 {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "ARRAY[] needs at least one element").
			WithHint("an empty array is CAST(ARRAY[NULL] AS ARRAY<type>) without its element, or a NULL")
	}
	args, t, err := commonArgs("ARRAY", "elements", args)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: types.ArrayOf(t).NotNull(), Text: listText("ARRAY[", len(args), "]"), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		kid := out.Kids[0]
		for i := range expr.Rows(sel, out.Len) {
			out.Off[i], out.Size[i] = int32(kid.Len), int32(len(args))
			for _, a := range args {
				kid.AppendRange(a, int(i), int(i)+1)
			}
		}
		return nil
	}}, nil
}

func listText(open string, n int, end string) string {
	for i := 0; i < n; i++ {
		if i > 0 {
			open += ", "
		}
		open += "{}"
	}
	return open + end
}

func resolveMap(args []expr.Node) (*expr.Call, error) {
	if len(args) == 0 || len(args)%2 == 1 {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "MAP needs an even number of arguments: pairs of key and value")
	}
	var ks, vs []expr.Node
	for i := 0; i < len(args); i += 2 {
		ks, vs = append(ks, args[i]), append(vs, args[i+1])
	}
	ks, kt, err := commonArgs("MAP", "keys", ks)
	if err != nil {
		return nil, err
	}
	vs, vt, err := commonArgs("MAP", "values", vs)
	if err != nil {
		return nil, err
	}
	all := make([]expr.Node, 0, len(args))
	for i := range ks {
		all = append(all, ks[i], vs[i])
	}
	return &expr.Call{Args: all, T: types.MapOf(kt, vt).NotNull(), Text: listText("MAP[", len(args), "]"), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		keys, vals := out.Kids[0], out.Kids[1]
		for i := range expr.Rows(sel, out.Len) {
			from := keys.Len
			out.Off[i] = int32(from)
			for k := 0; k < len(args); k += 2 {
				at := -1
				for j := from; j < keys.Len && at < 0; j++ {
					if sameOrNull(keys, j, args[k], int(i)) {
						at = j
					}
				}
				if at >= 0 {
					vals.Copy(at, args[k+1], int(i))
					continue
				}
				keys.AppendRange(args[k], int(i), int(i)+1)
				vals.AppendRange(args[k+1], int(i), int(i)+1)
			}
			out.Size[i] = int32(keys.Len - from)
		}
		return nil
	}}, nil
}

func resolveRow(args []expr.Node) (*expr.Call, error) {
	if len(args) == 0 {
		return nil, expr.ErrArguments
	}
	fields := make([]types.Field, len(args))
	for i, a := range args {
		fields[i] = types.Field{Name: "EXPR$" + itoa(i), Type: a.Type().Plain()}
	}
	return &expr.Call{Args: args, T: types.RowOf(fields...).NotNull(), Safe: true, Text: listText("ROW(", len(args), ")"), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		out.Kids = append([]*row.Vec(nil), args...)
		return nil
	}}, nil
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

func resolveItem(args []expr.Node) (*expr.Call, error) {
	if len(args) != 2 {
		return nil, expr.ErrArguments
	}
	t := args[0].Type()
	switch t.Kind {
	case types.Array:
		if args[1].Type().Kind != types.Int {
			return nil, expr.ErrArguments
		}
		if n, ok := expr.ConstInt(args[1]); ok && n < 1 {
			return nil, diag.New(diag.WrongArguments, diag.Span{}, "the index of an array element begins at 1, but is %d", n).
				WithHint("the first element is x[1]")
		}
		args, err := to(args, anyType, bigType)
		if err != nil {
			return nil, err
		}
		return item(args, t.Elem(), func(c, at *row.Vec, i int32) int {
			if n := at.I64[i]; n >= 1 && n <= int64(c.Size[i]) {
				return int(c.Off[i]) + int(n) - 1
			}
			return -1
		}, 0), nil
	case types.Map:
		k := t.Elem()
		if kt := args[1].Type(); !(kt.IsString() && k.IsString()) {
			u, err := expr.Common(k, kt)
			if err != nil {
				return nil, expr.ErrArguments
			}
			if k.IsInteger() && kt.IsInteger() {
				at, err := expr.NewCast(args[1], k, false)
				if err != nil {
					return nil, err
				}
				args = []expr.Node{args[0], at}
			} else if !u.Same(k) {
				return nil, expr.ErrArguments
			}
			if args, err = to(args, anyType, k); err != nil {
				return nil, err
			}
		}
		return item(args, t.Value(), func(c, at *row.Vec, i int32) int { return findKey(c, int(i), at, int(i)) }, 1), nil
	case types.Variant:
		return resolveVariantItem(args)
	}
	return nil, expr.ErrArguments
}

// item takes the value at a position of a child column, NULL for -1.
func item(args []expr.Node, t types.Type, find func(c, at *row.Vec, i int32) int, kid int) *expr.Call {
	return &expr.Call{Args: args, T: t.AsNullable(), Text: "{}[{}]", Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			if j := find(args[0], args[1], i); j >= 0 {
				out.Copy(int(i), args[0].Kids[kid], j)
			} else {
				out.SetNull(int(i))
			}
		}
		return nil
	}}
}

func resolveCardinality(args []expr.Node) (*expr.Call, error) {
	if len(args) == 1 && args[0].Type().Kind == types.Multiset {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "CARDINALITY takes an ARRAY or a MAP, not a MULTISET").
			WithHint("count the rows with COUNT(x), or collect them with ARRAY_AGG(x)")
	}
	if err := takes(args, 1, false, func(t types.Type) bool { return isArray(t) || isMap(t) }); err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: of(types.Int, nullable(args...)), Safe: true, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		copy(out.I32, args[0].Size)
		return nil
	}}, nil
}

func resolveElement(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isArray); err != nil {
		return nil, err
	}
	t := args[0].Type()
	return &expr.Call{Args: args, T: t.Elem().OrNull(t.Nullable), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a := args[0]
		for i := range expr.Rows(sel, out.Len) {
			switch a.Size[i] {
			case 0:
				out.SetNull(int(i))
			case 1:
				out.Copy(int(i), a.Kids[0], int(a.Off[i]))
			default:
				return diag.New(diag.BadValue, diag.Span{}, "ELEMENT takes an array of a single element, this one has more than one: %d", a.Size[i])
			}
		}
		return nil
	}}, nil
}

// typeOf prints the type of its operand, which is constant; a CASE that
// constants decide has the type of what is left of it.
func typeOf() *expr.Func {
	return &expr.Func{Name: "TYPEOF", Doc: "The type of the operand as text.", Example: "TYPEOF('a' || 'b') = 'CHAR(2) NOT NULL'", Syntax: "TYPEOF(x [, full])", BareNull: true, Nulls: expr.NullSeen,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			full := false
			if len(args) == 2 {
				lit, ok := args[1].(*expr.Literal)
				if !ok || lit.T.Kind != types.Boolean || lit.IsNull() {
					return nil, expr.ErrArguments
				}
				full = lit.Value.Bool[0]
			} else if len(args) != 1 {
				return nil, expr.ErrArguments
			}
			x := args[0]
			if call, ok := x.(*expr.Call); ok && call.Fn.Lazy != expr.NotLazy {
				if n, err := expr.Fold(x, nil); err == nil {
					x = n
				}
			}
			t := x.Type()
			text := typeText(t.Plain(), full)
			if !t.Nullable && t.Kind != types.Null {
				text += " NOT NULL"
			}
			out := row.NewVec(types.String(), 1)
			out.Str[0] = text
			return &expr.Call{Args: nil, T: out.Type, Safe: true, Text: "'" + text + "'", Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, v *row.Vec) error {
				for i := range v.Str {
					v.Str[i] = text
				}
				return nil
			}}, nil
		}}
}

// typeText is a type as TYPEOF prints it: intervals by their family.
func typeText(t types.Type, full bool) string {
	switch t.Kind {
	case types.IntervalMonths:
		t.Unit = "MONTH"
	case types.IntervalMillis:
		t.Unit = "SECOND(3)"
	case types.Array, types.Map, types.Multiset, types.Row:
		fields := append([]types.Field(nil), t.Fields...)
		for i := range fields {
			fields[i].Type = plainIntervals(fields[i].Type)
		}
		t.Fields = fields
	}
	if full {
		return t.Full()
	}
	return t.Short()
}

func plainIntervals(t types.Type) types.Type {
	switch t.Kind {
	case types.IntervalMonths:
		t.Unit = "MONTH"
	case types.IntervalMillis:
		t.Unit = "SECOND(3)"
	}
	return t
}
