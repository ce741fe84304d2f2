package session

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"
)

var updateFunctions = flag.Bool("update-functions", false, "rewrite "+functionsPath)

const functionsPath = "../docs/functions.md"

// TestFunctionsDocument keeps docs/functions.md equal to what the registries
// say.
func TestFunctionsDocument(t *testing.T) {
	s, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := functionsDocument(s)
	if *updateFunctions {
		if err := os.WriteFile(functionsPath, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.ReadFile(functionsPath)
	if err != nil {
		t.Fatal(err)
	}
	if string(is) != want {
		t.Errorf("%s is not current: go test ./session -run TestFunctionsDocument -update-functions rewrites it", functionsPath)
	}
}

func functionsDocument(s *Session) string {
	var b strings.Builder
	b.WriteString("# Functions\n\n" +
		"Written from the functions themselves by `go test ./session -run TestFunctionsDocument -update-functions`. `DESCRIBE FUNCTION name` says the same;\n" +
		"`SHOW FUNCTIONS` lists the names. Every example is run by a test.\n")
	named := map[string]bool{}
	for _, n := range s.Functions().Names() {
		named[n] = true
	}
	section := func(title string, want func(name string) bool) {
		fmt.Fprintf(&b, "\n## %s\n\n| name | call | what it gives | example |\n| --- | --- | --- | --- |\n", title)
		for _, f := range s.Functions().All() {
			if want(f.Name) {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(f.Name), code(f.Syntax), cell(f.Doc), code(f.Example))
			}
		}
	}
	section("Operators", func(n string) bool { return !named[n] })
	section("Scalar functions", func(n string) bool { return named[n] })
	b.WriteString("\n## Aggregate functions\n\n| name | call | what it gives | example |\n| --- | --- | --- | --- |\n")
	names := append([]string(nil), s.Aggregates().Names()...)
	sort.Strings(names)
	for _, n := range names {
		f := s.Aggregates().Lookup(n)
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(f.Name), code(f.Syntax), cell(f.Doc), code(f.Example))
	}
	return b.String()
}

// cell is a text in a table of Markdown, where a bar ends a cell.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "`", "\\`").Replace(s)
}

// code is a piece of SQL in a table of Markdown.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}
