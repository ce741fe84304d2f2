package exec

import (
	"log/slog"

	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// Env is what a job runs in: everything that differs between production and
// the simulator. The zero value is production with its defaults.
type Env struct {
	// Clock is processing time; nil: the system's.
	Clock func() types.Time
	// Choose picks one of n queues that are ready at a gate; nil: in turn.
	Choose func(n int) int
	// Rows is the most rows per batch.
	Rows int
	// QueueCap is the bound of the queues between tasks, in batches.
	QueueCap int
	// Copy is how many entries of its state a task copies between two elements
	// of its input while a checkpoint is being made.
	Copy int
	// Stride is after how many rows of a source without event time another
	// input's turn comes, where inputs are merged.
	Stride int
	Log    *slog.Logger
	// Zone is the session time zone.
	Zone string
	// Seed is for functions such as RAND; the same seed gives the same values.
	Seed uint64
	// ZeroHash makes every key hash to 0 (tests).
	ZeroHash bool
	// Checkpoints, if set, makes the job survive a crash.
	Checkpoints *Checkpoints
	// Wrap is applied to every operator that is built (tests: op.Checked); in
	// are the row kinds of its inputs.
	Wrap func(o op.Operator, n *physical.Node, in []row.Kinds, c *op.Context) op.Operator
	// InFlight is told how many rows of each input a gate keeps at a barrier,
	// and has kept from before a restart (epoch 0) (tests).
	InFlight func(n *physical.Node, e types.Epoch, rows []int)
	// Fault plants defects (tests).
	Fault Fault
}

// The defaults: measured to be flat around 4096 rows; a queue of a few batches
// keeps both sides busy.
const (
	defaultRows     = 4096
	defaultQueueCap = 8
	defaultCopy     = 2048
	defaultStride   = 4096
)

func (e Env) withDefaults() Env {
	if e.Clock == nil {
		e.Clock = SystemClock
	}
	if e.Rows <= 0 {
		e.Rows = defaultRows
	}
	if e.QueueCap <= 0 {
		e.QueueCap = defaultQueueCap
	}
	if e.Copy <= 0 {
		e.Copy = defaultCopy
	}
	if e.Stride <= 0 {
		e.Stride = defaultStride
	}
	if e.Log == nil {
		e.Log = slog.New(slog.DiscardHandler)
	}
	if e.Zone == "" {
		e.Zone = "UTC"
	}
	return e
}

// seed is that of one subtask of a node. A job that resumes draws other values:
// the UUIDs that it has given before must not come again.
func (e Env) seed(node, sub int) uint64 {
	s := e.Seed + uint64(node)<<16 + uint64(sub)
	if e.resumes() {
		s += uint64(e.Checkpoints.Resume.Epoch) << 32
	}
	return s
}

func (e Env) resumes() bool { return e.Checkpoints != nil && e.Checkpoints.Resume != nil }
