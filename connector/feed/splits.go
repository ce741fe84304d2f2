package feed

import (
	"fsql/row"
	"fsql/types"
)

// Split is one of the splits of a table that has several: each has event time
// and idleness of its own, and the table has the least event time of those that
// are neither idle nor at their end, as a source of Flink has.
type Split struct {
	t *Table
	n int
}

// Split returns the split of a number, counted from 0.
func (t *Table) Split(n int) *Split { return &Split{t, n + 1} }

// Rows appends rows to the split, which is active from then on.
func (s *Split) Rows(b *row.Batch) error { return s.t.add(entry{rows: b, split: s.n}) }

// Watermark says that event time of the split has reached w.
func (s *Split) Watermark(w types.Time) error {
	return s.t.add(entry{what: mark, time: w, split: s.n})
}

// Idle says that event time must not wait for the split.
func (s *Split) Idle() error { return s.t.add(entry{what: idle, split: s.n}) }

// Active takes Idle back.
func (s *Split) Active() error { return s.t.add(entry{what: active, split: s.n}) }

// End says that nothing will follow in the split.
func (s *Split) End() error { return s.t.add(entry{what: splitEnd, split: s.n}) }

// part is what a reader knows of a split.
type part struct {
	time types.Time
	idle bool
	over bool
}

// split notes what an entry says about the splits. Rows that name none are in
// the first one.
func (r *reader) split(e entry) {
	if r.parts == nil {
		r.parts = make([]part, r.splits)
		for i := range r.parts {
			r.parts[i].time = types.MinTime
		}
	}
	about := r.parts
	switch {
	case e.split > 0 && e.split <= len(r.parts):
		about = r.parts[e.split-1 : e.split]
	case e.what == rows:
		about = r.parts[:1]
	}
	for i := range about {
		p := &about[i]
		switch e.what {
		case mark:
			p.time = max(p.time, e.time)
		case idle:
			p.idle = true
		case rows, active:
			p.idle = false
		case splitEnd:
			p.over = true
		}
	}
	least, counts := types.MaxTime, false
	for _, p := range r.parts {
		if !p.idle && !p.over {
			least, counts = min(least, p.time), true
		}
	}
	if r.idle = !counts; counts {
		r.time = max(r.time, least)
	}
}
