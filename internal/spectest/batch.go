package spectest

import (
	"context"
	"fmt"

	"fsql/connector/feed"
	"fsql/internal/ftest"
	"fsql/sql/ast"
)

// asBatch is the variant mode=batch: all rows are there from the beginning,
// nobody looks before all tables have ended, and event time is known to be over
// then, so that no row is late - what a batch job sees of the same input. Looks
// at what happens on the way have no meaning and are left out; tables at the
// end must be as they are in the streaming form.
func (r *run) asBatch(ctx context.Context) error {
	records := r.unit.records
	last := -1
	for i, u := range records {
		switch rec := u.Record.(type) {
		case *ftest.Feed:
			if last = i; rec.Op {
				return r.notBatch("row kinds are fed to %s", rec.Table)
			}
		case *ftest.Time:
			last = i
		case *ftest.Advance:
			return r.notBatch("the clock is moved")
		}
	}
	ends := r.ends()
	for i, u := range records {
		var err error
		switch rec := u.Record.(type) {
		case *ftest.Feed:
			r.file = u.file
			err = r.feed(ctx, rec)
		case *ftest.Time, *ftest.Recovery, *ftest.Changes, *ftest.Silent, *ftest.Late, *ftest.Metrics, *ftest.Plan:
		case *ftest.Table, *ftest.Once:
			if i > last {
				err = r.step(ctx, u)
			}
		default:
			err = r.step(ctx, u)
		}
		if err != nil {
			return err
		}
		if i == last {
			if name := r.endless(ends); name != "" {
				return r.notBatch("table %s does not end", name)
			}
			if err := r.endAll(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) notBatch(format string, args ...any) error {
	r.result.Skipped = "no batch: " + fmt.Sprintf(format, args...)
	return errSkip
}

// ends are the tables that the test ends; "all" among them: all.
func (r *run) ends() map[string]bool {
	ends := map[string]bool{}
	for _, u := range r.unit.records {
		if t, ok := u.Record.(*ftest.Time); ok && t.What == "end" && t.Split == "" {
			if ends[t.Table] = true; t.Table != "all" {
				ends[r.path(t.Table).String()] = true
			}
		}
	}
	return ends
}

// endless is a test table that some job reads and the test does not end.
func (r *run) endless(ends map[string]bool) string {
	if ends["all"] {
		return ""
	}
	for _, j := range r.jobs {
		for _, n := range j.plan.Physical.Nodes {
			if n.Source != nil && feed.Of(n.Source.Source) != nil && !ends[n.Source.Name] {
				return n.Source.Name
			}
		}
	}
	return ""
}

// timeless is a statement that makes a test table, whose rows then say nothing
// about event time: in a batch it is over when the input is.
func timeless(stmt ast.Statement) ast.Statement {
	c, ok := stmt.(*ast.CreateTable)
	if !ok {
		return stmt
	}
	test := false
	m := *c
	m.Options = nil
	for _, o := range c.Options {
		test = test || o.Key == "connector" && o.Value == "test"
		if o.Key != "watermark" {
			m.Options = append(m.Options, o)
		}
	}
	if !test {
		return stmt
	}
	m.Options = append(m.Options, ast.Option{Key: "watermark", Value: "manual"})
	return &m
}
