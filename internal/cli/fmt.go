package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"fsql/internal/diag"
	"fsql/internal/sqlfmt"
)

const aboutFmt = `
fsql fmt FILE... [--write | --check]

Lays scripts out: a clause a line where a statement is long, lists indented,
keywords in capitals. Names, literals, comments and hints stay as written, and
what is printed parses to the same statements. - is standard input.
Without a flag the result is printed.
`

// formatFiles is `fsql fmt`.
func formatFiles(_ context.Context, st Streams, o *options, args []string) error {
	f := ownFlags("fmt")
	write := f.BoolP("write", "w", false, "write the result back to the files")
	check := f.Bool("check", false, "change nothing; list the files that would change and exit with 1")
	f.StringVar(&o.errorFormat, "error-format", "text", "text or json")
	args, done, err := parseOwn(st, f, args, aboutFmt)
	if done || err != nil {
		return err
	}
	if len(args) == 0 && !st.InTTY {
		args = []string{"-"}
	}
	switch {
	case *write && *check:
		return diag.New(diag.Usage, diag.Span{}, "--write and --check exclude each other")
	case len(args) == 0:
		return diag.New(diag.Usage, diag.Span{}, "no script to lay out").WithHint("write fsql fmt script.sql; - is standard input")
	}
	var failed error
	for _, name := range args {
		text, err := readText(st, name)
		if err != nil {
			return err
		}
		laid, err := sqlfmt.Format(string(text))
		if err != nil {
			printError(st, o, err, diag.Source{Name: name, Text: string(text)})
			failed = reported{err}
			continue
		}
		same := bytes.Equal(text, []byte(laid))
		switch {
		case *check && !same:
			fmt.Fprintln(st.Out, name)
			if failed == nil {
				failed = reported{diag.New(diag.Syntax, diag.Span{}, "%s is not laid out", name)}
			}
		case *check:
		case *write && name != "-":
			if !same {
				err = replaceFile(name, laid)
			}
		default:
			_, err = io.WriteString(st.Out, laid)
		}
		if err != nil {
			return err
		}
	}
	return failed
}

func readText(st Streams, name string) ([]byte, error) {
	s, err := readScript(st, name)
	return []byte(s.src.Text), err
}

// replaceFile writes a file anew; its rights stay.
func replaceFile(name, text string) error {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "'" + name + "' cannot be written", Cause: err}
	}
	return nil
}
