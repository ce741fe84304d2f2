package logical

import (
	"fmt"
	"strings"

	"fsql/types"
)

// Windowing says how rows are put into windows.
type Windowing struct {
	Kind string // TUMBLE, HOP, CUMULATE, SESSION
	// Size is the length of a window, the largest one of CUMULATE, the gap of
	// SESSION. Slide is HOP's slide and CUMULATE's step.
	Size, Slide, Offset types.Time
	Time                int   // time attribute, a column of the input
	Keys                []int // SESSION ... PARTITION BY, columns of the input
	Proctime            bool
}

// Text prints the windowing over schema s.
func (w *Windowing) Text(s *types.Schema) string {
	parts := []string{s.Columns[w.Time].Name}
	if w.Kind == "HOP" || w.Kind == "CUMULATE" {
		parts = append(parts, Millis(w.Slide))
	}
	parts = append(parts, Millis(w.Size))
	if w.Offset != 0 {
		parts = append(parts, "offset "+Millis(w.Offset))
	}
	if len(w.Keys) > 0 {
		names := make([]string, len(w.Keys))
		for i, k := range w.Keys {
			names[i] = s.Columns[k].Name
		}
		parts = append(parts, "partition by "+strings.Join(names, ", "))
	}
	return w.Kind + "(" + strings.Join(parts, ", ") + ")"
}

// Millis prints a duration in the largest unit that divides it.
func Millis(d types.Time) string {
	for _, u := range []struct {
		ms   types.Time
		name string
	}{{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}} {
		if d%u.ms == 0 && d != 0 {
			return fmt.Sprintf("%d %s", d/u.ms, u.name)
		}
	}
	return fmt.Sprintf("%d ms", d)
}

// Window adds window_start, window_end and window_time to every row: the
// window table functions.
type Window struct {
	Input  Node
	By     Windowing
	schema *types.Schema
}

// WindowColumns are the names of the columns that a window function adds.
var WindowColumns = [3]string{"window_start", "window_end", "window_time"}

// NewWindow applies a window function. Names that the input has already are
// numbered.
func NewWindow(in Node, by Windowing) *Window {
	names := UniqueNames(append(Names(in.Schema()), WindowColumns[:]...))
	s := &types.Schema{Columns: append([]types.Column(nil), in.Schema().Columns...)}
	for i, t := range windowTypes(in.Schema().Columns[by.Time].Type) {
		s.Columns = append(s.Columns, types.Column{Name: names[len(s.Columns)], Type: t})
		_ = i
	}
	return &Window{Input: in, By: by, schema: s}
}

// windowTypes are the types of start, end and time of windows over a time
// attribute of type t: the bounds are wall clocks, the time is the new
// attribute (flink-sql 3.4).
func windowTypes(t types.Type) [3]types.Type {
	bound := types.TimestampOf(3).NotNull()
	time := types.TimestampOf(3)
	if t.Kind == types.TimestampLTZ {
		time = types.TimestampLTZOf(3)
	}
	time.Attr, time.Nullable = t.Attr, false
	return [3]types.Type{bound, bound, time}
}

// Schema of the output.
func (w *Window) Schema() *types.Schema { return w.schema }

// Inputs is the one input.
func (w *Window) Inputs() []Node { return []Node{w.Input} }

// With replaces the input.
func (w *Window) With(in []Node) Node { return &Window{Input: in[0], By: w.By, schema: w.schema} }

// String prints the windowing.
func (w *Window) String() string {
	return "Window(" + w.By.Text(w.Input.Schema()) + ")"
}

// Bounds says which columns of a node hold the bounds of windows that every
// row belongs to. It is what makes GROUP BY window_start, window_end a window
// aggregation, also above another one.
type Bounds struct {
	Start, End, Time []int // columns
	By               *Windowing
	TimeType         types.Type // of window_time
}

// BoundsOf derives the window bounds of a node's output, nil if it has none.
func BoundsOf(n Node) *Bounds {
	switch n := n.(type) {
	case *Window:
		k := len(n.schema.Columns) - 3
		return &Bounds{Start: []int{k}, End: []int{k + 1}, Time: []int{k + 2}, By: &n.By, TimeType: n.schema.Columns[k+2].Type}
	case *WindowAggregate:
		b := &Bounds{By: &n.By, TimeType: windowTypes(n.Input.Schema().Columns[n.By.Time].Type)[2]}
		at := len(n.Keys) + len(n.Calls)
		for i, p := range n.Props {
			b.add(p, at+i)
		}
		return b
	case *Aggregate:
		if n.Bounds == nil {
			return nil
		}
		b := &Bounds{By: n.Bounds.By, TimeType: n.Bounds.TimeType}
		for i, k := range n.Keys {
			if p, ok := n.Bounds.Prop(k); ok {
				b.add(p, i)
			}
		}
		return b
	case *Calc:
		in := BoundsOf(n.Input)
		if in == nil {
			return nil
		}
		b := &Bounds{By: in.By, TimeType: in.TimeType}
		for i, e := range n.Exprs {
			if c := AsRef(e); c >= 0 {
				if p, ok := in.Prop(c); ok {
					b.add(p, i)
				}
			}
		}
		if len(b.Start)+len(b.End)+len(b.Time) == 0 {
			return nil
		}
		return b
	case *Union:
		return unionBounds(n)
	}
	return nil
}

// unionBounds keeps what all branches agree on.
func unionBounds(u *Union) *Bounds {
	first := BoundsOf(u.Ins[0])
	if first == nil {
		return nil
	}
	out := &Bounds{By: first.By, TimeType: first.TimeType}
	for c := range u.schema.Columns {
		p, ok := first.Prop(c)
		for _, in := range u.Ins[1:] {
			b := BoundsOf(in)
			if b == nil || !b.By.sameWindows(first.By) {
				return nil
			}
			q, has := b.Prop(c)
			ok = ok && has && q == p
		}
		if ok {
			out.add(p, c)
		}
	}
	return out
}

func (w *Windowing) sameWindows(v *Windowing) bool {
	return w.Kind == v.Kind && w.Size == v.Size && w.Slide == v.Slide && w.Offset == v.Offset && w.Proctime == v.Proctime
}

func (b *Bounds) add(p Prop, col int) {
	switch p {
	case Start:
		b.Start = append(b.Start, col)
	case End:
		b.End = append(b.End, col)
	case Time:
		b.Time = append(b.Time, col)
	}
}

// Prop tells which bound column c is.
func (b *Bounds) Prop(c int) (Prop, bool) {
	for p, cols := range [][]int{b.Start, b.End, b.Time} {
		for _, d := range cols {
			if d == c {
				return Prop(p), true
			}
		}
	}
	return 0, false
}

// Prop is a property of a window that an aggregation can put out.
type Prop uint8

// The properties. Proctime is that of legacy windows: NULL over event time.
const (
	Start Prop = iota
	End
	Time
	Proctime
)

// String is the property's name.
func (p Prop) String() string {
	return [...]string{"window_start", "window_end", "window_time", "proctime"}[p]
}
