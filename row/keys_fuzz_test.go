package row_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"fsql/row"
	"fsql/types"
)

// FuzzKeys makes two rows of whatever the bytes say, encodes them as keys and
// decodes them: what comes back encodes to the same bytes, and two keys are the
// same bytes only if all their values are the same.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07some text and more"), uint8(3))
	f.Add([]byte{}, uint8(0))
	f.Add(bytes.Repeat([]byte{0xff}, 200), uint8(255))
	f.Fuzz(func(t *testing.T, data []byte, shape uint8) {
		kinds := []types.Type{
			types.String(), types.Of(types.BigInt), types.Of(types.Boolean), types.Of(types.Double), types.TimestampOf(9),
			types.DecimalOf(38, 3), types.ArrayOf(types.String()), types.Of(types.Int),
		}
		var cols []*row.Vec
		r := &raw{data}
		for i, typ := range kinds {
			if shape&(1<<i) != 0 {
				v := row.NewVec(typ, 0)
				r.value(v)
				r.value(v)
				cols = append(cols, v)
			}
		}
		var k, again row.Keys
		k.Encode(cols, 2, nil)
		out := make([]*row.Vec, len(cols))
		for i, c := range cols {
			out[i] = row.NewVec(c.Type, 0)
		}
		for i := range 2 {
			if rest := row.DecodeKey(k.At(i), out); len(rest) > 0 {
				t.Fatalf("%d bytes are left", len(rest))
			}
		}
		if again.Encode(out, 2, nil); !bytes.Equal(again.Data, k.Data) {
			t.Fatalf("%x\nbecame\n%x", k.Data, again.Data)
		}
		same := true
		for _, c := range cols {
			same = same && row.Same(c, 0, c, 1)
		}
		if got := bytes.Equal(k.At(0), k.At(1)); got != same {
			t.Fatalf("rows are the same: %v, their keys: %v\n%x\n%x", same, got, k.At(0), k.At(1))
		}
	})
}

// raw gives values out of bytes.
type raw struct{ left []byte }

func (b *raw) byte() byte {
	if len(b.left) == 0 {
		return 0
	}
	x := b.left[0]
	b.left = b.left[1:]
	return x
}

func (b *raw) word() uint64 {
	var w [8]byte
	b.left = b.left[copy(w[:], b.left):]
	return binary.LittleEndian.Uint64(w[:])
}

func (b *raw) text() string {
	n := min(int(b.byte()), len(b.left))
	s := string(b.left[:n])
	b.left = b.left[n:]
	return s
}

func (b *raw) value(v *row.Vec) {
	if b.byte()%5 == 4 {
		v.AppendNull(1)
		return
	}
	w := row.NewVec(v.Type, 1)
	switch v.Type.Layout() {
	case types.LayoutStr:
		w.Str[0] = b.text()
	case types.LayoutI64:
		w.I64[0] = int64(b.word())
	case types.LayoutI32:
		w.I32[0] = int32(b.word())
	case types.LayoutBool:
		w.Bool[0] = b.byte()%2 == 0
	case types.LayoutF64:
		if x := math.Float64frombits(b.word()); x == x { // NaN equals nothing, and is one key
			w.F64[0] = x
		}
	case types.LayoutNano:
		w.I64[0], w.Nano[0] = int64(b.word()), int32(b.word()%1_000_000)
	case types.LayoutDec:
		w.Dec[0] = types.Dec{Lo: b.word(), Hi: int64(b.word())}
	case types.LayoutList:
		for w.Size[0] = int32(b.byte() % 4); w.Kids[0].Len < int(w.Size[0]); {
			b.value(w.Kids[0])
		}
	}
	v.AppendRange(w, 0, 1)
}
