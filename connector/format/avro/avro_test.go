package avro

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/connector/format/formattest"
	"fsql/connector/format/json"
	"fsql/row"
)

func file(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".avro"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The files flink_* are Flink's, the others those of another library. The rows
// are what Flink reads of them, but for the two cases of differences.md: decimals
// of another scale, and microseconds.
func TestFiles(t *testing.T) {
	cases := []formattest.Case{
		{Name: "flink_snappy", Columns: "a INT", Rows: []string{"1", "2"}},
		{Name: "flink_deflate", Columns: "a INT", Rows: []string{"1", "2"}},
		{Name: "flink_bzip2", Columns: "a INT", Rows: []string{"1", "2"}},
		{Name: "flink_null", Columns: everything, Rows: everythingRows},
		{Name: "flink_null", Columns: everything, Wanted: []int{2, 16, 20}, Rows: []string{
			"9223372036854775807,2024-01-02 03:04:05,(1, x, (1.500000000000000000))",
			"-9223372036854775807,1969-12-31 23:59:59,(NULL, , (-12345678901234567890.123456789012345678))",
			"0,2024-01-02 03:04:05,NULL"}},
		{Name: "flink_null", Columns: "nothing INT", Rows: []string{"NULL", "NULL", "NULL"}},
		{Name: "promo", Columns: "l BIGINT, d DOUBLE, f FLOAT, s STRING, y BYTES, r ROW<a BIGINT, b STRING>, nope INT",
			Rows: []string{"5,1.5,7.0,hey,x'796f',(3, q),NULL", "-6,NULL,8.0,,x'',(-3, ),NULL"}},
		{Name: "promo", Columns: "r ROW<a BIGINT, zz STRING>", Rows: []string{"(3, NULL)", "(-3, NULL)"}},
		{Name: "promo", Columns: "l BIGINT, en INT", Wanted: []int{0}, Rows: []string{"5", "-6"}},
		{Name: "bzip2", Columns: "a BIGINT", Rows: []string{"0", "1", "2"}},
		{Name: "unull", Columns: "a BIGINT", Rows: []string{"1", "NULL", "3"}},
		{Name: "unull", Columns: "a INT NOT NULL", Err: []string{"record 2: a NULL", "NOT NULL"}},
		{Name: "ustr", Columns: "a INT", Err: []string{"record 2: the file has the Avro type string, which is no INT"}},
		{Name: "enum", Columns: "en STRING", Err: []string{"record 1: the file has the Avro type enum, which is no STRING"}},
		{Name: "sint", Columns: "a SMALLINT", Rows: []string{"4464", "-129"}},
		{Name: "sint", Columns: "a TINYINT", Rows: []string{"112", "127"}},
		{Name: "sint", Columns: "a DATE", Rows: []string{"2161-08-27", "1969-08-25"}},
		{Name: "sint", Columns: "a DECIMAL(10, 2)", Err: []string{"no DECIMAL(10, 2)"}},
		{Name: "missing", Columns: "b INT NOT NULL, a INT", Err: []string{"record 1: the file has no field 'b'"}},
		{Name: "missing", Columns: "b INT NOT NULL, a INT", Wanted: []int{1}, Rows: []string{"1"}},
		{Name: "dec", Columns: "a DECIMAL(10, 3)", Rows: []string{"1234567.125", "-0.001"}},
		{Name: "dec", Columns: "a DECIMAL(10, 2)", Rows: []string{"1234567.13", "0.00"}},
		{Name: "dec", Columns: "a DECIMAL(6, 3)", Rows: []string{"NULL", "-0.001"}},
		{Name: "dec", Columns: "a BYTES", Rows: []string{"x'4995ffd5'", "x'ff'"}},
		{Name: "micros", Columns: "a TIMESTAMP(3), b TIMESTAMP(3), c TIMESTAMP(3), d INT",
			Rows: []string{"2024-01-02 03:04:05.678,2024-01-02 03:04:05.678,2024-01-02 03:04:05.678,NULL"}},
		{Name: "micros", Columns: "a TIMESTAMP(6)", Err: []string{"does not support the type TIMESTAMP(6) of column 'a'"}},
		{Name: "micros", Columns: "a TIMESTAMP_LTZ(3)", Err: []string{"does not support the type TIMESTAMP_LTZ(3) of column 'a'"}},
		{Name: "trunc", Columns: "l BIGINT", Err: []string{"record 1: the file ends within a block"}},
	}
	for _, c := range cases {
		t.Run(c.Name+" "+c.Columns, func(t *testing.T) {
			c.In = file(t, c.Name)
			formattest.Run(t, Format(), c)
		})
	}
}

// TestNoFile: what is no Avro file says so.
func TestNoFile(t *testing.T) {
	for text, words := range map[string]string{
		"hello":                       "does not begin with 'Obj'",
		"Obj\x01\x00":                 "ends within the header",
		"Obj\x01\x02\x01":             "header of the Avro file is broken",
		file(t, "flink_snappy")[:120]: "ends within the header",
		strings.Replace(file(t, "flink_snappy"), "snappy", "sneppy", 1): "the codec 'sneppy' is not known",
		strings.Replace(file(t, "flink_snappy"), `"int"`, `"imt"`, 1):   "uses the type 'imt'",
	} {
		f := Format()
		s := formattest.Schema(t, "a INT")
		_, _, err := formattest.Decode(t, f, s, []bool{true}, formattest.Options(t, f, nil), []byte(text), 1<<20, 10)
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%q: %v lacks %q", text, err, words)
		}
	}
}

const everything = "k INT, i INT, bi BIGINT NOT NULL, f FLOAT, d DOUBLE, ti TINYINT, si SMALLINT, de DECIMAL(10, 3), s STRING, c CHAR(4), bin BYTES, " +
	"bi4 BINARY(4), da DATE, tm TIME, tm3 TIME(3), ts TIMESTAMP(3), ts0 TIMESTAMP(0) NOT NULL, a ARRAY<INT>, a2 ARRAY<INT NOT NULL>, " +
	"m MAP<STRING, BIGINT>, r ROW<x INT, y STRING NOT NULL, z ROW<q DECIMAL(38, 18)>>, r2 ROW<a ROW<b INT>, c ARRAY<ROW<q INT, w STRING>>>, " +
	"m2 MAP<STRING NOT NULL, ARRAY<MAP<STRING, INT>>>"

// The rows that flink_null.avro was written from, as Flink prints what it reads.
var everythingRows = []string{
	"1,-1,9223372036854775807,1.5,0.1,-3,-300,-7.125,ä,ab  ,x'00ff',x'01020304',1969-12-31,01:02:03,01:02:03.456,0001-01-01 00:00:00.123," +
		"2024-01-02 03:04:05,[1, NULL],[1, 2],{k=2},(1, x, (1.500000000000000000)),((4), [(1, a), NULL]),{a=[{b=NULL}], c=NULL}",
	"2,2147483647,-9223372036854775807,-2.5,-1.0E300,-128,32767,9999999.999,,    ,x'',x'00000000',9999-12-31,23:59:59,23:59:59.999,1969-12-31 23:59:59.999," +
		"1969-12-31 23:59:59,NULL,[-1, 2147483647],NULL,(NULL, , (-12345678901234567890.123456789012345678)),NULL,NULL",
	"3,NULL,0,NULL,NULL,NULL,NULL,128.000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,2024-01-02 03:04:05,[1],[1],{=NULL},NULL,(NULL, NULL),{=[NULL]}",
}

// TestSameBytes: the writer makes the bytes that Flink made of the same rows.
func TestSameBytes(t *testing.T) {
	for name, options := range map[string][]string{
		"flink_null":  {"codec=null"},
		"flink_local": {"codec=null", "timestamp_mapping.legacy=false"},
	} {
		want := []byte(file(t, name))
		f, s := Format(), formattest.Schema(t, everything)
		o := formattest.Options(t, f, options)
		b := rows(t, want)
		e, err := f.FileEncoder(s, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Encode(nil, b, 0, b.Rows)
		if err == nil {
			got, err = e.End(got)
		}
		if err != nil {
			t.Fatal(err)
		}
		// Every file has a marker of its own.
		got = bytes.ReplaceAll(got, got[len(got)-syncSize:], want[len(want)-syncSize:])
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got, want)
		}
	}
}

// rows reads a file of everything.
func rows(t testing.TB, data []byte) *row.Batch {
	t.Helper()
	f, s := Format(), formattest.Schema(t, everything)
	d, err := f.FileDecoder(s, nil, formattest.Options(t, f, nil))
	if err != nil {
		t.Fatal(err)
	}
	out := row.NewBuilder(s)
	for len(data) > 0 {
		n, err := d.Decode(data, true, out, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	return out.Flush()
}

// TestRoundTrip: what is written in blocks of every codec is read again, rows cut
// anyhow.
func TestRoundTrip(t *testing.T) {
	var in []string
	var want []string
	for i := range 9000 {
		text := strings.Repeat("x", i%37)
		in = append(in, `{"id":`+itoa(i)+`,"s":"`+text+`"}`)
		want = append(want, itoa(i)+","+text)
	}
	s := formattest.Schema(t, "id BIGINT, s STRING")
	j := json.Format()
	d, err := j.Decoder(s, nil, j.Options.None())
	if err != nil {
		t.Fatal(err)
	}
	out := row.NewBuilder(s)
	if _, err := d.Decode([]byte(strings.Join(in, "\n")), true, out, len(in)); err != nil {
		t.Fatal(err)
	}
	b := out.Flush()
	for _, codec := range []string{"null", "deflate", "snappy", "zstandard"} {
		f := Format()
		o := formattest.Options(t, f, []string{"codec=" + codec})
		e, err := f.FileEncoder(s, o)
		if err != nil {
			t.Fatal(err)
		}
		var data []byte
		for from := 0; from < b.Rows; from += 700 {
			if data, err = e.Encode(data, b, from, min(from+700, b.Rows)); err != nil {
				t.Fatal(err)
			}
		}
		if data, err = e.End(data); err != nil {
			t.Fatal(err)
		}
		for _, chunk := range []int{1 << 20, 5000} {
			got, _, err := formattest.Decode(t, f, s, []bool{true, true}, o, data, chunk, 1000)
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("%s in pieces of %d: %v, %d rows", codec, chunk, err, len(got))
			}
		}
		data[len(data)-20]++ // within the last block
		if got, _, err := formattest.Decode(t, f, s, []bool{true, true}, o, data, 1<<20, 1000); err == nil && codec != "null" {
			t.Errorf("%s: a broken block is read as %d rows", codec, len(got))
		}
	}
	for _, codec := range []string{"bzip2", "xz"} {
		f := Format()
		if _, err := f.FileEncoder(s, formattest.Options(t, f, []string{"codec=" + codec})); err == nil {
			t.Errorf("%s can be written?", codec)
		}
	}
}
