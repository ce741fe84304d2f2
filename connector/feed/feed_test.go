package feed

import (
	"context"
	"testing"

	"fsql/connector"
	"fsql/internal/option"
	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// table opens a table with the columns k and v, of which only v is wanted.
func table(t *testing.T, w *World, options ...option.Entry) connector.Source {
	t.Helper()
	c := w.Connector()
	vals, err := option.Check(options, option.Scope{Set: c.Options, Owner: "test"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Source(&connector.Table{Name: "t", Schema: columns(), Wanted: []bool{false, true}, Options: vals[0]})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func columns() *types.Schema {
	return &types.Schema{Columns: []types.Column{{Name: "k", Type: types.String()}, {Name: "v", Type: types.Of(types.Int)}}}
}

func fed(t *testing.T, text string) *row.Batch {
	t.Helper()
	b, err := rowtext.Parse(columns(), text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// poll reads until the reader waits or has ended, at most two rows at once.
func poll(t *testing.T, r connector.Reader) ([]int32, connector.Status) {
	t.Helper()
	out := row.NewBuilder(columns())
	for {
		status, err := r.Poll(out, 2)
		if err != nil {
			t.Fatal(err)
		}
		if status != connector.Progressed {
			return out.Cols[1].I32, status
		}
	}
}

func open(t *testing.T, s connector.Source, splits []connector.Split) connector.Reader {
	t.Helper()
	if splits == nil {
		var err error
		if splits, err = s.Splits(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	r, err := s.Open(context.Background(), splits)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReaderWaitsGoesOnAndResumes(t *testing.T) {
	w := New()
	s := table(t, w)
	log := w.Table("t")
	r := open(t, s, nil)
	if rows, status := poll(t, r); len(rows) > 0 || status != connector.Waiting {
		t.Errorf("%v %v", rows, status)
	}
	if err := log.Rows(fed(t, "+I | 'a' | 1\n+I | 'b' | 2\n+I | 'c' | 3")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-r.Wake():
	default:
		t.Error("not woken")
	}
	out := row.NewBuilder(columns())
	if _, err := r.Poll(out, 2); err != nil {
		t.Fatal(err)
	}
	middle := r.Positions()
	if rows, _ := poll(t, r); len(rows) != 1 || rows[0] != 3 {
		t.Errorf("the rest: %v", rows)
	}
	if err := log.Watermark(7); err != nil {
		t.Fatal(err)
	}
	if err := log.Idle(); err != nil {
		t.Fatal(err)
	}
	poll(t, r)
	c := r.(connector.Clocked)
	if c.Watermark() != 7 || !c.Idle() || c.Replaces() {
		t.Errorf("watermark %d, idle %v", c.Watermark(), c.Idle())
	}
	// What a checkpoint holds is enough: rows from there on, and event time.
	late := open(t, s, r.Positions())
	if c := late.(connector.Clocked); c.Watermark() != 7 || !c.Idle() {
		t.Errorf("resumed: watermark %d, idle %v", c.Watermark(), c.Idle())
	}
	again := open(t, s, middle)
	if rows, _ := poll(t, again); len(rows) != 1 || rows[0] != 3 {
		t.Errorf("from the middle: %v", rows)
	}
	if err := log.End(); err != nil {
		t.Fatal(err)
	}
	if _, status := poll(t, late); status != connector.Ended {
		t.Errorf("%v at the end", status)
	}
	if err := log.Active(); err == nil {
		t.Error("something followed the end")
	}
}

func TestUndeclaredKindsAreRefused(t *testing.T) {
	w := New()
	r := open(t, table(t, w), nil)
	if err := w.Table("t").Rows(fed(t, "-D | 'a' | 1")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Poll(row.NewBuilder(columns()), 10); err == nil {
		t.Error("-D was taken")
	}
	all := New()
	r = open(t, table(t, all, option.Entry{Key: "changelog-mode", Value: "I,UB,UA,D"}), nil)
	if err := all.Table("t").Rows(fed(t, "-D | 'a' | 1")); err != nil {
		t.Fatal(err)
	}
	out := row.NewBuilder(columns())
	if _, err := r.Poll(out, 10); err != nil || out.Kinds[0] != row.Delete {
		t.Errorf("%v %v", out.Kinds, err)
	}
}
