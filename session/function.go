package session

import (
	"fmt"
	"strings"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/internal/diag"
	"fsql/internal/govalue"
	"fsql/row"
	"fsql/types"
)

// Function is a scalar function that the program brings. It is called once per
// row, by the goroutines of the jobs, several at a time: it keeps no state. The
// same arguments must give the same result, unless Volatile says otherwise.
type Function struct {
	Name string
	// Args are the types that it takes; arguments of other types are converted
	// where SQL does so by itself.
	Args    []types.Type
	Returns types.Type
	// Nulls asks for calls with NULL (nil) among the arguments; otherwise their
	// result is NULL without a call.
	Nulls bool
	// Volatile functions are called for every row even if their arguments are
	// constant.
	Volatile bool
	// Call gets its arguments as the Go types of the package comment, and returns
	// what Feed.Append takes for the type Returns. An error fails the job.
	Call func(args []any) (any, error)
}

// functions are the built-in functions and those of the program, which come
// first where names are equal.
func functions(own []Function) (*expr.Registry, error) {
	all := builtin.All()
	if len(own) == 0 {
		return all, nil
	}
	list := all.All()
	for _, f := range own {
		if f.Name == "" || f.Call == nil || f.Returns.Kind == types.Invalid {
			return nil, diag.New(diag.Usage, diag.Span{}, "the function '%s' of the program lacks its name, Returns or Call", f.Name)
		}
		list = append(list, f.lift())
	}
	return expr.NewRegistry(list...), nil
}

// lift makes it a function of expressions.
func (f Function) lift() *expr.Func {
	nulls := expr.NullPropagates
	if f.Nulls {
		nulls = expr.NullSeen
	}
	args := make([]string, len(f.Args))
	for i, t := range f.Args {
		args[i] = t.Short()
	}
	name := strings.ToUpper(f.Name)
	return &expr.Func{
		Name: name, Doc: "A function of the program.", Syntax: fmt.Sprintf("%s(%s)", name, strings.Join(args, ", ")),
		Nulls: nulls, BareNull: true, Volatile: f.Volatile,
		Resolve: func(given []expr.Node) (*expr.Call, error) {
			if len(given) != len(f.Args) {
				return nil, expr.ErrArguments
			}
			to, null := make([]expr.Node, len(given)), f.Nulls
			for i, g := range given {
				var err error
				if to[i], err = expr.Coerce(g, f.Args[i]); err != nil {
					return nil, expr.ErrArguments
				}
				null = null || g.Type().Nullable
			}
			return &expr.Call{Args: to, T: f.Returns.OrNull(null && !f.Nulls), Eval: f.kernel}, nil
		},
	}
}

// kernel calls the function row by row.
func (f Function) kernel(_ *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	values := make([]any, len(args))
	results := row.NewVec(call.T, 0)
	for r := range expr.Rows(sel, out.Len) {
		for i, a := range args {
			values[i] = govalue.Get(a, int(r))
		}
		x, err := f.Call(values)
		if err == nil {
			err = govalue.Append(results, x)
		}
		if err != nil {
			e := diag.New(diag.BadValue, diag.Span{}, "the function %s", strings.ToUpper(f.Name))
			e.Cause = err
			return e
		}
		out.Copy(int(r), results, results.Len-1)
	}
	return nil
}
