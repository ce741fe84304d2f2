package join

import (
	"fmt"

	"fsql/expr"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// TemporalSpec joins every left row with the version of its key that is valid at
// the row's own time: FOR SYSTEM_TIME AS OF an event time (flink-sql 4.9).
//
// The rows of the right side are versions: each is valid from its time until
// that of the next one of its key, a deleted one says that there is none. Of
// versions with one time the last counts. A left row waits until event time has
// reached its own; what comes out is never revised. A condition is put to the
// one valid version: no older one is tried.
//
// With every mark of event time the versions above it stay, and per key the
// newest one at or below it. A left row that comes behind event time finds
// these, and what has come late since.
type TemporalSpec struct {
	Kind     Kind   // Inner or LeftOuter
	L, R     Side   // Keys hold the primary key of the right side; TTL is not used
	NullSafe []bool // per key: NULL equals NULL
	Cond     expr.Node
	Cols     []int // of the output, among the columns of L and R
	Out      *types.Schema
	// TTL is the time to live of keys: one that was not touched for so long
	// loses its versions and its waiting rows, at the latest after one and a
	// half of it. 0: for ever.
	TTL types.Time
}

// Describe implements op.Spec.
func (s *TemporalSpec) Describe() op.Description {
	d := op.Description{Name: "TemporalJoin", State: "left rows until the watermark reaches them; per key the versions above the watermark and the newest one below it"}
	if s.TTL > 0 {
		d.State += fmt.Sprintf("; a key is dropped %d to %d ms after it was last touched", s.TTL, s.TTL+s.TTL/2)
	}
	d.Args = [][2]string{
		{"joinType", s.Kind.String()},
		{"keys", keyText(s.L, s.R, s.NullSafe)},
		{"asOf", s.L.In.Columns[s.L.Time].Name},
		{"versions", s.R.In.Columns[s.R.Time].Name},
	}
	if s.Cond != nil {
		d.Args = append(d.Args, [2]string{"where", s.Cond.String()})
	}
	d.Args = append(d.Args, [2]string{"select", columnNames(s.Out)})
	return d
}

// Output implements op.Spec.
func (s *TemporalSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *TemporalSpec) Require(in int) op.Distribution { return require(s.L, s.R, in) }

// Emits implements op.Spec: the left side goes on in its kinds.
func (s *TemporalSpec) Emits(in []row.Kinds) (row.Kinds, error) { return in[left], nil }

// MayPause implements op.Spec.
func (s *TemporalSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *TemporalSpec) Build(c *op.Context) (op.Operator, error) { return newTemporalJoin(s, c) }
