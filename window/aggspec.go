package window

import (
	"slices"
	"strings"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// Prop is a property of a window that a query asks for.
type Prop uint8

// The properties: window_start and window_end as TIMESTAMP(3) on the wall
// clock; window_time, the last millisecond, a TIMESTAMP(3) or TIMESTAMP_LTZ(3)
// as the time column is.
const (
	WindowStart Prop = iota
	WindowEnd
	WindowTime
)

func (p Prop) String() string {
	return [...]string{"start('w$)", "end('w$)", "rowtime('w$)"}[p]
}

// AggSpec is the aggregation of a window function: GROUP BY window_start,
// window_end and keys, or a legacy group window. It gives one +I per window and
// key when the watermark passes the window's last millisecond, windows in order
// of their ends. The order of the keys of a window depends on the order of the
// rows alone: it is that of their first rows in the slices that the window joins.
//
// Of SESSION the PARTITION BY columns must be the group keys; another GROUP BY
// is an ordinary group aggregation above AssignSpec (so Flink plans it too).
type AggSpec struct {
	In            *types.Schema
	Window        Window
	Keys          []int // columns of the input
	PartitionKeys []int // of SESSION: the same columns as Keys, in any order
	Calls         []agg.Call
	Props         []Prop
	Out           *types.Schema // keys, calls, props
	InKinds       row.Kinds     // what the input carries
	Legacy        bool          // a legacy group window: HOP merges its slices from the earliest on, not from the latest back
	Emit          *Emit         // of legacy TUMBLE and HOP windows emitted early or late; nil: once, at their end
	Name          string        // in EXPLAIN, "" for WindowAggregate
}

// Describe implements op.Spec.
func (s *AggSpec) Describe() op.Description {
	d := op.Description{Name: s.Name, State: "accumulators per window and key until the watermark passes the window"}
	if d.Name == "" {
		d.Name = "WindowAggregate"
	}
	if s.Window.Proctime {
		d.State = "accumulators per window and key until the clock passes the window"
	}
	var sel []string
	for i, c := range s.Out.Columns {
		switch c := c.Name; {
		case i < len(s.Keys):
			sel = append(sel, c)
		case i < len(s.Keys)+len(s.Calls):
			sel = append(sel, s.Calls[i-len(s.Keys)].Name+" AS "+c)
		default:
			sel = append(sel, s.Props[i-len(s.Keys)-len(s.Calls)].String()+" AS "+c)
		}
	}
	if len(s.Keys) > 0 {
		d.Args = append(d.Args, [2]string{"groupBy", names(s.In, s.Keys)})
	}
	d.Args = append(d.Args, [2]string{"window", "[" + s.Window.Text(s.In) + "]"})
	if s.Emit != nil {
		d.Args = append(d.Args, [2]string{"emit", s.Emit.String()})
	}
	d.Args = append(d.Args, [2]string{"select", "[" + strings.Join(sel, ", ") + "]"})
	return d
}

func names(s *types.Schema, cols []int) string {
	list := make([]string, len(cols))
	for i, c := range cols {
		list[i] = s.Columns[c].Name
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// Output implements op.Spec.
func (s *AggSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *AggSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Keys, Single: len(s.Keys) == 0}
}

// Emits implements op.Spec: the answer of a window is final, unless it is
// emitted early or late.
func (s *AggSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0].Has(row.UpdateAfter) && !in[0].Has(row.UpdateBefore) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a window aggregation needs the old row of every update")
	}
	switch {
	case s.Emit == nil:
		return row.InsertOnly, nil
	case in[0] == row.InsertOnly:
		return row.AllKinds &^ (1 << row.Delete), nil
	}
	return row.AllKinds, nil
}

// MayPause implements op.Spec.
func (s *AggSpec) MayPause() bool { return true }

// retracts tells that the input takes rows back.
func (s *AggSpec) retracts() bool { return s.InKinds&^row.InsertOnly != 0 }

// Build implements op.Spec.
func (s *AggSpec) Build(c *op.Context) (op.Operator, error) {
	if err := s.Window.Check(false); err != nil {
		return nil, err
	}
	if s.Window.Kind == Session && !sameColumns(s.Keys, s.PartitionKeys) {
		return nil, diag.New(diag.Internal, diag.Span{}, "sessions of %s grouped by %s", names(s.In, s.PartitionKeys), names(s.In, s.Keys))
	}
	k, err := newClock(s.Window.Zone)
	if err != nil {
		return nil, err
	}
	calls, err := newCalls(s.In, s.Calls, s.retracts(), s.Window.Kind != Tumble, c.ZeroHash)
	if err != nil {
		return nil, err
	}
	switch {
	case s.Window.Kind == Session:
		return newSessions(s, c, k, calls), nil
	case s.Emit != nil:
		return newEager(s, c, k, calls), nil
	}
	return newSliced(s, c, k, calls), nil
}

func sameColumns(a, b []int) bool {
	for _, c := range a {
		if !slices.Contains(b, c) {
			return false
		}
	}
	for _, c := range b {
		if !slices.Contains(a, c) {
			return false
		}
	}
	return true
}

// columns gives the columns of b that a list names.
func columns(dst []*row.Vec, b *row.Batch, list []int) []*row.Vec {
	dst = dst[:0]
	for _, c := range list {
		dst = append(dst, b.Cols[c])
	}
	return dst
}
