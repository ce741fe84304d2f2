package op

import (
	"fmt"

	"fsql/row"
	"fsql/types"
)

// Checked wraps the operator of a spec and fails on a broken contract: a batch
// that is empty or not of the spec's schema, marks that do not rise, barriers
// out of order, row kinds that the spec did not announce for inputs of kinds
// in, a removal of a row that is not there. Tests and the simulator use it.
//
// An input that itself removes what is not there (a change stream may begin in
// the middle) ends the check of removals.
func Checked(o Operator, s Spec, in ...row.Kinds) Operator {
	c := &checked{o: o, schema: s.Output(), name: s.Describe().Name, kinds: row.AllKinds, last: types.MinTime}
	if len(in) > 0 {
		if k, err := s.Emits(in); err == nil {
			c.kinds = k
		}
	}
	c.loose = !c.kinds.Has(row.UpdateBefore) && c.kinds.Has(row.UpdateAfter)
	if h, ok := o.(ClockHandler); ok {
		return &checkedClock{checked: c, h: h}
	}
	return c
}

// HasPast tells a checked operator that it resumes from a checkpoint: rows that
// it sent before are not known, so that removals are not checked.
func HasPast(o Operator) {
	switch c := o.(type) {
	case *checked:
		c.loose = true
	case *checkedClock:
		c.loose = true
	}
}

type checked struct {
	o      Operator
	schema *types.Schema
	name   string
	kinds  row.Kinds

	last  types.Time  // mark emitted
	epoch types.Epoch // barrier seen
	out   bag
	in    []bag
	loose bool // removals are not checked
	cur   *row.Batch
}

func (c *checked) OnBatch(in int, b *row.Batch, out Emitter) (bool, error) {
	for len(c.in) <= in {
		c.in = append(c.in, bag{})
	}
	if c.cur != b { // not another call for the same batch
		c.cur = b
		if bad := c.in[in].apply(b); bad >= 0 {
			c.loose = true
		}
	}
	more, err := c.o.OnBatch(in, b, c.emitter(out))
	if !more {
		c.cur = nil
	}
	return more, err
}

func (c *checked) OnBarrier(e types.Epoch) error {
	if e <= c.epoch {
		return c.broken("barrier %d after %d", e, c.epoch)
	}
	c.epoch = e
	return c.o.OnBarrier(e)
}

// Unwrap implements Wrapper.
func (c *checked) Unwrap() any { return c.o }

func (c *checked) Counters() []Counter {
	if m, ok := c.o.(Metered); ok {
		return m.Counters()
	}
	return nil
}

func (c *checked) StateBytes() int64 {
	if s, ok := c.o.(Sized); ok {
		return s.StateBytes()
	}
	return 0
}

func (c *checked) broken(format string, args ...any) error {
	return fmt.Errorf("%s breaks its contract: %s", c.name, fmt.Sprintf(format, args...))
}

func (c *checked) emitter(out Emitter) Emitter {
	return EmitFunc(func(b *row.Batch) error {
		if err := c.check(b); err != nil {
			return err
		}
		return out.Emit(b)
	})
}

func (c *checked) check(b *row.Batch) error {
	if b == nil || b.Rows == 0 && len(b.Marks) == 0 {
		return c.broken("empty batch")
	}
	if len(b.Cols) != len(c.schema.Columns) {
		return c.broken("%d columns, not %d", len(b.Cols), len(c.schema.Columns))
	}
	for i, col := range b.Cols {
		want := c.schema.Columns[i]
		if col.Len != b.Rows {
			return c.broken("column %s has %d of %d rows", want.Name, col.Len, b.Rows)
		}
		if !col.Type.Plain().AsNullable().Equal(want.Type.Plain().AsNullable()) {
			return c.broken("column %s is %s, not %s", want.Name, col.Type, want.Type)
		}
		if !want.Type.Nullable && col.Valid.Nulls(col.Len) > 0 {
			return c.broken("NULL in column %s %s", want.Name, want.Type)
		}
	}
	if b.Kinds != nil && len(b.Kinds) != b.Rows {
		return c.broken("%d kinds for %d rows", len(b.Kinds), b.Rows)
	}
	for r := 0; r < b.Rows; r++ {
		if !c.kinds.Has(b.Kind(r)) {
			return c.broken("a row of kind %s", b.Kind(r))
		}
	}
	at := int32(0)
	for _, m := range b.Marks {
		if m.Row < at || int(m.Row) > b.Rows {
			return c.broken("mark at row %d after one at %d, of %d rows", m.Row, at, b.Rows)
		}
		if m.Time <= c.last {
			return c.broken("mark %d after %d", m.Time, c.last)
		}
		at, c.last = m.Row, m.Time
	}
	if c.loose {
		return nil
	}
	if r := c.out.apply(b); r >= 0 {
		return c.broken("row %d of a batch, %s, removes what is not there", r, b.Kind(r))
	}
	return nil
}

type checkedClock struct {
	*checked
	h ClockHandler
}

func (c *checkedClock) OnClock(now types.Time, out Emitter) error {
	return c.h.OnClock(now, c.emitter(out))
}

func (c *checkedClock) NextClock() types.Time { return c.h.NextClock() }

// bag counts equal rows.
type bag struct {
	rows map[string]int
	keys row.Keys
}

// apply adds and removes the rows of a batch; it returns the first row that
// removes what is not there, or -1.
func (g *bag) apply(b *row.Batch) int {
	if g.rows == nil {
		g.rows = map[string]int{}
	}
	g.keys.Encode(b.Cols, b.Rows, nil)
	bad := -1
	for r := 0; r < b.Rows; r++ {
		key := string(g.keys.At(r))
		switch n := g.rows[key]; {
		case b.Kind(r).Adds():
			g.rows[key] = n + 1
		case n > 1:
			g.rows[key] = n - 1
		case n == 1:
			delete(g.rows, key)
		case bad < 0:
			bad = r
		}
	}
	return bad
}
