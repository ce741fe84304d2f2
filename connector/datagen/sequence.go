package datagen

import (
	"strconv"

	"fsql/connector"
	"fsql/row"
	"fsql/types"
	"fsql/value"
)

// sequence counts from start to end, both included.
type sequence struct {
	typ        types.Type
	start, end int64
}

func newSequence(t *connector.Table, name string, typ types.Type) (generator, error) {
	switch {
	case typ.IsInteger(), typ.IsApprox(), typ.Kind == types.Decimal, typ.IsString():
	default:
		return nil, bad(t, name, "a sequence of %s is not possible", typ.Short())
	}
	s := &sequence{typ: typ}
	for _, b := range []struct {
		key string
		to  *int64
	}{{"start", &s.start}, {"end", &s.end}} {
		text, set := t.Options.Named("fields.#."+b.key, name)
		if !set {
			return nil, bad(t, name, "a sequence needs 'fields.%s.%s'", name, b.key)
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, bad(t, name, "'fields.%s.%s' is '%s', not a whole number", name, b.key, text)
		}
		*b.to = n
	}
	if s.start > s.end {
		return nil, bad(t, name, "the sequence starts above its end")
	}
	return s, nil
}

func (s *sequence) count() int64 { return s.end - s.start + 1 }

func (s *sequence) fill(to *row.Vec, from int64, n int) {
	for i := int64(0); i < int64(n); i++ {
		appendNumber(to, s.start+from+i)
	}
}

// appendNumber appends a whole number to a column of any type that holds one.
func appendNumber(to *row.Vec, v int64) {
	i := to.Len
	to.AppendNull(1)
	to.Valid.Set(i)
	switch to.Type.Layout() {
	case types.LayoutI32:
		to.I32[i] = int32(v)
	case types.LayoutI64:
		to.I64[i] = v
	case types.LayoutF32:
		to.F32[i] = float32(v)
	case types.LayoutF64:
		to.F64[i] = float64(v)
	case types.LayoutDec:
		d, _ := value.DecRescaleUp(types.DecOf(v), int(to.Type.Scale))
		to.Dec[i] = d
	case types.LayoutStr:
		to.Str[i] = strconv.FormatInt(v, 10)
	}
}
