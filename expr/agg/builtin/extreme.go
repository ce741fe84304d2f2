package builtin

import (
	"fsql/expr/agg"
	"fsql/row"
	"fsql/types"
)

// extremeFunc is MIN (sign -1) or MAX (sign 1).
func extremeFunc(name string, sign int) *agg.Func {
	which := map[int]string{-1: "smallest", 1: "greatest"}[sign]
	return &agg.Func{
		Name:    name,
		Doc:     "The " + which + " value that is not NULL, NULL if there is none.",
		Syntax:  name + "(x)",
		Example: "SELECT city, " + name + "(fare) AS fare FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes(name, args, 1, 1, opts); err != nil {
				return types.Type{}, err
			}
			t := args[0]
			if !t.IsNumeric() && !t.IsString() && !t.IsTemporal() && t.Kind != types.Boolean {
				return t, refuse(name, t, "numbers, strings, dates and times, and booleans")
			}
			return t.Plain(), nil
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			return newExtreme(args[0], sign, opts.Retract), nil
		},
	}
}

func newExtreme(t types.Type, sign int, retract bool) agg.Accumulator {
	switch t.Layout() {
	case types.LayoutBool:
		return otherExtreme(bools(), sign, retract)
	case types.LayoutI32:
		return numberExtreme(ints32(), sign, retract)
	case types.LayoutI64:
		return numberExtreme(ints64(), sign, retract)
	case types.LayoutF32:
		return numberExtreme(floats32(), sign, retract)
	case types.LayoutF64:
		return numberExtreme(floats64(), sign, retract)
	case types.LayoutDec:
		return otherExtreme(decs(), sign, retract)
	case types.LayoutNano:
		return otherExtreme(moments(), sign, retract)
	}
	if retract {
		return &multiset[string]{layout: texts(), sign: sign}
	}
	return &textExtreme{sign: sign}
}

func otherExtreme[T any](l layout[T], sign int, retract bool) agg.Accumulator {
	if retract {
		return &multiset[T]{layout: l, sign: sign}
	}
	return &extreme[T]{layout: l, sign: sign}
}

func numberExtreme[T int32 | int64 | float32 | float64](l layout[T], sign int, retract bool) agg.Accumulator {
	if retract {
		return &multiset[T]{layout: l, sign: sign}
	}
	return &extreme[T]{layout: l, sign: sign, fast: addExtremes[T], plain: plainOrder[T]}
}

// plainOrder compares with < and >: 0 if neither holds.
func plainOrder[T int32 | int64 | float32 | float64](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// extreme keeps the smallest or greatest value of each slot. Flink compares
// FLOAT and DOUBLE with Java's < and >: a NaN that came first stays, one that
// comes later is passed over, and of 0.0 and -0.0 the first stays.
type extreme[T any] struct {
	layout layout[T]
	sign   int
	// fast is a loop with < and > for numbers, plain that comparison; nil for
	// other types.
	fast  func(a *extreme[T], v *row.Vec, sel, slots []int32)
	plain func(x, y T) int
	vals  []T
	has   []bool
}

func (a *extreme[T]) Grow(n int) { a.vals, a.has = extended(a.vals, n), extended(a.has, n) }

func (a *extreme[T]) Reset(slots []int32) {
	for _, s := range slots {
		a.has[s] = false
	}
}

func (a *extreme[T]) Add(args []*row.Vec, sel, slots []int32, _ []int8) error {
	if a.fast != nil {
		a.fast(a, args[0], sel, slots)
		return nil
	}
	v := args[0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if v.IsNull(r) {
			continue
		}
		if x := a.layout.get(v, r); !a.has[s] || a.better(x, a.vals[s]) {
			a.vals[s], a.has[s] = x, true
		}
	}
	return nil
}

// better tells whether x takes the place of y.
func (a *extreme[T]) better(x, y T) bool {
	if a.plain != nil {
		return a.plain(x, y)*a.sign > 0
	}
	return a.layout.order(x, y)*a.sign > 0
}

func addExtremes[T int32 | int64 | float32 | float64](a *extreme[T], v *row.Vec, sel, slots []int32) {
	vals := numbers[T](v)
	valid, vs, has, max := v.Valid, a.vals, a.has, a.sign > 0
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if valid != nil && !valid.Valid(r) {
			continue
		}
		x := vals[r]
		if !has[s] {
			vs[s], has[s] = x, true
		} else if y := vs[s]; max && x > y || !max && x < y {
			vs[s] = x
		}
	}
}

// numbers is the slice of a column whose layout has elements T.
func numbers[T int32 | int64 | float32 | float64](v *row.Vec) []T {
	var out any
	switch v.Type.Layout() {
	case types.LayoutI32:
		out = v.I32
	case types.LayoutI64:
		out = v.I64
	case types.LayoutF32:
		out = v.F32
	default:
		out = v.F64
	}
	return out.([]T)
}

func (a *extreme[T]) Merge(dst, src []int32) error {
	for i, s := range src {
		if !a.has[s] {
			continue
		}
		if d := dst[i]; !a.has[d] || a.better(a.vals[s], a.vals[d]) {
			a.vals[d], a.has[d] = a.vals[s], true
		}
	}
	return nil
}

// AddEach goes row by row.
func (a *extreme[T]) AddEach(args []*row.Vec, sel, slots []int32, _ []int8, out *row.Vec) error {
	v := args[0]
	at := out.Extend(len(slots))
	for i, s := range slots {
		if r := int(sel[i]); r >= 0 && !v.IsNull(r) {
			if x := a.layout.get(v, r); !a.has[s] || a.better(x, a.vals[s]) {
				a.vals[s], a.has[s] = x, true
			}
		}
		a.put(s, out, at+i)
	}
	return nil
}

func (a *extreme[T]) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		a.put(s, out, at+i)
	}
}

func (a *extreme[T]) put(s int32, out *row.Vec, i int) {
	if a.has[s] {
		a.layout.put(out, i, a.vals[s])
	} else {
		out.SetNull(i)
	}
}

func (a *extreme[T]) Bytes() int64 { return int64(cap(a.vals))*a.layout.size + int64(cap(a.has)) }

func (a *extreme[T]) Save(dst []byte, slot int32) []byte {
	if !a.has[slot] {
		return append(dst, 1, 0)
	}
	return a.layout.save(append(dst, 1, 1), a.vals[slot])
}

func (a *extreme[T]) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	if a.has[slot] = d.Uvarint() != 0; a.has[slot] {
		a.vals[slot] = a.layout.load(&d)
	}
	return d.Err
}
