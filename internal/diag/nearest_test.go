package diag

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"SELECT", "FROM", "WHERE", "GROUP", "ORDER", "LIKE", "city", "amount", "connector", "properties.bootstrap.servers"}
	for _, c := range []struct{ word, want string }{
		{"SELCT", "SELECT"},
		{"selcet", "SELECT"},
		{"FORM", "FROM"},
		{"GROPU", "GROUP"},
		{"LKE", "LIKE"},
		{"ctiy", "city"},
		{"City", "city"},
		{"city", ""}, // the word itself is no suggestion
		{"conector", "connector"},
		{"properties.bootstrap.server", "properties.bootstrap.servers"},
		{"x", ""},
		{"to", ""},
		{"quantity", ""},
		{"", ""},
	} {
		if got := Nearest(c.word, words); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestNearestTakesTheFirstOfEquals(t *testing.T) {
	if got := Nearest("cat", []string{"bat", "cut", "rat"}); got != "bat" {
		t.Errorf("got %q", got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"abc", "abc", 0}, {"abc", "acb", 1},
		{"kitten", "sitting", 3}, {"form", "from", 1}, {"größe", "grösse", 2},
	} {
		if got := distance([]rune(c.a), []rune(c.b), 100); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestOneMistake(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"FORM", "FROM", true}, {"form", "FROM", true}, {"orders", "ORDER", true}, {"FROM", "FROM", false}, {"GRUOPP", "GROUP", false}} {
		if got := OneMistake(c.a, c.b); got != c.want {
			t.Errorf("OneMistake(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
