package row_test

import (
	"bytes"
	"math"
	"math/bits"
	"testing"

	"fsql/row"
	"fsql/types"
)

// The hash is frozen: state that was written is found by these values.
func TestHashFrozen(t *testing.T) {
	text := []byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789")
	for n, want := range map[int]uint64{
		0:  0x42bc986dc5eec4d3,
		1:  0x4e2779cbe47ece5f,
		3:  0x161e89ffc3b8573b,
		4:  0x8f8d7d486a3e8965,
		7:  0xd7c567c2877dfcf,
		8:  0xb1ef5aaf88892fde,
		9:  0xb41e2f9f8c25e382,
		16: 0xb2671f9ae278c302,
		17: 0x7603b7053e7dbc5a,
		32: 0xd59a1db9340be7e7,
		33: 0x2b80cfc2c85aae32,
		48: 0x608f141cd4b0897,
		49: 0x3cfd3169cb1cfcf1,
		73: 0x7a729a5eb54b428d,
	} {
		if got := row.Hash(text[:n]); got != want {
			t.Errorf("Hash of %d bytes: %#x, want %#x", n, got, want)
		}
	}
	k := row.Keys{}
	k.Encode([]*row.Vec{ints(1, 2, -7)}, 3, nil)
	for i, want := range []uint64{0x118108c207eb1986, 0x77580f133a2b4fad, 0xb181fc0c4f76ca21} {
		if k.Hash[i] != want {
			t.Errorf("hash of BIGINT key %d: %#x, want %#x", i, k.Hash[i], want)
		}
	}
}

// The encoded form is frozen too.
func TestKeyBytesFrozen(t *testing.T) {
	s := &row.Vec{Type: types.String(), Len: 2, Str: []string{"ab", ""}}
	n := ints(5, 0)
	n.SetNull(1)
	var k row.Keys
	k.EncodeWith([]int64{258, -1}, []*row.Vec{n, s}, 2, nil)
	want := [][]byte{
		{2, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 2, 'a', 'b'},
		{255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
	for i := range want {
		if !bytes.Equal(k.At(i), want[i]) {
			t.Errorf("key %d: %v, want %v", i, k.At(i), want[i])
		}
	}
	if row.Prefix(k.At(0)) != 258 || row.Prefix(k.At(1)) != -1 {
		t.Error("prefix does not come back")
	}
}

// Hashing by the shortcut for keys of one width gives Hash of the bytes, and
// hashes of close keys spread evenly over the key groups.
func TestHashSpread(t *testing.T) {
	const n = 128 << 10
	v := ints()
	for i := 0; i < n; i++ {
		v.I64 = append(v.I64, int64(i)*1000)
	}
	v.Len = n
	var k row.Keys
	for _, prefix := range [][]int64{nil, v.I64} {
		k.EncodeWith(prefix, []*row.Vec{v}, n, nil)
		var groups [row.KeyGroups]int
		low := map[uint32]int{}
		for i, h := range k.Hash {
			if h != row.Hash(k.At(i)) {
				t.Fatalf("key %d: %#x, but Hash gives %#x", i, h, row.Hash(k.At(i)))
			}
			groups[row.Group(h)]++
			low[uint32(h)]++
		}
		for g, c := range groups {
			if c < 850 || c > 1200 { // 1024 expected, deviation 32
				t.Errorf("group %d has %d of %d keys", g, c, n)
			}
		}
		if len(low) < n-20 { // 2 collisions of 32 bits expected
			t.Errorf("%d distinct low halves of %d", len(low), n)
		}
	}
}

// Each bit of a key changes about half of the hash's bits.
func TestHashAvalanche(t *testing.T) {
	key := []byte("some key of more than forty-eight bytes, to pass all branches")
	for _, n := range []int{3, 5, 9, 13, 17, 30, 55} {
		sum := 0
		for bit := 0; bit < n*8; bit++ {
			p := bytes.Clone(key[:n])
			p[bit/8] ^= 1 << (bit % 8)
			sum += bits.OnesCount64(row.Hash(p) ^ row.Hash(key[:n]))
		}
		if mean := float64(sum) / float64(n*8); mean < 29 || mean > 35 {
			t.Errorf("%d bytes: a changed bit changes %.1f bits of 64", n, mean)
		}
	}
}

// Flink's grouping rule (conformance case group_by_double_keys).
func TestKeyEquality(t *testing.T) {
	odd := math.Float64frombits(0x7ff8000000000001)
	v := &row.Vec{Type: types.Of(types.Double), Len: 6, F64: []float64{math.NaN(), odd, 0, math.Copysign(0, -1), 3, 4}}
	v.SetNull(4)
	v.SetNull(5)
	var k row.Keys
	k.Encode([]*row.Vec{v}, 6, nil)
	same := func(i, j int) bool { return bytes.Equal(k.At(i), k.At(j)) && k.Hash[i] == k.Hash[j] }
	if !same(0, 1) || same(2, 3) || !same(4, 5) || same(2, 4) {
		t.Error("NaN = NaN, 0.0 <> -0.0, NULL = NULL expected")
	}
}

func TestEncodeSelection(t *testing.T) {
	var all, some row.Keys
	cols := []*row.Vec{ints(1, 2, 3, 4), {Type: types.String(), Len: 4, Str: []string{"a", "b", "c", "d"}}}
	all.Encode(cols, 4, nil)
	some.Encode(cols, 4, []int32{1, 3})
	if some.Len() != 2 || !bytes.Equal(some.At(0), all.At(1)) || !bytes.Equal(some.At(1), all.At(3)) {
		t.Error("the keys of selected rows differ from those of all rows")
	}
	all.Zero = true
	all.Encode(cols, 4, nil)
	for _, h := range all.Hash {
		if h != 0 {
			t.Error("Zero: a hash is not 0")
		}
	}
	all.Encode(nil, 3, nil) // no key columns: all rows are one group
	if all.Len() != 3 || len(all.At(2)) != 0 {
		t.Error("empty keys expected")
	}
}

// What is encoded comes back, in both ways of decoding, for every layout.
func TestDecode(t *testing.T) {
	const n = 5
	var cols []*row.Vec
	for _, typ := range []types.Type{
		types.Of(types.Boolean), types.Of(types.Int), types.Of(types.BigInt), types.Of(types.Float),
		types.Of(types.Double), types.DecimalOf(30, 2), types.TimestampOf(9), types.String(),
		types.ArrayOf(types.String()), types.MapOf(types.String(), types.Of(types.Int)),
		types.RowOf(types.Field{Name: "a", Type: types.Of(types.Int)}, types.Field{Name: "b", Type: types.ArrayOf(types.Of(types.Double))}),
	} {
		v := row.NewVec(typ, 0)
		fill(v, n)
		cols = append(cols, v)
	}
	for from := 0; from < len(cols); from++ {
		for to := from + 1; to <= len(cols); to++ {
			checkDecode(t, cols[from:to], n)
		}
	}
}

func checkDecode(t *testing.T, cols []*row.Vec, n int) {
	var k, again row.Keys
	prefix := []int64{1, 2, 3, 4, 5}
	k.EncodeWith(prefix, cols, n, nil)
	one, many := make([]*row.Vec, len(cols)), make([]*row.Vec, len(cols))
	for i, c := range cols {
		one[i], many[i] = row.NewVec(c.Type, 0), row.NewVec(c.Type, 0)
	}
	var keys [][]byte
	for i := 0; i < n; i++ {
		keys = append(keys, k.At(i))
		if rest := row.DecodeKey(k.At(i)[8:], one); len(rest) != 0 {
			t.Fatalf("%d bytes left", len(rest))
		}
	}
	row.DecodeKeys(keys, 8, many)
	for _, out := range [][]*row.Vec{one, many} {
		again.EncodeWith(prefix, out, n, nil)
		if !bytes.Equal(again.Data, k.Data) {
			t.Errorf("%d columns from %s: decoded keys differ", len(cols), cols[0].Type)
		}
	}
}

// fill appends n different values, one NULL among them.
func fill(v *row.Vec, n int) {
	for i := 0; i < n; i++ {
		if i == 2 {
			v.AppendNull(1)
			continue
		}
		w := row.NewVec(v.Type, 1)
		switch v.Type.Layout() {
		case types.LayoutBool:
			w.Bool[0] = i%2 == 0
		case types.LayoutI32:
			w.I32[0] = int32(-i)
		case types.LayoutI64:
			w.I64[0] = int64(i) << 40
		case types.LayoutF32:
			w.F32[0] = float32(i) / 3
		case types.LayoutF64:
			w.F64[0] = float64(i) / 3
		case types.LayoutDec:
			w.Dec[0] = types.Dec{Lo: uint64(i), Hi: -int64(i)}
		case types.LayoutNano:
			w.I64[0], w.Nano[0] = int64(-i), int32(i)
		case types.LayoutStr:
			w.Str[0] = string(bytes.Repeat([]byte{'x'}, i*100))
		case types.LayoutList:
			for _, k := range w.Kids {
				fill(k, i)
			}
			w.Size[0] = int32(i)
		case types.LayoutRow:
			for _, k := range w.Kids {
				k.Reset(k.Type, 0)
				fill(k, i+1)
				*k = *k.Slice(i, i+1)
			}
		}
		v.AppendRange(w, 0, 1)
	}
}

func ints(v ...int64) *row.Vec {
	return &row.Vec{Type: types.Of(types.BigInt), Len: len(v), I64: v}
}
