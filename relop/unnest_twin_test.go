package relop_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// The operator against a loop over random rows and marks, at any size of batches.
func TestUnnestTwin(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "k", Type: types.Of(types.Int)}, {Name: "c", Type: types.ArrayOf(types.Of(types.Int))}}}
	r := rand.New(rand.NewPCG(5, 8))
	for _, words := range []string{"", "outer", "where=>(e0,k)", "outer where=>(e0,k)", "ordinality", "outer ordinality where=>(e0,e1)"} {
		s := unnestSpec(t, in, strings.Fields(words+" select=k,e0"+map[bool]string{true: ",e1"}[strings.Contains(words, "ordinality")]))
		var text, want strings.Builder
		for n := range 300 {
			kind := row.Kind(r.IntN(4)).String()
			k, elems := r.IntN(4), "NULL"
			if r.IntN(5) > 0 {
				var list []string
				any := false
				for i := range r.IntN(1 << r.IntN(7)) {
					e := r.IntN(6)
					null := r.IntN(6) == 0
					list = append(list, element(e, null))
					passes := !null && (e > k && !s.Ordinality || e > i+1 && s.Ordinality)
					if s.Cond == nil || passes {
						any = true
						want.WriteString(outRow(kind, k, element(e, null), i+1, s.Ordinality))
					}
				}
				elems = "[" + strings.Join(list, ", ") + "]"
				if s.Outer && !any {
					want.WriteString(outRow(kind, k, "NULL", 0, s.Ordinality))
				}
			} else if s.Outer {
				want.WriteString(outRow(kind, k, "NULL", 0, s.Ordinality))
			}
			fmt.Fprintf(&text, "%s | %d | %s\n", kind, k, elems)
			if r.IntN(6) == 0 {
				fmt.Fprintf(&text, "-- %02d:%02d:00\n", n/60, n%60)
			}
		}
		b, err := rowtext.Parse(in, text.String())
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 2, 7, 1024} {
			o := open(t, s, size, true)
			var got strings.Builder
			marks := 0
			for at := 0; at < b.Rows; at += size {
				feed(t, o, b.Part(at, min(at+size, b.Rows)), op.EmitFunc(func(out *row.Batch) error {
					marks += len(out.Marks)
					bare := *out
					bare.Marks = nil
					got.WriteString(rowtext.Format(&bare))
					return nil
				}))
			}
			if got.String() != want.String() {
				t.Errorf("%q, batches of %d: %d bytes of rows, want %d", words, size, got.Len(), want.Len())
			}
			if marks == 0 {
				t.Errorf("%q, batches of %d: the marks are lost", words, size)
			}
		}
	}
}

func element(e int, null bool) string {
	if null {
		return "NULL"
	}
	return fmt.Sprint(e)
}

// outRow is a row as it is printed; position 0: none.
func outRow(kind string, k int, e string, pos int, ordinality bool) string {
	if !ordinality {
		return fmt.Sprintf("%s | %d | %s\n", kind, k, e)
	}
	return fmt.Sprintf("%s | %d | %s | %s\n", kind, k, e, element(pos, pos == 0))
}
