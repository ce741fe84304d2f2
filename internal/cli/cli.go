// Package cli is the fsql command: it reads flags, runs scripts and prints
// results and errors. cmd/fsql only calls Main, so that tests can run whole
// command lines in process.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"fsql/internal/diag"
)

// Streams are the process's standard streams and what is known of them.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// InTTY, OutTTY and ErrTTY tell that a person is at the other end.
	InTTY, OutTTY, ErrTTY bool
}

// command is one word after fsql.
type command struct {
	name string
	args string
	doc  string
	run  func(ctx context.Context, st Streams, o *options, args []string) error
	// own: the command parses its flags itself and must be the first word.
	own bool
}

func commands() []command {
	return []command{
		{name: "run", args: "FILE [name=value ...]", doc: "run a script (the default)", run: runFiles},
		{name: "explain", args: "FILE", doc: "show the plans of its statements", run: explainFiles},
		{name: "test", args: "[PATH...]", doc: "run tests of SQL", run: runTests, own: true},
		{name: "check", args: "FILE...", doc: "parse and plan scripts, run nothing", run: checkFiles, own: true},
		{name: "fmt", args: "FILE... [--write|--check]", doc: "lay scripts out", run: formatFiles, own: true},
		{name: "help", args: "[COMMAND]", doc: "what fsql or a command takes", run: printHelp, own: true},
		{name: "version", doc: "print the version", run: printVersion},
	}
}

// Main runs one command line (without the program's name) and returns the exit
// status. ctx ends the run (Ctrl-C).
func Main(ctx context.Context, args []string, st Streams) int {
	o := &options{}
	for _, c := range commands() {
		if c.own && len(args) > 0 && c.name == args[0] {
			return report(st, o, c.run(ctx, st, o, args[1:]))
		}
	}
	flags := o.flagSet()
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			fmt.Fprint(st.Out, usage(flags, false))
			return diag.ExitOK
		}
		return report(st, o, usageError(flags, err))
	}
	o.parsed(flags)
	if o.help || o.helpAll {
		fmt.Fprint(st.Out, usage(flags, o.helpAll))
		return diag.ExitOK
	}
	if o.version {
		return report(st, o, printVersion(ctx, st, o, nil))
	}
	rest := flags.Args()
	if len(rest) > 0 {
		for _, c := range commands() {
			if c.name == rest[0] {
				return report(st, o, c.run(ctx, st, o, rest[1:]))
			}
		}
	}
	return report(st, o, runFiles(ctx, st, o, rest))
}

// reported is an error that was printed where its text was at hand.
type reported struct{ error }

func (r reported) Unwrap() error { return r.error }

// report prints an error that has no place in a script and returns the status.
func report(st Streams, o *options, err error) int {
	var done reported
	switch {
	case err == nil:
		return diag.ExitOK
	case broken(err):
		// The reader went away: a pipe that was closed early is no failure.
		return diag.ExitOK
	case errors.As(err, &done):
		return diag.ExitStatus(done.error)
	}
	printError(st, o, err, diag.Source{})
	return diag.ExitStatus(err)
}

func printError(st Streams, o *options, err error, src diag.Source) {
	var p placed
	if errors.As(err, &p) {
		err, src = p.error, p.src
	}
	if o.errorFormat == "json" {
		fmt.Fprint(st.Err, diag.JSON(err, src))
		return
	}
	fmt.Fprint(st.Err, diag.Render(err, src))
}

// usageError turns pflag's complaint into one that names the nearest flag.
func usageError(flags *pflag.FlagSet, err error) error {
	e := diag.New(diag.Usage, diag.Span{}, "%s", err)
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if _, bad, found := strings.Cut(err.Error(), "unknown flag: --"); found {
		if near := diag.Nearest(bad, names); near != "" {
			e.WithLabel("did you mean --%s?", near)
		}
	}
	return e.WithHint("fsql --help lists the flags")
}

// printHelp is `fsql help`.
func printHelp(ctx context.Context, st Streams, o *options, args []string) error {
	for _, c := range commands() {
		if c.own && len(args) > 0 && c.name == args[0] && c.name != "help" {
			return c.run(ctx, st, o, []string{"--help"})
		}
	}
	_, err := fmt.Fprint(st.Out, usage(o.flagSet(), false))
	return err
}

// usage fits a screen of 24 lines unless all is asked for.
func usage(flags *pflag.FlagSet, all bool) string {
	var b strings.Builder
	b.WriteString("fsql runs Flink SQL: one process, no cluster. Without a script it opens a shell.\n\n")
	b.WriteString("  fsql [flags] FILE [name=value ...]   fsql -c \"SQL\"   cat script.sql | fsql\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  fsql %-7s %-26s %s\n", c.name, c.args, c.doc)
	}
	b.WriteString("\nFlags (--help-all shows all):\n")
	if all {
		b.Reset()
		b.WriteString("Flags:\n" + flags.FlagUsages())
		b.WriteString("\nWithout flags a result whose inputs all end is printed when they have ended (--result final),\n")
		b.WriteString("an endless one change by change (--result log); as a table on a terminal, else as csv or ndjson.\n")
		b.WriteString("Exit status: 0 ok (also after --limit and the like), 1 SQL is refused, 2 the command line is\n")
		b.WriteString("wrong, 4 a job failed, 5 a file cannot be read or written, 130 Ctrl-C.\n")
		return b.String()
	}
	short := pflag.NewFlagSet("", pflag.ContinueOnError)
	short.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		if inShort(f.Name) {
			short.AddFlag(f)
		}
	})
	b.WriteString(short.FlagUsages())
	return b.String()
}
