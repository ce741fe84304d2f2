package output

import (
	"strings"
	"testing"

	"fsql/row"
	"fsql/types"
)

// pieces keeps what each Write was given.
type pieces []string

func (p *pieces) Write(b []byte) (int, error) {
	*p = append(*p, string(b))
	return len(b), nil
}

// Text is passed on at ends of rows, in every format and mode, so that what
// others write to the same stream does not part a row.
func TestWholeRows(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "a", Type: types.String()}}}
	v := row.NewVec(s.Columns[0].Type, 3000)
	for i := range v.Str {
		v.Str[i] = strings.Repeat("x", 1+i%700)
	}
	v.Str[1500] = strings.Repeat("y", 5*enough)
	b := row.New(s, v.Len, []*row.Vec{v}, nil)
	for _, f := range []Format{CSV, NDJSON, Table, Line} {
		for _, m := range []Mode{Log, Final} {
			for _, kinds := range []row.Kinds{row.InsertOnly, row.AllKinds} {
				var out pieces
				p := New(&out, s, kinds, Options{Mode: m, Format: f, Op: OpAuto, MaxWidth: 100})
				if err := p.Print(b); err != nil {
					t.Fatal(err)
				}
				if err := p.Close(); err != nil {
					t.Fatal(err)
				}
				if len(out) < 3 {
					t.Errorf("%s %s: all in %d pieces", f, m, len(out))
				}
				for _, text := range out {
					if !strings.HasSuffix(text, "\n") {
						t.Errorf("%s %s: a piece ends with %q", f, m, text[len(text)-10:])
					}
				}
			}
		}
	}
}
