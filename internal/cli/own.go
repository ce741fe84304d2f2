package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"fsql/internal/diag"
)

// ownFlags is the flag set of a command that does not run scripts: its flags
// are its own, so that -v may mean something else than for `fsql run`.
func ownFlags(name string) *pflag.FlagSet {
	f := pflag.NewFlagSet("fsql "+name, pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	return f
}

// parseOwn parses the flags of a command. done tells that its help was printed.
func parseOwn(st Streams, f *pflag.FlagSet, args []string, about string) (rest []string, done bool, err error) {
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		_, err = fmt.Fprintf(st.Out, "%s\n\nFlags:\n%s", strings.TrimSpace(about), f.FlagUsages())
		return nil, true, err
	case err != nil:
		e := usageError(f, err)
		diag.Of(e).Hint = f.Name() + " --help lists the flags"
		return nil, false, e
	}
	return f.Args(), false, nil
}
