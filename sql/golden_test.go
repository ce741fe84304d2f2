package sql

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/diag"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata")

// record is an input with its expected output. In a file the input ends at
// "----", the output at an empty line; lines that start with "# " are comments.
type record struct{ comment, input, output string }

func records(text string) []record {
	var list []record
	for _, part := range strings.Split(strings.TrimRight(text, "\n")+"\n", "\n\n") {
		var r record
		for strings.HasPrefix(part, "# ") {
			line, rest, _ := strings.Cut(part, "\n")
			r.comment += line + "\n"
			part = rest
		}
		input, output, _ := strings.Cut("\n"+part+"\n", "\n----\n")
		r.input = strings.TrimPrefix(input, "\n")
		r.output = strings.TrimRight(output, "\n")
		list = append(list, r)
	}
	return list
}

// golden runs the records of a file.
func golden(t *testing.T, name string, run func(input string) string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, r := range records(string(text)) {
		got := strings.TrimRight(run(r.input), "\n")
		if got != r.output && !*update {
			t.Errorf("%s: %s\n got: %s\nwant: %s", name, r.input, got, r.output)
		}
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(r.comment + r.input + "\n----\n" + got + "\n")
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// refusal renders an error as users see it.
func refusal(err error, text string) string {
	return diag.Render(err, diag.Source{Name: "script.sql", Text: text})
}

func TestExpressions(t *testing.T) {
	golden(t, "expressions.txt", func(input string) string {
		x, err := ParseExpr(input)
		if err != nil {
			return refusal(err, input)
		}
		return FormatExpr(x)
	})
}

func TestStatements(t *testing.T) {
	for _, name := range []string{"queries.txt", "ddl.txt", "other_statements.txt"} {
		golden(t, name, func(input string) string {
			s, err := NewReader(input).Next()
			if err != nil {
				return refusal(err, input)
			}
			printed(t, name, s)
			return FormatStatement(s)
		})
	}
}

func TestErrors(t *testing.T) {
	golden(t, "errors.txt", func(input string) string {
		_, err := Parse(input)
		if err == nil {
			return "no error"
		}
		return refusal(err, input)
	})
}

func TestTypes(t *testing.T) {
	golden(t, "types.txt", func(input string) string {
		typ, err := ParseType(input)
		if err != nil {
			return refusal(err, input)
		}
		return typ.String()
	})
}

func TestSplit(t *testing.T) {
	golden(t, "split.txt", func(input string) string {
		var b strings.Builder
		for r := NewReader(input); ; {
			s, err := r.Next()
			switch {
			case err == nil:
				b.WriteString(input[s.Span().Start:s.Span().End] + "\n")
			case err.Error() == "EOF":
				return b.String()
			default:
				b.WriteString(err.Error() + "\n")
			}
		}
	})
}
