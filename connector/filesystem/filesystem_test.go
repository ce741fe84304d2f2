package filesystem_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsql/connector"
	"fsql/connector/all"
	"fsql/connector/format/formattest"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/row"
)

// table makes a table over the folder dir; options are "key=value".
func table(t *testing.T, dir, columns string, options ...string) *connector.Table {
	t.Helper()
	entries := []option.Entry{{Key: "connector", Value: "filesystem"}}
	for _, o := range options {
		key, val, _ := strings.Cut(o, "=")
		entries = append(entries, option.Entry{Key: key, Value: val})
	}
	r, err := connector.Resolve(all.Registry(), "t", entries)
	if err != nil {
		t.Fatal(err)
	}
	s := formattest.Schema(t, columns)
	return &connector.Table{Name: "t", Schema: s, Metadata: make([]string, len(s.Columns)), Options: r.Options, Format: r.Format, FormatOpts: r.FormatOptions, Dir: dir, Zone: "UTC", Limit: -1}
}

// write makes files below dir.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// read returns all rows as text, polled in batches of the given size.
func read(tab *connector.Table, batch int) ([]string, error) {
	src, err := filesystem().Source(tab)
	if err != nil {
		return nil, err
	}
	splits, err := src.Splits(context.Background())
	if err != nil {
		return nil, err
	}
	r, err := src.Open(context.Background(), splits)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var rows []string
	for {
		out := row.NewBuilder(tab.Schema)
		status, err := r.Poll(out, batch)
		rows = append(rows, lines(out.Flush())...)
		if err != nil || status == connector.Ended {
			return rows, err
		}
	}
}

func filesystem() *connector.Connector { return all.Registry().Connector("filesystem") }

func lines(b *row.Batch) []string {
	if b == nil {
		return nil
	}
	var out []string
	for r := 0; r < b.Rows; r++ {
		var cells []string
		if k := b.Kind(r); k != row.Insert {
			cells = append(cells, k.String())
		}
		for _, c := range b.Cols {
			if c.Len > 0 {
				cells = append(cells, string(value.AppendText(nil, c, r, value.UTC())))
			}
		}
		out = append(out, strings.Join(cells, ","))
	}
	return out
}

func expect(t *testing.T, tab *connector.Table, want ...string) {
	t.Helper()
	for _, batch := range []int{1, 2, 7, 1024} {
		got, err := read(tab, batch)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("batches of %d: got %q, want %q", batch, got, want)
		}
	}
}

func expectError(t *testing.T, tab *connector.Table, code diag.Code, words ...string) {
	t.Helper()
	_, err := read(tab, 10)
	e := diag.Of(orNone(err))
	for _, w := range words {
		if !strings.Contains(e.Msg+" "+e.Hint, w) {
			t.Errorf("%v (%s) lacks %q", err, e.Hint, w)
		}
	}
	if e.Code != code {
		t.Errorf("code %s, want %s: %v", e.Code, code, err)
	}
}

func orNone(err error) error {
	if err == nil {
		return diag.New(diag.Internal, diag.Span{}, "no error")
	}
	return err
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"in/.dir/q": "11", "in/.hidden": "5", "in/_dir/q": "10", "in/_tmp": "6", "in/a_b.c": "12\n", "in/empty": "", "in/noext": "4", "in/sub/deep/_SUCCESS": "8",
		"in/sub/deep/w.csv": "9", "in/sub/z": "7", "in/x.json": "1\n2\n", "in/y.txt": "3", "other/f": "20",
	})
	if err := os.Symlink(filepath.Join(dir, "other"), filepath.Join(dir, "in", "z")); err != nil {
		t.Fatal(err)
	}
	expect(t, table(t, dir, "a INT", "path=in", "format=csv"), "12", "4", "9", "7", "1", "2", "3", "20")
	expect(t, table(t, dir, "a INT", "path=in/", "format=csv", `source.path.regex-pattern=.*/[xy]\..*`), "1", "2", "3")
	expect(t, table(t, dir, "a INT", "path=in", "format=csv", "source.path.regex-pattern=x.json"))
	expect(t, table(t, "/", "a INT", "path=file://"+dir+"/in/y.txt", "format=csv"), "3")
	expect(t, table(t, dir, "a INT", "path=in/.hidden", "format=csv"))
	expect(t, table(t, dir, "a INT", "path=in/_dir", "format=csv"))
	expect(t, table(t, dir, "a INT", "path=in/z", "format=csv"), "20")
	limited := table(t, dir, "a INT", "path=in", "format=csv")
	limited.Limit = 3
	expect(t, limited, "12", "4", "9")
}

func TestMissingPath(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"orders.csv": ""})
	expectError(t, table(t, dir, "a INT", "path=none/x", "format=csv"), diag.NoSuchFile, "none/x", "does not exist", dir)
	expectError(t, table(t, dir, "a INT", "path=s3://bucket/x", "format=csv"), diag.NotImplemented, "s3")
	expectError(t, table(t, dir, "a INT", "path=", "format=csv"), diag.BadOption, "path")
	expectError(t, table(t, dir, "a INT", "path=orders.csv", "format=csv", "source.monitor-interval=0 s"), diag.BadOption, "source.monitor-interval")
}

func TestPackedFiles(t *testing.T) {
	var gz, def bytes.Buffer
	for _, part := range []string{"1\n", "2"} { // two members
		z := gzip.NewWriter(&gz)
		z.Write([]byte(part))
		z.Close()
	}
	z := zlib.NewWriter(&def)
	z.Write([]byte("3\n"))
	z.Close()
	bz, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWaUUwcgAAADIAAAQBAAgACEAgrF3JFOFCQpRTByA")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.gz": gz.String(), "b.deflate": def.String(), "c.bz2": string(bz), "d": "5"})
	expect(t, table(t, dir, "a INT", "path=.", "format=csv"), "1", "2", "3", "4", "5")
	write(t, dir, map[string]string{"e.gz": "plain"})
	expectError(t, table(t, dir, "a INT", "path=e.gz", "format=csv"), diag.InputOutput, "e.gz", "unpacked")
	write(t, dir, map[string]string{"f.zst": "x"})
	expectError(t, table(t, dir, "a INT", "path=f.zst", "format=csv"), diag.NotImplemented, ".zst")
}

func TestBadRow(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"in/a.csv": "1,x\n\"2\",\"y\nz\"\ntwo,v\n", "in/b.json": `{"after":{"a":"x"},"op":"c"}`})
	expectError(t, table(t, dir, "a INT, s STRING", "path=in/a.csv", "format=csv"), diag.BadRow, "in/a.csv", "line 4", "column 'a'", "'two'", "INT", "'csv.ignore-parse-errors' = 'true'")
	expectError(t, table(t, dir, "a INT", "path=in/b.json", "format=debezium-json"), diag.BadRow, "in/b.json", "line 1", "'debezium-json.ignore-parse-errors' = 'true'")
}

func TestPartitionsAndMetadata(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"in/d=2024-01-02/hr=7/f": "1\n-1", "in/d=2024-01-03/hr=__DEFAULT_PARTITION__/sub/g": "2", "in/stray": "9", "in/x/y/z": "9",
		"types/b=TRUE/e=1.5/ts=2024-01-02T03%3A04%3A05.5/s=a%2Fb c/f": "1", "bad/hr=two/f": "1",
	})
	tab := table(t, dir, "hr INT, a INT, d DATE, n STRING NOT NULL, z BIGINT NOT NULL", "path=in", "format=csv")
	tab.Partitions = []string{"d", "hr"}
	tab.Metadata[3], tab.Metadata[4] = "file.name", "file.size"
	expect(t, tab, "7,1,2024-01-02,f,4", "7,-1,2024-01-02,f,4", "NULL,2,2024-01-03,g,1")
	tab.Wanted = []bool{true, false, false, true, false}
	expect(t, tab, "7,f", "7,f", "NULL,g")

	tab = table(t, dir, "a INT, b BOOLEAN, e DECIMAL(5, 2), ts TIMESTAMP(3), s STRING", "path=types", "format=csv")
	tab.Partitions = []string{"b", "e", "ts", "s"}
	expect(t, tab, "1,TRUE,1.50,2024-01-02 03:04:05.500,a/b c")

	tab = table(t, dir, "a INT, hr INT", "path=bad", "format=csv")
	tab.Partitions = []string{"hr"}
	expectError(t, tab, diag.BadRow, "hr=two", "'two'", "partition column 'hr'", "INT")
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"in/d=mon/hr=7/f": "1", "in/d=tue/hr=10/f": "broken", "in/d=tue/hr=9/f": "2", "in/d=tue/hr=x/f": "3"})
	tab := table(t, dir, "hr INT, a INT, d STRING", "path=in", "format=csv")
	tab.Partitions = []string{"d", "hr"}
	src, err := filesystem().Source(tab)
	if err != nil {
		t.Fatal(err)
	}
	err = src.(connector.Pruned).Prune(func(b *row.Batch) ([]bool, error) {
		keep := make([]bool, b.Rows)
		for r := range keep {
			keep[r] = b.Cols[0].I32[r] < 10 && b.Cols[2].Str[r] != ""
		}
		return keep, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	splits, _ := src.Splits(context.Background())
	var names []string
	for _, s := range splits {
		rel, _ := filepath.Rel(dir, s.ID)
		names = append(names, filepath.ToSlash(rel))
	}
	if want := []string{"in/d=mon/hr=7/f", "in/d=tue/hr=9/f", "in/d=tue/hr=x/f"}; !slices.Equal(names, want) {
		t.Errorf("kept %q, want %q", names, want)
	}
}

// TestResume reads some rows, goes on from the positions told, and must get the
// rest.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	update := `{"data":[{"a":1},{"a":2},{"a":3}],"old":[{},{},{}],"type":"UPDATE"}` + "\n"
	write(t, dir, map[string]string{
		"csv/a": "1\n\"2\n\"\n3\n", "csv/b": "4\n5", "json/a": "{\"a\":1}\n[{\"a\":2}, {\"a\":3},{\"a\":4}]\n{\"a\":5}\n", "json/b": "[{\"a\":6},{\"a\":7}]",
		"canal/a": `{"data":[{"a":0}],"type":"INSERT"}` + "\n" + update + update, "raw/a": "1\n2\n3",
	})
	numbers := table(t, dir, "a STRING", "path=avro", "format=avro", "sink.rolling-policy.file-size=1 b")
	sink, err := filesystem().Sink(numbers)
	if err != nil {
		t.Fatal(err)
	}
	w, err := sink.OpenWriter(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // blocks of several rows, in several files
		long := strings.Repeat("x", 30000)
		if err := w.Write(context.Background(), batchOf(t, numbers, `{"a":"1"}`, `{"a":"`+long+`"}`, `{"a":"3`+long+`"}`, `{"a":"`+long+`"}`, `{"a":"5"}`, `{"a":"6"}`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	for path, format := range map[string]string{"csv": "csv", "json": "json", "canal": "canal-json", "raw": "raw", "avro": "avro"} {
		tab := table(t, dir, "a STRING", "path="+path, "format="+format)
		want, err := read(tab, 1000)
		if err != nil || len(want) < 3 {
			t.Fatal(path, want, err)
		}
		src, err := filesystem().Source(tab)
		if err != nil {
			t.Fatal(err)
		}
		splits, _ := src.Splits(context.Background())
		for batch := 1; batch <= 4; batch++ {
			var got []string
			for splits := splits; ; {
				r, err := src.Open(context.Background(), splits)
				if err != nil {
					t.Fatal(err)
				}
				out := row.NewBuilder(tab.Schema)
				status, err := r.Poll(out, batch)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, lines(out.Flush())...)
				splits = r.Positions()
				r.Close()
				if status == connector.Ended {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s in batches of %d: got %q, want %q", path, batch, got, want)
			}
		}
	}
}

func batchOf(t *testing.T, tab *connector.Table, json ...string) *row.Batch {
	t.Helper()
	f := all.Registry().Format("json")
	d, err := f.Decoder(tab.Schema, nil, f.Options.None())
	if err != nil {
		t.Fatal(err)
	}
	out := row.NewBuilder(tab.Schema)
	if _, err := d.Decode([]byte(strings.Join(json, "\n")), true, out, 100); err != nil {
		t.Fatal(err)
	}
	return out.Flush()
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			text, _ := os.ReadFile(p)
			name := filepath.Base(rel)
			if i := strings.Index(name, "part-"); i >= 0 {
				rel = filepath.Join(filepath.Dir(rel), name[:i]+"part")
			}
			out = append(out, filepath.ToSlash(rel)+": "+string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSink(t *testing.T) {
	dir := t.TempDir()
	tab := table(t, dir, "a INT, s STRING", "path=out", "format=csv")
	sink, err := filesystem().Sink(tab)
	if err != nil {
		t.Fatal(err)
	}
	if sink.Accepts() != row.InsertOnly {
		t.Errorf("csv accepts %v", sink.Accepts())
	}
	ctx := context.Background()
	w, err := sink.OpenWriter(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(ctx, batchOf(t, tab, `{"a":1,"s":"x y"}`, `{"a":2}`)); err != nil {
		t.Fatal(err)
	}
	if rows, err := read(tab, 10); err != nil || len(rows) > 0 {
		t.Errorf("visible before the flush: %q, %v", rows, err)
	}
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if got, want := files(t, filepath.Join(dir, "out")), []string{"part: 1,\"x y\"\n2,\n"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	// What was never flushed leaves nothing behind.
	if err := w.Write(ctx, batchOf(t, tab, `{"a":3}`)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	expect(t, tab, "1,x y", "2,")
}

func TestPartitionedSink(t *testing.T) {
	dir := t.TempDir()
	tab := table(t, dir, "a INT, p STRING, d DATE, ts TIMESTAMP(3)", "path=out", "format=json", "sink.partition-commit.policy.kind=success-file")
	tab.Partitions = []string{"p", "d", "ts"}
	sink, err := filesystem().Sink(tab)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	w, err := sink.OpenWriter(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(ctx, batchOf(t, tab, `{"a":1,"p":"X:y/%","d":"2024-01-02","ts":"2024-01-02 03:04:05.5"}`, `{"a":2,"p":"","d":null}`, `{"a":3,"p":null}`)); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	none := "__DEFAULT_PARTITION__"
	want := []string{
		"p=X%3Ay%2F%25/d=2024-01-02/ts=2024-01-02T03%3A04%3A05.5/_SUCCESS: ", "p=X%3Ay%2F%25/d=2024-01-02/ts=2024-01-02T03%3A04%3A05.5/part: {\"a\":1}\n",
		"p=" + none + "/d=" + none + "/ts=" + none + "/_SUCCESS: ", "p=" + none + "/d=" + none + "/ts=" + none + "/part: {\"a\":2}\n{\"a\":3}\n",
	}
	if got := files(t, filepath.Join(dir, "out")); !slices.Equal(got, want) {
		t.Errorf("files\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	expect(t, tab, "1,X:y/%,2024-01-02,2024-01-02 03:04:05.500", "2,NULL,NULL,NULL", "3,NULL,NULL,NULL")
}

func TestSinkRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		columns string
		options []string
		code    diag.Code
	}{
		{"m MAP<STRING, INT>", []string{"format=csv"}, diag.NotSupported},
		{"m MAP<INT, INT>", []string{"format=json"}, diag.NotSupported},
		{"a INT", []string{"format=debezium-json", "debezium-json.schema-include=true"}, diag.NotSupported},
		{"a INT, p INT", []string{"format=json", "sink.partition-commit.policy.kind=metastore"}, diag.NotSupported},
		{"a INT, p INT", []string{"format=json", "sink.partition-commit.policy.kind=nonsense"}, diag.BadOption},
	} {
		tab := table(t, dir, c.columns, append(c.options, "path=out")...)
		if tab.Schema.Index("p") >= 0 {
			tab.Partitions = []string{"p"}
		}
		_, err := filesystem().Sink(tab)
		if e := diag.Of(orNone(err)); e.Code != c.code {
			t.Errorf("%s %v: %v, want code %s", c.columns, c.options, err, c.code)
		}
	}
	if k := all.Registry().Format("debezium-json").Kinds; k != row.AllKinds {
		t.Errorf("kinds of debezium-json: %v", k)
	}
}
