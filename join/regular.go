package join

import (
	"fmt"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// RegularSpec joins two streams of changes: every row meets all rows of the
// other side that are there. Both sides are kept for ever, or for the time to
// live of their rows (Side.TTL).
//
// What comes out, and in which kinds, is Flink's StreamingJoinOperator to the
// letter (flink-sql 4.7): an inner join passes the kind of a row on to its
// pairs; a padded row is taken back (-D) before its first partner comes and
// sent again (+I) after its last one has gone; outer joins never send +U.
type RegularSpec struct {
	Kind     Kind
	L, R     Side
	NullSafe []bool    // per key: NULL equals NULL
	Cond     expr.Node // what else must be TRUE, over the columns of L and R; nil: nothing
	Cols     []int     // of the output, among the columns of L and R
	Out      *types.Schema
}

// layout is how the rows of a side are told apart, with Flink's names.
type layout uint8

const (
	noUniqueKey    layout = iota // by all columns; equal rows are counted
	hasUniqueKey                 // by the unique key
	keyHoldsUnique               // one row per join key
)

func (l layout) String() string {
	return [...]string{"NoUniqueKey", "HasUniqueKey", "JoinKeyContainsUniqueKey"}[l]
}

func (s *Side) layout() layout {
	if s.Unique == nil {
		return noUniqueKey
	}
	for _, u := range s.Unique {
		if !holds(s.Keys, u) {
			return hasUniqueKey
		}
	}
	return keyHoldsUnique
}

// identity are the columns that tell the rows of a side apart in a key; nil:
// all of them.
func (s *Side) identity() []int {
	if s.layout() == noUniqueKey {
		return nil
	}
	cols := append([]int(nil), s.Keys...)
	for _, u := range s.Unique {
		if !holds(cols, u) {
			cols = append(cols, u)
		}
	}
	return cols
}

func holds(cols []int, c int) bool {
	for _, k := range cols {
		if k == c {
			return true
		}
	}
	return false
}

// Describe implements op.Spec.
func (s *RegularSpec) Describe() op.Description {
	d := op.Description{Name: "Join", State: "the rows of both sides, for ever"}
	if s.expires() {
		d.State = fmt.Sprintf("the rows of both sides, dropped %d ms (left) and %d ms (right) after they were written; 0: never", s.L.TTL, s.R.TTL)
	}
	d.Args = [][2]string{{"joinType", s.Kind.String()}}
	if len(s.L.Keys) > 0 {
		d.Args = append(d.Args, [2]string{"keys", keyText(s.L, s.R, s.NullSafe)})
	}
	if s.Cond != nil {
		d.Args = append(d.Args, [2]string{"where", s.Cond.String()})
	}
	d.Args = append(d.Args, [2]string{"select", columnNames(s.Out)},
		[2]string{"leftInputSpec", s.L.layout().String()}, [2]string{"rightInputSpec", s.R.layout().String()})
	return d
}

// Output implements op.Spec.
func (s *RegularSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *RegularSpec) Require(in int) op.Distribution { return require(s.L, s.R, in) }

// Emits implements op.Spec. Without the old rows of updates a join can replace
// a row only where its unique key holds the join key: the new row then has the
// key of the old one.
func (s *RegularSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	for i, side := range []*Side{&s.L, &s.R} {
		if in[i].Has(row.UpdateAfter) && !in[i].Has(row.UpdateBefore) && !side.replaces() {
			return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a join needs the old row of every update")
		}
	}
	if s.Kind == Inner || s.Kind == Semi {
		return in[left] | in[right], nil
	}
	return row.AllKinds, nil
}

func (s *Side) replaces() bool {
	if s.Unique == nil {
		return false
	}
	for _, k := range s.Keys {
		if !holds(s.Unique, k) {
			return false
		}
	}
	return true
}

// MayPause implements op.Spec.
func (s *RegularSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *RegularSpec) Build(c *op.Context) (op.Operator, error) { return newRegularJoin(s, c) }
