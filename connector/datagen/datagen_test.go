package datagen_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"fsql/connector"
	"fsql/connector/all"
	"fsql/connector/format/formattest"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/row"
)

func table(t testing.TB, columns string, options ...string) (*connector.Table, connector.Source, error) {
	entries := []option.Entry{{Key: "connector", Value: "datagen"}}
	for _, o := range options {
		key, val, _ := strings.Cut(o, "=")
		entries = append(entries, option.Entry{Key: key, Value: val})
	}
	r, err := connector.Resolve(all.Registry(), "t", entries)
	if err != nil {
		return nil, nil, err
	}
	tab := &connector.Table{Name: "t", Schema: formattest.Schema(t, columns), Options: r.Options, Limit: -1}
	src, err := r.Connector.Source(tab)
	return tab, src, err
}

// poll reads at most most rows without waiting, from a split.
func poll(t testing.TB, tab *connector.Table, src connector.Source, split connector.Split, most int) (*row.Batch, connector.Status, connector.Reader) {
	t.Helper()
	r, err := src.Open(context.Background(), []connector.Split{split})
	if err != nil {
		t.Fatal(err)
	}
	out := row.NewBuilder(tab.Schema)
	status, err := r.Poll(out, most)
	if err != nil {
		t.Fatal(err)
	}
	b := out.Flush()
	if b == nil {
		b = row.New(tab.Schema, 0, row.NewBuilder(tab.Schema).Cols, nil)
	}
	return b, status, r
}

func lines(b *row.Batch) []string {
	var out []string
	for r := 0; r < b.Rows; r++ {
		var cells []string
		for _, c := range b.Cols {
			cells = append(cells, string(value.AppendText(nil, c, r, value.UTC())))
		}
		out = append(out, strings.Join(cells, ","))
	}
	return out
}

func first(t testing.TB, src connector.Source) connector.Split {
	t.Helper()
	splits, err := src.Splits(context.Background())
	if err != nil || len(splits) != 1 {
		t.Fatal(splits, err)
	}
	return splits[0]
}

func TestSequence(t *testing.T) {
	tab, src, err := table(t, "a INT, b STRING, c DOUBLE, d DECIMAL(3, 1), e BIGINT",
		"fields.a.kind=sequence", "fields.a.start=-1", "fields.a.end=2", "fields.b.kind=sequence", "fields.b.start=1", "fields.b.end=3",
		"fields.c.kind=sequence", "fields.c.start=1", "fields.c.end=9", "fields.d.kind=sequence", "fields.d.start=98", "fields.d.end=150",
		"fields.e.kind=sequence", "fields.e.start=5", "fields.e.end=50")
	if err != nil {
		t.Fatal(err)
	}
	if !src.Bounded() {
		t.Error("a sequence is not bounded")
	}
	b, status, r := poll(t, tab, src, first(t, src), 100)
	// The table ends with its shortest sequence.
	if want := []string{"-1,1,1.0,98.0,5", "0,2,2.0,99.0,6", "1,3,3.0,NULL,7"}; !slices.Equal(lines(b), want) || status != connector.Progressed {
		t.Errorf("%q %v, want %q", lines(b), status, want)
	}
	out := row.NewBuilder(tab.Schema)
	if status, err := r.Poll(out, 100); status != connector.Ended || err != nil || out.Len() > 0 {
		t.Errorf("after the end: %v %v", status, err)
	}
}

// TestRandomRepeats: values depend on name and number of the row only.
func TestRandomRepeats(t *testing.T) {
	const columns = "a INT, b STRING, c DOUBLE, d ARRAY<BIGINT>, e ROW<x BOOLEAN, y BYTES>, f MAP<STRING, FLOAT>, g MULTISET<INT>, h DECIMAL(20, 5), i TINYINT"
	options := []string{"number-of-rows=50", "fields.a.null-rate=0.5", "fields.b.var-len=true", "fields.e.x.null-rate=0.2", "fields.d.length=2", "fields.f.key.length=3"}
	tab, src, err := table(t, columns, options...)
	if err != nil {
		t.Fatal(err)
	}
	split := first(t, src)
	whole, _, _ := poll(t, tab, src, split, 50)
	var parts []string
	for len(parts) < 50 {
		b, _, r := poll(t, tab, src, split, 7)
		parts = append(parts, lines(b)...)
		split = r.Positions()[0]
	}
	if got := lines(whole); !slices.Equal(got, parts) {
		t.Errorf("in one piece\n%q\nin parts\n%q", got, parts)
	}
	if n := whole.Cols[0].Valid.Nulls(50); n < 10 || n > 40 {
		t.Errorf("%d of 50 are NULL at a rate of 0.5", n)
	}
	distinct := map[string]bool{}
	for _, s := range whole.Cols[1].Str {
		distinct[s] = true
		if len(s) < 1 || len(s) > 100 || strings.Trim(s, "0123456789abcdef") != "" {
			t.Errorf("text %q", s)
		}
	}
	if len(distinct) < 50 {
		t.Errorf("%d distinct texts of 50", len(distinct))
	}
}

func TestBounds(t *testing.T) {
	tab, src, err := table(t, "a INT, b DOUBLE, c CHAR(4), d VARCHAR(7), e STRING, f ARRAY<INT>, g TIMESTAMP(3), h BIGINT, r ROW<x INT>",
		"number-of-rows=900", "fields.a.min=-3", "fields.a.max=3", "fields.b.min=1", "fields.b.max=2", "fields.e.length=5", "fields.g.max-past=1 h", "fields.r.x.min=5", "fields.r.x.max=6")
	if err != nil {
		t.Fatal(err)
	}
	b, _, _ := poll(t, tab, src, first(t, src), 900)
	if b.Rows != 900 {
		t.Fatalf("%d rows at once of 900 at 10000 a second", b.Rows)
	}
	seen := map[int32]int{}
	now := time.Now().UnixMicro()
	for r := 0; r < b.Rows; r++ {
		seen[b.Cols[0].I32[r]]++
		if x := b.Cols[1].F64[r]; x < 1 || x > 2 {
			t.Errorf("double %g", x)
		}
		if len(b.Cols[2].Str[r]) != 4 || len(b.Cols[3].Str[r]) != 7 || len(b.Cols[4].Str[r]) != 5 || b.Cols[5].Size[r] != 3 {
			t.Error("lengths of", lines(b)[r])
		}
		if past := now - b.Cols[6].I64[r]; past < -1e6 || past > 3601e6 {
			t.Errorf("%d microseconds in the past", past)
		}
		if x := b.Cols[8].Kids[0].I32[r]; x != 5 && x != 6 {
			t.Errorf("nested %d", x)
		}
	}
	for x := int32(-3); x <= 3; x++ {
		if seen[x] < 60 {
			t.Errorf("%d comes %d times of 900", x, seen[x])
		}
	}
	if len(seen) != 7 {
		t.Errorf("numbers %v", seen)
	}
}

func TestOnlyWantedColumns(t *testing.T) {
	tab, src, err := table(t, "a INT, b STRING", "number-of-rows=3")
	if err != nil {
		t.Fatal(err)
	}
	tab.Wanted = []bool{true, false}
	b, _, _ := poll(t, tab, src, first(t, src), 10)
	if b.Cols[0].Len != 3 || b.Cols[1].Len != 0 {
		t.Errorf("%d and %d values", b.Cols[0].Len, b.Cols[1].Len)
	}
}

// TestRate: the first row is there at once, the second not before its time.
func TestRate(t *testing.T) {
	tab, src, err := table(t, "a INT", "rows-per-second=1")
	if err != nil {
		t.Fatal(err)
	}
	if src.Bounded() {
		t.Error("without number-of-rows it is bounded")
	}
	b, status, r := poll(t, tab, src, first(t, src), 10)
	if b.Rows != 1 || status != connector.Progressed {
		t.Errorf("%d rows, %v", b.Rows, status)
	}
	out := row.NewBuilder(tab.Schema)
	if status, err := r.Poll(out, 10); status != connector.Waiting || err != nil || r.Wake() == nil {
		t.Errorf("%v %v", status, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		columns string
		options []string
		code    diag.Code
		words   string
	}{
		{"id INT", []string{"number-of-row=5"}, diag.UnknownOption, "number-of-row"},
		{"id INT", []string{"number-of-rows=ten"}, diag.BadOption, "number-of-rows"},
		{"id INT", []string{"fields.nr.kind=sequence", "fields.nr.start=1", "fields.nr.end=3"}, diag.UnknownOption, "fields.nr.kind"},
		{"a INT", []string{"fields.a.kind=foo"}, diag.BadOption, "random, sequence"},
		{"a INT", []string{"fields.a.kind=sequence", "fields.a.end=3"}, diag.BadOption, "fields.a.start"},
		{"a TIMESTAMP(3)", []string{"fields.a.kind=sequence", "fields.a.start=1", "fields.a.end=3"}, diag.BadOption, "TIMESTAMP(3)"},
		{"a INT", []string{"fields.a.min=5", "fields.a.max=3"}, diag.BadOption, "'a'"},
		{"a INT", []string{"fields.a.min=x"}, diag.BadOption, "fields.a.min"},
		{"a TINYINT", []string{"fields.a.max=1000"}, diag.BadOption, "TINYINT"},
		{"a INT", []string{"fields.a.start=5"}, diag.UnknownOption, "fields.a.start"},
		{"a STRING", []string{"fields.a.min=5"}, diag.UnknownOption, "fields.a.min"},
		{"a CHAR(3)", []string{"fields.a.length=5"}, diag.BadOption, "CHAR(3)"},
		{"a VARCHAR(3)", []string{"fields.a.length=5"}, diag.BadOption, "VARCHAR(3)"},
		{"a INT", []string{"rows-per-second=0"}, diag.BadOption, "rows-per-second"},
		{"a INT", []string{"fields.a.null-rate=2"}, diag.BadOption, "null-rate"},
		{"a INT", []string{"fields.a.kind=sequence", "fields.a.start=3", "fields.a.end=1"}, diag.BadOption, "above"},
	} {
		_, _, err := table(t, c.columns, c.options...)
		if err == nil {
			t.Errorf("%v is accepted", c.options)
			continue
		}
		if e := diag.Of(err); e.Code != c.code || !strings.Contains(e.Msg, c.words) {
			t.Errorf("%v: %v, want %s with %s", c.options, err, c.code, c.words)
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	tab, src, err := table(b, "a BIGINT, b INT, c DOUBLE, d STRING, e TIMESTAMP(3)", "rows-per-second=1000000000", "fields.d.length=20", "fields.e.max-past=1 h")
	if err != nil {
		b.Fatal(err)
	}
	r, err := src.Open(context.Background(), []connector.Split{{ID: "datagen"}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		out := row.NewBuilder(tab.Schema)
		for _, c := range out.Cols {
			c.Reserve(4096)
		}
		if _, err := r.Poll(out, 4096); err != nil {
			b.Fatal(err)
		}
		rows += out.Len()
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
