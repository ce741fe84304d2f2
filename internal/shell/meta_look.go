package shell

import (
	"context"
	"strconv"
	"strings"
	"time"

	"fsql/internal/diag"
	"fsql/session"
)

// asSQL is a command that is short for a statement.
func asSQL(sql string) func(*Shell, string) error {
	return func(s *Shell, _ string) error {
		s.execute(diag.Source{Text: sql + ";"}, false)
		return nil
	}
}

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// pattern is a LIKE pattern of what a person types: * is %.
func pattern(arg string) string {
	p := strings.ReplaceAll(arg, "*", "%")
	if !strings.ContainsAny(p, "%_") {
		p = "%" + p + "%"
	}
	return p
}

func (s *Shell) tables(arg string) error {
	sql := "SHOW TABLES"
	if arg != "" {
		sql += " LIKE " + literal(pattern(arg))
	}
	return asSQL(sql)(s, "")
}

func (s *Shell) schema(arg string) error {
	if arg == "" {
		return s.tables("")
	}
	return asSQL("DESCRIBE "+arg)(s, "")
}

// functions lists them, or shows the one whose name is typed in full.
func (s *Shell) functions(arg string) error {
	name := strings.ToUpper(arg)
	if f := s.session.Functions().Lookup(name); f != nil && arg != "" {
		s.describeFunction(f.Syntax, f.Doc, f.Example)
		return nil
	}
	if f := s.session.Aggregates().Lookup(name); f != nil && arg != "" {
		s.describeFunction(f.Syntax, f.Doc, f.Example)
		return nil
	}
	list := &candidates{}
	for _, n := range append(append([]string{}, s.session.Functions().Names()...), s.session.Aggregates().Names()...) {
		if strings.Contains(n, strings.Trim(name, "%*")) {
			list.name(n)
		}
	}
	if len(list.items) == 0 {
		return diag.New(diag.UnknownFunction, diag.Span{}, "no function has '%s' in its name", arg)
	}
	s.printf("%s", columns(list.items, s.t.width(), len(list.items)))
	return nil
}

func (s *Shell) describeFunction(syntax, doc, example string) {
	s.printf("%s\n  %s\n", syntax, doc)
	if example != "" {
		s.printf("  example: %s\n", example)
	}
}

func (s *Shell) jobs(string) error {
	s.listJobs()
	return nil
}

func (s *Shell) job(arg string) error {
	j, err := s.findJob(arg)
	if err == nil {
		s.showJob(j)
	}
	return err
}

func (s *Shell) stopJob(arg string) error {
	j, err := s.findJob(arg)
	if err != nil {
		return err
	}
	if j.Done() {
		s.printf("%s\n", endLine(j))
		return nil
	}
	j.Cancel()
	return nil
}

// attach shows a job's status line again. Ctrl-C ends the showing, not the job.
func (s *Shell) attach(arg string) error {
	j, err := s.findJob(arg)
	if err != nil {
		return err
	}
	err = s.running(func(ctx context.Context) error {
		defer s.status(ctx, j.Progress, func() int64 { return written(j) })()
		ended := make(chan struct{})
		s.spawn(func() { defer close(ended); _ = j.Wait() })
		select {
		case <-ended:
			return nil
		case <-ctx.Done():
			return errCancelled
		}
	})
	if err == errCancelled {
		s.printf("Job %s goes on in the background\n", jobNumber(j))
		return nil
	}
	return err
}

func (s *Shell) watermarks(arg string) error {
	list := s.session.Jobs()
	if arg != "" {
		j, err := s.findJob(arg)
		if err != nil {
			return err
		}
		list = []*session.Job{j}
	}
	s.showWatermarks(list)
	return nil
}

func (s *Shell) explain(arg string) error {
	if arg == "" {
		return usage(".explain takes a statement")
	}
	if !strings.HasSuffix(arg, ";") {
		arg += ";"
	}
	s.execute(diag.Source{Text: "EXPLAIN " + arg}, false)
	return nil
}

func (s *Shell) plan(string) error {
	if s.last == "" {
		return usage("no statement was run yet")
	}
	text, _ := terminator(s.last)
	return s.explain(text)
}

func (s *Shell) again(string) error { return s.repeat(false) }

func (s *Shell) againExpanded(string) error { return s.repeat(true) }

func (s *Shell) repeat(expanded bool) error {
	if s.last == "" {
		return usage("no statement was run yet")
	}
	s.execute(diag.Source{Text: s.last}, expanded)
	return nil
}

// watch runs the last statement again and again until Ctrl-C, which may come
// while it runs, or until it fails.
func (s *Shell) watch(arg string) error {
	every := 2.0
	if arg != "" {
		var err error
		if every, err = strconv.ParseFloat(arg, 64); err != nil || every <= 0 {
			return usage(".watch takes a number of seconds, not '%s'", arg)
		}
	}
	if s.last == "" {
		return usage("no statement was run yet")
	}
	for {
		began := time.Now()
		s.printf("%s (every %gs)\n", began.Format(time.DateTime), every)
		if _, ok := s.execute(diag.Source{Text: s.last}, false); !ok {
			return nil
		}
		err := s.running(func(ctx context.Context) error {
			select {
			case <-ctx.Done():
				return errCancelled
			case <-time.After(time.Duration(every*float64(time.Second)) - time.Since(began)):
				return nil
			}
		})
		if err != nil {
			return nil
		}
	}
}

func (s *Shell) listHistory(arg string) error {
	n := 20
	if arg != "" {
		var err error
		if n, err = strconv.Atoi(arg); err != nil || n < 1 {
			return usage(".history takes a number of statements, not '%s'", arg)
		}
	}
	for _, h := range s.history.entries[max(0, len(s.history.entries)-n):] {
		s.printf("%s\n", h)
	}
	return nil
}
