package avro

import (
	"encoding/binary"
	"math"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// put appends one value, which is not NULL.
type put func(e *writer, v *row.Vec, r int)

// writer appends records in binary form.
type writer struct {
	dst     []byte
	names   []string
	columns []put
	nullKey bool // a map has met a NULL as key
}

func newWriter(s *types.Schema) *writer {
	w := &writer{}
	for _, c := range s.Columns {
		w.names = append(w.names, c.Name)
		w.columns = append(w.columns, putter(c.Type))
	}
	return w
}

// record appends a row.
func (e *writer) record(dst []byte, b *row.Batch, r int) ([]byte, error) {
	e.dst = dst
	for i, p := range e.columns {
		if p(e, b.Cols[i], r); e.nullKey {
			e.nullKey = false
			return e.dst, diag.New(diag.BadValue, diag.Span{}, "column '%s': a map with a NULL key has no form in avro", e.names[i])
		}
	}
	return e.dst, nil
}

func (e *writer) long(x int64) { e.dst = binary.AppendVarint(e.dst, x) }

func (e *writer) text(s string) {
	e.long(int64(len(s)))
	e.dst = append(e.dst, s...)
}

// putter writes values of a type, NULLs as the first branch of a union.
func putter(t types.Type) put {
	value := notNull(t)
	if !t.Nullable {
		return value
	}
	return func(e *writer, v *row.Vec, r int) {
		if v.IsNull(r) {
			e.dst = append(e.dst, 0)
			return
		}
		e.dst = append(e.dst, 2)
		value(e, v, r)
	}
}

func notNull(t types.Type) put {
	switch t.Kind {
	case types.Boolean:
		return func(e *writer, v *row.Vec, r int) {
			b := byte(0)
			if v.Bool[r] {
				b = 1
			}
			e.dst = append(e.dst, b)
		}
	case types.BigInt:
		return func(e *writer, v *row.Vec, r int) { e.long(v.I64[r]) }
	case types.Float:
		return func(e *writer, v *row.Vec, r int) {
			e.dst = binary.LittleEndian.AppendUint32(e.dst, math.Float32bits(v.F32[r]))
		}
	case types.Double:
		return func(e *writer, v *row.Vec, r int) {
			e.dst = binary.LittleEndian.AppendUint64(e.dst, math.Float64bits(v.F64[r]))
		}
	case types.Char, types.VarChar, types.Binary, types.VarBinary:
		return func(e *writer, v *row.Vec, r int) { e.text(v.Str[r]) }
	case types.Decimal:
		return func(e *writer, v *row.Vec, r int) { e.decimal(v.Dec[r]) }
	case types.Timestamp, types.TimestampLTZ:
		return func(e *writer, v *row.Vec, r int) { e.long(millis(v.I64[r])) }
	case types.Array:
		return entries(nil, putter(t.Elem()))
	case types.Map, types.Multiset:
		return entries(key, putter(mapValue(t)))
	case types.Row:
		fields := make([]put, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = putter(f.Type)
		}
		return func(e *writer, v *row.Vec, r int) {
			for i, f := range fields {
				f(e, v.Kids[i], r)
			}
		}
	}
	// TINYINT, SMALLINT, INT, DATE and TIME.
	return func(e *writer, v *row.Vec, r int) { e.long(int64(v.I32[r])) }
}

// millis is a time in milliseconds, rounded down.
func millis(us int64) int64 {
	ms := us / 1000
	if us%1000 < 0 {
		ms--
	}
	return ms
}

func key(e *writer, v *row.Vec, r int) {
	if v.IsNull(r) {
		e.nullKey = true
		return
	}
	e.text(v.Str[r])
}

// entries writes an ARRAY, or with keys a MAP or MULTISET.
func entries(key, value put) put {
	return func(e *writer, v *row.Vec, r int) {
		from, n := int(v.Off[r]), int(v.Size[r])
		if n > 0 {
			e.long(int64(n))
		}
		values := v.Kids[len(v.Kids)-1]
		for i := from; i < from+n; i++ {
			if key != nil {
				key(e, v.Kids[0], i)
			}
			value(e, values, i)
		}
		e.dst = append(e.dst, 0)
	}
}

// decimal writes the fewest bytes that hold the unscaled number.
func (e *writer) decimal(d types.Dec) {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(d.Hi))
	binary.BigEndian.PutUint64(b[8:], d.Lo)
	short := b[:]
	for len(short) > 1 && short[0] == byte(int8(short[1])>>7) {
		short = short[1:]
	}
	e.text(string(short))
}
