package print_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fsql/connector"
	"fsql/connector/all"
	"fsql/connector/format/formattest"
	"fsql/internal/option"
	"fsql/row"
)

// lines prints one row with kind k; the text is what Flink 2.3.0 printed.
func lines(t *testing.T, columns, json string, kinds []row.Kind, parallel int, options ...string) (out, errs string) {
	t.Helper()
	entries := []option.Entry{{Key: "connector", Value: "print"}}
	for _, o := range options {
		key, val, _ := strings.Cut(o, "=")
		entries = append(entries, option.Entry{Key: key, Value: val})
	}
	r, err := connector.Resolve(all.Registry(), "t", entries)
	if err != nil {
		t.Fatal(err)
	}
	s := formattest.Schema(t, columns)
	f := all.Registry().Format("json")
	d, err := f.Decoder(s, nil, f.Options.None())
	if err != nil {
		t.Fatal(err)
	}
	b := row.NewBuilder(s)
	if _, err := d.Decode([]byte(json), true, b, 10); err != nil {
		t.Fatal(err)
	}
	batch := b.Flush()
	batch.Kinds = kinds
	var o, e bytes.Buffer
	sink, err := r.Connector.Sink(&connector.Table{Schema: s, Options: r.Options, Out: &o, Err: &e, Parallel: parallel})
	if err != nil {
		t.Fatal(err)
	}
	w, err := sink.OpenWriter(context.Background(), parallel-1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	return o.String(), e.String()
}

func TestValues(t *testing.T) {
	got, _ := lines(t, "a INT, b STRING, c DOUBLE, d TIMESTAMP(3), e BOOLEAN, f ARRAY<STRING>, m MAP<STRING,INT>, r ROW<x INT, y STRING>, s DECIMAL(6,2), t DATE, u TIME, v BYTES, z TIMESTAMP_LTZ(3), n INT, g FLOAT, w TIMESTAMP(6)",
		`{"a":1,"b":"a b","c":1.5,"d":"2024-01-02 03:04:05","e":true,"f":["x",null],"m":{"k":1},"r":{"x":1,"y":"q"},"s":1.5,"t":"2024-01-02","u":"03:04:00","v":"AP8=","z":"1970-01-01 00:00:01.5Z","g":1e10,"w":"2024-01-02 03:04:00.120"}`, nil, 1)
	if want := "+I[1, a b, 1.5, 2024-01-02T03:04:05, true, [x, null], {k=1}, +I[1, q], 1.50, 2024-01-02, 03:04, [0, -1], 1970-01-01T00:00:01.500Z, null, 1.0E10, 2024-01-02T03:04:00.120]\n"; got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestPrefixes(t *testing.T) {
	const one = `{"a":"x"}` + "\n" + `{"a":"y"}`
	for _, c := range []struct {
		parallel int
		options  []string
		out, err string
	}{
		{1, nil, "-U[x]\n+U[y]\n", ""},
		{2, nil, "2> -U[x]\n2> +U[y]\n", ""},
		{1, []string{"print-identifier=id"}, "id> -U[x]\nid> +U[y]\n", ""},
		{2, []string{"print-identifier=id"}, "id:2> -U[x]\nid:2> +U[y]\n", ""},
		{1, []string{"standard-error=true"}, "", "-U[x]\n+U[y]\n"},
	} {
		out, err := lines(t, "a STRING", one, []row.Kind{row.UpdateBefore, row.UpdateAfter}, c.parallel, c.options...)
		if out != c.out || err != c.err {
			t.Errorf("%d writers, %v: %q and %q, want %q and %q", c.parallel, c.options, out, err, c.out, c.err)
		}
	}
}
