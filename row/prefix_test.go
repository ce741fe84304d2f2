package row

import (
	"bytes"
	"testing"

	"fsql/types"
)

// Keys under a new prefix are those that EncodeWith makes with it.
func TestEncodeKeys(t *testing.T) {
	str := &Vec{Type: types.String(), Len: 3, Str: []string{"a", "", "long enough to differ"}}
	num := &Vec{Type: types.Of(types.BigInt), Len: 3, I64: []int64{1, 2, 3}}
	num.SetNull(1)
	for _, cols := range [][]*Vec{nil, {num}, {num, str}} {
		var from, to, want Keys
		from.EncodeWith([]int64{7, -8, 9}, cols, 3, nil)
		keys := [][]byte{from.At(0), from.At(1), from.At(2)}
		to.EncodeKeys(-5, keys)
		want.EncodeWith([]int64{-5, -5, -5}, cols, 3, nil)
		if to.Len() != 3 {
			t.Fatalf("%d keys", to.Len())
		}
		for i := range keys {
			if !bytes.Equal(to.At(i), want.At(i)) || to.Hash[i] != want.Hash[i] {
				t.Errorf("key %d: %x (%x), want %x (%x)", i, to.At(i), to.Hash[i], want.At(i), want.Hash[i])
			}
		}
	}
}
