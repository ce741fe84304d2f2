package logical

import (
	"fsql/internal/diag"
	"fsql/types"
)

// Rank keeps the rows of ranks Start to End of each partition; the output is the
// input, and the rank if WithRank.
type Rank struct {
	Input      Node
	Partition  []int
	Keys       []SortKey
	Start, End int64
	EndCol     int // the column that holds End; -1: none
	WithRank   bool
	// Time is the column that holds the last millisecond of the window that the
	// rows of a partition belong to: the ranking is final then. -1: none.
	Time   int
	Pos    diag.Span
	schema *types.Schema
}

// NewRank makes the node; name is that of the rank.
func NewRank(in Node, r Rank, name string) *Rank {
	r.Input, r.schema = in, in.Schema()
	if r.WithRank {
		r.schema = &types.Schema{Columns: append([]types.Column(nil), in.Schema().Columns...)}
		r.schema.Columns = append(r.schema.Columns, types.Column{Name: name, Type: types.Of(types.BigInt).NotNull()})
	}
	return &r
}

// Schema of the output.
func (r *Rank) Schema() *types.Schema { return r.schema }

// Inputs is the one input.
func (r *Rank) Inputs() []Node { return []Node{r.Input} }

// With replaces the input.
func (r *Rank) With(in []Node) Node { q := *r; q.Input = in[0]; return &q }

// String prints the order and the ranks.
func (r *Rank) String() string {
	end := itoa(int(r.End))
	if r.EndCol >= 0 {
		end = r.Input.Schema().Columns[r.EndCol].Name
	}
	return "Rank(rankRange=[" + itoa(int(r.Start)) + ", " + end + "], " + orderText(r.Input.Schema(), r.Partition, r.Keys) + ")"
}

// First tells a ranking of one rank.
func (r *Rank) First() bool { return r.Start == 1 && r.End == 1 && r.EndCol < 0 }
