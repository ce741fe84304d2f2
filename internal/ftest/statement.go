package ftest

import "strings"

// statements reads SQL that ends at the first blank line behind a semicolon.
func (r *reader) statements() (string, error) {
	from := r.at
	for {
		r.paragraph()
		ended := r.at > from && strings.HasSuffix(strings.TrimRight(r.lines[r.at-1], " \t"), ";")
		if ended {
			return joinLines(r.lines[from:r.at]), nil
		}
		if r.atEnd() || r.at+1 < len(r.lines) && r.directiveAt(r.at+1) {
			r.at = from
			return "", r.errorf("the SQL of this record must end with a semicolon")
		}
		r.next() // a blank line within a statement
	}
}

// sqlAndExpected reads SQL up to the separator, then what is expected.
func (r *reader) sqlAndExpected() (string, Expected, error) {
	from := r.at
	for !r.separatorsFollow(1) {
		if r.atEnd() {
			r.at = from
			return "", Expected{}, r.errorf("no %s follows the SQL of this record", separator)
		}
		r.next()
	}
	text := joinLines(r.lines[from:r.at])
	e, err := r.expected()
	return text, e, err
}

// directiveAt says that a line begins a record.
func (r *reader) directiveAt(i int) bool {
	w, err := parseWords(r.lines[i])
	if err != nil {
		return false
	}
	for _, d := range directives() {
		if w.startWith(d.words) {
			return true
		}
	}
	return false
}

// Query is the directive "query NAME": a query that is started and whose
// changes are kept; or "query NAME script FILE sink=TABLE": the statements of a
// script, and what they write to a table.
type Query struct {
	verbatim
	Name   string
	SQL    string
	Script string
	Sink   string
}

func parseQuery(r *reader, _ Place, args words) (Record, error) {
	if len(args.plain) == 3 && args.plain[1] == "script" {
		if err := args.allow("sink"); err != nil {
			return nil, r.errorf("%v", err)
		}
		if args.get("sink") == "" {
			return nil, r.errorf("query NAME script FILE needs sink=TABLE")
		}
		return &Query{Name: args.plain[0], Script: args.plain[2], Sink: args.get("sink")}, nil
	}
	if err := args.one("query", "a name"); err != nil {
		return nil, r.errorf("%v", err)
	}
	text, err := r.statements()
	return &Query{Name: args.plain[0], SQL: text}, err
}

// Once is the directive "query-once [sort]": a query that ends, run and
// compared.
type Once struct {
	verbatim
	SQL      string
	Sort     bool
	Expected Expected
}

func parseOnce(r *reader, _ Place, args words) (Record, error) {
	o := &Once{Sort: args.takeFlag("sort")}
	if err := args.none(); err != nil {
		return nil, r.errorf("%v", err)
	}
	var err error
	o.SQL, o.Expected, err = r.sqlAndExpected()
	return o, err
}

// Plan is the directive "explain [plan|changelog]": how a query or INSERT is
// run.
type Plan struct {
	verbatim
	Changelog bool
	SQL       string
	Expected  Expected
}

func parsePlan(r *reader, _ Place, args words) (Record, error) {
	p := &Plan{Changelog: args.takeFlag("changelog")}
	args.takeFlag("plan")
	if err := args.none(); err != nil {
		return nil, r.errorf("%v", err)
	}
	var err error
	p.SQL, p.Expected, err = r.sqlAndExpected()
	return p, err
}

// Refused is the directive "exec error" of tests that people write: statements
// of which the last one must fail, by a code, words, or a place in the SQL.
type Refused struct {
	verbatim
	Code, Contains, Regex, At string
	SQL                       string
}

func parseRefused(r *reader, _ Place, args words) (Record, error) {
	if err := args.allow("code", "contains", "regex", "at"); err != nil {
		return nil, r.errorf("%v", err)
	}
	if err := args.noPlain(); err != nil {
		return nil, r.errorf("%v", err)
	}
	text, err := r.statements()
	return &Refused{Code: args.get("code"), Contains: args.get("contains"), Regex: args.get("regex"), At: args.get("at"), SQL: text}, err
}
