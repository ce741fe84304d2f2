package arrowio_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"fsql/internal/arrowio"
	"fsql/internal/cli"
)

// TestStream sends values of every type through an Arrow stream and reads them
// back with Arrow's own reader.
func TestStream(t *testing.T) {
	const query = `SELECT b, CAST(i AS TINYINT) AS ti, CAST(i AS SMALLINT) AS si, i, CAST(i AS BIGINT) AS bi, CAST(d AS FLOAT) AS f, d,
  CAST(d AS DECIMAL(20, 3)) AS de, s, x'00ff' AS bin, DATE '2024-02-29' AS da, TIME '10:11:12' AS tm, ts,
  CAST(ts AS TIMESTAMP_LTZ(3)) AS ltz, CAST(ts AS TIMESTAMP(9)) AS nano, ARRAY[i, 7] AS arr, MAP[COALESCE(s, 'none'), i] AS m, ROW(i, s) AS r
FROM (VALUES (TRUE, 1, 1.5E0, 'one', TIMESTAMP '2024-01-02 03:04:05.678'), (CAST(NULL AS BOOLEAN), CAST(NULL AS INT), -0.25E0, CAST(NULL AS STRING), TIMESTAMP '1969-12-31 23:59:59.999')) AS v(b, i, d, s, ts)`
	var out, errs bytes.Buffer
	if status := cli.Main(context.Background(), []string{"-c", query, "--format", "arrow"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
		t.Fatal(errs.String())
	}
	records, err := arrowio.Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 1 || records[0].NumRows() != 2 {
		t.Fatalf("%d records", len(records))
	}
	rec := records[0]
	want := map[string]string{
		"b": "[true (null)]", "ti": "[1 (null)]", "si": "[1 (null)]", "i": "[1 (null)]", "bi": "[1 (null)]",
		"f": "[1.5 -0.25]", "d": "[1.5 -0.25]", "s": `["one" (null)]`, "da": "[19782 19782]",
		"arr": "[[1 7] [(null) 7]]",
	}
	for i, f := range rec.Schema().Fields() {
		if w, ok := want[f.Name]; ok && rec.Column(i).String() != w {
			t.Errorf("%s: %s, want %s", f.Name, rec.Column(i), w)
		}
	}
	for name, w := range map[string][2]string{
		"de":   {"1.5", "-0.25"},
		"bin":  {"AP8=", "AP8="},
		"tm":   {"10:11:12.000", "10:11:12.000"},
		"ts":   {"2024-01-02 03:04:05.678", "1969-12-31 23:59:59.999"},
		"ltz":  {"2024-01-02 03:04:05.678Z", "1969-12-31 23:59:59.999Z"},
		"nano": {"2024-01-02 03:04:05.678", "1969-12-31 23:59:59.999"},
	} {
		c := rec.Column(rec.Schema().FieldIndices(name)[0])
		for r := range 2 {
			if got := c.ValueStr(r); !strings.HasPrefix(got, strings.TrimSuffix(w[r], "Z")) {
				t.Errorf("%s[%d]: %s, want %s", name, r, got, w[r])
			}
		}
	}
}

// TestStreamOfChanges has the row kind as its first column.
func TestStreamOfChanges(t *testing.T) {
	const query = "SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS t(k) GROUP BY k"
	var out, errs bytes.Buffer
	if status := cli.Main(context.Background(), []string{"-c", query, "--format", "arrow", "--result", "log"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
		t.Fatal(errs.String())
	}
	records, err := arrowio.Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range records {
		for i := range int(r.NumRows()) {
			got = append(got, r.Column(0).ValueStr(i)+r.Column(1).ValueStr(i)+r.Column(2).ValueStr(i))
		}
	}
	if want := "+Ia1 +Ib1 -Ua1 +Ua2"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
