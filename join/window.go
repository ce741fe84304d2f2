package join

import (
	"fmt"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// WindowSpec joins the rows that two inputs have in the same window. The keys
// hold what tells windows apart, such as their ends; Time of a side is the
// column of the last millisecond of a row's window. Inputs and output are
// append-only.
//
// All rows are kept until event time reaches the last millisecond of their
// window. Then the rows of each key are paired, all with all, and only then it
// is known which of them have no partner (flink-sql 4.11). Rows that come
// later are dropped. Windows come out in the order of their ends, the keys of a
// window in the order of their first rows, and the pairs of a key as Flink
// sends them: for each left row (of a right join each right row) its partners
// in the order of arrival, or NULLs; of a full join last the right rows
// without a partner.
//
// A row whose window is NULL, such as one that an outer join below has padded,
// has no partner: what becomes of it is decided at once.
type WindowSpec struct {
	Kind     Kind
	L, R     Side
	NullSafe []bool    // per key: NULL equals NULL
	Cond     expr.Node // what else must be TRUE, over the columns of L and R; nil: nothing
	Cols     []int     // of the output, among the columns of L and R
	Out      *types.Schema
	Windows  string // in EXPLAIN: the kind of the windows
	// Hold is by how much event time is held back: the length of the windows if
	// the rows go on with times that they had before they were put into them.
	Hold types.Time
}

// Describe implements op.Spec.
func (s *WindowSpec) Describe() op.Description {
	d := op.Description{Name: "WindowJoin", State: "rows of both sides per window and key until the watermark passes the end"}
	d.Args = [][2]string{{"joinType", s.Kind.String()}, {"window", s.Windows}, {"keys", keyText(s.L, s.R, s.NullSafe)}}
	if s.Cond != nil {
		d.Args = append(d.Args, [2]string{"where", s.Cond.String()})
	}
	if s.Hold > 0 {
		d.Args = append(d.Args, [2]string{"watermarkDelay", fmt.Sprintf("%d ms", s.Hold)})
	}
	d.Args = append(d.Args, [2]string{"select", columnNames(s.Out)})
	return d
}

// Output implements op.Spec.
func (s *WindowSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *WindowSpec) Require(in int) op.Distribution { return require(s.L, s.R, in) }

// Emits implements op.Spec.
func (s *WindowSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	for _, k := range in {
		if k != row.InsertOnly {
			return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a window join takes only inserts, but an input has updates or deletes").
				WithHint("use append-only inputs, or window aggregates, which are")
		}
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *WindowSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *WindowSpec) Build(c *op.Context) (op.Operator, error) { return newWindowJoin(s, c) }

// outer is the side whose rows are gone through, each with its partners.
func (s *WindowSpec) outer() int {
	if s.Kind == RightOuter {
		return right
	}
	return left
}

// Fingerprint implements op.Fingerprinted.
func (s *WindowSpec) Fingerprint() string {
	return fmt.Sprintf("window %s left %s right %s stored %t", s.Kind, sideTypes(&s.L), sideTypes(&s.R), usedColumns(s.L.In, s.R.In, s.Cols, s.Cond))
}
