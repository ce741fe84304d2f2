package exec

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// silence is what a source does when no rows come. Both are matters of
// processing time and of sources with a watermark only.
//
// Idleness: after the idle timeout the source announces that it must not hold
// event time back, until its next row.
//
// The maximum that the rule of emission holds back (eventTime): a source that
// never ends emits it when it has waited for the interval, as Flink's periodic
// timer does, lest the last rows before a pause wait for the next ones. A
// bounded source does not, so that its answer cannot depend on its speed.
type silence struct {
	started bool
	waiting bool // the last poll found nothing
	idle    bool // announced
	// declared: the reader says that it is idle.
	declared bool
	since    types.Time // when the last rows came
}

// rows notes that rows came.
func (q *silence) rows(s *SourceTask) {
	if s.time == nil {
		return
	}
	q.waiting = false
	if s.plan.IdleAfter > 0 || !s.plan.Source.Bounded() {
		q.since, q.started = s.chain.time(), true
	}
	q.end(s)
}

// end takes an announced idleness back.
func (q *silence) end(s *SourceTask) {
	if q.idle {
		q.idle = false
		s.send(Element{Kind: Active})
	}
}

// wait notes that there was nothing to read.
func (q *silence) wait(s *SourceTask) {
	if s.time == nil {
		return
	}
	q.waiting = true
	if !q.started {
		q.since, q.started = s.chain.time(), true
	}
}

// next is when something is to be announced.
func (q *silence) next(s *SourceTask) types.Time {
	t := types.MaxTime
	if !q.waiting {
		return t
	}
	if s.plan.IdleAfter > 0 && !q.idle {
		t = q.since + s.plan.IdleAfter
	}
	if !s.plan.Source.Bounded() && s.time.top > s.time.emitted {
		t = min(t, q.since+s.plan.Interval)
	}
	return t
}

// over announces what is due.
func (q *silence) over(s *SourceTask) (worked bool, err error) {
	if t := q.next(s); t == types.MaxTime || s.chain.time() < t {
		return false, nil
	}
	if !s.plan.Source.Bounded() && s.chain.time() >= q.since+s.plan.Interval {
		if t := s.time.pending(); t != types.MinTime {
			if err := s.out.Emit(row.Watermark(s.schema, t)); err != nil {
				return true, err
			}
		}
	}
	if s.plan.IdleAfter > 0 && !q.idle && s.chain.time() >= q.since+s.plan.IdleAfter {
		q.idle = true
		s.send(Element{Kind: Idle})
	}
	return true, nil
}

// nullRowtime is Flink's refusal of a row without event time, whatever the
// query does with it.
func (s *SourceTask) nullRowtime() error {
	name := s.plan.Rowtime.String()
	if c, ok := s.plan.Rowtime.(*expr.Column); ok {
		name = c.Name
	} else if i := s.schema.RowtimeIndex(); i >= 0 {
		name = s.schema.Columns[i].Name
	}
	return diag.New(diag.NullRowtime, diag.Span{},
		"the event time column '%s' of table '%s' is NULL in a row; every row needs an event time for the watermark", name, s.plan.Name).
		WithHint("declare a computed column such as ts AS COALESCE(%s, TIMESTAMP '1970-01-01 00:00:00') and use it as the rowtime", name)
}

// told passes on what a reader says about event time, behind the rows that it
// holds for.
func (s *SourceTask) told() error {
	if s.clock == nil || s.time == nil {
		return nil
	}
	t := s.clock.Watermark()
	if idle := s.clock.Idle(); t <= s.time.emitted && idle == s.silence.declared {
		return nil
	}
	if _, err := s.flush(); err != nil {
		return err
	}
	if t > s.time.emitted {
		s.time.top, s.time.emitted = max(t, s.time.top), t
		if err := s.out.Emit(row.Watermark(s.schema, t)); err != nil {
			return err
		}
	}
	switch idle := s.clock.Idle(); {
	case idle && !s.silence.idle:
		s.silence.idle = true
		s.send(Element{Kind: Idle})
	case !idle:
		s.silence.end(s)
	}
	s.silence.declared = s.clock.Idle()
	return nil
}
