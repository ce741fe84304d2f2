package logical

import (
	"strings"

	"fsql/internal/diag"
	"fsql/relop/match"
	"fsql/types"
)

// Match finds patterns in the rows of partitions: MATCH_RECOGNIZE. The output is
// the partition columns and the measures.
type Match struct {
	Input  Node
	By     match.Spec // without schemas; its columns are those of the input
	Keys   []SortKey  // behind the time
	Pos    diag.Span
	schema *types.Schema
}

// NewMatch makes the node; names are those of the output.
func NewMatch(in Node, m Match, names []string) *Match {
	s := &types.Schema{}
	for _, c := range m.By.Partition {
		s.Columns = append(s.Columns, types.Column{Name: names[len(s.Columns)], Type: in.Schema().Columns[c].Type.Plain()})
	}
	for _, n := range m.By.Measures {
		s.Columns = append(s.Columns, types.Column{Name: names[len(s.Columns)], Type: n.Type()})
	}
	m.Input, m.schema = in, s
	return &m
}

// Schema of the output.
func (m *Match) Schema() *types.Schema { return m.schema }

// Inputs is the one input.
func (m *Match) Inputs() []Node { return []Node{m.Input} }

// With replaces the input.
func (m *Match) With(in []Node) Node { n := *m; n.Input = in[0]; return &n }

// String prints the pattern.
func (m *Match) String() string {
	terms := make([]string, len(m.By.Vars))
	for i := range m.By.Vars {
		terms[i] = m.By.Vars[i].Name + m.By.Vars[i].Quantifier()
	}
	return "Match(pattern=[" + strings.Join(terms, " ") + "])"
}

// Columns visits the columns of the input that the node reads and puts what f
// says in their place.
func (m *Match) Columns(s *types.Schema, f func(col int) int) *Match {
	n := *m
	b := &n.By
	b.Partition, b.Reads, b.Args, n.Keys = nil, nil, nil, nil
	for _, c := range m.By.Partition {
		b.Partition = append(b.Partition, f(c))
	}
	b.Time = f(m.By.Time)
	for _, k := range m.Keys {
		k.Col = f(k.Col)
		n.Keys = append(n.Keys, k)
	}
	for _, r := range m.By.Reads {
		if r.Kind == match.First || r.Kind == match.Last {
			r.Index = f(r.Index)
		}
		b.Reads = append(b.Reads, r)
	}
	to := make([]int, len(m.Input.Schema().Columns))
	for _, a := range m.By.Args {
		used := make([]bool, len(to))
		MarkUsed(a, used)
		for c := range used {
			if used[c] {
				to[c] = f(c)
			}
		}
		b.Args = append(b.Args, Remap(a, to, s))
	}
	return &n
}
