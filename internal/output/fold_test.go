package output

import (
	"bytes"
	"testing"

	"fsql/row"
	"fsql/types"
)

// TestFold keeps the rows that are left, equal rows by number, in order of
// arrival; removals of rows that are not there do nothing.
func TestFold(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "a", Type: types.Of(types.Int)}}}
	changes := []struct {
		k row.Kind
		v int32
	}{
		{row.Insert, 1}, {row.Insert, 2}, {row.Delete, 9}, {row.UpdateBefore, 1}, {row.UpdateAfter, 3},
		{row.Insert, 2}, {row.Insert, 1}, {row.Delete, 2}, {row.Insert, 4}, {row.Delete, 4}, {row.UpdateAfter, 3},
	}
	for size := 1; size <= len(changes); size++ {
		var out bytes.Buffer
		p := New(&out, s, row.AllKinds, Options{Mode: Final, Format: CSV})
		for from := 0; from < len(changes); from += size {
			part := changes[from:min(from+size, len(changes))]
			v := row.NewVec(s.Columns[0].Type, len(part))
			kinds := make([]row.Kind, len(part))
			for i, c := range part {
				v.I32[i], kinds[i] = c.v, c.k
			}
			if err := p.Print(row.New(s, len(part), []*row.Vec{v}, kinds)); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if want := "a\n2\n3\n3\n1\n"; out.String() != want {
			t.Errorf("batches of %d: %q, want %q", size, out.String(), want)
		}
	}
}
