package builtin

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func conditional() []*expr.Func {
	return []*expr.Func{caseFunc(), ifFunc(), nullIf(), coalesce("COALESCE"), ifNull(), greatest(false), greatest(true)}
}

func caseFunc() *expr.Func {
	f := &expr.Func{BareNull: true, Name: "CASE", Doc: "The value of the first branch whose condition is TRUE, else the ELSE value; other branches are not evaluated.",
		Example: "CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END = 'b'", Syntax: "CASE WHEN c THEN v ... ELSE e END", Nulls: expr.NullLazy, Lazy: expr.LazyCase}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) < 3 || len(args)%2 == 0 {
			return nil, expr.ErrArguments
		}
		ts := make([]types.Type, 0, len(args))
		for i := range args {
			if isValue(i, len(args)) {
				ts = append(ts, args[i].Type())
			} else if !isBool(args[i].Type()) {
				return nil, diag.New(diag.TypeMismatch, diag.Span{}, "a condition of CASE must be BOOLEAN, this is %s", args[i].Type().Short())
			}
		}
		t, err := expr.Common(ts...)
		if err != nil || t.Kind == types.Null {
			return nil, mixed("CASE", "branches", ts)
		}
		return caseOf(f, args, t)
	}
	return f
}

// isValue tells values from conditions among n operands of CASE.
func isValue(i, n int) bool { return i%2 == 1 || i == n-1 }

// caseOf brings the operands of a CASE to their types.
func caseOf(f *expr.Func, args []expr.Node, t types.Type) (*expr.Call, error) {
	out := make([]expr.Node, len(args))
	for i, a := range args {
		want := boolType
		if isValue(i, len(args)) {
			want = t
		} else if a.Type().Kind != types.Null {
			out[i] = a
			continue
		}
		n, err := expr.Coerce(a, want)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return expr.NewCase(f, out, t), nil
}

func mixed(name, what string, ts []types.Type) error {
	known := types.Type{}
	for _, t := range ts {
		if t.Kind == types.Null {
			continue
		}
		if known.Kind != types.Invalid {
			if _, err := expr.Common(known, t); err != nil {
				return diag.New(diag.TypeMismatch, diag.Span{}, "the %s of %s have no common type: %s and %s", what, name, known.Short(), t.Short()).
					WithHint("convert one of them: CAST(x AS type)")
			}
			continue
		}
		known = t
	}
	return diag.New(diag.TypeMismatch, diag.Span{}, "the %s of %s are all NULL and have no type", what, name).
		WithHint("give one of them a type: CAST(NULL AS STRING)")
}

func ifFunc() *expr.Func {
	f := &expr.Func{Name: "IF", Doc: "The second operand where the condition is TRUE, else the third; the other one is not evaluated.",
		Example: "IF(1 < 2, 'yes', 'no') = 'yes'", Syntax: "IF(condition, a, b)", Nulls: expr.NullLazy, Lazy: expr.LazyCase}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 3, false, isBool, isAny, isAny); err != nil {
			return nil, err
		}
		for _, a := range args[1:] {
			if !isBranch(a.Type()) {
				return nil, diag.New(diag.NotSupported, diag.Span{}, "IF takes no values of type %s", a.Type().Short()).
					WithHint("write CASE WHEN condition THEN a ELSE b END")
			}
		}
		t, err := expr.Common(args[1].Type(), args[2].Type())
		if err != nil || t.Kind == types.Null {
			return nil, mixed("IF", "branches", []types.Type{args[1].Type(), args[2].Type()})
		}
		if first := args[1].Type().Plain(); first.IsTemporal() {
			first.Nullable = t.Nullable
			t = first // not what both have in common
		}
		call, err := caseOf(f, args, t.OrNull(args[0].Type().Nullable || t.Nullable))
		if err == nil {
			call.Text = "IF({}, {}, {})"
		}
		return call, err
	}
	return f
}

// isBranch is what IF takes, other than CASE.
func isBranch(t types.Type) bool {
	return !t.IsNested() && !t.IsInterval() && t.Kind != types.Bitmap && t.Kind != types.Variant
}

// nullIf is CASE WHEN a = b THEN NULL ELSE a END.
func nullIf() *expr.Func {
	f := &expr.Func{BareNull: true, Name: "NULLIF", Doc: "NULL if both are equal, else the first.", Example: "NULLIF(5, 6) = 5", Syntax: "NULLIF(a, b)",
		Nulls: expr.NullLazy, Lazy: expr.LazyCase}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) != 2 {
			return nil, expr.ErrArguments
		}
		cond, err := compare(eq, args)
		if err != nil {
			return nil, err
		}
		cond.Fn = comparisons()[eq]
		t := args[0].Type().Plain().AsNullable()
		return expr.NewCase(f, []expr.Node{cond, expr.NullLiteral(t), args[0]}, t), nil
	}
	return f
}

// coalesce evaluates all its operands, as Flink does.
func coalesce(name string) *expr.Func {
	f := &expr.Func{BareNull: true, Name: name, Doc: "The first operand that is not NULL.", Example: "COALESCE(NULLIF(1, 1), 7) = 7",
		Syntax: "COALESCE(a, b, ...)", Nulls: expr.NullSeen}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) == 0 {
			return nil, expr.ErrArguments
		}
		ts := make([]types.Type, len(args))
		null := true
		for i, a := range args {
			ts[i] = a.Type()
			null = null && ts[i].Nullable
		}
		t, err := expr.CommonWide(ts...)
		if err != nil || t.Kind == types.Null {
			return nil, mixed(name, "arguments", ts)
		}
		out := make([]expr.Node, len(args))
		for i, a := range args {
			if out[i], err = expr.Coerce(a, t); err != nil {
				return nil, err
			}
		}
		t.Nullable = null
		return &expr.Call{Args: out, T: t, Safe: true, Eval: firstValid}, nil
	}
	return f
}

func firstValid(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	rest := make([]int32, 0, out.Len)
	for i := range expr.Rows(sel, out.Len) {
		rest = append(rest, i)
	}
	take := make([]int32, 0, out.Len)
	for _, a := range args {
		take = take[:0]
		left := rest[:0]
		for _, i := range rest {
			if a.IsNull(int(i)) {
				left = append(left, i)
			} else {
				take = append(take, i)
			}
		}
		expr.Scatter(out, a, take)
		if rest = left; len(rest) == 0 {
			return nil
		}
	}
	for _, i := range rest {
		out.SetNull(int(i))
	}
	return nil
}

func ifNull() *expr.Func {
	f := coalesce("IFNULL")
	f.Doc, f.Example, f.Syntax = "The first operand, or the second where the first is NULL.", "IFNULL(NULLIF(1, 1), 7) = 7", "IFNULL(a, b)"
	all := f.Resolve
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) != 2 {
			return nil, expr.ErrArguments
		}
		call, err := all(args)
		if err != nil || args[0].Type().Nullable {
			return call, err
		}
		// The first operand is the value. It keeps its type where Flink need
		// not convert it to the one that both have in common.
		if first := args[0].Type().Plain(); isWithin(first, call.T) {
			return &expr.Call{Args: args[:1], T: first}, nil
		}
		return &expr.Call{Args: call.Args[:1], T: call.T.NotNull()}, nil
	}
	return f
}

// isWithin tells whether values of one type are values of the other as they
// are: shorter texts, elements that are not NULL.
func isWithin(from, to types.Type) bool {
	switch {
	case from.IsString() && to.IsString(), from.IsBinary() && to.IsBinary():
		return from.Length <= to.Length
	case from.IsNested():
		if from.Kind != to.Kind || len(from.Fields) != len(to.Fields) {
			return false
		}
		for i := range from.Fields {
			if !isWithin(from.Fields[i].Type, to.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return from.AsNullable().Same(to.AsNullable())
}

func greatest(least bool) *expr.Func {
	f := &expr.Func{Name: "GREATEST", Doc: "The largest operand.", Example: "GREATEST(1, 3, 2) = 3", Syntax: "GREATEST(a, b, ...)"}
	if least {
		f = &expr.Func{Name: "LEAST", Doc: "The smallest operand.", Example: "LEAST(1, 3, 2) = 1", Syntax: "LEAST(a, b, ...)"}
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if len(args) == 0 {
			return nil, expr.ErrArguments
		}
		ts := make([]types.Type, len(args))
		for i, a := range args {
			ts[i] = a.Type()
			if ts[i].IsNested() {
				return nil, expr.ErrArguments
			}
		}
		t, err := expr.CommonWide(ts...)
		if err != nil || t.Kind == types.Null {
			return nil, mixed(f.Name, "arguments", ts)
		}
		if args, err = to(args, t); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: t.NotNull().OrNull(nullable(args...)), Safe: true,
			Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					best := args[0]
					for _, a := range args[1:] {
						if d := compareValue(a, int(i), best, int(i)); d > 0 != least && d != 0 {
							best = a
						}
					}
					expr.Scatter(out, best, []int32{i})
				}
				return nil
			}}, nil
	}
	return f
}
