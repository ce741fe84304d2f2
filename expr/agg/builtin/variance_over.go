package builtin

import (
	"encoding/binary"
	"math"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// varianceSums is how Flink computes variances with OVER: it rewrites them into
// (SUM(x*x) - SUM(x)*SUM(x)/COUNT(x)) / n, with division of whole numbers for
// whole numbers. The last digits differ from those of GROUP BY.
type varianceSums struct {
	variance
	whole bool
	sums  []varianceSum
}

type varianceSum struct {
	n         int64
	sum, sq   float64
	isum, isq int64
}

// newVariance chooses the way; DECIMAL has but one here.
func newVariance(arg types.Type, form varianceForm, over bool) agg.Accumulator {
	v := variance{arg: arg, form: form}
	if !over || arg.Kind == types.Decimal {
		return &v
	}
	return &varianceSums{variance: v, whole: arg.IsInteger()}
}

func (a *varianceSums) Grow(n int) { a.sums = extended(a.sums, n) }

func (a *varianceSums) Reset(slots []int32) {
	for _, s := range slots {
		a.sums[s] = varianceSum{}
	}
}

func (a *varianceSums) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	vals, valid := a.doubles(args[0]), args[0].Valid
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if valid != nil && !valid.Valid(r) {
			continue
		}
		c, x := &a.sums[s], vals[r]
		sign := int64(1)
		if signs != nil && signs[i] < 0 {
			sign = -1
		}
		c.n += sign
		if a.whole {
			c.isum += sign * int64(x)
			c.isq += sign * int64(x) * int64(x)
			continue
		}
		c.sum += float64(sign) * x
		c.sq += float64(float64(sign) * float64(x*x)) // no fused multiply-add: Java has none
	}
	return nil
}

func (a *varianceSums) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		if x, ok := a.result(&a.sums[s]); !ok || !putDouble(out, at+i, x) {
			out.SetNull(at + i)
		}
	}
}

func (a *varianceSums) result(c *varianceSum) (x float64, ok bool) {
	n := c.n
	if a.form&population == 0 {
		n--
	}
	if c.n <= 0 || n <= 0 {
		return 0, false
	}
	if a.whole {
		x = float64((c.isq - c.isum*c.isum/c.n) / n)
	} else {
		x = (c.sq - float64(c.sum*c.sum)/float64(c.n)) / float64(n)
	}
	if a.form&root != 0 {
		x = math.Pow(x, 0.5)
	}
	return x, true
}

func (a *varianceSums) Bytes() int64 { return int64(cap(a.sums)) * 40 }

const varianceSumsForm = 1

func (a *varianceSums) Save(dst []byte, slot int32) []byte {
	c := a.sums[slot]
	dst = binary.AppendVarint(append(dst, varianceSumsForm), c.n)
	if a.whole {
		return binary.AppendVarint(binary.AppendVarint(dst, c.isum), c.isq)
	}
	return appendFloat(appendFloat(dst, c.sum), c.sq)
}

func (a *varianceSums) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(varianceSumsForm)
	c := varianceSum{n: d.Varint()}
	if a.whole {
		c.isum, c.isq = d.Varint(), d.Varint()
	} else {
		c.sum, c.sq = d.Float64(), d.Float64()
	}
	a.sums[slot] = c
	return d.Err
}
