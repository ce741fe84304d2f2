package logical

import "fsql/types"

// Replicate gives every row as often as its column Count says, without that
// column.
type Replicate struct {
	Input  Node
	Count  int // a BIGINT above 0
	schema *types.Schema
}

// NewReplicate repeats the rows of in.
func NewReplicate(in Node, count int) *Replicate {
	s := &types.Schema{}
	for i, c := range in.Schema().Columns {
		if i != count {
			s.Columns = append(s.Columns, c)
		}
	}
	return &Replicate{Input: in, Count: count, schema: s}
}

// Schema of the output.
func (r *Replicate) Schema() *types.Schema { return r.schema }

// Inputs is the one input.
func (r *Replicate) Inputs() []Node { return []Node{r.Input} }

// With replaces the input.
func (r *Replicate) With(in []Node) Node { return NewReplicate(in[0], r.Count) }

// String prints the number's column.
func (r *Replicate) String() string {
	return "Replicate(times=[" + r.Input.Schema().Columns[r.Count].Name + "])"
}
