// Package formattest runs formats on tables of cases, for their tests.
package formattest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/row"
	"fsql/sql"
	"fsql/types"
)

// Schema makes a schema of columns as a CREATE TABLE lists them.
func Schema(t testing.TB, columns string) *types.Schema {
	t.Helper()
	typ, err := sql.ParseType("ROW<" + columns + ">")
	if err != nil {
		t.Fatalf("%s: %v", columns, err)
	}
	s := &types.Schema{}
	for _, f := range typ.Fields {
		s.Columns = append(s.Columns, types.Column{Name: f.Name, Type: f.Type})
	}
	return s
}

// Options makes the values of a format's options: "key=value" each.
func Options(t testing.TB, f *format.Format, options []string) *option.Values {
	t.Helper()
	var entries []option.Entry
	for _, o := range options {
		key, val, _ := strings.Cut(o, "=")
		entries = append(entries, option.Entry{Key: key, Value: val})
	}
	vals, err := option.Check(entries, option.Scope{Set: f.Options, Owner: f.Name})
	if err != nil {
		t.Fatal(err)
	}
	return vals[0]
}

// Case is an input and the rows that Flink reads from it.
type Case struct {
	Name    string
	Columns string
	Options []string
	Wanted  []int // columns that are read; nil: all
	In      string
	Rows    []string // "+I a,b" or, for +I, "a,b": values as the client prints them
	Err     []string // words of the error's message
	Skipped int64
}

// Run decodes the input of a case in pieces and batches of several sizes.
func Run(t *testing.T, f *format.Format, c Case) {
	s := Schema(t, c.Columns)
	for _, chunk := range []int{1 << 20, 64, 5, 1} {
		for _, max := range []int{1024, 7, 2, 1} {
			rows, skipped, err := Decode(t, f, s, c.wanted(s), Options(t, f, c.Options), []byte(c.In), chunk, max)
			where := fmt.Sprintf("pieces of %d bytes, batches of %d rows", chunk, max)
			if c.Err != nil {
				checkError(t, where, err, c.Err)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			if !slices.Equal(rows, c.Rows) {
				t.Fatalf("%s: got\n  %s\nwant\n  %s", where, strings.Join(rows, "\n  "), strings.Join(c.Rows, "\n  "))
			}
			if skipped != c.Skipped {
				t.Fatalf("%s: %d skipped, want %d", where, skipped, c.Skipped)
			}
		}
	}
}

func (c *Case) wanted(s *types.Schema) []bool {
	wanted := make([]bool, len(s.Columns))
	for i := range wanted {
		wanted[i] = c.Wanted == nil || slices.Contains(c.Wanted, i)
	}
	return wanted
}

func checkError(t *testing.T, where string, err error, words []string) {
	t.Helper()
	if err == nil {
		t.Fatalf("%s: no error", where)
	}
	text := err.Error()
	if bad, ok := err.(*format.Bad); ok {
		text = bad.Message()
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Fatalf("%s: error %q lacks %q", where, text, w)
		}
	}
}

// Decode reads data in pieces of chunk bytes and batches of at most max rows.
// What a piece leaves over is read again with the next one, as a file reader
// does it.
func Decode(t testing.TB, f *format.Format, s *types.Schema, wanted []bool, o *option.Values, data []byte, chunk, max int) (rows []string, skipped int64, err error) {
	d, err := f.OfFile(s, wanted, o)
	if err != nil {
		return nil, 0, err
	}
	out := row.NewBuilder(s)
	var buf []byte
	for {
		last := len(data) <= chunk
		piece := data[:min(chunk, len(data))]
		data = data[len(piece):]
		buf = append(buf, piece...)
		for {
			n, err := d.Decode(slices.Clone(buf), last, out, max)
			if err != nil {
				return rows, d.Skipped(), err
			}
			added := out.Len()
			if added > max {
				t.Fatalf("%d rows, %d asked for", added, max)
			}
			buf = buf[n:]
			rows = append(rows, text(t, out.Flush(), wanted)...)
			if added == 0 && n == 0 {
				break
			}
		}
		if last {
			if len(buf) > 0 {
				t.Fatalf("%d bytes are left over: %q", len(buf), buf)
			}
			return append(rows, text(t, out.Flush(), wanted)...), d.Skipped(), nil
		}
	}
}

func text(t testing.TB, b *row.Batch, wanted []bool) []string {
	if b == nil {
		return nil
	}
	var lines []string
	for r := 0; r < b.Rows; r++ {
		var line []byte
		if k := b.Kind(r); k != row.Insert {
			line = append(line, k.String()+" "...)
		}
		first := true
		for i, c := range b.Cols {
			if !wanted[i] {
				if c.Len != 0 {
					t.Fatalf("column %d was not asked for", i)
				}
				continue
			}
			if c.Len != b.Rows {
				t.Fatalf("column %d has %d values, there are %d rows", i, c.Len, b.Rows)
			}
			if !first {
				line = append(line, ',')
			}
			first = false
			line = value.AppendText(line, c, r, value.UTC())
		}
		lines = append(lines, string(line))
	}
	return lines
}

// Encode writes rows that source, the format json, reads from lines: in[0]
// declares the columns, the others are the rows. kinds nil: inserts.
func Encode(t testing.TB, f *format.Format, options []string, source *format.Format, in []string, kinds []row.Kind, want ...string) {
	t.Helper()
	s := Schema(t, in[0])
	out := row.NewBuilder(s)
	for i, line := range in[1:] {
		d, err := source.Decoder(s, nil, source.Options.None())
		if err != nil {
			t.Fatal(err)
		}
		one := row.NewBuilder(s)
		if _, err := d.Decode([]byte(line), true, one, 1); err != nil {
			t.Fatal(err)
		}
		k := row.Insert
		if kinds != nil {
			k = kinds[i]
		}
		for c, v := range one.Cols {
			out.Cols[c].AppendRange(v, 0, 1)
		}
		out.Added(1, k)
	}
	e, err := f.Encoder(s, Options(t, f, options))
	if err != nil {
		t.Fatal(err)
	}
	b := out.Flush()
	text, err := e.Encode(nil, b, 0, b.Rows)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"); !slices.Equal(got, want) {
		t.Fatalf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
