package cli

import (
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"fsql/internal/diag"
	"fsql/internal/output"
)

// options are the flags of the command line.
type options struct {
	files       []string
	commands    []string
	inits       []string
	settings    []string
	variables   []string
	result      string
	format      string
	short       map[string]*bool // formats by flags of their own: --csv
	op          string
	errorFormat string
	output      string
	color       string
	null        string
	nullSet     bool
	noHeader    bool
	header      bool
	timeout     time.Duration
	idle        time.Duration
	until       string
	limit       int64
	keepGoing   bool
	stats       bool
	noProgress  bool
	quiet       bool
	time        bool
	verbose     bool
	noRC        bool
	help        bool
	helpAll     bool
	version     bool
}

func (o *options) flagSet() *pflag.FlagSet {
	f := pflag.NewFlagSet("fsql", pflag.ContinueOnError)
	f.SetInterspersed(true)
	f.SortFlags = false
	f.Usage = func() {}
	f.VarP(&texts{&o.commands}, "command", "c", "run these statements and leave (may be repeated)")
	f.VarP(&texts{&o.commands}, "execute", "e", "the same")
	f.StringArrayVarP(&o.files, "file", "f", nil, "run this `FILE`; - is standard input")
	f.StringArrayVarP(&o.inits, "init", "i", nil, "run this `FILE` first")
	f.BoolVarP(&o.noRC, "no-rc", "X", false, "shell: do not run fsqlrc of the config folder")
	f.StringArrayVarP(&o.settings, "set", "D", nil, "session property `key=value`, as SET does")
	f.StringArrayVarP(&o.variables, "var", "v", nil, "script variable `name=value`, used as ${name}")
	f.StringVar(&o.result, "result", "", "show `what`: final (rows left), log (changes) or live")
	f.StringVarP(&o.format, "format", "m", "", "`as` table, box, markdown, csv, tsv, json, ndjson,\ndebezium, line, arrow (an IPC stream)")
	o.short = map[string]*bool{}
	for _, name := range output.TextFormats() {
		o.short[name] = f.Bool(name, false, "short for --format "+name)
	}
	f.Lookup("json").Usage += "; of version: as JSON"
	f.StringVar(&o.op, "op", "auto", "show the row kind (+I -U +U -D): auto, always or never")
	f.StringVarP(&o.output, "output", "o", "", "write results to this `FILE`")
	f.BoolVar(&o.header, "header", true, "the line with the names of columns")
	f.BoolVar(&o.noHeader, "no-header", false, "leave the line with the names of columns out")
	f.StringVar(&o.null, "null", "", "text of NULL in tables, csv and tsv")
	f.StringVar(&o.color, "color", "auto", "auto, always or never")
	f.Int64Var(&o.limit, "limit", 0, "end a query after `N` rows (changes)")
	f.DurationVar(&o.timeout, "timeout", 0, "end every query after this time")
	f.DurationVar(&o.idle, "idle-timeout", 0, "end a query that gave no row for this time")
	f.StringVar(&o.until, "until-watermark", "", "end a query when event time has reached this moment (UTC)")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on after a failed statement")
	f.BoolVar(&o.time, "time", false, "print to standard error how long every statement took")
	f.BoolVar(&o.stats, "stats", false, "print metrics of all operators at the end")
	f.BoolVar(&o.noProgress, "no-progress", false, "no status line")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no status line, notes and greeting: errors only")
	f.StringVar(&o.errorFormat, "error-format", "text", "text or json")
	f.BoolVar(&o.verbose, "verbose", false, "log what the jobs do to standard error")
	f.BoolVarP(&o.help, "help", "h", false, "what is used most")
	f.BoolVar(&o.helpAll, "help-all", false, "everything")
	f.BoolVarP(&o.version, "version", "V", false, "print the version")
	return f
}

// inShort are the flags that --help shows; --help-all shows all.
func inShort(name string) bool {
	return slices.Contains([]string{"command", "file", "init", "set", "var", "result", "format", "output", "limit", "timeout", "stats"}, name)
}

// texts collects the values of several flags in the order they are given.
type texts struct{ to *[]string }

func (t *texts) String() string     { return "" }
func (t *texts) Type() string       { return "SQL" }
func (t *texts) Set(v string) error { *t.to = append(*t.to, v); return nil }

// parsed notes what only the parser of flags knows.
func (o *options) parsed(f *pflag.FlagSet) {
	o.nullSet = f.Changed("null")
	o.noHeader = o.noHeader || !o.header
}

// jsonAsked tells --json.
func (o *options) jsonAsked() bool { return *o.short["json"] }

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
	if o.result == "final" || o.result == "log" {
		mode = output.Mode(o.result)
	}
	if o.format != "" {
		format = output.Format(o.format)
	}
	return mode, format
}

// colored tells that standard output is shown in colours. NO_COLOR counts if it
// is not empty, as no-color.org has it.
func (o *options) colored(st Streams) bool {
	switch o.color {
	case "always":
		return true
	case "never":
		return false
	}
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	return st.OutTTY && os.Getenv("TERM") != "dumb" && o.output == "" || os.Getenv("CLICOLOR_FORCE") != ""
}

// check refuses flag values that are not among the choices.
func (o *options) check() error {
	for _, name := range output.TextFormats() {
		if *o.short[name] {
			if o.format != "" && o.format != name {
				return diag.New(diag.Usage, diag.Span{}, "two formats were asked for: %s and %s", o.format, name)
			}
			o.format = name
		}
	}
	return firstError(
		notBelowZero("--limit", o.limit),
		notBelowZero("--timeout", o.timeout),
		notBelowZero("--idle-timeout", o.idle),
		oneOf("--result", o.result, "", "final", "log", "live"),
		oneOf("--format", o.format, append(append([]string{""}, output.TextFormats()...), string(output.Arrow))...),
		oneOf("--op", o.op, "auto", "always", "never"),
		oneOf("--color", o.color, "auto", "always", "never"),
		oneOf("--error-format", o.errorFormat, "text", "json"))
}
