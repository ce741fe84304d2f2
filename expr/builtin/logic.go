package builtin

import (
	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

func logic() []*expr.Func {
	out := []*expr.Func{andFunc(), orFunc(), notFunc()}
	for _, what := range []string{"NULL", "TRUE", "FALSE", "UNKNOWN"} {
		out = append(out, isFunc(what, false), isFunc(what, true))
	}
	return out
}

func andFunc() *expr.Func {
	return &expr.Func{Name: "AND", Doc: "TRUE if both are TRUE, FALSE if one is FALSE, else unknown; the second is evaluated only where it matters.",
		Example: "TRUE AND 1 < 2", Syntax: "a AND b", Nulls: expr.NullLazy, Lazy: expr.LazyAnd, Resolve: connective("AND")}
}

func orFunc() *expr.Func {
	return &expr.Func{Name: "OR", Doc: "TRUE if one is TRUE, FALSE if both are FALSE, else unknown; the second is evaluated only where it matters.",
		Example: "FALSE OR TRUE", Syntax: "a OR b", Nulls: expr.NullLazy, Lazy: expr.LazyOr, Resolve: connective("OR")}
}

func connective(name string) func(args []expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 2, false, isBool, isBool); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: of(types.Boolean, nullable(args...)), Text: "({} " + name + " {})"}, nil
	}
}

// both makes a AND b (or OR) of two conditions.
func both(f *expr.Func, a, b expr.Node) (*expr.Call, error) {
	call, err := f.Resolve([]expr.Node{a, b})
	if err != nil {
		return nil, err
	}
	call.Fn = f
	return call, nil
}

func notFunc() *expr.Func {
	return &expr.Func{Name: "NOT", Doc: "Turns TRUE and FALSE; unknown stays.", Example: "NOT 1 = 2", Syntax: "NOT a",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, isBool); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: of(types.Boolean, nullable(args...)), Safe: true, Text: "NOT {}", Eval: negate}, nil
		}}
}

func negate(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	a := args[0].Bool
	if sel != nil {
		for _, i := range sel {
			out.Bool[i] = !a[i]
		}
		return nil
	}
	for i, v := range a {
		out.Bool[i] = !v
	}
	return nil
}

// isFunc is IS [NOT] NULL, TRUE, FALSE, UNKNOWN: never NULL itself.
func isFunc(what string, not bool) *expr.Func {
	word := "IS " + what
	if not {
		word = "IS NOT " + what
	}
	f := &expr.Func{BareNull: what == "NULL", Name: word, Syntax: "a " + word, Nulls: expr.NullSeen}
	switch what {
	case "NULL":
		f.Doc, f.Example = "TRUE if the value is NULL.", "NULLIF(1, 1) IS NULL"
	case "UNKNOWN":
		f.Doc, f.Example = "TRUE if the condition is unknown.", "(NULLIF(1, 1) = 1) IS UNKNOWN"
	default:
		f.Doc, f.Example = "TRUE if the condition is "+what+".", "(1 = 1) IS TRUE"
		if what == "FALSE" {
			f.Example = "(1 = 2) IS FALSE"
		}
	}
	if not {
		f.Doc = "The opposite of IS " + what + "."
		f.Example = "1 IS NOT NULL"
		if what != "NULL" {
			f.Example = map[string]string{"TRUE": "(1 = 2) IS NOT TRUE", "FALSE": "(1 = 1) IS NOT FALSE", "UNKNOWN": "(1 = 1) IS NOT UNKNOWN"}[what]
		}
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		p := isAny
		if what != "NULL" {
			p = isBool
		}
		if err := takes(args, 1, false, p); err != nil {
			return nil, err
		}
		if args[0].Type().Kind == types.Null {
			args = typed(args, boolType)
		}
		return &expr.Call{Args: args, T: of(types.Boolean, false), Safe: true, Text: "{} " + word,
			Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				a := args[0]
				for i := range out.Bool {
					var v bool
					switch what {
					case "NULL", "UNKNOWN":
						v = a.IsNull(i)
					default:
						v = !a.IsNull(i) && a.Bool[i] == (what == "TRUE")
					}
					out.Bool[i] = v != not
				}
				return nil
			}}, nil
	}
	return f
}
