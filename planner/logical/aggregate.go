package logical

import (
	"strings"

	"fsql/expr/agg"
	"fsql/types"
	"fsql/window"
)

// Aggregate is GROUP BY: one row per key with the results of calls. Keys, and
// the calls' arguments and filters, are columns of the input. Without keys
// there is one group.
type Aggregate struct {
	Input Node
	Keys  []int
	Calls []agg.Call
	// Bounds is set when the keys hold both bounds of a window: the
	// aggregation gives one result per window instead of updates.
	Bounds *Bounds
	// TTL is the retention that a STATE_TTL hint gives, in milliseconds of
	// processing time; -1: that of the session.
	TTL    int64
	schema *types.Schema
}

// NewAggregate groups. The output is the keys, then the results; names must be
// unique. A key loses its time attribute, unless it is window_time of a window
// aggregation (flink-sql 3.4).
func NewAggregate(in Node, keys []int, calls []agg.Call, names []string, b *Bounds) *Aggregate {
	s := &types.Schema{}
	for i, k := range keys {
		t := in.Schema().Columns[k].Type
		if p, ok := b.propOf(k); !ok || p != window.WindowTime {
			t = t.Plain()
		}
		s.Columns = append(s.Columns, types.Column{Name: names[i], Type: t})
	}
	for i, c := range calls {
		s.Columns = append(s.Columns, types.Column{Name: names[len(keys)+i], Type: c.Type})
	}
	return &Aggregate{Input: in, Keys: keys, Calls: calls, Bounds: b, TTL: -1, schema: s}
}

func (b *Bounds) propOf(k int) (window.Prop, bool) {
	if b == nil {
		return 0, false
	}
	return b.Prop(k)
}

// Schema of the output.
func (a *Aggregate) Schema() *types.Schema { return a.schema }

// Inputs is the one input.
func (a *Aggregate) Inputs() []Node { return []Node{a.Input} }

// With replaces the input.
func (a *Aggregate) With(in []Node) Node { b := *a; b.Input = in[0]; return &b }

// String prints keys and calls.
func (a *Aggregate) String() string {
	return "Aggregate(" + aggText(a.Input.Schema(), a.Keys, a.Calls) + ")"
}

func aggText(s *types.Schema, keys []int, calls []agg.Call) string {
	k := make([]string, len(keys))
	for i, c := range keys {
		k[i] = s.Columns[c].Name
	}
	c := make([]string, len(calls))
	for i := range calls {
		c[i] = calls[i].Name
	}
	return "groupBy=[" + strings.Join(k, ", ") + "], select=[" + strings.Join(c, ", ") + "]"
}

// WindowAggregate assigns rows to windows and aggregates per window and key:
// one row when event time passes the window's end. The output is the keys, the
// results, then the properties.
type WindowAggregate struct {
	Input  Node
	By     Windowing
	Keys   []int
	Calls  []agg.Call
	Props  []window.Prop
	schema *types.Schema
}

// NewWindowAggregate makes the node; names cover keys, calls and props and
// must be unique.
func NewWindowAggregate(in Node, by Windowing, keys []int, calls []agg.Call, props []window.Prop, names []string) *WindowAggregate {
	s := &types.Schema{}
	add := func(t types.Type) {
		s.Columns = append(s.Columns, types.Column{Name: names[len(s.Columns)], Type: t})
	}
	for _, k := range keys {
		add(in.Schema().Columns[k].Type.Plain())
	}
	for _, c := range calls {
		add(c.Type)
	}
	w := windowTypes(in.Schema().Columns[by.Time].Type)
	for _, p := range props {
		add(w[p])
	}
	return &WindowAggregate{Input: in, By: by, Keys: keys, Calls: calls, Props: props, schema: s}
}

// Schema of the output.
func (a *WindowAggregate) Schema() *types.Schema { return a.schema }

// Inputs is the one input.
func (a *WindowAggregate) Inputs() []Node { return []Node{a.Input} }

// With replaces the input.
func (a *WindowAggregate) With(in []Node) Node { b := *a; b.Input = in[0]; return &b }

// String prints windowing, keys and calls.
func (a *WindowAggregate) String() string {
	p := make([]string, len(a.Props))
	for i, q := range a.Props {
		p[i] = WindowColumns[q]
	}
	s := a.Input.Schema()
	return "WindowAggregate(window=[" + a.By.Text(s) + "], " + aggText(s, a.Keys, a.Calls) + ", props=[" + strings.Join(p, ", ") + "])"
}
