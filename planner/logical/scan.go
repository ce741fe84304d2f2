package logical

import (
	"strings"

	"fsql/expr"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/types"
)

// Scan reads a declared table. Base is the layout of the stored (and metadata)
// columns; every output column is an expression over it, so that computed
// columns are evaluated right after the reader.
type Scan struct {
	Table   *catalog.Table
	Options []option.Entry // of the table, hints applied
	Pos     diag.Span      // of the use
	Base    *types.Schema
	Meta    []string // metadata key of a column of Base, "" for a stored one
	Exprs   []expr.Node
	// Rowtime and Watermark are over Base; nil: no event time.
	Rowtime, Watermark expr.Node
	Limit              int64 // rows after which the source may end, -1: none
	// Partitions is a condition over partition columns of Base that every
	// wanted row meets; nil: none is known.
	Partitions expr.Node
	schema     *types.Schema
}

// NewScan makes a scan that outputs exprs under the names of s.
func NewScan(s Scan, out *types.Schema) *Scan {
	s.schema = out
	return &s
}

// Schema of the output.
func (s *Scan) Schema() *types.Schema { return s.schema }

// Inputs are none.
func (s *Scan) Inputs() []Node { return nil }

// With returns the scan itself.
func (s *Scan) With([]Node) Node { return s }

// Keep narrows the output to the columns kept, in order.
func (s *Scan) Keep(cols []int) *Scan {
	t := *s
	t.Exprs = make([]expr.Node, len(cols))
	t.schema = &types.Schema{Columns: make([]types.Column, len(cols))}
	for i, c := range cols {
		t.Exprs[i], t.schema.Columns[i] = s.Exprs[c], s.schema.Columns[c]
	}
	return &t
}

// Read tells which columns of Base somebody reads.
func (s *Scan) Read() []bool {
	used := make([]bool, len(s.Base.Columns))
	for _, e := range s.Exprs {
		MarkUsed(e, used)
	}
	MarkUsed(s.Rowtime, used)
	MarkUsed(s.Watermark, used)
	return used
}

// String prints the table and its output.
func (s *Scan) String() string {
	b := "Scan(table=[" + s.Table.Path.String() + "], select=[" + exprList(s.Exprs, Names(s.schema)) + "]"
	if s.Watermark != nil {
		b += ", watermark=[" + s.Watermark.String() + "]"
	}
	if s.Partitions != nil {
		b += ", partitions=[" + s.Partitions.String() + "]"
	}
	if s.Limit >= 0 {
		b += ", limit=[" + itoa(int(s.Limit)) + "]"
	}
	return b + ")"
}

// Key identifies scans that read the same rows the same way: they may share
// one source.
func (s *Scan) Key() string {
	var b strings.Builder
	b.WriteString(s.String())
	for _, o := range s.Options {
		b.WriteString("\x00" + o.Key + "\x00" + o.Value)
	}
	if s.Rowtime != nil {
		b.WriteString("\x00" + s.Rowtime.String())
	}
	return b.String()
}
