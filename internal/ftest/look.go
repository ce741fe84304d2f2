package ftest

import (
	"slices"
	"strings"
)

// The ways in which changes are compared.
const (
	Unordered = "unordered" // the same changes in some order
	InOrder   = "ordered"   // exactly in this order
	Compact   = "compact"   // their net effect per key
)

// Changes is the directive "changes NAME [ordered|unordered|compact] [op=yes]
// [key=a,b]": what has changed since the last look.
type Changes struct {
	verbatim
	Name     string
	Mode     string
	Op       bool
	Key      []string
	Expected Expected
}

func parseChanges(r *reader, _ Place, args words) (Record, error) {
	c := &Changes{Mode: Unordered}
	for _, m := range []string{Unordered, InOrder, Compact} {
		if args.takeFlag(m) {
			c.Mode = m
		}
	}
	if err := args.allow("op", "key"); err != nil {
		return nil, r.errorf("%v", err)
	}
	var err error
	if c.Op, err = args.yes("op"); err != nil {
		return nil, r.errorf("%v", err)
	}
	c.Key = args.list("key")
	if err := args.one("changes", "the name of a query"); err != nil {
		return nil, r.errorf("%v", err)
	}
	c.Name = args.plain[0]
	c.Expected, err = r.expected()
	return c, err
}

// Table is the directive "table NAME [key=a,b] [sort]": the rows that are there
// now.
type Table struct {
	verbatim
	Name     string
	Key      []string
	Sort     bool
	Expected Expected
}

func parseTable(r *reader, _ Place, args words) (Record, error) {
	t := &Table{Sort: args.takeFlag("sort"), Key: args.list("key")}
	if err := args.allow("key"); err != nil {
		return nil, r.errorf("%v", err)
	}
	if err := args.one("table", "the name of a query"); err != nil {
		return nil, r.errorf("%v", err)
	}
	var err error
	t.Name = args.plain[0]
	t.Expected, err = r.expected()
	return t, err
}

// Silent is the directive "silent NAME": nothing has changed since the last
// look.
type Silent struct {
	verbatim
	Name string
}

func parseSilent(r *reader, _ Place, args words) (Record, error) {
	if err := args.one("silent", "the name of a query"); err != nil {
		return nil, r.errorf("%v", err)
	}
	return &Silent{Name: args.plain[0]}, nil
}

// Metrics is the directive "metrics NAME a,b": values of metrics, one a line.
type Metrics struct {
	verbatim
	Name     string
	Names    []string
	Expected Expected
}

func parseMetrics(r *reader, _ Place, args words) (Record, error) {
	if len(args.plain) < 2 {
		return nil, r.errorf("metrics takes the name of a query and the names of metrics")
	}
	m := &Metrics{Name: args.plain[0], Names: strings.FieldsFunc(args.join(1), func(c rune) bool { return c == ',' || c == ' ' })}
	if err := args.allow(); err != nil {
		return nil, r.errorf("%v", err)
	}
	var err error
	m.Expected, err = r.expected()
	return m, err
}

// Late is the directive "late NAME": the rows that windows have dropped as late
// since the last look.
type Late struct {
	verbatim
	Name     string
	Expected Expected
}

func parseLate(r *reader, _ Place, args words) (Record, error) {
	if err := args.one("late", "the name of a query"); err != nil {
		return nil, r.errorf("%v", err)
	}
	e, err := r.expected()
	return &Late{Name: args.plain[0], Expected: e}, err
}

// Blocks are the expected blocks of a record that --update may write.
func Blocks(rec Record) *Expected {
	switch rec := rec.(type) {
	case *Changes:
		return &rec.Expected
	case *Table:
		return &rec.Expected
	case *Metrics:
		return &rec.Expected
	case *Late:
		return &rec.Expected
	case *Once:
		return &rec.Expected
	case *Plan:
		return &rec.Expected
	}
	return nil
}

// list is a setting of names parted by commas.
func (w words) list(key string) []string {
	return slices.DeleteFunc(strings.Split(w.get(key), ","), func(s string) bool { return s == "" })
}
