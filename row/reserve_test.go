package row

import (
	"testing"

	"fsql/types"
)

// TestReserve: a column with room does not move while it is filled.
func TestReserve(t *testing.T) {
	v := NewVec(types.Of(types.BigInt), 0)
	v.AppendRange(&Vec{Type: v.Type, Len: 2, I64: []int64{7, 8}}, 0, 2)
	v.Reserve(100)
	if v.Len != 2 || len(v.I64) != 2 || v.I64[0] != 7 || v.I64[1] != 8 {
		t.Fatalf("changed: %+v", v)
	}
	at := &v.I64[0]
	for range 100 {
		v.AppendRange(v, 0, 1)
	}
	if &v.I64[0] != at {
		t.Error("the column moved")
	}
}
