package row_test

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// Each line is a column type and values in ascending order, equal ones joined
// by "=".
func TestOrder(t *testing.T) {
	for _, line := range []string{
		"BOOLEAN: NULL FALSE TRUE",
		"TINYINT: NULL -128 -1 0 1 127",
		"INT: NULL -2147483648 -1 0=0 1 2147483647",
		"BIGINT: NULL -9223372036854775808 -256 -1 0 255 256 9223372036854775807",
		"DECIMAL(38, 2): NULL -99999999999999999999.00 -1.01 -1.00 0.00 0.01 99999999999999999999.00",
		"STRING: NULL '' 'A' 'AB' 'Z' 'a'='a' 'é' '～' '😀'",
		"DATE: NULL 1969-12-31 1970-01-01 2024-02-29",
		"ARRAY<INT>: NULL [] [NULL] [NULL,1] [-1] [1] [1,2] [2]",
	} {
		name, vals, _ := strings.Cut(line, ": ")
		s, err := rowtext.ParseSchema("v " + name)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		var rank []int
		for i, group := range strings.Fields(vals) {
			for _, v := range strings.Split(group, "=") {
				texts, rank = append(texts, "+I | "+v), append(rank, i)
			}
		}
		b, err := rowtext.Parse(s, strings.Join(texts, "\n"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, by := range []row.OrderBy{{}, {Desc: true}, {NullsLast: true}, {Desc: true, NullsLast: true}} {
			var o row.Order
			o.Encode([]row.OrderBy{by}, b.Cols, b.Rows)
			for i := range b.Rows {
				for j := range b.Rows {
					want := cmp.Compare(rank[i], rank[j])
					if null := b.Cols[0].IsNull; null(i) != null(j) {
						if want = -1; null(i) == by.NullsLast {
							want = 1
						}
					} else if by.Desc {
						want = -want
					}
					if got := bytes.Compare(o.At(i), o.At(j)); got != want {
						t.Errorf("%s %+v: %s to %s is %d, want %d", name, by, texts[i], texts[j], got, want)
					}
				}
			}
		}
	}
}

func TestOrderOfFloats(t *testing.T) {
	vals := []float64{math.Inf(-1), -2.5, -1e-300, math.Copysign(0, -1), 0, 1e-300, 1, math.Inf(1), math.NaN()}
	v, w := row.NewVec(types.Of(types.Double), len(vals)), row.NewVec(types.Of(types.Float), len(vals))
	for i, x := range vals {
		v.F64[i], w.F32[i] = x, float32(x)
	}
	var o row.Order
	o.Encode([]row.OrderBy{{}}, []*row.Vec{v}, len(vals))
	for i := 1; i < len(vals); i++ {
		if bytes.Compare(o.At(i-1), o.At(i)) >= 0 {
			t.Errorf("%v does not come before %v", vals[i-1], vals[i])
		}
	}
	o.Encode([]row.OrderBy{{}}, []*row.Vec{w}, len(vals))
	for i := 1; i < len(vals); i++ {
		if c := bytes.Compare(o.At(i-1), o.At(i)); c > 0 {
			t.Errorf("FLOAT %v comes after %v", vals[i-1], vals[i])
		}
	}
}

// Several columns against a comparison column by column; text with zero bytes.
func TestOrderOfColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 300
	a, s, c := row.NewVec(types.Of(types.Int), n), row.NewVec(types.String(), n), row.NewVec(types.Of(types.BigInt), n)
	words := []string{"", "a", "a\x00", "a\x00b", "a\x01", "ab", "b", "a\xff"}
	for i := range n {
		a.I32[i], s.Str[i], c.I64[i] = int32(r.IntN(3)), words[r.IntN(len(words))], r.Int64N(5)-2
	}
	by := []row.OrderBy{{Col: 0, Desc: true}, {Col: 1}, {Col: 1, Desc: true}, {Col: 2, Desc: true}}
	var o row.Order
	o.Encode(by, []*row.Vec{a, s, c}, n)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return bytes.Compare(o.At(i), o.At(j)) })
	for k := 1; k < n; k++ {
		i, j := at[k-1], at[k]
		if d := cmp.Or(cmp.Compare(a.I32[j], a.I32[i]), cmp.Compare(s.Str[i], s.Str[j]), cmp.Compare(c.I64[j], c.I64[i]), cmp.Compare(i, j)); d >= 0 {
			t.Fatalf("row %d before row %d", i, j)
		}
	}
}

// Keys of EncodeOrdered come apart again; a form gives back what it stored.
func TestFormAndOrderedKeys(t *testing.T) {
	s, err := rowtext.ParseSchema("a STRING, b INT, c STRING, d DECIMAL(20, 2)")
	if err != nil {
		t.Fatal(err)
	}
	b, err := rowtext.Parse(s, "+I | 'x' | 1 | NULL | 3.50\n+I | NULL | NULL | 'yy' | NULL\n+I | '' | -7 | 'z' | 0.01")
	if err != nil {
		t.Fatal(err)
	}
	f := row.NewForm(s)
	f.Encode(b.Cols, b.Rows)
	var o row.Order
	o.Encode([]row.OrderBy{{Col: 2}}, b.Cols, b.Rows)
	var k row.Keys
	k.EncodeOrdered(&o, &f.Keys, b.Rows, nil)
	var rows [][]byte
	for i := range b.Rows {
		sort, stored := row.Ordered(k.At(i))
		if !bytes.Equal(sort, o.At(i)) {
			t.Errorf("row %d: another sort key", i)
		}
		rows = append(rows, bytes.Clone(stored))
	}
	out := row.NewBuilder(s)
	f.Decode(rows, out.Cols)
	out.Added(b.Rows, row.Insert)
	if got, want := rowtext.Format(out.Flush()), rowtext.Format(b); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
