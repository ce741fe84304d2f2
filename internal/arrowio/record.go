package arrowio

import (
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Record returns the rows of a batch as an Arrow record of a schema that Schema
// made. Row kinds and marks are not in it. The record may share memory with the
// batch, which is immutable; the garbage collector owns it, Release is not
// needed.
func Record(s *arrow.Schema, b *row.Batch) (arrow.Record, error) {
	cols := make([]arrow.Array, len(b.Cols))
	for i, c := range b.Cols {
		d, err := data(s.Field(i).Type, c)
		if err != nil {
			return nil, err
		}
		cols[i] = array.MakeFromData(d)
	}
	return array.NewRecord(s, cols, int64(b.Rows)), nil
}

// data lays a column out as Arrow's type t wants it.
func data(t arrow.DataType, v *row.Vec) (arrow.ArrayData, error) {
	nulls := v.Valid.Nulls(v.Len)
	valid := validity(v)
	fixed := func(values []byte) (arrow.ArrayData, error) {
		return array.NewData(t, v.Len, []*memory.Buffer{valid, memory.NewBufferBytes(values)}, nil, nulls, 0), nil
	}
	switch v.Type.Kind {
	case types.Null:
		return array.NewData(t, v.Len, []*memory.Buffer{nil}, nil, v.Len, 0), nil
	case types.Boolean:
		bits := make([]byte, bitutil.BytesForBits(int64(v.Len)))
		for i, x := range v.Bool[:v.Len] {
			if x {
				bitutil.SetBit(bits, i)
			}
		}
		return fixed(bits)
	case types.TinyInt:
		return fixed(raw(narrow[int8](v.I32[:v.Len])))
	case types.SmallInt:
		return fixed(raw(narrow[int16](v.I32[:v.Len])))
	case types.Int, types.Date, types.TimeOfDay, types.IntervalMonths:
		return fixed(raw(v.I32[:v.Len]))
	case types.BigInt, types.IntervalMillis:
		return fixed(raw(v.I64[:v.Len]))
	case types.Float:
		return fixed(raw(v.F32[:v.Len]))
	case types.Double:
		return fixed(raw(v.F64[:v.Len]))
	case types.Decimal:
		return fixed(raw(v.Dec[:v.Len]))
	case types.Timestamp, types.TimestampLTZ:
		if v.Type.Layout() != types.LayoutNano {
			return fixed(raw(v.I64[:v.Len]))
		}
		nanos, err := nanoseconds(v)
		if err != nil {
			return nil, err
		}
		return fixed(raw(nanos))
	case types.Array, types.Map, types.Multiset:
		return list(t, v, valid, nulls)
	case types.Row:
		var kids []arrow.ArrayData
		for i, f := range t.(*arrow.StructType).Fields() {
			d, err := data(f.Type, v.Kids[i])
			if err != nil {
				return nil, err
			}
			kids = append(kids, d)
		}
		return array.NewData(t, v.Len, []*memory.Buffer{valid}, kids, nulls, 0), nil
	}
	return text(t, v, valid, nulls)
}

// validity is the bitmap of a column, shared; nil without NULLs.
func validity(v *row.Vec) *memory.Buffer {
	if v.Valid == nil {
		return nil
	}
	return memory.NewBufferBytes(raw(v.Valid[:(v.Len+63)/64]))
}

// raw is the memory of a slice of fixed-width values.
func raw[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

func narrow[T int8 | int16](s []int32) []T {
	out := make([]T, len(s))
	for i, x := range s {
		out[i] = T(x)
	}
	return out
}

// nanoseconds since 1970, which Arrow keeps in 64 bits: years 1678 to 2262.
func nanoseconds(v *row.Vec) ([]int64, error) {
	out := make([]int64, v.Len)
	for i := range out {
		if v.IsNull(i) {
			continue
		}
		ms := v.I64[i]
		if ms > math.MaxInt64/1_000_000-1 || ms < math.MinInt64/1_000_000+1 {
			return nil, diag.New(diag.Overflow, diag.Span{}, "%s is beyond what Arrow's nanoseconds can hold", value.AppendText(nil, v, i, value.UTC())).
				WithHint("CAST it to TIMESTAMP(6)")
		}
		out[i] = ms*1_000_000 + int64(v.Nano[i])
	}
	return out, nil
}

// text copies strings into offsets and bytes.
func text(t arrow.DataType, v *row.Vec, valid *memory.Buffer, nulls int) (arrow.ArrayData, error) {
	offsets := make([]int32, v.Len+1)
	var bytes []byte
	for i := range v.Len {
		switch {
		case v.IsNull(i):
		case v.Type.Kind == types.Variant || v.Type.Kind == types.Bitmap:
			bytes = value.AppendText(bytes, v, i, value.UTC())
		default:
			bytes = append(bytes, v.Str[i]...)
		}
		if len(bytes) > math.MaxInt32 {
			return nil, diag.New(diag.Overflow, diag.Span{}, "a column of one batch is larger than 2 GB")
		}
		offsets[i+1] = int32(len(bytes))
	}
	return array.NewData(t, v.Len, []*memory.Buffer{valid, memory.NewBufferBytes(raw(offsets)), memory.NewBufferBytes(bytes)}, nil, nulls, 0), nil
}

// list turns views (offset and size per value) into Arrow's running offsets.
func list(t arrow.DataType, v *row.Vec, valid *memory.Buffer, nulls int) (arrow.ArrayData, error) {
	offsets := make([]int32, v.Len+1)
	var sel []int32
	for i := range v.Len {
		if !v.IsNull(i) {
			for k := v.Off[i]; k < v.Off[i]+v.Size[i]; k++ {
				sel = append(sel, k)
			}
		}
		offsets[i+1] = int32(len(sel))
	}
	var kid arrow.ArrayData
	var err error
	if m, ok := t.(*arrow.MapType); ok {
		var key, item arrow.ArrayData
		if key, err = data(m.KeyType(), v.Kids[0].Gather(sel)); err != nil {
			return nil, err
		}
		if item, err = data(m.ItemType(), v.Kids[1].Gather(sel)); err != nil {
			return nil, err
		}
		kid = array.NewData(m.Elem(), len(sel), []*memory.Buffer{nil}, []arrow.ArrayData{key, item}, 0, 0)
	} else if kid, err = data(t.(*arrow.ListType).Elem(), v.Kids[0].Gather(sel)); err != nil {
		return nil, err
	}
	return array.NewData(t, v.Len, []*memory.Buffer{valid, memory.NewBufferBytes(raw(offsets))}, []arrow.ArrayData{kid}, nulls, 0), nil
}
