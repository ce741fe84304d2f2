package ftest

import (
	"fmt"
	"maps"
	"strings"
)

// Recovery is the directives about failures: "checkpoint", "crash",
// "savepoint NAME" and "restore NAME [parallelism=n]".
type Recovery struct {
	verbatim
	What        string
	Name        string
	Parallelism string
}

func recoveryDirective(what string) func(*reader, Place, words) (Record, error) {
	named := what == "savepoint" || what == "restore"
	return func(r *reader, _ Place, args words) (Record, error) {
		rec := &Recovery{What: what, Parallelism: args.get("parallelism")}
		var allowed []string
		if what == "restore" || what == "crash" {
			allowed = append(allowed, "parallelism")
		}
		if err := args.allow(allowed...); err != nil {
			return nil, r.errorf("%v", err)
		}
		if !named {
			if err := args.noPlain(); err != nil {
				return nil, r.errorf("%v", err)
			}
			return rec, nil
		}
		if len(args.plain) != 1 {
			return nil, r.errorf("%s takes the name of a savepoint", what)
		}
		rec.Name = args.plain[0]
		return rec, nil
	}
}

// Let is the directive "let NAME=VALUE": ${NAME} below stands for the value.
type Let struct{ verbatim }

func parseLet(r *reader, _ Place, args words) (Record, error) {
	if err := args.noPlain(); err != nil {
		return nil, r.errorf("write let NAME=VALUE")
	}
	for _, s := range args.settings {
		if strings.ContainsAny(s.Value, "\n") {
			return nil, r.errorf("a value is one line")
		}
		r.let(s.Key, s.Value)
	}
	return &Let{}, nil
}

// let puts a value into the lines that follow.
func (r *reader) let(name, value string) {
	if r.vars == nil {
		r.vars = map[string]string{}
	}
	r.vars[name] = value
	for i := r.at; i < len(r.lines); i++ {
		r.lines[i] = strings.ReplaceAll(r.lines[i], "${"+name+"}", value)
	}
}

// Include is the directive "include FILE": the records of another file. Vars
// are the values that hold there.
type Include struct {
	verbatim
	File string
	Vars map[string]string
}

func parseInclude(r *reader, _ Place, args words) (Record, error) {
	if err := args.one("include", "a file"); err != nil {
		return nil, r.errorf("%v", err)
	}
	return &Include{File: args.plain[0], Vars: maps.Clone(r.vars)}, nil
}

// Subtest is the directive "subtest NAME": a fresh start; what stands above the
// first one is run before each of them.
type Subtest struct {
	verbatim
	Name string
}

func parseSubtest(r *reader, _ Place, args words) (Record, error) {
	if len(args.plain) == 0 {
		return nil, r.errorf("subtest takes a name")
	}
	if err := args.allow(); err != nil {
		return nil, r.errorf("%v", err)
	}
	return &Subtest{Name: args.join(0)}, nil
}

// Condition is the directives that leave the rest of a test out: "skip REASON",
// "only engine=NAME" and "require WHAT".
type Condition struct {
	verbatim
	What   string
	Reason string
	Engine string
}

func conditionDirective(what string) func(*reader, Place, words) (Record, error) {
	return func(r *reader, _ Place, args words) (Record, error) {
		c := &Condition{What: what, Reason: args.join(0), Engine: args.get("engine")}
		var allowed []string
		if what == "only" {
			allowed = append(allowed, "engine")
		}
		if err := args.allow(allowed...); err != nil {
			return nil, r.errorf("%v", err)
		}
		if c.Reason == "" && c.Engine == "" {
			return nil, r.errorf("%s: of what?", what)
		}
		return c, nil
	}
}

// one wants exactly one plain word.
func (w words) one(directive, what string) error {
	if len(w.plain) != 1 {
		return fmt.Errorf("%s takes %s", directive, what)
	}
	return nil
}

// none wants neither words nor settings.
func (w words) none() error {
	if err := w.allow(); err != nil {
		return err
	}
	return w.noPlain()
}

// join is the plain words from the i-th on, parted by a blank.
func (w words) join(i int) string { return strings.Join(w.plain[min(i, len(w.plain)):], " ") }

// yes reads a setting that is yes or no.
func (w words) yes(key string) (bool, error) {
	switch v := w.get(key); v {
	case "", "no":
		return false, nil
	case "yes":
		return true, nil
	default:
		return false, fmt.Errorf("%s is yes or no, not %s", key, v)
	}
}
