package spectest

import (
	"context"

	"fsql/connector"
	"fsql/internal/ftest"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// watched hands an operator its rows one by one and notes those that it counts
// as late.
type watched struct {
	o       op.Operator
	metered op.Metered
	late    func(b *row.Batch)
	queue   []*row.Batch // of the batch in hand
	cur     *row.Batch
}

// watchLate stands around operators that drop late rows.
func (r *run) watchLate(j *job, o op.Operator) op.Operator {
	m, ok := o.(op.Metered)
	if !ok {
		return o
	}
	w := &watched{o: o, metered: m, late: func(b *row.Batch) {
		j.late.schema = b.Schema
		j.late.add(b)
	}}
	if h, ok := o.(op.ClockHandler); ok {
		return &watchedClock{w, h}
	}
	return w
}

type watchedClock struct {
	*watched
	op.ClockHandler
}

func (w *watched) count() int64 {
	for _, c := range w.metered.Counters() {
		if c.Name == "numLateRecordsDropped" {
			return c.Value
		}
	}
	return 0
}

// OnBatch implements op.Operator.
func (w *watched) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if w.cur != b {
		w.cur, w.queue = b, singles(b)
	}
	for len(w.queue) > 0 {
		one := w.queue[0]
		before := w.count()
		more, err := w.o.OnBatch(in, one, out)
		if more || err != nil {
			return more, err
		}
		if one.Rows > 0 && w.count() > before {
			w.late(one)
		}
		w.queue = w.queue[1:]
	}
	w.cur = nil
	return false, nil
}

// singles parts a batch into rows and marks.
func singles(b *row.Batch) []*row.Batch {
	var out []*row.Batch
	marks := b.Marks
	pass := func(r int) {
		for len(marks) > 0 && int(marks[0].Row) <= r {
			out = append(out, row.Watermark(b.Schema, marks[0].Time))
			marks = marks[1:]
		}
	}
	for r := range b.Rows {
		pass(r)
		one := b.Slice(r, r+1)
		out = append(out, one)
	}
	pass(b.Rows)
	return out
}

func (w *watched) OnBarrier(e types.Epoch) error { return w.o.OnBarrier(e) }

// Unwrap implements op.Wrapper.
func (w *watched) Unwrap() any { return w.o }

func (w *watched) Counters() []op.Counter { return w.metered.Counters() }

func (w *watched) StateBytes() int64 {
	if s, ok := w.o.(op.Sized); ok {
		return s.StateBytes()
	}
	return 0
}

// lateRows compares the rows that windows have dropped since the last look.
func (r *run) lateRows(rec *ftest.Late) error {
	o, err := r.output(rec.Name)
	if err != nil {
		return err
	}
	late, err := o.job.late.take()
	if err != nil {
		return err
	}
	if o.job.late.schema == nil {
		// None was late: what the header would be is not known.
		s := sides{}
		if len(rec.Expected.Lines) > 1 {
			s.head, s.expected = rec.Expected.Lines[0], rec.Expected.Lines[1:]
		}
		r.compare(rec, rec.Line, &rec.Expected, s, o, nil)
		return nil
	}
	return r.compareRows(rec, rec.Line, &rec.Expected, late, o.job.late, false)
}

// discard is the sink of a query that is only planned.
type discard struct{}

func (discard) OpenWriter(context.Context, int) (connector.Writer, error) {
	return nil, nil
}

func (discard) Accepts() row.Kinds { return row.AllKinds }
