package logical

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/types"
	"fsql/window"
)

// Windowing says how rows are put into windows.
type Windowing struct {
	window.Window
	Keys   []int     // SESSION ... PARTITION BY, columns of the input
	Legacy bool      // a group window: GROUP BY TUMBLE(ts, ..)
	Pos    diag.Span // of the call
}

// Text prints the windowing over schema s.
func (w *Windowing) Text(s *types.Schema) string {
	t := w.Window.Text(s)
	if len(w.Keys) > 0 {
		names := make([]string, len(w.Keys))
		for i, k := range w.Keys {
			names[i] = s.Columns[k].Name
		}
		t += " partition by " + strings.Join(names, ", ")
	}
	return t
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
	for _, t := range windowTypes(in.Schema().Columns[by.Time].Type) {
		s.Columns = append(s.Columns, types.Column{Name: names[len(s.Columns)], Type: t})
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
	// Keys[i] are the columns that hold key i of SESSION .. PARTITION BY; nil
	// once the rows are aggregated.
	Keys       [][]int
	Aggregated bool // the rows are results, one per window and key
	// Literal are columns that are constants, Pinned those that a condition
	// above the window function gives a single value.
	Literal, Pinned []int
}

// BoundsOf derives the window bounds of a node's output, nil if it has none.
func BoundsOf(n Node) *Bounds {
	switch n := n.(type) {
	case *Window:
		k := len(n.schema.Columns) - 3
		b := &Bounds{Start: []int{k}, End: []int{k + 1}, Time: []int{k + 2}, By: &n.By, TimeType: n.schema.Columns[k+2].Type}
		for _, c := range n.By.Keys {
			b.Keys = append(b.Keys, []int{c})
		}
		return b
	case *WindowAggregate:
		if n.By.Legacy {
			return nil // Flink: group windows hand on no window to group by
		}
		b := &Bounds{By: &n.By, TimeType: windowTypes(n.Input.Schema().Columns[n.By.Time].Type)[2], Aggregated: true}
		at := len(n.Keys) + len(n.Calls)
		for i, p := range n.Props {
			b.add(p, at+i)
		}
		return b
	case *Aggregate:
		if n.Bounds == nil {
			return nil
		}
		b := &Bounds{By: n.Bounds.By, TimeType: n.Bounds.TimeType, Aggregated: true}
		for i, k := range n.Keys {
			if p, ok := n.Bounds.Prop(k); ok {
				b.add(p, i)
			}
		}
		return b
	case *Calc:
		return calcBounds(n)
	case *Union:
		return unionBounds(n)
	case *Unnest:
		return unnestBounds(n)
	case *Join:
		return joinBounds(n)
	case *Over:
		return overBounds(n)
	case *Rank:
		return BoundsOf(n.Input)
	}
	return nil
}

// joinBounds are those of a window join: of the sides whose rows do not come
// out as NULLs beside others.
func joinBounds(n *Join) *Bounds {
	if n.Windows == nil {
		return nil
	}
	l, r := BoundsOf(n.L), BoundsOf(n.R)
	if l == nil || r == nil {
		return nil
	}
	left := len(n.L.Schema().Columns)
	b := &Bounds{By: l.By, TimeType: l.TimeType, Aggregated: true}
	for i, c := range n.Cols {
		if p, ok := l.Prop(c); ok && c < left && !n.Kind.Pads(1) {
			b.add(p, i)
		}
		if p, ok := r.Prop(c - left); ok && c >= left && !n.Kind.Pads(0) {
			b.add(p, i)
		}
	}
	if len(b.Start)+len(b.End)+len(b.Time) == 0 {
		return nil
	}
	return b
}

// overBounds are those of a ranking per window: its rows come when the window
// is complete.
func overBounds(n *Over) *Bounds {
	b := BoundsOf(n.Input)
	if len(n.Calls) != 1 || n.Calls[0].Rank == "" || !b.Windowed(n.Partition) {
		return nil
	}
	return b
}

func calcBounds(n *Calc) *Bounds {
	in := BoundsOf(n.Input)
	if in == nil {
		return nil
	}
	from, literal := make([]int, len(n.Exprs)), []int(nil)
	for i, e := range n.Exprs {
		if from[i] = AsRef(e); from[i] >= 0 {
			continue
		}
		if _, ok := expr.IsConst(e); ok {
			literal = append(literal, i)
		}
	}
	return in.through(from, literal, pinnedBy(n.Cond))
}

// unnestBounds are those of the row that holds the elements.
func unnestBounds(n *Unnest) *Bounds {
	in := BoundsOf(n.Input)
	if in == nil {
		return nil
	}
	from, left := make([]int, len(n.Cols)), len(n.Input.Schema().Columns)
	for i, c := range n.Cols {
		if from[i] = c; c >= left {
			from[i] = -1
		}
	}
	var pinned []int
	if !n.Outer {
		pinned = pinnedBy(n.Cond)
	}
	return in.through(from, nil, pinned)
}

// through are the bounds of a step whose column i is column from[i] of its
// input, or something else (-1): one of literal is a constant. A condition has
// pinned columns of the input.
func (in *Bounds) through(from, literal, pinned []int) *Bounds {
	b := &Bounds{By: in.By, TimeType: in.TimeType, Aggregated: in.Aggregated, Literal: literal}
	if in.Keys != nil {
		b.Keys = make([][]int, len(in.Keys))
	}
	pinned = append(pinned, in.Pinned...)
	for i, c := range from {
		if c < 0 {
			continue
		}
		if p, ok := in.Prop(c); ok {
			b.add(p, i)
		}
		if hasInt(in.Literal, c) {
			b.Literal = append(b.Literal, i)
		}
		if hasInt(pinned, c) {
			b.Pinned = append(b.Pinned, i)
		}
		for k, cols := range in.Keys {
			if hasInt(cols, c) {
				b.Keys[k] = append(b.Keys[k], i)
			}
		}
	}
	if len(b.Start)+len(b.End)+len(b.Time) == 0 {
		return nil
	}
	return b
}

// pinnedBy are the columns that a condition compares with a constant.
func pinnedBy(cond expr.Node) []int {
	var out []int
	for _, c := range Conjuncts(cond) {
		call, ok := c.(*expr.Call)
		if !ok || call.Fn.Name != "=" && call.Fn.Name != "IN" || len(call.Args) != 2 {
			continue
		}
		for i, a := range call.Args {
			if _, constant := expr.IsConst(call.Args[1-i]); constant && AsRef(a) >= 0 {
				out = append(out, AsRef(a))
			}
		}
	}
	return out
}

// unionBounds keeps what all branches agree on. Sessions that are aggregated
// are no windows any more to Flink once they meet others.
func unionBounds(u *Union) *Bounds {
	first := BoundsOf(u.Ins[0])
	if first == nil {
		return nil
	}
	var others []*Bounds
	for _, in := range u.Ins[1:] {
		b := BoundsOf(in)
		if b == nil || !b.By.SameWindows(first.By) || len(b.Keys) != len(first.Keys) || first.By.Kind == window.Session && first.Aggregated {
			return nil
		}
		others = append(others, b)
	}
	out := &Bounds{By: first.By, TimeType: first.TimeType}
	if first.Keys != nil {
		out.Keys = make([][]int, len(first.Keys))
	}
	for c := range u.schema.Columns {
		p, ok := first.Prop(c)
		for _, b := range others {
			q, has := b.Prop(c)
			ok = ok && has && q == p
		}
		if ok {
			out.add(p, c)
		}
		for k, cols := range first.Keys {
			ok := hasInt(cols, c)
			for _, b := range others {
				ok = ok && hasInt(b.Keys[k], c)
			}
			if ok {
				out.Keys[k] = append(out.Keys[k], c)
			}
		}
	}
	return out
}

// SameWindows tells that both make the same windows, of whatever column.
func (w *Windowing) SameWindows(v *Windowing) bool {
	return w.Kind == v.Kind && w.Size == v.Size && w.Slide == v.Slide && w.Offset == v.Offset && w.Proctime == v.Proctime
}

func (b *Bounds) add(p window.Prop, col int) {
	switch p {
	case window.WindowStart:
		b.Start = append(b.Start, col)
	case window.WindowEnd:
		b.End = append(b.End, col)
	case window.WindowTime:
		b.Time = append(b.Time, col)
	}
}

// Windowed tells whether grouping by the columns keys is grouping by window:
// both bounds are among them and, of SESSION, exactly the PARTITION BY columns
// besides. Any other grouping of sessions is an ordinary one to Flink, which
// leaves constants out of it and does not know a column again that a condition
// has made one.
func (b *Bounds) Windowed(keys []int) bool {
	if b == nil || !anyOf(keys, b.Start) || !anyOf(keys, b.End) {
		return false
	}
	if b.By.Kind != window.Session || b.Aggregated {
		return true
	}
	for _, cols := range b.Keys {
		if !anyOf(keys, cols) {
			return false
		}
	}
	for _, k := range keys {
		_, known := b.Prop(k)
		known = known || hasInt(b.Literal, k)
		for _, cols := range b.Keys {
			known = known || hasInt(cols, k) && !hasInt(b.Pinned, k)
		}
		if !known {
			return false
		}
	}
	return true
}

func anyOf(list, of []int) bool {
	for _, c := range of {
		if hasInt(list, c) {
			return true
		}
	}
	return false
}

func hasInt(list []int, c int) bool {
	for _, l := range list {
		if l == c {
			return true
		}
	}
	return false
}

// Prop tells which bound column c is.
func (b *Bounds) Prop(c int) (window.Prop, bool) {
	for p, cols := range [][]int{b.Start, b.End, b.Time} {
		for _, d := range cols {
			if d == c {
				return window.Prop(p), true
			}
		}
	}
	return 0, false
}

// PropType is the type of a window's property over a time attribute of type t.
// Properties of group windows may be NULL to Flink where event time is; those
// of window functions are not.
func PropType(t types.Type, p window.Prop) types.Type { return windowTypes(t)[p] }
