package builtin

import (
	"math"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func percentileFunc() *agg.Func {
	const name = "PERCENTILE"
	return &agg.Func{
		Name:    name,
		Doc:     "The value below which the share p of the numbers lies, interpolated between neighbours; one value per element if p is an array. A third argument says how often a number counts.",
		Syntax:  "PERCENTILE(x, p [, frequency])",
		Example: "SELECT city, PERCENTILE(fare, 0.9) AS p90 FROM trips GROUP BY city",
		Args: func(args []types.Type) []types.Type {
			out := append([]types.Type{}, args...)
			if len(out) > 0 && out[0].IsNumeric() {
				out[0] = types.Of(types.Double).NotNull().OrNull(out[0].Nullable)
			}
			if len(out) > 2 && out[2].IsInteger() {
				out[2] = types.Of(types.BigInt).NotNull().OrNull(out[2].Nullable)
			}
			return out
		},
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if len(args) < 2 || len(args) > 3 {
				return types.Type{}, diag.New(diag.WrongArguments, diag.Span{}, "PERCENTILE takes two or three arguments, not %d", len(args))
			}
			if args[0].Kind != types.Double {
				return types.Type{}, refuse(name, args[0], "a number")
			}
			if len(args) == 3 && args[2].Kind != types.BigInt {
				return types.Type{}, refuse(name, args[2], "a whole number as frequency")
			}
			if _, err := shares(literal(opts, 1)); err != nil {
				return types.Type{}, err
			}
			if args[1].Kind == types.Array {
				return types.ArrayOf(types.Of(types.Double).NotNull()), nil
			}
			return types.Of(types.Double), nil
		},
		New: func(_ []types.Type, result types.Type, opts agg.Options) (agg.Accumulator, error) {
			p, err := shares(literal(opts, 1))
			return &percentile{multiset: multiset[float64]{layout: floats64(), sign: 1}, shares: p, array: result.Kind == types.Array}, err
		},
	}
}

// shares reads the constant second argument: a number or an array of numbers
// from 0 to 1.
func shares(p *row.Vec) ([]float64, error) {
	bad := func(what string) error {
		return diag.New(diag.WrongArguments, diag.Span{}, "the second argument of PERCENTILE is %s", what).
			WithHint("write a number from 0 to 1, or an array of such numbers")
	}
	if p == nil {
		return nil, bad("not a literal")
	}
	if p.IsNull(0) {
		return nil, bad("NULL")
	}
	v, from, to := p, 0, 1
	if p.Type.Kind == types.Array {
		v, from, to = p.Kids[0], int(p.Off[0]), int(p.Off[0]+p.Size[0])
	}
	var out []float64
	for i := from; i < to; i++ {
		if v.IsNull(i) {
			return nil, bad("NULL")
		}
		f := 0.0
		switch v.Type.Layout() {
		case types.LayoutI32:
			f = float64(v.I32[i])
		case types.LayoutI64:
			f = float64(v.I64[i])
		case types.LayoutF32:
			f = float64(v.F32[i])
		case types.LayoutF64:
			f = v.F64[i]
		case types.LayoutDec:
			f = value.DecToFloat64(v.Dec[i], int(v.Type.Scale), int(v.Type.Precision))
		default:
			return nil, bad("no number")
		}
		if !(f >= 0 && f <= 1) {
			return nil, bad("out of range")
		}
		out = append(out, f)
	}
	return out, nil
}

// percentile keeps every number of a slot with its count, in order.
type percentile struct {
	multiset[float64]
	shares []float64
	array  bool
	vals   []float64 // of one slot, ascending
	ends   []int64   // how many numbers there are up to and with vals[i]
}

// Add counts numbers; rows whose number is NULL or whose frequency is NULL or not
// above 0 do not count.
func (a *percentile) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	x := args[0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		by := int64(1)
		if len(args) == 3 {
			if by = args[2].I64[r]; args[2].IsNull(r) || by <= 0 {
				continue
			}
		}
		if x.IsNull(r) {
			continue
		}
		if signs != nil {
			by *= int64(signs[i])
		}
		a.roots[s] = a.change(a.roots[s], x.F64[r], by)
	}
	return nil
}

func (a *percentile) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		a.vals, a.ends = a.vals[:0], a.ends[:0]
		total := int64(0)
		a.visit(a.roots[s], func(n int32) {
			if c := a.nodes[n].count; c > 0 {
				total += c
				a.vals, a.ends = append(a.vals, a.nodes[n].val), append(a.ends, total)
			}
		})
		if total == 0 || len(a.shares) == 0 {
			out.SetNull(at + i)
			continue
		}
		if !a.array {
			out.F64[at+i] = a.at(a.shares[0], total)
			continue
		}
		kid := out.Kids[0]
		out.Off[at+i], out.Size[at+i] = int32(kid.Len), int32(len(a.shares))
		k := kid.Extend(len(a.shares))
		for j, p := range a.shares {
			kid.F64[k+j] = a.at(p, total)
		}
	}
}

// at is the value at share p of the total numbers, between two neighbours by
// their distances.
func (a *percentile) at(p float64, total int64) float64 {
	// Counted from 1, as Flink does: the rounding of the last digit shows it.
	pos := float64(total-1)*p + 1
	lo, hi := math.Floor(pos), math.Ceil(pos)
	low, high := a.number(int64(lo)-1), a.number(int64(hi)-1)
	if lo == hi || low == high {
		return low
	}
	return (hi-pos)*low + (pos-lo)*high
}

// number is the number at a position, counted from 0.
func (a *percentile) number(pos int64) float64 {
	i := 0
	for i < len(a.ends)-1 && a.ends[i] <= pos {
		i++
	}
	return a.vals[i]
}
