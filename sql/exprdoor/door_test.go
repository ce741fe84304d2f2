package exprdoor

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pingcap/tidb/pkg/parser"
	tidb "github.com/pingcap/tidb/pkg/parser/ast"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// skipping stands for the reader of queries: it goes to the parenthesis that
// closes the query.
type skipping struct{ c *cursor.Cursor }

func (s skipping) Query() (ast.Query, error) {
	for depth := 0; ; s.c.Next() {
		switch t := s.c.Tok(); {
		case t.Kind == lex.EOF, t.Is(")") && depth == 0:
			return &ast.Values{}, nil
		case t.Is("("):
			depth++
		case t.Is(")"):
			depth--
		}
	}
}

func doorAt(text string) *Door {
	c := cursor.New(lex.Scan(text))
	return New(c, skipping{c})
}

// cut renders an expression.
func cut(t *testing.T, text string) *cutter {
	t.Helper()
	k := doorAt(text).cutter()
	if err := k.expr(anyOperator); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestRenderedTextIsOfTheClosedList checks the second guard: whatever the
// script says, TiDB sees placeholders, punctuation and the words of this list.
func TestRenderedTextIsOfTheClosedList(t *testing.T) {
	allowed := regexp.MustCompile(`^(?:(?:p\d+|[(),+*/%=<>-]|<>|<=|>=|<=>|DIV|AND|OR|NOT|IN|BETWEEN|IS NULL|CASE|WHEN|THEN|ELSE|END)(?: |$))*$`)
	text, err := os.ReadFile("../testdata/expressions.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for part := range strings.SplitSeq(string(text), "\n\n") {
		input, output, _ := strings.Cut(part, "\n----\n")
		if strings.HasPrefix(output, "error[") || strings.HasPrefix(input, "# ") {
			continue
		}
		n++
		if k := cut(t, input); !allowed.Match(k.out) {
			t.Errorf("%s: %s", input, k.out)
		}
	}
	if n < 250 {
		t.Errorf("only %d expressions", n)
	}
}

func TestRendered(t *testing.T) {
	for text, want := range map[string]string{
		"a - INTERVAL '1' DAY * 2 || b": "p0 - p1 * p2 DIV p3",
		"CAST(a + 1 AS STRING)":         "p0 ( p1 + p2 )",
		"x LIKE 'a' || b ESCAPE '!'":    "p0 BETWEEN p1 AND p2 DIV p3",
		"a IS NOT TRUE":                 "p0 IS NULL",
		"a IS DISTINCT FROM b":          "p0 <=> p1",
		"a NOT IN (1, (SELECT 2))":      "p0 NOT IN ( p1 , p2 )",
		"a IN (SELECT 2)":               "p0 IN ( p1 )",
		"p = NOT q = r AND s":           "p0 = p1 ( p2 = p3 ) AND p4",
		"f(a, g(b)) OVER (ORDER BY c)":  "p0 ( p1 , p2 ( p3 ) )",
		"CASE v WHEN 1, 2 THEN 3 END":   "CASE p0 WHEN p1 ( p2 , p3 ) THEN p4 END",
		"a[1 + b].f":                    "p0",
		"NOT EXISTS (SELECT 1)":         "NOT p0",
	} {
		if got := strings.TrimSpace(string(cut(t, text).out)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestTreesOfAnotherTextAreRefused checks the fourth guard: a tree whose
// pieces or operators are not those that were rendered, in that order, is
// never taken.
func TestTreesOfAnotherTextAreRefused(t *testing.T) {
	installDriver()
	for _, c := range []struct{ text, tree string }{
		{"a + b", "p1 + p0"},
		{"a + b", "p0 - p1"},
		{"a + b", "p0"},
		{"a + b", "p0 + p1 + p2"},
		{"a + b", "p0 + x"},
		{"a + b", "p0 + t.p1"},
		{"a + b", "p0 + p1()"},
		{"a + b", "p0 + p1 IS NULL"},
		{"a + b * c", "p0 * p1 + p2"},
		{"a = b", "p0 <=> p1"},
		{"a IS DISTINCT FROM b", "p0 = p1"},
		{"a IS NULL", "p0 IS NOT NULL"},
		{"a IS NULL", "NOT p0"},
		{"NOT a", "- p0"},
		{"- a", "+ p0"},
		{"a NOT IN (b)", "p0 IN (p1)"},
		{"a IN (b, c)", "p0 IN (p1)"},
		{"a BETWEEN b AND c", "p0 NOT BETWEEN p1 AND p2"},
		{"a LIKE b", "p0 BETWEEN p2 AND p1"},
		{"a LIKE b", "p0 = p1"},
		{"a BETWEEN b AND c", "p0 BETWEEN p1 AND p2 IN (p3)"},
		{"f(a)", "p0"},
		{"f(a)", "p0(p1, p1)"},
		{"f(a)", "db.p0(p1)"},
		{"CASE WHEN a THEN b END", "CASE p0 WHEN p1 THEN p1 END"},
		{"CASE WHEN a THEN b ELSE c END", "CASE WHEN p0 THEN p1 END"},
		{"a AND b", "p0 XOR p1"},
		{"a AND b", "(p0 AND p1)"},
		{"a", "COUNT(p0)"},
	} {
		k := cut(t, c.text)
		stmt, err := parser.New().ParseOneStmt("SELECT "+c.tree, "", "")
		if err != nil {
			t.Fatalf("%s: %v", c.tree, err)
		}
		b := &builder{k: k}
		x, _, err := b.expr(stmt.(*tidb.SelectStmt).Fields.Fields[0].Expr)
		if err == nil {
			err = b.finished()
		}
		if err == nil || diag.Of(err).Code != diag.Internal {
			t.Errorf("%s took the tree of %s: %v %v", c.text, c.tree, x, err)
		}
	}
}

// TestPlaces checks the span of every kind of node: exactly its text.
func TestPlaces(t *testing.T) {
	type node struct {
		part string
		pick func(ast.Expr) ast.Expr
	}
	self := func(x ast.Expr) ast.Expr { return x }
	for _, c := range []struct {
		text  string
		nodes []node
	}{
		{"  a + (b * c) ", []node{{"a + (b * c)", self}, {"b * c", func(x ast.Expr) ast.Expr { return x.(*ast.Binary).R }}}},
		{"(a) + b", []node{{"(a) + b", self}, {"a", func(x ast.Expr) ast.Expr { return x.(*ast.Binary).L }}}},
		{"- 5", []node{{"- 5", self}}},
		{"NOT a IS NOT NULL", []node{{"NOT a IS NOT NULL", self}, {"a IS NOT NULL", func(x ast.Expr) ast.Expr { return x.(*ast.Unary).X }}}},
		{"a IS JSON OBJECT AND b", []node{{"a IS JSON OBJECT", func(x ast.Expr) ast.Expr { return x.(*ast.Binary).L }}}},
		{"a LIKE b ESCAPE 'c' OR d", []node{{"a LIKE b ESCAPE 'c'", func(x ast.Expr) ast.Expr { return x.(*ast.Binary).L }}}},
		{"a IN (1, 2) = b", []node{{"a IN (1, 2)", func(x ast.Expr) ast.Expr { return x.(*ast.Binary).L }}}},
		{"a BETWEEN 1 AND (2)", []node{{"a BETWEEN 1 AND (2)", self}}},
		{"f(a)[1].b", []node{{"f(a)[1].b", self}, {"f(a)[1]", func(x ast.Expr) ast.Expr { return x.(*ast.FieldOf).X }}}},
		{"COUNT(*) FILTER (WHERE a) OVER w + 1", []node{{"COUNT(*) FILTER (WHERE a) OVER w", func(x ast.Expr) ast.Expr { return x.(*ast.Binary).L }}}},
		{"CASE a WHEN 1 THEN 2 END", []node{{"CASE a WHEN 1 THEN 2 END", self}}},
		{"CAST( a AS INT )", []node{{"CAST( a AS INT )", self}, {"a", func(x ast.Expr) ast.Expr { return x.(*ast.Cast).X }}}},
		{"(a - b) DAY", []node{{"(a - b) DAY", self}}},
		{"INTERVAL '1' DAY(3)", []node{{"INTERVAL '1' DAY(3)", self}}},
		{"a = ANY (1, 2)", []node{{"a = ANY (1, 2)", self}}},
		{"(SELECT 1)", []node{{"(SELECT 1)", self}}},
		{"t . a", []node{{"t . a", self}}},
	} {
		x, err := doorAt(c.text).Expr()
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		for _, n := range c.nodes {
			s := n.pick(x).Span()
			if got := c.text[s.Start:s.End]; got != n.part {
				t.Errorf("%s: %q, want %q", c.text, got, n.part)
			}
		}
	}
	x, _ := doorAt("a  <= b").Expr()
	if s := x.(*ast.Binary).OpPos.Pos; s != (diag.Span{Start: 3, End: 5}) {
		t.Errorf("the operator is at %v", s)
	}
}

// TestRefusedPlace checks that an error of TiDB points at the token of the
// script and shows none of TiDB's words.
func TestRefusedPlace(t *testing.T) {
	k := cut(t, "a + b * c")
	b := &builder{k: k}
	for near, want := range map[string]string{`* p2 "`: "*", `p2 "`: "c", `"`: "c"} {
		text := "SELECT " + string(k.out)
		err := diag.Of(b.refused(text, errorText(`line 1 column 9 near "`+near)))
		if got := "a + b * c"[err.Span.Start:err.Span.End]; got != want {
			t.Errorf("near %s: %q, want %q", near, got, want)
		}
		if strings.Contains(err.Msg, "near") || err.Code != diag.Syntax {
			t.Error(err)
		}
	}
	if n, ok := restOf(`line 1 column 5 near "abc ... (total length 4000)`); !ok || n != 4000 {
		t.Errorf("%d %v", n, ok)
	}
}

type errorText string

func (e errorText) Error() string { return string(e) }
