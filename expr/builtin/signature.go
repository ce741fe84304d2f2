// Package builtin holds the functions and operators of the dialect, one value
// each, by family.
package builtin

import (
	"fsql/expr"
	"fsql/types"
)

// param is what an operand must be.
type param func(t types.Type) bool

func isText(t types.Type) bool    { return t.IsString() || t.Kind == types.Null }
func isBytes(t types.Type) bool   { return t.IsBinary() || t.Kind == types.Null }
func isTextual(t types.Type) bool { return t.IsString() || t.IsBinary() || t.Kind == types.Null }
func isNumber(t types.Type) bool  { return t.IsNumeric() || t.Kind == types.Null }
func isWhole(t types.Type) bool   { return t.IsInteger() || t.Kind == types.Null }
func isBool(t types.Type) bool    { return t.Kind == types.Boolean || t.Kind == types.Null }
func isArray(t types.Type) bool   { return t.Kind == types.Array }
func isMap(t types.Type) bool     { return t.Kind == types.Map }
func isAny(types.Type) bool       { return true }

// takes checks operands against the first least of the params and, where
// there are more operands, the others; the last param repeats with rest.
func takes(args []expr.Node, least int, rest bool, params ...param) error {
	if len(args) < least || len(args) > len(params) && !rest {
		return expr.ErrArguments
	}
	for i, a := range args {
		if !params[min(i, len(params)-1)](a.Type()) {
			return expr.ErrArguments
		}
	}
	return nil
}

// nullable tells whether one of the operands may be NULL.
func nullable(args ...expr.Node) bool {
	for _, a := range args {
		if a.Type().Nullable {
			return true
		}
	}
	return false
}

// to converts the operands in place, each to the type of its position, the
// last one also for those behind it.
func to(args []expr.Node, ts ...types.Type) ([]expr.Node, error) {
	out := make([]expr.Node, len(args))
	for i, a := range args {
		t := ts[min(i, len(ts)-1)]
		if t.Kind == types.Invalid {
			out[i] = a
			continue
		}
		n, err := expr.Coerce(a, t)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// typed gives bare NULLs a type.
func typed(args []expr.Node, t types.Type) []expr.Node {
	out := make([]expr.Node, len(args))
	for i, a := range args {
		if a.Type().Kind == types.Null {
			a = expr.NullLiteral(t)
		}
		out[i] = a
	}
	return out
}

// bareNull lets functions take operands that are a NULL without a type, which
// becomes one of the type of its place: Flink's newer functions do. Where the
// place has no type here, they do not.
func bareNull(fs []*expr.Func, kinds map[string][]types.Type) []*expr.Func {
	for _, f := range fs {
		ts, ok := kinds[f.Name]
		if !ok {
			continue
		}
		resolve := f.Resolve
		f.BareNull = true
		f.Resolve = func(args []expr.Node) (*expr.Call, error) {
			out := make([]expr.Node, len(args))
			for i, a := range args {
				if out[i] = a; a.Type().Kind == types.Null {
					t := ts[min(i, len(ts)-1)]
					if t.Kind == types.Invalid {
						return nil, expr.IllegalNull(f)
					}
					out[i] = expr.NullLiteral(t)
				}
			}
			return resolve(out)
		}
	}
	return fs
}

// kinds of results, nullable as asked.
func str(null bool) types.Type { return types.String().NotNull().OrNull(null) }
func of(k types.Kind, null bool) types.Type {
	return types.Of(k).NotNull().OrNull(null)
}
func varchar(n int32, null bool) types.Type { return types.VarCharOf(n).NotNull().OrNull(null) }

// textType is VARCHAR of the length of a string type, which is what most
// functions make of CHAR(n).
func textType(t types.Type, null bool) types.Type { return varchar(t.Length, null) }

// simple is the Resolve of a function with one signature: operands are
// converted to want, the result has the given kind and is NULL where an
// operand is.
func simple(params []param, want []types.Type, result types.Kind, k expr.Kernel) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, len(params), false, params...); err != nil {
			return nil, err
		}
		args, err := to(args, want...)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: of(result, nullable(args...)), Eval: k}, nil
	}
}

var (
	anyType    = types.Type{}
	stringType = types.String()
	intType    = types.Of(types.Int)
	bigType    = types.Of(types.BigInt)
	doubleType = types.Of(types.Double)
	boolType   = types.Of(types.Boolean)
	bytesType  = types.Of(types.VarBinary)
)
