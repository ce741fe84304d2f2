package expr

import (
	"math"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

type number interface {
	int32 | int64 | float32 | float64
}

// convert is the plain conversion of Go, which is Java's for whole numbers
// and toward floating point.
func convert[A, B number](c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	a, b := Values[A](args[0]), Values[B](out)
	if sel == nil {
		for i, v := range a {
			b[i] = B(v)
		}
		return nil
	}
	for _, i := range sel {
		b[i] = B(a[i])
	}
	return nil
}

// numbers converts between number types. Wide whole numbers keep their low
// bits in narrow ones (Java), floating point saturates.
func (k caster) numbers() (conversion, bool) {
	f, t := k.from, k.to
	switch {
	case t.Kind == types.Decimal:
		return conversion{eval: k.toDecimal(), safe: k.fitsDecimal()}, true
	case f.Kind == types.Decimal:
		return k.fromDecimal(), true
	case f.IsInteger() && t.IsInteger():
		return conversion{eval: integers(f, t), safe: true}, true
	case f.IsInteger():
		return conversion{eval: toApprox(f, t), safe: true}, true
	case t.IsApprox():
		switch {
		case f.Kind == t.Kind:
			return conversion{safe: true}, true
		case t.Kind == types.Float:
			return conversion{eval: convert[float64, float32], safe: true}, true
		}
		return conversion{eval: convert[float32, float64], safe: true}, true
	}
	return conversion{eval: k.truncate(), safe: true}, true
}

func integers(f, t types.Type) Kernel {
	switch {
	case f.Kind == t.Kind:
		return nil
	case f.Kind == types.BigInt:
		return Narrow(convert[int64, int32], t)
	case t.Kind == types.BigInt:
		return convert[int32, int64]
	case t.Kind > f.Kind:
		return nil // one layout
	}
	return Narrow(func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		copy(out.I32, args[0].I32)
		return nil
	}, t)
}

// Narrow wraps a kernel that computes in 32 bits so that TINYINT and SMALLINT
// keep their low bits only, as Java's do.
func Narrow(k Kernel, t types.Type) Kernel {
	switch t.Kind {
	case types.TinyInt:
		return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			err := k(c, call, args, sel, out)
			for i, v := range out.I32 {
				out.I32[i] = int32(int8(v))
			}
			return err
		}
	case types.SmallInt:
		return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			err := k(c, call, args, sel, out)
			for i, v := range out.I32 {
				out.I32[i] = int32(int16(v))
			}
			return err
		}
	}
	return k
}

func toApprox(f, t types.Type) Kernel {
	switch {
	case f.Kind == types.BigInt && t.Kind == types.Double:
		return convert[int64, float64]
	case f.Kind == types.BigInt:
		return convert[int64, float32]
	case t.Kind == types.Double:
		return convert[int32, float64]
	}
	return convert[int32, float32]
}

// truncate converts floating point to whole numbers: toward zero, INT and
// BIGINT saturate, the narrow types take the low bits of the INT, NaN is 0.
func (k caster) truncate() Kernel {
	read := func(v *row.Vec, i int32) float64 { return v.F64[i] }
	if k.from.Kind == types.Float {
		read = func(v *row.Vec, i int32) float64 { return float64(v.F32[i]) }
	}
	if k.to.Kind == types.BigInt {
		return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range each(sel, out.Len) {
				out.I64[i] = saturate(read(args[0], i), math.MinInt64, math.MaxInt64)
			}
			return nil
		}
	}
	return Narrow(func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range each(sel, out.Len) {
			out.I32[i] = int32(saturate(read(args[0], i), math.MinInt32, math.MaxInt32))
		}
		return nil
	}, k.to)
}

func saturate(f float64, lo, hi int64) int64 {
	switch {
	case f != f:
		return 0
	case f <= float64(lo):
		return lo
	case f >= float64(hi):
		return hi
	}
	return int64(f)
}

func (k caster) toDecimal() Kernel {
	p, s := int(k.to.Precision), int(k.to.Scale)
	switch k.from.Kind {
	case types.Float, types.Double:
		return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range each(sel, out.Len) {
				f := approx(args[0], i)
				if math.IsNaN(f) || math.IsInf(f, 0) {
					if err := k.bad(out, i, string(value.AppendDouble(nil, f)), "it is no finite number"); err != nil {
						return err
					}
					continue
				}
				d, ok := value.DecFromFloat64(f, p, s)
				if !ok {
					if err := tooLarge(call, out, i); err != nil {
						return err
					}
				}
				out.Dec[i] = d
			}
			return nil
		}
	case types.Decimal:
		from := int(k.from.Scale)
		if from == s && k.from.Precision <= k.to.Precision {
			return nil
		}
		return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a := args[0].Dec
			for i := range each(sel, out.Len) {
				d, ok := value.DecRescale(a[i], from, s)
				if !ok || !value.DecFits(d, p) {
					if err := tooLarge(call, out, i); err != nil {
						return err
					}
				}
				out.Dec[i] = d
			}
			return nil
		}
	}
	wide := k.from.Kind == types.BigInt
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range each(sel, out.Len) {
			var n int64
			if wide {
				n = args[0].I64[i]
			} else {
				n = int64(args[0].I32[i])
			}
			d, ok := value.DecRescale(types.DecOf(n), 0, s)
			if !ok || !value.DecFits(d, p) {
				if err := tooLarge(call, out, i); err != nil {
					return err
				}
			}
			out.Dec[i] = d
		}
		return nil
	}
}

// fitsDecimal tells that every value of the source fits the target.
func (k caster) fitsDecimal() bool {
	if k.from.IsApprox() {
		return false
	}
	f := AsDecimal(k.from)
	whole := f.Precision - f.Scale
	if k.to.Scale < f.Scale {
		whole++ // rounding may carry
	}
	return whole <= k.to.Precision-k.to.Scale
}

func approx(v *row.Vec, i int32) float64 {
	if v.Type.Kind == types.Float {
		return float64(v.F32[i])
	}
	return v.F64[i]
}

func (k caster) fromDecimal() conversion {
	p, s := int(k.from.Precision), int(k.from.Scale)
	switch k.to.Kind {
	case types.Double:
		return conversion{safe: true, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range each(sel, out.Len) {
				out.F64[i] = value.DecToFloat64(args[0].Dec[i], s, p)
			}
			return nil
		}}
	case types.Float:
		return conversion{safe: true, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range each(sel, out.Len) {
				out.F32[i] = float32(value.DecToFloat64(args[0].Dec[i], s, p))
			}
			return nil
		}}
	case types.BigInt:
		return conversion{safe: true, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range each(sel, out.Len) {
				out.I64[i] = value.DecToInt64(args[0].Dec[i], s)
			}
			return nil
		}}
	}
	return conversion{safe: true, eval: Narrow(func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range each(sel, out.Len) {
			out.I32[i] = int32(value.DecToInt64(args[0].Dec[i], s))
		}
		return nil
	}, k.to)}
}

// fromBool: TRUE is 1, FALSE 0.
func (k caster) fromBool() conversion {
	one, _ := value.DecRescale(types.DecOf(1), 0, int(k.to.Scale))
	fits := k.to.Kind != types.Decimal || k.to.Precision > k.to.Scale
	return conversion{safe: fits, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range each(sel, out.Len) {
			b := args[0].Bool[i]
			n := int32(0)
			if b {
				n = 1
			}
			switch k.to.Kind {
			case types.BigInt:
				out.I64[i] = int64(n)
			case types.Float:
				out.F32[i] = float32(n)
			case types.Double:
				out.F64[i] = float64(n)
			case types.Decimal:
				out.Dec[i] = types.Dec{}
				if b {
					out.Dec[i] = one
					if !fits {
						if err := tooLarge(call, out, i); err != nil {
							return err
						}
					}
				}
			default:
				out.I32[i] = n
			}
		}
		return nil
	}}
}

// toBool: what is not zero is TRUE.
func (k caster) toBool() conversion {
	return conversion{safe: true, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a := args[0]
		for i := range each(sel, out.Len) {
			switch k.from.Layout() {
			case types.LayoutI64:
				out.Bool[i] = a.I64[i] != 0
			case types.LayoutF32:
				out.Bool[i] = a.F32[i] != 0
			case types.LayoutF64:
				out.Bool[i] = a.F64[i] != 0
			case types.LayoutDec:
				out.Bool[i] = a.Dec[i] != types.Dec{}
			default:
				out.Bool[i] = a.I32[i] != 0
			}
		}
		return nil
	}}
}
