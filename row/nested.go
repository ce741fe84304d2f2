package row

import (
	"encoding/binary"

	"fsql/types"
)

// nested holds the encoded values of one nested key column, made row by row:
// such keys are rare. ARRAY, MAP, MULTISET: the number of elements (uvarint),
// then the elements (a map's key and value in turn) as stored; two maps with the
// entries in another order are two keys, as in Flink, which compares the bytes.
// ROW: the fields. Each element and field is a byte, 1 for NULL, and unless
// NULL its value.
type nested struct {
	data []byte
	off  []int32
}

func (e *nested) encode(v *Vec, sel []int32) {
	e.data, e.off = e.data[:0], append(e.off[:0], 0)
	for _, r := range sel {
		if !v.IsNull(int(r)) {
			e.data = appendValue(e.data, v, int(r))
		}
		e.off = append(e.off, int32(len(e.data)))
	}
}

func (e *nested) len(i int) int { return int(e.off[i+1] - e.off[i]) }

func (e *nested) write(k *Keys) {
	for i := range k.cur {
		k.cur[i] += int32(copy(k.Data[k.cur[i]:], e.data[e.off[i]:e.off[i+1]]))
	}
}

func appendNullable(dst []byte, v *Vec, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 1)
	}
	return appendValue(append(dst, 0), v, i)
}

func appendValue(dst []byte, v *Vec, i int) []byte {
	le := binary.LittleEndian
	switch v.Type.Layout() {
	case types.LayoutBool:
		if v.Bool[i] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case types.LayoutI32:
		return le.AppendUint32(dst, uint32(v.I32[i]))
	case types.LayoutI64:
		return le.AppendUint64(dst, uint64(v.I64[i]))
	case types.LayoutF32:
		return le.AppendUint32(dst, bits32(v.F32[i]))
	case types.LayoutF64:
		return le.AppendUint64(dst, bits64(v.F64[i]))
	case types.LayoutDec:
		return le.AppendUint64(le.AppendUint64(dst, v.Dec[i].Lo), uint64(v.Dec[i].Hi))
	case types.LayoutNano:
		return le.AppendUint32(le.AppendUint64(dst, uint64(v.I64[i])), uint32(v.Nano[i]))
	case types.LayoutStr:
		return append(binary.AppendUvarint(dst, uint64(len(v.Str[i]))), v.Str[i]...)
	case types.LayoutList:
		dst = binary.AppendUvarint(dst, uint64(v.Size[i]))
		for e := int(v.Off[i]); e < int(v.Off[i]+v.Size[i]); e++ {
			for _, k := range v.Kids {
				dst = appendNullable(dst, k, e)
			}
		}
	case types.LayoutRow:
		for _, k := range v.Kids {
			dst = appendNullable(dst, k, i)
		}
	}
	return dst
}
