package datagen

import (
	"strconv"

	"fsql/connector/format"
	"fsql/internal/value"
	"fsql/types"
)

// sequence counts from start to end, both included.
type sequence struct {
	typ        types.Type
	start, end int64
}

func newSequence(f *fields, name string, typ types.Type) (generator, error) {
	if !typ.IsNumeric() && !typ.IsString() {
		return nil, f.refuse(name, "a sequence of %s is not possible", typ.Short())
	}
	s := &sequence{typ: typ}
	for key, to := range map[string]*int64{"start": &s.start, "end": &s.end} {
		if !f.has(name, key) {
			return nil, f.refuse(name, "a sequence needs 'fields.%s.%s'", name, key)
		}
		var err error
		if *to, err = f.whole(name, key, 0); err != nil {
			return nil, err
		}
	}
	if s.start > s.end {
		return nil, f.refuse(name, "the sequence starts above its end")
	}
	return s, nil
}

func (s *sequence) count() int64 { return s.end - s.start + 1 }

func (s *sequence) fill(to *format.Column, from int64, n int) {
	v := to.Vec
	first, last := s.start+from, s.start+from+int64(n)
	switch s.typ.Layout() {
	case types.LayoutI32:
		for x := first; x < last; x++ {
			v.I32 = append(v.I32, int32(x))
		}
	case types.LayoutI64:
		for x := first; x < last; x++ {
			v.I64 = append(v.I64, x)
		}
	case types.LayoutF32:
		for x := first; x < last; x++ {
			v.F32 = append(v.F32, float32(x))
		}
	case types.LayoutF64:
		for x := first; x < last; x++ {
			v.F64 = append(v.F64, float64(x))
		}
	case types.LayoutDec:
		for x := first; x < last; x++ {
			d, ok := value.DecRescaleUp(types.DecOf(x), int(s.typ.Scale))
			if ok = ok && value.DecFits(d, int(s.typ.Precision)); !ok {
				to.Null()
				continue
			}
			v.Dec = append(v.Dec, d)
		}
	case types.LayoutStr:
		for x := first; x < last; x++ {
			v.Str = append(v.Str, strconv.FormatInt(x, 10))
		}
	}
}
