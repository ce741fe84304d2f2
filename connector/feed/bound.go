package feed

import (
	"context"
	"slices"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// AppendRows is Rows for tables that forget: it waits until there is room, or
// ctx is done.
func (t *Table) AppendRows(ctx context.Context, b *row.Batch) error {
	return t.put(ctx, entry{rows: b})
}

// AppendWatermark is Watermark for tables that forget.
func (t *Table) AppendWatermark(ctx context.Context, w types.Time) error {
	return t.put(ctx, entry{what: mark, time: w})
}

// Close lets who waits for room go, with an error that is also that of every
// later call.
func (w *World) Close(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, t := range w.tables {
		t.mu.Lock()
		t.closed = err
		t.more()
		t.mu.Unlock()
	}
}

// weight is what an entry counts against the bound.
func (e entry) weight() int {
	if e.rows != nil {
		return max(1, e.rows.Rows)
	}
	return 1
}

// put appends an entry, once there is room for it. An empty log takes a batch of
// any size; the end needs no room.
func (t *Table) put(ctx context.Context, e entry) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		switch {
		case t.closed != nil:
			return t.closed
		case t.ended():
			return diag.New(diag.NotSupported, diag.Span{}, "the table has ended, nothing can follow")
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		if t.most == 0 || t.waiting == 0 || e.what == end || t.waiting+e.weight() <= t.most {
			break
		}
		if t.room == nil {
			t.room = make(chan struct{})
		}
		room := t.room
		t.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
		}
		t.mu.Lock()
	}
	t.log = append(t.log, e)
	t.waiting += e.weight()
	for _, r := range t.readers {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
	return nil
}

// more tells who waits for room that there is some, or none ever.
func (t *Table) more() {
	if t.room != nil {
		close(t.room)
		t.room = nil
	}
}

// enter adds a reader. It begins with what the log holds.
func (t *Table) enter(r *reader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.most > 0 {
		r.entry, r.time, r.idle = t.first, t.time, t.idle
	}
	t.readers = append(t.readers, r)
}

// passed moves a reader behind the entry that it has read.
func (t *Table) passed(r *reader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.entry, r.row = r.entry+1, 0
	t.forget()
}

// leave removes a reader. What it has not read stays for the others, or for the
// next one.
func (t *Table) leave(r *reader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers = slices.DeleteFunc(t.readers, func(x *reader) bool { return x == r })
	t.forget()
}

// forget drops entries that every reader has read.
func (t *Table) forget() {
	if t.most == 0 || len(t.readers) == 0 {
		return
	}
	until := t.readers[0].entry
	for _, r := range t.readers {
		until = min(until, r.entry)
	}
	if until == t.first {
		return
	}
	for _, e := range t.log[:until-t.first] {
		t.waiting -= e.weight()
		switch e.what {
		case mark:
			t.time = max(t.time, e.time)
		case idle:
			t.idle = true
		case rows, active:
			t.idle = false
		}
	}
	t.log = slices.Delete(t.log, 0, until-t.first)
	t.first = until
	t.more()
}
