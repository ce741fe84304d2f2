package formattest

import (
	"slices"
	"strings"
	"testing"

	"fsql/connector/format"
	"fsql/row"
)

// Messages decodes messages, each for itself, and compares the rows. bad is the
// place of the message that fails, -1: none.
func Messages(t *testing.T, f *format.Format, columns string, options, in, want []string, bad int) {
	t.Helper()
	s := Schema(t, columns)
	d, err := f.Decoder(s, nil, Options(t, f, options))
	if err != nil {
		t.Fatal(err)
	}
	m, ok := d.(format.Messages)
	if !ok {
		t.Fatalf("%s takes no messages", f.Name)
	}
	out := row.NewBuilder(s)
	m.Begin(out)
	rows := 0
	for i, message := range in {
		data := []byte(message)
		if message == "-" {
			data = nil
		}
		n, err := m.Message(data)
		if (err != nil) != (i == bad) {
			t.Fatalf("message %d: %v", i, err)
		}
		rows += n
	}
	m.End()
	if out.Len() != rows {
		t.Errorf("%d rows, but %d were told", out.Len(), rows)
	}
	wanted := make([]bool, len(s.Columns))
	for i := range wanted {
		wanted[i] = true
	}
	got := text(t, out.Flush(), wanted)
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}
