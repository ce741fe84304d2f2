package logical

import (
	"strconv"
	"strings"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/types"
)

// Over computes functions over a window of rows that ends at each row; the
// output is the input and one column per call. All calls have one window.
type Over struct {
	Input     Node
	Partition []int
	Keys      []SortKey
	Frame     Frame
	Calls     []OverCall
	Pos       diag.Span
	schema    *types.Schema
}

// Frame is ROWS or RANGE BETWEEN .. AND CURRENT ROW.
type Frame struct {
	Rows bool
	// Preceding is how many rows or milliseconds it reaches back, -1: to the
	// first row.
	Preceding int64
}

// String prints the frame as SQL does.
func (f Frame) String() string {
	s := "RANGE BETWEEN "
	if f.Rows {
		s = "ROWS BETWEEN "
	}
	if f.Preceding < 0 {
		return s + "UNBOUNDED PRECEDING AND CURRENT ROW"
	}
	return s + strconv.FormatInt(f.Preceding, 10) + " PRECEDING AND CURRENT ROW"
}

// OverCall is one function of an Over: an aggregate, or one of the functions
// that exist only there.
type OverCall struct {
	agg.Call
	// Rank is the name of a ranking function, "" for an aggregate.
	Rank string
	Pos  diag.Span
}

// NewOver makes the node; names are those of the calls and must be unique among
// all.
func NewOver(in Node, o Over, names []string) *Over {
	s := &types.Schema{Columns: append([]types.Column(nil), in.Schema().Columns...)}
	for i, c := range o.Calls {
		s.Columns = append(s.Columns, types.Column{Name: names[i], Type: c.Type})
	}
	o.Input, o.schema = in, s
	return &o
}

// Schema of the output.
func (o *Over) Schema() *types.Schema { return o.schema }

// Inputs is the one input.
func (o *Over) Inputs() []Node { return []Node{o.Input} }

// With replaces the input.
func (o *Over) With(in []Node) Node { p := *o; p.Input = in[0]; return &p }

// String prints the window and the calls.
func (o *Over) String() string {
	calls := make([]string, len(o.Calls))
	for i, c := range o.Calls {
		calls[i] = c.Name
	}
	return "Over(" + orderText(o.Input.Schema(), o.Partition, o.Keys) + ", window=[" + o.Frame.String() + "], select=[" + strings.Join(calls, ", ") + "])"
}

func orderText(s *types.Schema, partition []int, keys []SortKey) string {
	p := make([]string, len(partition))
	for i, c := range partition {
		p[i] = s.Columns[c].Name
	}
	k := make([]string, len(keys))
	for i, c := range keys {
		k[i] = s.Columns[c.Col].Name
		if c.Desc {
			k[i] += " DESC"
		}
	}
	return "partitionBy=[" + strings.Join(p, ", ") + "], orderBy=[" + strings.Join(k, ", ") + "]"
}
