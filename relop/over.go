package relop

import (
	"strconv"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// OverSpec computes aggregates over a window of rows that ends at each row,
// ordered by a time attribute: every row comes out once, with the results behind
// its columns.
//
// By event time a row waits until the watermark has reached its time. By
// processing time it comes out at once, but in a bounded RANGE frame, whose
// peers are those of one millisecond (flink-sql 4.6).
type OverSpec struct {
	In        *types.Schema
	Partition []int
	Time      int
	Proctime  bool
	Rows      bool  // ROWS: peers are told apart; else RANGE: they share a result
	Preceding int64 // rows or milliseconds; -1: from the first row
	Calls     []agg.Call
	Out       *types.Schema // In, calls
}

// Describe implements op.Spec.
func (s *OverSpec) Describe() op.Description {
	d := op.Description{Name: "OverAggregate", State: "accumulators per key, for ever; rows until the watermark passes their time"}
	switch {
	case s.bounded() && s.Rows:
		d.State = "accumulators and the last " + strconv.FormatInt(s.Preceding, 10) + " rows per key, for ever"
	case s.bounded():
		d.State = "accumulators and rows per key, until they are " + age(types.Time(s.Preceding)) + " old"
	case s.Proctime:
		d.State = "accumulators per key, for ever"
	}
	d.Args = overArgs(s.In, s.Partition, []row.OrderBy{{Col: s.Time}}, frameText(s.Rows, s.Preceding), s.Calls, s.Out)
	return d
}

// overArgs is what EXPLAIN prints of OVER.
func overArgs(in *types.Schema, partition []int, by []row.OrderBy, frame string, calls []agg.Call, out *types.Schema) [][2]string {
	sel := columnNames(in, nil)
	for i, c := range calls {
		sel = append(sel, c.Name+" AS "+out.Columns[len(in.Columns)+i].Name)
	}
	var args [][2]string
	if len(partition) > 0 {
		args = append(args, [2]string{"partitionBy", list(columnNames(in, partition))})
	}
	return append(args, [2]string{"orderBy", orderText(in, by)}, [2]string{"window", list([]string{frame})}, [2]string{"select", list(sel)})
}

func frameText(rows bool, preceding int64) string {
	s := "RANGE BETWEEN "
	if rows {
		s = "ROWS BETWEEN "
	}
	if preceding < 0 {
		return s + "UNBOUNDED PRECEDING AND CURRENT ROW"
	}
	return s + strconv.FormatInt(preceding, 10) + " PRECEDING AND CURRENT ROW"
}

func (s *OverSpec) bounded() bool { return s.Preceding >= 0 }

// waits tells that rows do not come out at once.
func (s *OverSpec) waits() bool { return !s.Proctime || s.bounded() && !s.Rows }

// Output implements op.Spec.
func (s *OverSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *OverSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Partition, Single: len(s.Partition) == 0}
}

// Emits implements op.Spec.
func (s *OverSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "OVER ordered by a time attribute takes only inserts")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *OverSpec) MayPause() bool { return s.waits() }

// Build implements op.Spec.
func (s *OverSpec) Build(c *op.Context) (op.Operator, error) {
	set, err := agg.NewSet(s.In, s.Calls, agg.Options{Retract: s.bounded(), ZeroHash: c.ZeroHash})
	if err != nil {
		return nil, err
	}
	f := &frames{
		spec: s, set: set, table: state.NewTable(), keys: row.Keys{Zero: c.ZeroHash}, form: row.NewForm(s.In),
		vals: make([]*row.Vec, len(s.Calls)),
	}
	for i, call := range s.Calls {
		f.vals[i] = row.NewVec(call.Type, 0)
	}
	if !s.waits() {
		return &overNow{frames: f, zero: c.ZeroHash}, nil
	}
	o := &overLater{frames: f, ctx: c, mark: types.MinTime, sel: []int32{}}
	if s.Proctime {
		return op.Cut(&overByClock{o}, s.Out), nil
	}
	return op.Cut(o, s.Out), nil
}
