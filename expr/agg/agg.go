// Package agg holds aggregate functions as columnar accumulators: one
// Accumulator keeps the state of one aggregate call for many groups at once.
package agg

import (
	"fsql/row"
	"fsql/types"
)

// Func describes one aggregate function.
type Func struct {
	Name    string // upper case
	Doc     string // one sentence
	Syntax  string
	Example string
	// Returns checks the argument types and derives the result type. An error
	// is a *diag.Error without a span.
	Returns func(args []types.Type, opts Options) (types.Type, error)
	// Args tells the types the accumulator wants its arguments in; nil: as
	// they are.
	Args func(args []types.Type) []types.Type
	// BareNull: NULL without a type is an argument too; Args gives it a type.
	BareNull bool
	// New makes an accumulator. opts.Retract asks for a form that can take
	// rows back; it is asked for only when the input may retract.
	New func(args []types.Type, result types.Type, opts Options) (Accumulator, error)
}

// Options of one aggregate call.
type Options struct {
	Retract                   bool // the input may take rows back
	Mergeable                 bool // Merge between slots will be called (shared slices of HOP and CUMULATE, sessions)
	AddsOnly                  bool // rows that are taken back are passed over (see Set)
	Distinct                  bool // each value counts once (the caller wraps; see Distinct)
	Star                      bool // COUNT(*)
	IgnoreNulls, RespectNulls bool
	// Over: the call has OVER, whose variances Flink computes in another way.
	Over bool
	// Literals holds the constant arguments' values (one-value columns), nil
	// where an argument is not constant: LISTAGG's separator, PERCENTILE's p.
	Literals []*row.Vec
	// Clauses of JSON aggregates: "NULL" or "ABSENT" ON NULL.
	OnNull string
	// RawJSON: the value of a JSON aggregate is JSON text that goes in as it is.
	RawJSON bool
	// ZeroHash is for tests: hashes of values are all 0.
	ZeroHash bool
}

// Accumulator is one aggregate over many groups: slot g is group g's state.
// Slots are dense small integers handed out by a state.Table and reused after
// Reset.
type Accumulator interface {
	// Grow makes room for slots [0, n). New slots are empty.
	Grow(n int)
	// Reset empties a slot.
	Reset(slots []int32)
	// Add folds row sel[k] of the argument columns into slot slots[k]; sel
	// nil means rows 0..len(slots)-1. signs[k] is -1 for a row that is taken
	// back (nil: all +1).
	Add(args []*row.Vec, sel []int32, slots []int32, signs []int8) error
	// Merge folds slot src[k] into slot dst[k], leaving src as it is.
	Merge(dst, src []int32) error
	// Result appends the results of the slots to out, a column of the
	// function's result type that the caller owns.
	Result(slots []int32, out *row.Vec)
	// Bytes estimates the memory held.
	Bytes() int64
	// Save appends the slot's state in a versioned byte form; Load puts it
	// back into an empty slot. They serve the checkpoints.
	Save(dst []byte, slot int32) []byte
	Load(slot int32, saved []byte) error
}

// Stepper is an Accumulator that can give the result after every single row
// without a call for each: what an updating aggregation sends.
type Stepper interface {
	// AddEach is Add row by row; it appends the result of slots[k] after row
	// sel[k] to out. A sel[k] of -1 adds nothing.
	AddEach(args []*row.Vec, sel []int32, slots []int32, signs []int8, out *row.Vec) error
}

// Call is one aggregate call of a GROUP BY, as the planner leaves it: plain
// data. Args and Filter are columns of the operator's input.
type Call struct {
	Fn     *Func
	Args   []int
	Filter int // BOOLEAN column, -1: none
	Opts   Options
	Type   types.Type // of the result
	Name   string     // how EXPLAIN prints it: "SUM(px) FILTER (px > 3)"
}

// OfNothing is the result where no rows are aggregated, a column of one value;
// args are the types of the arguments.
func (c Call) OfNothing(args []types.Type) (*row.Vec, error) {
	acc, err := c.Fn.New(args, c.Type, c.Opts)
	if err != nil {
		return nil, err
	}
	acc.Grow(1)
	v := row.NewVec(c.Type, 0)
	acc.Result([]int32{0}, v)
	return v, nil
}
