// Package op is the contract between operators and whoever runs them: the
// production driver and the simulator know operators only through it.
package op

import (
	"log/slog"

	"fsql/row"
	"fsql/types"
)

// Operator turns streams of batches into a stream of batches. It is a state
// machine: no goroutine, no clock, no randomness, no I/O. It is used by one
// goroutine at a time.
//
// Event time arrives as marks inside batches (row.Mark). With several inputs
// the gate has already merged them: every mark an operator sees is the event
// time of the whole operator, marks are strictly ascending over its life.
// An operator answers for the marks it passes on: rows it emits after a mark
// must not be late against it. Operators that do not care about marks between
// rows implement Simple and are wrapped by Cut.
type Operator interface {
	// OnBatch handles the rows and marks of a batch of input in. While it
	// reports more it is called again with the same batch before anything
	// else; it does so to bound the output of one step. An operator whose
	// Spec says MayPause heads its chain.
	OnBatch(in int, b *row.Batch, out Emitter) (more bool, err error)
	// OnBarrier marks the end of epoch e. What the operator has to store is
	// asked for right after it (Stateful).
	OnBarrier(e types.Epoch) error
}

// Emitter takes the batch over. A batch needs rows or marks.
type Emitter interface{ Emit(b *row.Batch) error }

// EmitFunc is an Emitter made of a function.
type EmitFunc func(b *row.Batch) error

// Emit calls f.
func (f EmitFunc) Emit(b *row.Batch) error { return f(b) }

// Optional parts, looked for once when a task is built.
type (
	// ClockHandler gets processing time as an event, so that a simulated
	// clock is just another input. It is called when the clock moved and
	// NextClock asked for it.
	ClockHandler interface {
		OnClock(now types.Time, out Emitter) error
		// NextClock is the earliest processing time the operator waits for
		// (types.MaxTime: none).
		NextClock() types.Time
	}
	// Metered operators report their own counters, in a new slice each time:
	// others read it while the operator goes on.
	Metered interface{ Counters() []Counter }
	// Sized operators report the bytes their state holds, for the account.
	Sized interface{ StateBytes() int64 }
)

// Counter is a metric of one operator subtask, with Flink's metric names.
type Counter struct {
	Name  string // "numLateRecordsDropped"
	Value int64
}

// Context is everything an operator can reach.
type Context struct {
	Name      string // "WindowAggregate[3] 2/4", for logs and errors
	Log       *slog.Logger
	BatchRows int               // most rows per emitted batch; the simulator varies it
	Now       func() types.Time // processing time of the event being handled
	Zone      string            // session time zone, an IANA or GMT+hh:mm name
	ZeroHash  bool              // tests: every key hashes to 0
	Seed      uint64            // for functions such as RAND; of this subtask
	Subtask   int               // 0..Parallelism-1
	Parallel  int
	Resumed   bool // the job resumes from a checkpoint
	// Stopped is the error to end with if the job is to be stopped meanwhile; nil:
	// nobody stops it. Whoever works long on a few rows asks now and then.
	Stopped func() error
}

// Spec is a node of the physical plan: plain data that prints itself, says what
// it needs and gives, and builds its operator. The planner makes Specs; exec
// runs them without knowing one kind from another.
type Spec interface {
	Describe() Description
	Output() *types.Schema
	// Require says what input in must look like.
	Require(in int) Distribution
	// Emits tells the kinds that come out when the inputs carry in; an error
	// (a *diag.Error) if it cannot consume them.
	Emits(in []row.Kinds) (row.Kinds, error)
	// MayPause tells that OnBatch may report more.
	MayPause() bool
	Build(c *Context) (Operator, error)
}

// Blending is an optional part of a Spec whose operator makes no difference
// between its inputs: rows of several of them, with the columns of the output,
// may come in one batch, as of input 0.
type Blending interface{ Blends() bool }

// Distribution of the rows of one input over the subtasks.
type Distribution struct {
	Keys   []int // hash by these columns; nil and not Single: as it comes
	Single bool  // everything to one subtask
}

// Description is what EXPLAIN prints of a node.
type Description struct {
	Name  string      // "WindowAggregate"
	Args  [][2]string // in the order they print
	State string      // what it keeps, "" if nothing: "accumulators per (key, window) until the watermark passes the end"
}
