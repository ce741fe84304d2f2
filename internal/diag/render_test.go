package diag

import "testing"

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
