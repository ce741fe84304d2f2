package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fsql/internal/diag"
	"fsql/session"
	"fsql/sql"
	"fsql/sql/ast"
)

const aboutCheck = `
fsql check FILE... [name=value ...]

Parses and plans the statements of scripts and runs none of them; - is standard
input. Every error of a script is shown. Exit status: 0 fine, 1 errors.
`

// checkFiles is `fsql check`.
func checkFiles(ctx context.Context, st Streams, o *options, args []string) error {
	f := ownFlags("check")
	f.StringArrayVarP(&o.settings, "set", "D", nil, "session property `key=value`, as SET does")
	f.StringArrayVarP(&o.variables, "var", "v", nil, "script variable `name=value`, used as ${name}")
	f.StringVar(&o.errorFormat, "error-format", "text", "text or json")
	args, done, err := parseOwn(st, f, args, aboutCheck)
	if done || err != nil {
		return err
	}
	if err := oneOf("--error-format", o.errorFormat, "text", "json"); err != nil {
		return err
	}
	list, err := scripts(Streams{In: st.In, InTTY: true}, o, args)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return diag.New(diag.Usage, diag.Span{}, "no script to check").WithHint("write fsql check script.sql; - is standard input")
	}
	settings, err := pairs("--set", o.settings)
	if err != nil {
		return err
	}
	var first error
	errs, files := 0, 0
	for _, s := range list {
		sess, err := session.New(session.Config{Dir: s.dir, Settings: settings})
		if err != nil {
			return err
		}
		found := checkScript(ctx, sess, s)
		for _, e := range found {
			printError(st, o, e, s.src)
			if first == nil {
				first = e
			}
		}
		if errs += len(found); len(found) > 0 {
			files++
		}
	}
	if first == nil {
		return nil
	}
	if o.errorFormat == "text" {
		fmt.Fprintf(st.Err, "%s in %d of %s\n", count(errs, "error"), files, count(len(list), "script"))
	}
	return reported{diag.New(diag.Syntax, diag.Span{}, "errors")} // whatever they are: exit status 1
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// checkScript returns every error of a script but those that only follow from
// another one: a table whose CREATE failed is not missed again.
func checkScript(ctx context.Context, s *session.Session, in script) []error {
	var found []error
	failed := map[string]bool{} // names whose CREATE was refused
	for r := sql.NewReader(in.src.Text); ; {
		stmt, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		parsed := err == nil
		if parsed {
			if c, ok := stmt.(*ast.ClientCommand); ok && (c.Word == "QUIT" || c.Word == "EXIT") {
				return found
			}
			err = s.Check(ctx, stmt)
		}
		if err == nil {
			continue
		}
		if parsed {
			if name := created(stmt); name != "" {
				failed[name] = true
			}
		} else if name := beginning(in.src.Text, diag.Of(err)); name != "" {
			failed[name] = true
		}
		if !follows(err, in.src.Text, failed) {
			found = append(found, err)
		}
	}
}

// created is the name of what a statement would have created.
func created(stmt ast.Statement) string {
	switch s := stmt.(type) {
	case *ast.CreateTable:
		return last(s.Name)
	case *ast.CreateView:
		return last(s.Name)
	}
	return ""
}

func last(p ast.Path) string { return p.Parts[len(p.Parts)-1].Text }

// follows says that an error is about a name whose CREATE has failed.
func follows(err error, text string, failed map[string]bool) bool {
	e := diag.Of(err)
	if e.Code != diag.UnknownTable || e.Span.End > len(text) {
		return false
	}
	return failed[tail(text[e.Span.Start:e.Span.End])]
}
