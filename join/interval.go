package join

import (
	"fmt"
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// Side is one input of a join.
type Side struct {
	In *types.Schema
	// Keys are columns that must equal those of the other side, in turn.
	Keys []int
	// Time is the time attribute of an interval join.
	Time int
	// Unique are columns of a regular join by which the rows of the side can be
	// told apart: an update or removal concerns the row that has the same
	// values there. nil: none are known, or there are equal rows.
	Unique []int
	// TTL is the time to live of the rows of a regular join, 0: for ever.
	TTL types.Time
}

// IntervalSpec joins rows whose times are close: left less right is in [Lo, Hi]
// milliseconds. Inputs and output are append-only.
//
// A row meets all stored rows of the other side that fit, then it is stored
// until no partner can come any more: a left row until event time is above its
// time - Lo, a right one until it is above its time + Hi. A row of a padded
// side that has met nobody comes out with NULLs when it leaves, or at once if
// it comes too late to be stored (flink-sql 4.8). Late rows may still meet
// stored ones. Event time is held back by the wider of the two, so that padded
// rows are not late.
type IntervalSpec struct {
	Kind     Kind // Inner and the outer ones
	L, R     Side
	NullSafe []bool // per key: NULL equals NULL
	Lo, Hi   types.Time
	// Cleanup is how much longer rows are kept
	// (table.exec.interval-join.min-cleanup-interval).
	Cleanup types.Time
	// Proctime: the time of a row is when it comes, Time means nothing. What
	// is still stored at the end of the input never comes out.
	Proctime bool
	Cond     expr.Node // what else must be TRUE, over the columns of L and R; nil: nothing
	Cols     []int     // of the output, among the columns of L and R
	Out      *types.Schema
}

// Describe implements op.Spec.
func (s *IntervalSpec) Describe() op.Description {
	d := op.Description{Name: "IntervalJoin", State: "rows of both sides until the watermark passes the interval"}
	time := "rowtime"
	if s.Proctime {
		time, d.State = "proctime", "rows of both sides until the interval has passed"
	}
	d.Args = [][2]string{
		{"joinType", s.Kind.String()},
		{"interval", fmt.Sprintf("%s, left - right in [%d ms, %d ms]", time, s.Lo, s.Hi)},
	}
	if len(s.L.Keys) > 0 {
		d.Args = append(d.Args, [2]string{"keys", keyText(s.L, s.R, s.NullSafe)})
	}
	if s.Cond != nil {
		d.Args = append(d.Args, [2]string{"where", s.Cond.String()})
	}
	d.Args = append(d.Args, [2]string{"select", columnNames(s.Out)})
	return d
}

func keyText(l, r Side, nullSafe []bool) string {
	parts := make([]string, len(l.Keys))
	for i := range parts {
		eq := " = "
		if nullSafe[i] {
			eq = " IS NOT DISTINCT FROM "
		}
		parts[i] = l.In.Columns[l.Keys[i]].Name + eq + r.In.Columns[r.Keys[i]].Name
	}
	return strings.Join(parts, ", ")
}

func columnNames(s *types.Schema) string {
	names := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// Output implements op.Spec.
func (s *IntervalSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *IntervalSpec) Require(in int) op.Distribution { return require(s.L, s.R, in) }

func require(l, r Side, in int) op.Distribution {
	keys := l.Keys
	if in == right {
		keys = r.Keys
	}
	return op.Distribution{Keys: keys, Single: len(keys) == 0}
}

// Emits implements op.Spec.
func (s *IntervalSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	for _, k := range in {
		if k != row.InsertOnly {
			return 0, diag.New(diag.ChangelogMode, diag.Span{}, "an interval join takes only inserts, but an input has updates or deletes").
				WithHint("use append-only inputs, or CAST a time column to a plain TIMESTAMP for a regular join, which takes changes and keeps all rows")
		}
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *IntervalSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *IntervalSpec) Build(c *op.Context) (op.Operator, error) { return newIntervalJoin(s, c) }
