package match

import (
	"fsql/expr"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// operator finds the matches. By event time rows wait for the watermark; it then
// runs through the partitions whose time has come, one after the other.
type operator struct {
	spec    *Spec
	ctx     *op.Context
	machine *machine
	conds   []*condition
	rows    *rows
	counts  counts
	out     *results
	args    *arguments
	aggs    *tried
	eval    expr.Ctx

	table *state.Table
	parts []part // by slot
	due   state.Timers
	mark  types.Time // event time
	late  int64
	steps int // since the job was last asked whether it is to be stopped

	// The batch at work: its rows that are not late, from row on still to be
	// taken, and its marks, from next on.
	batch *row.Batch
	row   int
	next  int
	fires bool // of the mark next
	keys  row.Keys
	cols  []*row.Vec
	order row.Order
	times []int64
	keep  []int32
	slots []int32
	fresh []int32
	ids   []int32

	// The mark at work: partitions whose time has come, from pos on still to be
	// run through.
	ready []int32
	pos   int
	at    types.Time // time of the row before; MinTime: none
	over  []int32    // partitions that are as in the beginning
	slot  int32      // the partition at work
	touch [1]int32

	// The row at work.
	run     run
	newRuns queue
	done    queue
	open    []int32
	taken   []*edge
	tested  []int8 // by variable: 0 not yet, 1 no, 2 yes
	one     *row.Batch
	one1    [1]int32
	sel     []int32
}

// Build implements op.Spec.
func (s *Spec) Build(c *op.Context) (op.Operator, error) {
	zone, err := value.LoadZone(c.Zone)
	if err != nil {
		return nil, err
	}
	o := &operator{
		spec: s, ctx: c, machine: compile(s.Vars), counts: newCounts(len(s.Vars)), table: state.NewTable(),
		rows: newRows(s.In, s.used(), len(s.OrderBy) > 0), mark: types.MinTime, tested: make([]int8, len(s.Vars)), cols: make([]*row.Vec, len(s.Partition)),
		eval: expr.Ctx{Zone: zone, Now: c.Now, Watermark: types.MinTime, Rand: expr.NewRand(c.Seed), Stop: c.Stopped},
	}
	o.keys.Zero = c.ZeroHash
	if o.conds, err = newConditions(s); err != nil {
		return nil, err
	}
	if o.out, err = newResults(s); err != nil {
		return nil, err
	}
	if o.args, err = newArguments(s); err != nil {
		return nil, err
	}
	if o.aggs, err = newTried(s); err != nil {
		return nil, err
	}
	o.one = &row.Batch{Schema: readSchema(s.Reads), Rows: 1}
	for _, r := range s.Reads {
		o.one.Cols = append(o.one.Cols, row.NewVec(r.Type, 1))
	}
	if s.Proctime {
		return &byClock{o}, nil
	}
	return o, nil
}

// used are the columns of the input that are read of rows that are kept.
func (s *Spec) used() []bool {
	used := make([]bool, len(s.In.Columns))
	for _, r := range s.Reads {
		if r.Kind == First || r.Kind == Last {
			used[r.Index] = true
		}
	}
	for _, a := range s.Args {
		for _, c := range readBy(a, nil) {
			used[c] = true
		}
	}
	return used
}

// OnBarrier implements op.Operator.
func (o *operator) OnBarrier(types.Epoch) error { return nil }

// Counters implements op.Metered.
func (o *operator) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: o.late}}
}

// StateBytes implements op.Sized.
func (o *operator) StateBytes() int64 {
	return o.table.Bytes() + o.rows.bytes() + o.due.Bytes() + o.aggs.bytes() + int64(cap(o.counts.all)+cap(o.counts.free))*4 +
		int64(cap(o.parts))*partBytes + int64(o.rows.live)*8 + int64(len(o.counts.all)/o.counts.vars)*16
}

// partBytes is about what a partition takes without its rows and runs.
const partBytes = 136
