package cli

import (
	"strings"
	"time"

	"github.com/spf13/pflag"

	"fsql/internal/diag"
	"fsql/internal/output"
)

// options are the flags of the command line.
type options struct {
	files       []string
	commands    []string
	settings    []string
	variables   []string
	result      string
	format      string
	op          string
	errorFormat string
	output      string
	timeout     time.Duration
	limit       int64
	keepGoing   bool
	stats       bool
	verbose     bool
	json        bool
	csv, ndjson bool
	table       bool
	help        bool
	version     bool
}

func (o *options) flagSet() *pflag.FlagSet {
	f := pflag.NewFlagSet("fsql", pflag.ContinueOnError)
	f.SetInterspersed(true)
	f.SortFlags = false
	f.Usage = func() {}
	f.StringArrayVarP(&o.commands, "command", "c", nil, "run these statements and leave (may be repeated)")
	f.StringArrayVarP(&o.files, "file", "f", nil, "run this script; - is standard input")
	f.StringArrayVarP(&o.settings, "set", "D", nil, "session property key=value, as SET does")
	f.StringArrayVarP(&o.variables, "var", "v", nil, "script variable name=value, used as ${name}")
	f.StringVar(&o.result, "result", "", "how a result is shown: final (the rows left at the end) or log (every change)")
	f.StringVarP(&o.format, "format", "m", "", "csv, table, ndjson or arrow (an IPC stream)")
	f.BoolVar(&o.csv, "csv", false, "short for --format csv")
	f.BoolVar(&o.table, "table", false, "short for --format table")
	f.BoolVar(&o.ndjson, "ndjson", false, "short for --format ndjson")
	f.StringVar(&o.op, "op", "auto", "show the row kind (+I -U +U -D): auto, always or never")
	f.StringVarP(&o.output, "output", "o", "", "write results to this file")
	f.Int64Var(&o.limit, "limit", 0, "end a query after this many rows (changes)")
	f.DurationVar(&o.timeout, "timeout", 0, "end every query after this time")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on after a failed statement")
	f.BoolVar(&o.stats, "stats", false, "print metrics of every operator to standard error at the end")
	f.StringVar(&o.errorFormat, "error-format", "text", "text or json")
	f.BoolVar(&o.verbose, "verbose", false, "log what the jobs do to standard error")
	f.BoolVar(&o.json, "json", false, "machine-readable output of version")
	f.BoolVarP(&o.help, "help", "h", false, "this text")
	f.BoolVarP(&o.version, "version", "V", false, "print the version")
	return f
}

// choose says how a result is printed: flags first, else by whether the result
// ends and who reads it.
func (o *options) choose(st Streams, bounded bool) (output.Mode, output.Format) {
	mode, format := output.Log, output.NDJSON
	if bounded {
		mode, format = output.Final, output.CSV
	}
	if st.OutTTY {
		format = output.Table
	}
	if o.result != "" {
		mode = output.Mode(o.result)
	}
	if o.format != "" {
		format = output.Format(o.format)
	}
	return mode, format
}

// check refuses flag values that are not among the choices.
func (o *options) check() error {
	for _, short := range []struct {
		set  bool
		name string
	}{{o.csv, "csv"}, {o.table, "table"}, {o.ndjson, "ndjson"}} {
		if short.set {
			if o.format != "" && o.format != short.name {
				return diag.New(diag.Usage, diag.Span{}, "two formats were asked for: %s and %s", o.format, short.name)
			}
			o.format = short.name
		}
	}
	return firstError(
		notBelowZero("--limit", o.limit),
		notBelowZero("--timeout", o.timeout),
		oneOf("--result", o.result, "", "final", "log"),
		oneOf("--format", o.format, "", "csv", "table", "ndjson", "arrow"),
		oneOf("--op", o.op, "auto", "always", "never"),
		oneOf("--error-format", o.errorFormat, "text", "json"))
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func notBelowZero[T int64 | time.Duration](flag string, n T) error {
	if n >= 0 {
		return nil
	}
	return diag.New(diag.Usage, diag.Span{}, "%s does not take %v: it must not be below 0", flag, n)
}

func oneOf(flag, got string, choices ...string) error {
	for _, c := range choices {
		if got == c {
			return nil
		}
	}
	var list []string
	for _, c := range choices {
		if c != "" {
			list = append(list, c)
		}
	}
	e := diag.New(diag.Usage, diag.Span{}, "%s does not take '%s'", flag, got).WithHint("choices: %s", strings.Join(list, ", "))
	if near := diag.Nearest(got, list); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e
}

// pairs splits key=value arguments.
func pairs(flag string, args []string) (map[string]string, error) {
	out := map[string]string{}
	for _, a := range args {
		k, v, found := strings.Cut(a, "=")
		if !found || k == "" {
			return nil, diag.New(diag.Usage, diag.Span{}, "%s takes key=value, not '%s'", flag, a)
		}
		out[k] = v
	}
	return out, nil
}
