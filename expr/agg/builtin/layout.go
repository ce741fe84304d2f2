package builtin

import (
	"cmp"
	"encoding/binary"
	"strings"

	"fsql/expr/agg"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// layout is how the values of one column layout are read, written, compared and
// kept: what generic accumulators need of a type.
type layout[T any] struct {
	get  func(v *row.Vec, r int) T
	put  func(v *row.Vec, r int, x T)
	keep func(x T) T // a copy that shares no memory with a batch; nil: itself
	// order is Java's Comparable: NaN is the greatest, -0.0 below 0.0.
	order func(a, b T) int
	save  func(dst []byte, x T) []byte
	load  func(d *agg.Decoder) T
	size  int64
}

// moment is a value of types.LayoutNano.
type moment struct {
	ms   int64
	nano int32
}

func saveInt[T int32 | int64](dst []byte, x T) []byte { return binary.AppendVarint(dst, int64(x)) }
func loadInt[T int32 | int64](d *agg.Decoder) T       { return T(d.Varint()) }

func ints32() layout[int32] {
	return layout[int32]{
		get: func(v *row.Vec, r int) int32 { return v.I32[r] }, put: func(v *row.Vec, r int, x int32) { v.I32[r] = x },
		order: cmp.Compare[int32], save: saveInt[int32], load: loadInt[int32], size: 4,
	}
}

func ints64() layout[int64] {
	return layout[int64]{
		get: func(v *row.Vec, r int) int64 { return v.I64[r] }, put: func(v *row.Vec, r int, x int64) { v.I64[r] = x },
		order: cmp.Compare[int64], save: saveInt[int64], load: loadInt[int64], size: 8,
	}
}

func bools() layout[int32] {
	return layout[int32]{
		get: func(v *row.Vec, r int) int32 {
			if v.Bool[r] {
				return 1
			}
			return 0
		},
		put:   func(v *row.Vec, r int, x int32) { v.Bool[r] = x != 0 },
		order: cmp.Compare[int32], save: saveInt[int32], load: loadInt[int32], size: 4,
	}
}

func floats32() layout[float32] {
	return layout[float32]{
		get: func(v *row.Vec, r int) float32 { return v.F32[r] }, put: func(v *row.Vec, r int, x float32) { v.F32[r] = x },
		order: javaOrder[float32],
		save:  func(dst []byte, x float32) []byte { return appendFloat(dst, float64(x)) },
		load:  func(d *agg.Decoder) float32 { return float32(d.Float64()) }, size: 4,
	}
}

func floats64() layout[float64] {
	return layout[float64]{
		get: func(v *row.Vec, r int) float64 { return v.F64[r] }, put: func(v *row.Vec, r int, x float64) { v.F64[r] = x },
		order: javaOrder[float64], save: appendFloat, load: (*agg.Decoder).Float64, size: 8,
	}
}

func decs() layout[types.Dec] {
	return layout[types.Dec]{
		get: func(v *row.Vec, r int) types.Dec { return v.Dec[r] }, put: func(v *row.Vec, r int, x types.Dec) { v.Dec[r] = x },
		order: value.DecCmp,
		save: func(dst []byte, x types.Dec) []byte {
			return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, x.Lo), uint64(x.Hi))
		},
		load: func(d *agg.Decoder) types.Dec { lo := d.Uint64(); return types.Dec{Lo: lo, Hi: int64(d.Uint64())} }, size: 16,
	}
}

func moments() layout[moment] {
	return layout[moment]{
		get: func(v *row.Vec, r int) moment { return moment{v.I64[r], v.Nano[r]} },
		put: func(v *row.Vec, r int, x moment) { v.I64[r], v.Nano[r] = x.ms, x.nano },
		order: func(a, b moment) int {
			if c := cmp.Compare(a.ms, b.ms); c != 0 {
				return c
			}
			return cmp.Compare(a.nano, b.nano)
		},
		save: func(dst []byte, x moment) []byte { return saveInt(saveInt(dst, x.ms), x.nano) },
		load: func(d *agg.Decoder) moment { ms := d.Varint(); return moment{ms, int32(d.Varint())} }, size: 16,
	}
}

func texts() layout[string] {
	return layout[string]{
		get: func(v *row.Vec, r int) string { return v.Str[r] }, put: func(v *row.Vec, r int, x string) { v.Str[r] = x },
		keep: strings.Clone, order: strings.Compare,
		save: func(dst []byte, x string) []byte { return append(binary.AppendUvarint(dst, uint64(len(x))), x...) },
		load: func(d *agg.Decoder) string { return string(d.Bytes()) }, size: 32,
	}
}
