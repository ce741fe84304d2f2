package builtin

import (
	"encoding/binary"
	"math"

	"fsql/expr/agg"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// varianceForm tells the variances and standard deviations apart.
type varianceForm uint8

const (
	population varianceForm = 1 << iota // divide by n, not n-1
	root                                // the square root of it
)

func varianceFunc(name string, form varianceForm) *agg.Func {
	doc := "The variance"
	if form&root != 0 {
		doc = "The standard deviation"
	}
	if form&population != 0 {
		doc += " of the values that are not NULL, NULL if there are none."
	} else {
		doc += " of a sample: the values that are not NULL; NULL for fewer than two."
	}
	return &agg.Func{
		Name:    name,
		Doc:     doc + " It has the type of AVG.",
		Syntax:  name + "(x)",
		Example: "SELECT sensor, " + name + "(CAST(celsius AS DOUBLE)) AS spread FROM readings GROUP BY sensor",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			t, err := number(name, args, opts)
			if t = averageType(t); form&population == 0 {
				t = t.AsNullable()
			}
			return t, err
		},
		New: func(args []types.Type, _ types.Type, o agg.Options) (agg.Accumulator, error) {
			return newVariance(args[0], form, o.Over), nil
		},
	}
}

// variance is Welford's way, step by step as in Flink, in DOUBLE for every
// type: the mean so far and the sum of squared distances from it.
type variance struct {
	arg   types.Type
	form  varianceForm
	cells []varianceCell
	vals  []float64 // scratch: the argument as DOUBLE
}

type varianceCell struct {
	n        int64
	mean, m2 float64
}

func (c *varianceCell) add(x float64) {
	if c.n++; c.n <= 0 {
		return
	}
	d := x - c.mean
	c.mean += d / float64(c.n)
	c.m2 += float64(d * (x - c.mean)) // no fused multiply-add: Java has none
}

func (c *varianceCell) takeBack(x float64) {
	if c.n--; c.n <= 0 {
		if c.n == 0 {
			c.mean, c.m2 = 0, 0
		}
		return
	}
	d := x - c.mean
	c.mean -= d / float64(c.n)
	c.m2 -= float64((x - c.mean) * d)
}

func (a *variance) Grow(n int) { a.cells = extended(a.cells, n) }

func (a *variance) Reset(slots []int32) {
	for _, s := range slots {
		a.cells[s] = varianceCell{}
	}
}

// doubles converts the rows of a column.
func (a *variance) doubles(v *row.Vec) []float64 {
	if v.Type.Layout() == types.LayoutF64 {
		return v.F64
	}
	a.vals = extended(a.vals, v.Len)
	switch v.Type.Layout() {
	case types.LayoutI32:
		for i, x := range v.I32 {
			a.vals[i] = float64(x)
		}
	case types.LayoutI64:
		for i, x := range v.I64 {
			a.vals[i] = float64(x)
		}
	case types.LayoutF32:
		for i, x := range v.F32 {
			a.vals[i] = float64(x)
		}
	case types.LayoutDec:
		for i, x := range v.Dec {
			if !v.IsNull(i) {
				a.vals[i] = value.DecToFloat64(x, int(a.arg.Scale), int(a.arg.Precision))
			}
		}
	}
	return a.vals
}

func (a *variance) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	vals, valid := a.doubles(args[0]), args[0].Valid
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if valid != nil && !valid.Valid(r) {
			continue
		}
		if signs != nil && signs[i] < 0 {
			a.cells[s].takeBack(vals[r])
		} else {
			a.cells[s].add(vals[r])
		}
	}
	return nil
}

// Merge is Chan's formula, again in Flink's order of operations.
func (a *variance) Merge(dst, src []int32) error {
	for i, s := range src {
		d, c := &a.cells[dst[i]], a.cells[s]
		switch {
		case c.n <= 0:
			if d.n += c.n; d.n <= 0 {
				d.mean, d.m2 = 0, 0
			}
		case d.n == 0:
			*d = c
		default:
			n := d.n + c.n
			delta := c.mean - d.mean
			m2 := d.m2 + c.m2 + float64(float64(float64(d.n)*float64(c.n)/float64(n)*delta)*delta)
			d.mean += float64(float64(c.n) / float64(n) * delta)
			d.n, d.m2 = n, m2
		}
	}
	return nil
}

func (a *variance) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		x, ok := a.result(&a.cells[s])
		if ok {
			ok = putDouble(out, at+i, x)
		}
		if !ok {
			out.SetNull(at + i)
		}
	}
}

func (a *variance) result(c *varianceCell) (float64, bool) {
	n := c.n
	if a.form&population == 0 {
		n--
	}
	if n <= 0 || c.m2 < 0 { // below 0 after retractions, by rounding: NULL in Flink
		return 0, false
	}
	x := c.m2 / float64(n)
	if a.form&root != 0 {
		x = math.Sqrt(x)
	}
	return x, true
}

// putDouble casts a DOUBLE to the type of out, as CAST does: TINYINT and
// SMALLINT take the low bits of the INT.
func putDouble(out *row.Vec, i int, x float64) bool {
	switch out.Type.Kind {
	case types.TinyInt:
		out.I32[i] = int32(int8(saturate(x, 32)))
	case types.SmallInt:
		out.I32[i] = int32(int16(saturate(x, 32)))
	case types.Int:
		out.I32[i] = int32(saturate(x, 32))
	case types.BigInt:
		out.I64[i] = saturate(x, 64)
	case types.Float:
		out.F32[i] = float32(x)
	case types.Double:
		out.F64[i] = x
	default:
		d, ok := value.DecFromFloat64(x, int(out.Type.Precision), int(out.Type.Scale))
		out.Dec[i] = d
		return ok
	}
	return true
}

// saturate is Java's cast of a DOUBLE to an integer of so many bits.
func saturate(x float64, bits uint) int64 {
	limit := math.Ldexp(1, int(bits-1))
	switch {
	case x != x:
		return 0
	case x >= limit:
		return 1<<(bits-1) - 1
	case x < -limit:
		return -1 << (bits - 1)
	}
	return int64(x)
}

func (a *variance) Bytes() int64 { return int64(cap(a.cells)) * 24 }

func (a *variance) Save(dst []byte, slot int32) []byte {
	c := a.cells[slot]
	return appendFloat(appendFloat(binary.AppendVarint(append(dst, 1), c.n), c.mean), c.m2)
}

func (a *variance) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	c := varianceCell{n: d.Varint()}
	c.mean = d.Float64()
	c.m2 = d.Float64()
	a.cells[slot] = c
	return d.Err
}
