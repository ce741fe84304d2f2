package logical

import (
	"fsql/diag"
	"fsql/expr"
	"fsql/types"
)

// JoinKind is the kind of a join.
type JoinKind uint8

// The kinds. A cross join is an inner join without a condition.
const (
	Inner JoinKind = iota
	LeftOuter
	RightOuter
	FullOuter
)

// String is the name in SQL.
func (k JoinKind) String() string {
	return [...]string{"INNER", "LEFT", "RIGHT", "FULL"}[k]
}

// Join pairs the rows of two inputs that satisfy a condition over the columns
// of both, left ones first.
type Join struct {
	L, R Node
	Kind JoinKind
	Cond expr.Node // nil: all pairs
	// Interval tells that the condition compares time attributes of both
	// sides, or equates their windows: such a join keeps time attributes, any
	// other makes plain times of them.
	Interval bool
	Pos      diag.Span
	schema   *types.Schema
}

// NewJoin makes a join under schema s, the columns of both inputs.
func NewJoin(j Join, s *types.Schema) *Join {
	j.schema = s
	return &j
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
	if j.Cond != nil {
		s += ", on=[" + j.Cond.String() + "]"
	}
	return s + ")"
}
