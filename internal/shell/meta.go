package shell

import (
	"strings"

	"fsql/internal/diag"
)

// meta is a command of the shell: what one types when it is no SQL. Each has
// the names of both families, those of sqlite and those of psql.
type meta struct {
	group   string // of .help
	names   []string
	args    string // as .help shows them
	doc     string
	takes   takes
	choices []string // of takesWord
	run     func(s *Shell, arg string) error
}

// takes says what an argument is, for completion.
type takes uint8

const (
	takesNothing takes = iota
	takesFile
	takesTable
	takesWord
	takesSQL
	takesSaved
)

// metas are all commands in the order .help shows them. The ones that end the
// shell have no function.
func metas() []meta {
	onOff := []string{"on", "off"}
	return []meta{
		{group: "tables", names: []string{".tables", `\dt`}, args: "[PATTERN]", doc: "tables and views", run: (*Shell).tables},
		{group: "tables", names: []string{".schema", `\d`}, args: "[TABLE]", doc: "columns of a table or view", takes: takesTable, run: (*Shell).schema},
		{group: "tables", names: []string{".views", `\dv`}, doc: "views", run: asSQL("SHOW VIEWS")},
		{group: "tables", names: []string{".functions", `\df`}, args: "[PATTERN]", doc: "functions; one of that name with its use", run: (*Shell).functions},
		{group: "tables", names: []string{".catalogs", `\l`}, doc: "catalogs", run: asSQL("SHOW CATALOGS")},
		{group: "results", names: []string{".mode"}, args: "[MODE]", doc: "how results are shown: " + strings.Join(modes(), ", "), takes: takesWord, choices: modes(), run: (*Shell).mode},
		{group: "results", names: []string{".op"}, args: "auto|always|never", doc: "show the row kind (+I -U +U -D)", takes: takesWord, choices: []string{"auto", "always", "never"}, run: (*Shell).op},
		{group: "results", names: []string{".expanded", `\x`}, args: "[on|off|auto]", doc: "rows as blocks of lines; auto: when they are too wide", takes: takesWord, choices: []string{"on", "off", "auto"}, run: (*Shell).expanded},
		{group: "results", names: []string{".timer", `\timing`}, args: "[on|off]", doc: "how long statements take", takes: takesWord, choices: onOff, run: (*Shell).timer},
		{group: "results", names: []string{".output", `\o`}, args: "[FILE]", doc: "write results to a file; without one: to the screen again", takes: takesFile, run: (*Shell).output},
		{group: "results", names: []string{".once"}, args: "FILE", doc: "write the next result to a file", takes: takesFile, run: (*Shell).once},
		{group: "statement", names: []string{".watch", `\watch`}, args: "[SECONDS]", doc: "run the last statement again and again", run: (*Shell).watch},
		{group: "statement", names: []string{".print", `\p`}, doc: "print the statement typed so far, or the last one", run: (*Shell).print},
		{group: "statement", names: []string{".edit", `\e`}, doc: "edit it in $EDITOR", run: (*Shell).editLast},
		{group: "statement", names: []string{".reset", `\r`}, doc: "drop the statement typed so far", run: func(*Shell, string) error { return nil }},
		{group: "statement", names: []string{`\g`}, doc: "run the last statement again; ends a statement like ;", run: (*Shell).again},
		{group: "statement", names: []string{`\G`, `\gx`}, doc: "the same with rows as blocks of lines", run: (*Shell).againExpanded},
		{group: "statement", names: []string{".history", `\s`}, args: "[N]", doc: "statements that were run", run: (*Shell).listHistory},
		{group: "statement", names: []string{".save"}, args: "NAME", doc: "keep the last statement under a name", run: (*Shell).save},
		{group: "statement", names: []string{".run"}, args: "[NAME]", doc: "run a statement that was saved; without a name: list them", takes: takesSaved, run: (*Shell).runSaved},
		{group: "plans", names: []string{".explain"}, args: "QUERY", doc: "the plan of a statement", takes: takesSQL, run: (*Shell).explain},
		{group: "plans", names: []string{".plan"}, doc: "the plan of the last statement", run: (*Shell).plan},
		{group: "jobs", names: []string{".jobs"}, doc: "jobs of INSERT statements", run: (*Shell).jobs},
		{group: "jobs", names: []string{".job"}, args: "ID", doc: "one job, step by step", run: (*Shell).job},
		{group: "jobs", names: []string{".stop"}, args: "ID", doc: "stop a job", run: (*Shell).stopJob},
		{group: "jobs", names: []string{".attach"}, args: "ID", doc: "follow a job on the status line until Ctrl-C", run: (*Shell).attach},
		{group: "jobs", names: []string{".wm"}, args: "[ID]", doc: "watermarks of the jobs' sources", run: (*Shell).watermarks},
		{group: "shell", names: []string{".help", `\?`}, args: "[COMMAND|all]", doc: "the commands; what one does; what all do", run: (*Shell).help},
		{group: "shell", names: []string{".read", `\i`}, args: "FILE", doc: "run a script", takes: takesFile, run: (*Shell).read},
		{group: "shell", names: []string{".shell", `\!`}, args: "COMMAND", doc: "run a command of the system", run: (*Shell).system},
		{group: "shell", names: []string{".cd", `\cd`}, args: "[DIR]", doc: "where relative paths start", takes: takesFile, run: (*Shell).chdir},
		{group: "shell", names: []string{".set", `\set`}, doc: "settings that were SET", run: asSQL("SET")},
		{group: "shell", names: []string{".bail"}, args: "[on|off]", doc: "whether the first error ends a script (on)", takes: takesWord, choices: onOff, run: (*Shell).bail},
		{group: "shell", names: []string{".version"}, doc: "version", run: func(s *Shell, _ string) error { s.printf("%s\n", s.cfg.Version); return nil }},
		{group: "shell", names: []string{".quit", ".exit", `\q`}, doc: "leave (also quit, exit, Ctrl-D)"},
	}
}

// findMeta finds a command by one of its names, or by the begin of one when
// only one command begins so.
func findMeta(metas []meta, name string) (*meta, error) {
	var found []string
	var one *meta
	var all []string
	for i := range metas {
		m := &metas[i]
		begins := ""
		for _, n := range m.names {
			if n == name {
				return m, nil
			}
			all = append(all, n)
			if name[0] == '.' && strings.HasPrefix(n, name) && begins == "" {
				begins = n
			}
		}
		if begins != "" {
			found, one = append(found, begins), m
		}
	}
	switch len(found) {
	case 1:
		return one, nil
	case 0:
		e := diag.New(diag.Usage, diag.Span{}, "there is no command %s", name)
		if near := diag.Nearest(name, all); near != "" {
			return nil, e.WithHint("did you mean %s?", near)
		}
		return nil, e.WithHint(".help lists the commands")
	}
	return nil, diag.New(diag.Usage, diag.Span{}, "%s may be %s", name, strings.Join(found, ", "))
}

// command runs a command of the shell.
func (s *Shell) command(line string) (quit, ok bool) {
	line = strings.TrimSpace(line)
	// \d+ and the like: what psql's users type for more detail is the same.
	name, arg, _ := strings.Cut(line, " ")
	if strings.HasPrefix(name, `\`) {
		name = strings.TrimRight(name, "+;")
	}
	if strings.HasPrefix(name, `\!`) {
		name, arg = `\!`, strings.TrimPrefix(line, `\!`)
	}
	m, err := findMeta(s.metas, strings.TrimSuffix(name, ";"))
	if err == nil && m.run == nil {
		return true, true
	}
	if err == nil {
		arg = strings.TrimSpace(arg)
		if m.takes != takesSQL {
			arg = strings.TrimSuffix(arg, ";")
		}
		err = m.run(s, arg)
	}
	if err != nil {
		s.fail(err, diag.Source{})
	}
	return false, err == nil
}

func usage(format string, args ...any) *diag.Error {
	return diag.New(diag.Usage, diag.Span{}, format, args...)
}

// choice checks an argument that is one of a few words, which may be shortened.
func choice(arg string, choices ...string) (string, error) {
	for _, c := range choices {
		if strings.EqualFold(arg, c) {
			return c, nil
		}
	}
	for _, c := range choices {
		if arg != "" && strings.HasPrefix(c, strings.ToLower(arg)) {
			return c, nil
		}
	}
	e := usage("'%s' is none of %s", arg, strings.Join(choices, ", "))
	if near := diag.Nearest(arg, choices); near != "" {
		e.WithHint("did you mean %s?", near)
	}
	return "", e
}
