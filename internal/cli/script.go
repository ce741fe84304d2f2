package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/diag"
	"fsql/session"
)

// script is a text to run and where relative paths in it start.
type script struct {
	src  diag.Source
	dir  string
	path string // absolute, of a file
}

// scripts collects what the command line asks to run, in order: -c, -f, files,
// else standard input.
func scripts(st Streams, o *options, args []string) ([]script, error) {
	vars, err := pairs("--var", o.variables)
	if err != nil {
		return nil, err
	}
	var files []string
	files = append(files, o.files...)
	for _, a := range args {
		if k, v, found := strings.Cut(a, "="); found && k != "" && !strings.ContainsAny(k, `/\.`) {
			vars[k] = v
		} else {
			files = append(files, a)
		}
	}
	var out []script
	for _, f := range o.inits {
		if len(o.commands)+len(files) == 0 && st.InTTY {
			break // the shell runs them
		}
		s, err := readScript(st, f)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	inits := len(out)
	for _, c := range o.commands {
		out = append(out, script{src: diag.Source{Text: c}, dir: "."})
	}
	for _, f := range files {
		s, err := readScript(st, f)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(out) == inits && !st.InTTY {
		s, err := readScript(st, "-")
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	for i := range out {
		text, err := expand(out[i].src.Text, vars)
		if err != nil {
			return nil, placed{err, out[i].src}
		}
		out[i].src.Text = text
	}
	return out, nil
}

// placed is an error with the text that its place is in.
type placed struct {
	error
	src diag.Source
}

func (p placed) Unwrap() error { return p.error }

func readScript(st Streams, name string) (script, error) {
	if name == "-" {
		text, err := io.ReadAll(st.In)
		if err != nil {
			return script{}, &diag.Error{Code: diag.InputOutput, Msg: "standard input cannot be read", Cause: err}
		}
		return script{src: diag.Source{Name: "stdin", Text: string(text)}, dir: "."}, nil
	}
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		e := diag.New(diag.NoSuchFile, diag.Span{}, "there is no script '%s'", name).
			WithHint("paths on the command line start in the current folder")
		var known []string
		for _, c := range commands() {
			known = append(known, c.name)
		}
		if near := diag.Nearest(name, known); near != "" {
			e.WithLabel("did you mean the command fsql %s?", near)
		}
		return script{}, e
	}
	if err != nil {
		return script{}, &diag.Error{Code: diag.InputOutput, Msg: "the script '" + name + "' cannot be read", Cause: err}
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return script{}, &diag.Error{Code: diag.InputOutput, Msg: "the path of the script '" + name + "' cannot be resolved", Cause: err}
	}
	return script{src: diag.Source{Name: filepath.Base(name), Text: string(text)}, dir: filepath.Dir(name), path: path}, nil
}

// expand puts in the values of ${name}. Without variables on the command line a
// script may use ${...} in its texts for something else.
func expand(text string, vars map[string]string) (string, error) {
	if len(vars) == 0 {
		return text, session.Unset(text)
	}
	return session.Expand(text, vars)
}
