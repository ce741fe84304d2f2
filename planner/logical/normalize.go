package logical

import (
	"strings"

	"fsql/expr"
	"fsql/types"
)

// Normalize makes a complete changelog of rows that come by key, some of them
// perhaps again or without what they replace (flink-sql 6.4).
type Normalize struct {
	Input Node
	Key   []int
	Cond  expr.Node // of the rows that are wanted; nil: all
	// Repeats tells that changes may come several times. Without it a reader that
	// needs no old rows can do without the step.
	Repeats bool
}

// Schema of the output.
func (n *Normalize) Schema() *types.Schema { return n.Input.Schema() }

// Inputs is the one input.
func (n *Normalize) Inputs() []Node { return []Node{n.Input} }

// With replaces the input.
func (n *Normalize) With(in []Node) Node { m := *n; m.Input = in[0]; return &m }

// String prints key and condition.
func (n *Normalize) String() string {
	var keys []string
	for _, k := range n.Key {
		keys = append(keys, n.Schema().Columns[k].Name)
	}
	s := "Normalize(key=[" + strings.Join(keys, ", ") + "]"
	if n.Cond != nil {
		s += ", condition=[" + n.Cond.String() + "]"
	}
	return s + ")"
}

// ByKey tells that a condition reads nothing but the upsert key of n: both images
// of an update meet it, or none.
func ByKey(cond expr.Node, n Node) bool {
	key := UpsertKey(n)
	return cond != nil && key != nil && Reads(cond, key)
}

// Reads tells that an expression reads no columns but these, and is the same
// whenever it is evaluated.
func Reads(n expr.Node, cols []int) bool {
	return !Any(n, func(m expr.Node) bool {
		if call, ok := m.(*expr.Call); ok {
			return call.Fn.Volatile || call.Fn.Dynamic
		}
		c := AsRef(m)
		return c >= 0 && !hasInt(cols, c)
	})
}
