package logical

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/join"
	"fsql/types"
)

// Join pairs the rows of two inputs. Cond is over the columns of both, left
// ones first; so are the output columns Cols.
type Join struct {
	L, R Node
	Kind join.Kind
	Cond expr.Node // nil: all pairs
	// Timed tells that time attributes stay: those of an interval join and of
	// a window join, the left ones of a temporal join. Any other join makes
	// plain times of them (flink-sql 3.4).
	Timed bool
	// TTL are the retentions of the sides, in milliseconds of processing time,
	// that STATE_TTL hints give; nil: there is none.
	TTL [2]*int64
	// Windows tells a window join: the condition equates the bounds of windows.
	Windows *JoinWindows
	// Split tells that Keys, Interval and the times of Windows are set and Cond
	// has the rest of the condition.
	Split    bool
	Keys     []JoinKey
	Interval *Interval
	Temporal *Temporal // nil: both sides are as they are now
	Cols     []int
	Pos      diag.Span
	schema   *types.Schema
}

// JoinKey is a column of each side that must be equal.
type JoinKey struct {
	L, R     int // of the side
	NullSafe bool
}

// Interval bounds the difference of two time attributes: L less R is in
// [Lo, Hi] milliseconds.
type Interval struct {
	L, R     int // of the side
	Lo, Hi   types.Time
	Proctime bool
}

// JoinWindows are the windows of the two inputs of a window join.
type JoinWindows struct {
	By *Windowing
	// Start are the columns of the sides that hold the starts of the windows,
	// Last the last milliseconds of them, over the columns of the sides.
	Start [2]int
	Last  [2]expr.Node
	// L and R are the columns of the sides that hold Last, once the join is
	// split.
	L, R int
}

// Temporal makes a join with the versions of the right side: those that are
// valid at the time of the left row (FOR SYSTEM_TIME AS OF).
type Temporal struct {
	L, R     int    // times, of the sides; R is known once the join is split
	Table    string // name of the versioned table, for messages
	Proctime bool   // as of processing time
}

// NewJoin makes a join of all columns of both inputs, or of the left one if it
// gives no others.
func NewJoin(j Join) *Join {
	n := len(j.L.Schema().Columns)
	if !j.Kind.LeftOnly() {
		n += len(j.R.Schema().Columns)
	}
	j.Cols = make([]int, n)
	for i := range j.Cols {
		j.Cols[i] = i
	}
	both := j.Both()
	names := UniqueNames(Names(both))
	return j.output(names)
}

// Both are the columns of both inputs.
func (j *Join) Both() *types.Schema {
	return &types.Schema{Columns: append(append([]types.Column(nil), j.L.Schema().Columns...), j.R.Schema().Columns...)}
}

// output derives the schema; names are by column of both.
func (j Join) output(names []string) *Join {
	left, both := len(j.L.Schema().Columns), j.Both()
	j.schema = &types.Schema{}
	for _, c := range j.Cols {
		t := both.Columns[c].Type
		if !j.Timed || j.Temporal != nil && c >= left {
			t = t.Plain()
		}
		side := 0
		if c >= left {
			side = 1
		}
		// The rows of the other side come out beside NULLs.
		j.schema.Columns = append(j.schema.Columns, types.Column{Name: names[c], Type: t.OrNull(j.Kind.Pads(1 - side))})
	}
	return &j
}

// Narrow is the join over inputs with other columns: l and r are where the old
// ones went. Of the output the columns keep (numbers in the old output) stay,
// under their names.
func (j *Join) Narrow(in []Node, l, r, keep []int) *Join {
	k := *j
	k.L, k.R = in[0], in[1]
	now := len(in[0].Schema().Columns)
	to := append([]int(nil), l...)
	for _, c := range r {
		if c >= 0 {
			c += now
		}
		to = append(to, c)
	}
	if j.Cond != nil {
		k.Cond = Remap(j.Cond, to, k.Both())
	}
	k.Keys = nil
	for _, key := range j.Keys {
		k.Keys = append(k.Keys, JoinKey{l[key.L], r[key.R], key.NullSafe})
	}
	if j.Interval != nil {
		iv := *j.Interval
		iv.L, iv.R = l[iv.L], r[iv.R]
		k.Interval = &iv
	}
	if j.Windows != nil && j.Split {
		w := *j.Windows
		w.L, w.R = l[w.L], r[w.R]
		k.Windows = &w
	}
	if j.Temporal != nil {
		t := *j.Temporal
		t.L, t.R = l[t.L], r[t.R]
		k.Temporal = &t
	}
	k.Cols = nil
	names := make([]string, len(k.Both().Columns))
	for _, c := range keep {
		k.Cols = append(k.Cols, to[j.Cols[c]])
		names[to[j.Cols[c]]] = j.schema.Columns[c].Name
	}
	return k.output(names)
}

// Schema of the output.
func (j *Join) Schema() *types.Schema { return j.schema }

// Inputs are left and right.
func (j *Join) Inputs() []Node { return []Node{j.L, j.R} }

// With replaces the inputs.
func (j *Join) With(in []Node) Node {
	k := *j
	k.L, k.R = in[0], in[1]
	return &k
}

// String prints kind and condition.
func (j *Join) String() string {
	s := "Join(" + j.Kind.String()
	if j.Temporal != nil {
		s += ", asOf=[" + j.L.Schema().Columns[j.Temporal.L].Name + "]"
	}
	var parts []string
	for _, k := range j.Keys {
		parts = append(parts, j.L.Schema().Columns[k.L].Name+" = "+j.R.Schema().Columns[k.R].Name)
	}
	if j.Cond != nil {
		parts = append(parts, j.Cond.String())
	}
	if len(parts) > 0 {
		s += ", on=[" + strings.Join(parts, ", ") + "]"
	}
	return s + ")"
}
