package doctest

import (
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	const doc = "text\n```console\n$ a | b\nout\n$ c\n```\n\n```sql file=x.sql\nSELECT 1\n```\n```sql\nleft alone\n```\n"
	list, err := Blocks("d.md", doc)
	if err != nil || len(list) != 2 || list[1].Path != "x.sql" || list[1].Text[0] != "SELECT 1" || list[0].Line != 3 {
		t.Fatalf("%+v %v", list, err)
	}
	steps, err := list[0].Steps()
	if err != nil || len(steps) != 2 || steps[0].Command != "a | b" || steps[0].Want[0] != "out" || steps[1].Line != 5 {
		t.Errorf("%+v %v", steps, err)
	}
	for _, bad := range []string{"```console\n", "```go nonsense\n```\n"} {
		if _, err := Blocks("d.md", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, err := (&Block{Text: []string{"out"}}).Steps(); err == nil {
		t.Error("output without a command is taken")
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a|b", "a|b|", true},
		{"a|b", "a", false},
		{"a", "a|b", false},
		{"a|...|d", "a|b|c|d", true},
		{"a|...|d", "a|d", true},
		{"a|...", "a", true},
		{"a|...|d", "a|b", false},
		{"", "", true},
		{"", "a", false},
		{"a", "a  ", true},
		{"a b...|c", "a bcd|c", true},
		{"a b...", "a c", false},
	} {
		if Match(strings.Split(c.want, "|"), strings.Split(c.got, "|")) != c.ok {
			t.Errorf("%q and %q: %v expected", c.want, c.got, c.ok)
		}
	}
}

func TestQuotedAndInserted(t *testing.T) {
	const file = "a\n\tb\nc\nd\n"
	for want, ok := range map[string]bool{"b\nc": true, "a\nc": false, "a\n...\nc": true, "": false} {
		if Quoted(strings.Split(want, "\n"), file) != ok {
			t.Errorf("%q: %v expected", want, ok)
		}
	}
	got, err := Inserted(&Block{Text: []string{"b", "x"}}, file)
	if err != nil || got != "a\n\tb\nx\nc\nd\n" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := Inserted(&Block{Text: []string{"nowhere", "x"}}, file); err == nil {
		t.Error("inserted nowhere")
	}
	if _, err := Inserted(&Block{Text: []string{"a", "x"}}, "a\na\n"); err == nil {
		t.Error("inserted at one of two places")
	}
}
