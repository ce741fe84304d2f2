package exec

import (
	"context"
	"errors"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/expr"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// SourceTask reads the splits of one source subtask, computes the columns of
// the table, finds the event time of every row and heads a chain. The watermark
// is assigned here, before any filter, as in Flink: rows that a query drops
// still move it.
type SourceTask struct {
	chain
	index  int // among the job's sources
	plan   *physical.Source
	schema *types.Schema     // of the output
	reader connector.Reader  // nil: no split is left for this subtask
	clock  connector.Clocked // the reader, if it knows event time by itself
	inject *Queue[Element]   // barriers
	out    output
	part   int        // among the nodes of the manifest, -1: without checkpoints
	sub    int        // subtask
	again  types.Time // event time announced before a restart, to be announced again; MinTime: none

	build   *row.Builder
	polls   int   // since the last batch
	weighed int   // and how many they were when it was last measured
	last    int   // rows of the last batch
	skipped int64 // rows that could not be read, as told by the reader
	program *expr.Program
	eval    expr.Ctx
	time    *eventTime // nil: no watermark
	parts   *parts     // nil: the splits have no event time of their own
	ticks   *ticks     // nil: nobody needs them
	memory  share      // of the builder, taken to be that of the last batch

	drained bool // the last mark is out
	silence silence
}

// Name is that of the table and the subtask.
func (s *SourceTask) Name() string { return s.out.name }

// Step polls once, or handles a barrier or the clock.
func (s *SourceTask) Step(ctx context.Context) (bool, error) { return s.guarded(ctx, s.step) }

// NextClock is the earliest of the source and its operators.
func (s *SourceTask) NextClock() types.Time {
	if s.full() {
		return types.MaxTime
	}
	t := s.nextClock()
	if !s.drained {
		t = min(t, s.silence.next(s), s.nextIdle())
	}
	return t
}

func (s *SourceTask) step(ctx context.Context) (bool, error) {
	s.running = s.out.name
	if t := s.again; t != types.MinTime {
		s.again = types.MinTime
		return true, s.out.Emit(row.Watermark(s.schema, t))
	}
	if b, ok := s.inject.Pop(); ok {
		if !strikes(s.env.Fault, NoFlush) {
			if _, err := s.flush(); err != nil {
				return true, err
			}
		}
		return true, s.barrier(ctx, b, s.position())
	}
	if worked, err := s.tick(); worked || err != nil {
		return true, err
	}
	s.running = s.out.name
	if s.drained {
		return false, nil
	}
	if worked, err := s.rest(); worked || err != nil {
		return true, err
	}
	if worked, err := s.silence.over(s); worked || err != nil {
		return true, err
	}
	return s.poll()
}

// position is what the source has to remember at a barrier.
func (s *SourceTask) position() []checkpoint.Part {
	if s.part < 0 {
		return nil
	}
	p := checkpoint.Part{Node: s.part, Subtask: s.sub}
	p.State.Top, p.State.Emitted = types.MinTime, types.MinTime
	if s.reader != nil {
		p.State.Positions = s.reader.Positions()
	}
	if s.parts != nil {
		p.State.Local = s.parts.remembered()
	}
	if s.time != nil {
		p.State.Top, p.State.Emitted = s.time.top, s.time.emitted
	} else if s.ticks != nil {
		p.State.Top = s.ticks.rows
		p.State.Emitted = s.ticks.last()
	}
	return []checkpoint.Part{p}
}

// poll reads some rows. A batch goes on its way when it is full or nothing more
// is there now.
func (s *SourceTask) poll() (bool, error) {
	if s.reader == nil {
		return true, s.end()
	}
	if s.build.Len() == 0 {
		s.reserve()
	}
	before := s.build.Len()
	status, err := s.reader.Poll(s.build, s.env.Rows-before)
	if err != nil {
		return true, err
	}
	if s.build.Len() > before {
		s.silence.rows(s)
	}
	if s.parts != nil && s.parts.polled(s.build.Len()-before, s.chain.time()) {
		if err := s.recount(); err != nil {
			return true, err
		}
	}
	if n := s.reader.Skipped(); n != s.skipped {
		s.skipped = n
		s.out.counters.Store(&[]op.Counter{{Name: "numRecordsInErrors", Value: n}})
	}
	if err := s.told(); err != nil {
		return true, err
	}
	worked := status != connector.Waiting
	if !worked || status == connector.Ended || s.build.Len() >= s.env.Rows || s.heavy() {
		emitted, err := s.flush()
		if err != nil {
			return true, err
		}
		worked = worked || emitted
	}
	switch {
	case status == connector.Ended:
		return true, s.end()
	case status == connector.Waiting:
		s.silence.wait(s)
	}
	return worked, nil
}

// heavy tells that the rows so far are enough for a batch because they are large:
// queues are bounded in batches. Rows of ordinary size fill a batch in a few
// polls and are not measured.
func (s *SourceTask) heavy() bool {
	if s.polls++; s.polls < max(s.weighed*2, lightPolls) {
		return false
	}
	s.weighed = s.polls
	n := int64(0)
	for _, c := range s.build.Cols {
		n += c.Bytes()
	}
	return n >= heavyBatch
}

const (
	lightPolls = 5       // a poll gives what a chunk of a file holds
	heavyBatch = 4 << 20 // bytes
)

// reserve makes room for a batch like the last one, so that columns do not
// grow step by step and a small file does not take the memory of a large one.
func (s *SourceTask) reserve() {
	n := min(max(s.last, 64), s.env.Rows)
	for i, c := range s.build.Cols {
		if s.plan.Table.Wanted == nil || s.plan.Table.Wanted[i] {
			c.Reserve(n)
		}
	}
}

// flush sends what the reader has given so far.
func (s *SourceTask) flush() (emitted bool, err error) {
	s.polls, s.weighed = 0, 0
	b := s.build.Flush()
	if b == nil {
		return false, nil
	}
	s.last = b.Rows
	if s.memory.bytes == 0 || s.steps%sampleEvery == 0 {
		s.memory.set(b.Bytes())
	}
	s.out.took(b)
	return true, s.compute(b)
}

// sourceBudget is how many bytes of computed columns are made at once.
const sourceBudget = 64 << 20

// compute makes the rows of the table, in halves if they are too large together.
func (s *SourceTask) compute(b *row.Batch) error {
	cols, err := s.program.Eval(&s.eval, b, nil)
	if errors.Is(err, expr.ErrMuch) {
		if b.Rows == 1 {
			s.eval.Budget = 0 // the bound of a single value is enough
			defer func() { s.eval.Budget = sourceBudget }()
			return s.compute(b)
		}
		half := b.Rows / 2
		if err := s.compute(part(b, 0, half)); err != nil {
			return err
		}
		return s.compute(part(b, half, b.Rows))
	}
	if err != nil {
		return err
	}
	n := len(s.plan.Project)
	out := row.New(s.schema, b.Rows, cols[:n:n], b.Kinds)
	if s.time != nil {
		if cols[n].Valid.Nulls(b.Rows) > 0 {
			return s.nullRowtime()
		}
		if s.parts != nil {
			out.Marks = s.parts.marks(s.time, cols[n+1], b.Rows)
		} else if s.clock == nil || !s.clock.Replaces() {
			out.Marks = s.time.marks(cols[n+1], b.Rows)
		}
	} else if s.ticks != nil {
		out.Marks = s.ticks.marks(b.Rows)
	}
	return s.out.Emit(out)
}

// part is some rows of a batch of which not every column was read.
func part(b *row.Batch, from, to int) *row.Batch {
	p := &row.Batch{Schema: b.Schema, Rows: to - from, Cols: make([]*row.Vec, len(b.Cols))}
	for i, c := range b.Cols {
		if p.Cols[i] = c; c.Len == b.Rows {
			p.Cols[i] = c.Slice(from, to)
		}
	}
	if b.Kinds != nil {
		p.Kinds = b.Kinds[from:to]
	}
	return p
}

// end sends the last mark, of every source and not only of those with a
// watermark, and reports that nothing will follow. Barriers still pass.
func (s *SourceTask) end() error {
	s.silence.end(s)
	if err := s.out.Emit(row.Watermark(s.schema, types.MaxTime)); err != nil {
		return err
	}
	s.drained = true
	s.memory.set(0)
	s.control.Push(checkpoint.Drained{Source: s.index})
	return nil
}
