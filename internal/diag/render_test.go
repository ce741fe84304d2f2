package diag

import (
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	text := "SET 'a' = 'b';\n\tSELECT ctiy, COUNT(*) FROM orders GROUP BY ctiy;\n"
	e := New(UnknownColumn, Span{23, 27}, "column 'ctiy' does not exist").
		WithLabel("did you mean 'city'?").WithHint("columns of orders: id, city")
	want := "error[unknown-column]: column 'ctiy' does not exist\n" +
		"  script.sql:2:9\n" +
		"2 | \tSELECT ctiy, COUNT(*) FROM orders GROUP BY ctiy;\n" +
		"  | \t       ^^^^ did you mean 'city'?\n" +
		"  hint: columns of orders: id, city\n"
	if got := Render(e, Source{"script.sql", text}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wantJSON := `{"code":"unknown-column","message":"column 'ctiy' does not exist (did you mean 'city'?)","file":"script.sql","line":2,"col":9,"endLine":2,"endCol":12,"hint":"columns of orders: id, city"}` + "\n"
	if got := JSON(e, Source{"script.sql", text}); got != wantJSON {
		t.Errorf("got %s", got)
	}
}

func TestRenderSpanOutside(t *testing.T) {
	for _, span := range []Span{{0, 100}, {100, 200}, {3, 3}, {-1, 2}} {
		Render(New(Syntax, span, "x"), Source{"", "SELEC"})
		JSON(New(Syntax, span, "x"), Source{"", "SELEC"})
	}
}

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{{"abc", 3}, {"日本", 4}, {"😀", 2}, {"e\u0301\u0302", 1}, {"👨\u200d👩", 4}, {"，", 2}, {"\u00e9", 1}} {
		if got := Width(c.text); got != c.want {
			t.Errorf("Width(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

// A line is shown so that a terminal keeps its colours and a user the place.
func TestExcerpt(t *testing.T) {
	text := "SELECT '\x1b[31m', \tx\x00y"
	at := strings.Index(text, "x\x00")
	got := Render(New(UnknownColumn, Span{Start: at, End: at + 1}, "no"), Source{Text: text})
	if want := "1 | SELECT '\uFFFD[31m', \tx\uFFFDy\n  |                 \t^\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%q lacks %q", got, want)
	}
	long := strings.Repeat("ä, ", 100_000) + "here" + strings.Repeat(", ö", 100_000)
	at = strings.Index(long, "here")
	got = Render(New(UnknownColumn, Span{Start: at, End: at + 4}, "no"), Source{Text: long})
	lines := strings.Split(got, "\n")
	if len(got) > 1000 || !strings.Contains(lines[2], ", here, ") || Width(strings.Split(lines[2], "here")[0]) != strings.Index(lines[3], "^") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}
