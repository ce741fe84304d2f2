package cli

import (
	"context"
	"fmt"
	"os"

	"fsql/internal/diag"
	"fsql/internal/shell"
	"fsql/session"
)

// runShell is fsql without a script on a terminal.
func runShell(ctx context.Context, st Streams, o *options) error {
	settings, err := pairs("--set", o.settings)
	if err != nil {
		return err
	}
	in, inOK := st.In.(*os.File)
	out, outOK := st.Out.(*os.File)
	errs, errOK := st.Err.(*os.File)
	if !inOK || !outOK || !errOK {
		return diag.New(diag.Usage, diag.Span{}, "the shell needs a terminal").WithHint("give a script: fsql FILE or fsql -c \"SQL\"")
	}
	if o.idle > 0 || o.timeout > 0 || o.limit > 0 || o.until != "" {
		return diag.New(diag.Usage, diag.Span{}, "--limit, --timeout, --idle-timeout and --until-watermark are for scripts").
			WithHint("in the shell Ctrl-C ends a query")
	}
	banner := fmt.Sprintf("fsql %s, dialect of Flink %s\nType .help for help, quit to leave.", Version, Dialect)
	if o.quiet {
		banner = ""
	}
	return shell.Run(ctx, shell.Config{
		In: in, Out: out, Err: errs,
		Session: session.Config{Dir: ".", Settings: settings},
		Verbose: o.verbose,
		Version: versionLine(),
		Banner:  banner,
		Init:    o.inits, NoRC: o.noRC,
		Result: o.result, Format: o.format, Op: opFlag(o.op),
	})
}

// opFlag is --op as the shell takes it.
func opFlag(op string) string {
	if op == "auto" {
		return ""
	}
	return op
}
