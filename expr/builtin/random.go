package builtin

import (
	"fmt"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func random() *expr.Func {
	return &expr.Func{Name: "RAND", Doc: "A random number from 0 to below 1, a new one per row; a seed gives the same sequence every time, that of Java.",
		Example: "RAND() < 1", Syntax: "RAND([seed])", Volatile: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 0, false, isWhole); err != nil {
				return nil, err
			}
			args, err := to(args, intType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: of(types.Double, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					if len(args) > 0 {
						out.F64[i] = c.Seeded(call, args[0].I32[i]).Float64()
					} else {
						out.F64[i] = float64(c.Random()>>11) / (1 << 53)
					}
				}
				return nil
			}}, nil
		}}
}

func randomInteger() *expr.Func {
	return &expr.Func{Name: "RAND_INTEGER", Doc: "A random whole number from 0 to below the bound, a new one per row.",
		Example: "RAND_INTEGER(10) < 10", Syntax: "RAND_INTEGER([seed,] bound)", Volatile: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, isWhole, isWhole); err != nil {
				return nil, err
			}
			args, err := to(args, intType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: of(types.Int, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					bound := args[len(args)-1].I32[i]
					if bound <= 0 {
						return diag.New(diag.BadValue, diag.Span{}, "RAND_INTEGER needs a positive bound, not %d", bound)
					}
					if len(args) > 1 {
						out.I32[i] = c.Seeded(call, args[0].I32[i]).Int(bound)
					} else {
						out.I32[i] = int32(c.Random() % uint64(bound))
					}
				}
				return nil
			}}, nil
		}}
}

func uuid() *expr.Func {
	return &expr.Func{Name: "UUID", Doc: "A random UUID of version 4, a new one per row.", Example: "CHAR_LENGTH(UUID()) = 36", Syntax: "UUID()", Volatile: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if len(args) > 0 {
				return nil, expr.ErrArguments
			}
			return &expr.Call{T: types.CharOf(36).NotNull(), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					a, b := c.Random(), c.Random()
					a = a&^0xf000 | 0x4000
					b = b&^(3<<62) | 1<<63
					out.Str[i] = c.Keep(fmt.Appendf(c.Scratch(), "%08x-%04x-%04x-%04x-%012x", a>>32, a>>16&0xffff, a&0xffff, b>>48, b&(1<<48-1)))
				}
				return nil
			}}, nil
		}}
}
