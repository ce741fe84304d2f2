package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/chzyer/readline"

	"fsql/diag"
	"fsql/sql"
)

// shell reads statements from a terminal and runs each when its line ends with
// a semicolon.
func shell(ctx context.Context, st Streams, o *options) error {
	r, err := newRunner(st, o)
	if err != nil {
		return err
	}
	r.session.SetDir(".")
	in, err := readline.NewEx(&readline.Config{Prompt: "fsql> "})
	if err != nil {
		return err
	}
	defer in.Close()
	fmt.Fprintf(st.Out, "fsql %s, dialect of Flink %s. Statements end with ; and quit leaves.\n", Version, Dialect)
	var text strings.Builder
	for {
		line, err := in.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			text.Reset()
			in.SetPrompt("fsql> ")
			continue
		case errors.Is(err, io.EOF):
			return r.close(ctx, true)
		case err != nil:
			return err
		}
		if w := strings.ToLower(strings.TrimSpace(line)); text.Len() == 0 && (w == "quit" || w == "exit") {
			return r.close(ctx, true)
		}
		text.WriteString(line + "\n")
		if !strings.HasSuffix(strings.TrimSpace(line), ";") {
			if strings.TrimSpace(text.String()) != "" {
				in.SetPrompt("   -> ")
			}
			continue
		}
		quit := r.interactive(ctx, text.String())
		text.Reset()
		in.SetPrompt("fsql> ")
		if quit {
			return r.close(ctx, true)
		}
	}
}

// interactive runs the statements of one input and reports failures without
// ending the shell.
func (r *runner) interactive(ctx context.Context, text string) (quit bool) {
	src := diag.Source{Text: text}
	in := sql.NewReader(text)
	for {
		stmt, err := in.Next()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err == nil {
			r.printed = false
			quit, err = r.statement(ctx, stmt)
			if quit {
				return true
			}
		}
		if err != nil {
			printError(r.st, r.o, err, src)
			return false
		}
	}
}
