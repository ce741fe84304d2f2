package relop

import (
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// GroupAggSpec is GROUP BY as an updating aggregation: every row that changes
// its group's result sends the old result (-U) and the new one (+U). Without
// keys there is one group, without calls it is DISTINCT.
type GroupAggSpec struct {
	In    *types.Schema
	Keys  []int // columns of the input
	Calls []agg.Call
	Out   *types.Schema // keys, calls
	// UpdateBefore tells that somebody downstream needs the old rows.
	UpdateBefore bool
	InKinds      row.Kinds // what the input carries
	// TTL is how long a group is kept after its last row, in processing time;
	// 0: for ever. With it, unchanged results are sent again (flink-sql 4.5).
	TTL  types.Time
	Name string // in EXPLAIN, "" for GroupAggregate
}

// Describe implements op.Spec.
func (s *GroupAggSpec) Describe() op.Description {
	d := op.Description{Name: s.Name, State: "accumulators per key, for ever"}
	if d.Name == "" {
		d.Name = "GroupAggregate"
	}
	if len(s.Calls) == 0 {
		d.State = "a row count per key, for ever"
	}
	if s.TTL > 0 {
		d.State = "accumulators per key, dropped after " + age(s.TTL) + " without a row"
	}
	names, sel := make([]string, len(s.Keys)), make([]string, 0, len(s.Out.Columns))
	for i, k := range s.Keys {
		names[i] = s.In.Columns[k].Name
		sel = append(sel, names[i])
		if n := s.Out.Columns[i].Name; n != names[i] {
			sel[i] += " AS " + n
		}
	}
	for i, c := range s.Calls {
		sel = append(sel, c.Name+" AS "+s.Out.Columns[len(s.Keys)+i].Name)
	}
	if len(s.Keys) > 0 {
		d.Args = append(d.Args, [2]string{"groupBy", list(names)})
	}
	d.Args = append(d.Args, [2]string{"select", list(sel)})
	return d
}

// Output implements op.Spec.
func (s *GroupAggSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *GroupAggSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Keys, Single: len(s.Keys) == 0}
}

// Emits implements op.Spec. A group ends only if rows are taken away. Also
// DISTINCT over inserts, which sends nothing but inserts, counts as updating
// (flink-sql 4.1).
func (s *GroupAggSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if withoutOld(in[0]) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "GROUP BY needs the old row of every update")
	}
	out := row.InsertOnly | 1<<row.UpdateAfter
	if s.UpdateBefore {
		out |= 1 << row.UpdateBefore
	}
	if in[0] != row.InsertOnly {
		out |= 1 << row.Delete
	}
	return out, nil
}

// MayPause implements op.Spec.
func (s *GroupAggSpec) MayPause() bool { return false }

// retracts tells that the input takes rows back.
func (s *GroupAggSpec) retracts() bool { return s.InKinds&^row.InsertOnly != 0 }

// Build implements op.Spec.
func (s *GroupAggSpec) Build(c *op.Context) (op.Operator, error) {
	set, err := agg.NewSet(s.In, s.Calls, agg.Options{Retract: s.retracts(), ZeroHash: c.ZeroHash})
	if err != nil {
		return nil, err
	}
	o := &groupAgg{
		spec: s, ctx: c, set: set, table: state.NewTable(), keys: row.Keys{Zero: c.ZeroHash},
		none: noRows(s.Out), vals: make([]*row.Vec, len(s.Calls)), cols: make([]*row.Vec, len(s.Keys)),
		seq: 1,
	}
	kinds := make([]types.Type, len(s.Calls))
	for i, call := range s.Calls {
		kinds[i] = call.Type
		o.vals[i] = row.NewVec(call.Type, 0)
	}
	o.pace = newPace(kinds)
	if s.TTL > 0 && len(s.Keys) > 0 {
		return &expiringAgg{groupAgg: o, sweep: sweep{ttl: s.TTL, at: types.MaxTime}}, nil
	}
	return o, nil
}
