package builtin_test

import (
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// operands are the names that the files write for the columns of Flink's run.
var operands = regexp.MustCompile(`x?'(?:[^']|'')*'|\b[sxa]\b`)

func withOperands(text string, values map[string]string) string {
	return operands.ReplaceAllStringFunc(text, func(w string) string {
		if v, ok := values[w]; ok {
			return v
		}
		return w
	})
}

func linesOf(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// unescaped reads ~"text" with Go's escapes, other text as it is.
func unescaped(t *testing.T, s string) string {
	t.Helper()
	if !strings.HasPrefix(s, "~") {
		return s
	}
	s, err := strconv.Unquote(s[1:])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestJSONDocuments runs each expression over each document, as columns and,
// where it stands alone, as a constant.
func TestJSONDocuments(t *testing.T) {
	docs := map[string]string{}
	want := map[string]string{}
	var ids []string
	text := ""
	check := func() {
		if text == "" {
			return
		}
		for _, id := range ids {
			w, ok := want[id]
			if !ok {
				continue
			}
			got, err := eval(withOperands(text, map[string]string{"s": docs[id]}))
			if err != nil || got != w {
				t.Errorf("%s over %s is %q, %v; Flink says %q", text, docs[id], got, err, w)
			}
		}
		clear(want)
	}
	for _, line := range linesOf(t, "testdata/json_docs.txt") {
		head, rest, _ := strings.Cut(line, " ")
		switch head {
		case "", "#":
		case "doc":
			id, doc, _ := strings.Cut(rest, " ")
			docs[id], ids = doc, append(ids, id)
		case "=":
			check()
			text = rest
		default:
			want[head] = unescaped(t, rest)
		}
	}
	check()
	if len(docs) < 60 {
		t.Errorf("only %d documents", len(docs))
	}
}

func TestJSONValues(t *testing.T) {
	names := map[string]string{"x": "1", "a": "ARRAY[1, 2]"}
	count := 0
	for _, line := range linesOf(t, "testdata/json_values.txt") {
		if doc, ok := strings.CutPrefix(line, "doc "); ok {
			names["s"] = doc
			continue
		}
		text, want, ok := strings.Cut(line, " -> ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		count++
		got, err := eval(withOperands(text, names))
		switch {
		case want == "!":
			if err == nil {
				t.Errorf("%s is %q; Flink fails", text, got)
			}
		case err != nil || got != unescaped(t, want):
			t.Errorf("%s is %q, %v; Flink says %q", text, got, err, unescaped(t, want))
		}
	}
	if count < 400 {
		t.Errorf("only %d values", count)
	}
}

func TestJSONRefusals(t *testing.T) {
	for _, c := range []struct {
		text string
		code diag.Code
		word string
	}{
		{"JSON_VALUE('{}', '$.a' RETURNING BIGINT)", diag.NotSupported, "BIGINT"},
		{"JSON_VALUE('{\"a\": 1}', '$.a' RETURNING DOUBLE)", diag.BadValue, "whole number"},
		{"JSON_VALUE('{\"a\": \"x\"}', '$.a' RETURNING BOOLEAN NULL ON ERROR)", diag.BadValue, "BOOLEAN"},
		{"JSON_VALUE('{}', '$.a' RETURNING INTEGER DEFAULT 'x' ON ERROR)", diag.TypeMismatch, "DEFAULT"},
		{"JSON_VALUE('{}', 'lax $.a' ERROR ON EMPTY)", diag.BadValue, "nothing is at the path"},
		{"JSON_VALUE('{\"a\": []}', '$.a' ERROR ON ERROR)", diag.BadValue, "scalar"},
		{"JSON_QUERY('{\"a\": 1}', '$.a' ERROR ON ERROR)", diag.BadValue, "scalar"},
		{"JSON_QUERY('[', '$' ERROR ON ERROR)", diag.BadValue, "ends too early"},
		{"JSON_QUERY('{}', '$.a' RETURNING ARRAY<INT>)", diag.NotSupported, "ARRAY<INT>"},
		{"JSON_QUERY('{}', '$.a[?(@.b)]')", diag.NotSupported, "filter"},
		{"JSON_OBJECT(KEY 1 VALUE 1)", diag.TypeMismatch, "INT"},
		{"JSON_OBJECT(KEY CAST(NULL AS STRING) VALUE 1)", diag.TypeMismatch, "must not be NULL"},
		{"JSON_OBJECT(KEY 'd' VALUE DATE '2024-01-01')", diag.TypeMismatch, "JSON_OBJECT cannot convert a value of type DATE"},
		{"JSON_STRING(MAP[1, 2])", diag.TypeMismatch, "keys must be texts"},
		{"JSON_ARRAY(JSON('{bad'))", diag.BadValue, "'{bad'"},
		{"PARSE_JSON('{bad')", diag.BadValue, "'{bad'"},
		{"PARSE_JSON('{\"a\": 1, \"a\": 2}')", diag.BadValue, "more than once"},
		{"CAST(PARSE_JSON('1') AS INT)", diag.BadCast, "VARIANT"},
		{"PARSE_JSON('1')['a']", diag.BadValue, "object"},
		{"BITMAP_FROM_BYTES(x'01')", diag.BadValue, "Roaring"},
		{"BITMAP_BUILD(ARRAY[CAST(1 AS BIGINT)])", diag.WrongArguments, "BITMAP_BUILD"},
		{"PRINTF('%s', x'01')", diag.WrongArguments, "BINARY(1)"},
	} {
		_, err := eval(c.text)
		var d *diag.Error
		if !errors.As(err, &d) || d.Code != c.code && d.Code != diag.ConstantFailure || !strings.Contains(d.Msg, c.word) {
			t.Errorf("%s: %v, want %s with %q", c.text, err, c.code, c.word)
		}
	}
}

// jsonBatch is a column of documents.
func jsonBatch(n int) *row.Batch {
	v := row.NewVec(types.String(), n)
	for i := range v.Str {
		v.Str[i] = `{"id":` + strconv.Itoa(i) + `,"user":{"name":"n` + strconv.Itoa(i) + `","tags":["a","b","c"]},"price":12.50}`
	}
	s := &types.Schema{Columns: []types.Column{{Name: "s", Type: types.String()}}}
	return &row.Batch{Schema: s, Rows: n, Cols: []*row.Vec{v}}
}

func jsonProgram(t testing.TB, name, path string, in *row.Batch) *expr.Program {
	lit, err := expr.NewLiteral(types.CharOf(int32(len(path))), path)
	if err != nil {
		t.Fatal(err)
	}
	call, err := expr.NewJSONCall(builtin.All(), name, []expr.Node{expr.NewColumn(0, "s", types.String()), lit}, expr.JSONClauses{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := expr.Compile([]expr.Node{call}, in.Schema)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestJSONAllocations: a batch costs some memory, a row none.
func TestJSONAllocations(t *testing.T) {
	in := jsonBatch(1000)
	p := jsonProgram(t, "JSON_VALUE", "$.user.name", in)
	c := &expr.Ctx{}
	if n := testing.AllocsPerRun(20, func() {
		if _, err := p.Eval(c, in, nil); err != nil {
			t.Fatal(err)
		}
	}); n > 100 {
		t.Errorf("%v allocations for 1000 rows", n)
	}
}

func BenchmarkJSONValue(b *testing.B) {
	in := jsonBatch(1000)
	p := jsonProgram(b, "JSON_VALUE", "$.user.name", in)
	c := &expr.Ctx{}
	b.SetBytes(int64(len(in.Cols[0].Str[500]) * in.Rows))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Eval(c, in, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(in.Rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func TestBitmapForm(t *testing.T) {
	var b value.BitmapBuilder
	for _, set := range [][]uint32{
		nil, {0}, {1, 2, 3}, {1, 2, 3, 4}, {5, 65535, 65536, 1 << 31, 1<<32 - 1}, numbers(0, 70000, 1), numbers(3, 40000, 2), numbers(10, 500000, 7),
	} {
		bytes := string(b.Append(nil, set))
		back, ok := value.AppendBitmapNumbers(nil, bytes)
		if !ok || len(back) != len(set) || value.BitmapCardinality(bytes) != int64(len(set)) {
			t.Fatalf("%d numbers come back as %d, %v", len(set), len(back), ok)
		}
		for i := range set {
			if set[i] != back[i] {
				t.Fatalf("number %d is %d, was %d", i, back[i], set[i])
			}
		}
		for n := 0; n < len(bytes); n += 1 + len(bytes)/50 {
			if got, ok := value.AppendBitmapNumbers(nil, bytes[:n]); ok {
				t.Fatalf("%d of %d bytes read as %d numbers", n, len(bytes), len(got))
			}
		}
	}
}

func numbers(from, to, step uint32) (set []uint32) {
	for ; from < to; from += step {
		set = append(set, from)
	}
	return set
}
