// Package physical is the plan that exec runs: a graph of operator specs,
// sources and sinks. It is plain data: printable, comparable.
package physical

import (
	"fsql/connector"
	"fsql/expr"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// Plan is a graph of nodes, inputs before their consumers.
type Plan struct {
	Nodes []*Node
	// Bounded tells that every source ends.
	Bounded bool
}

// Node is one step; exactly one of Source, Spec and Sink is set.
type Node struct {
	ID     int    // index in Plan.Nodes
	UID    string // names the state: stable across runs and unrelated edits (B.10.10)
	Inputs []Edge
	Source *Source
	Spec   op.Spec
	Sink   *Sink
	// Parallel is the number of subtasks.
	Parallel int
	Schema   *types.Schema // of the output (for a sink: of what it is given)
	Kinds    row.Kinds     // of the output
	// Chained tells that the node runs in the task of its single input by
	// direct calls (a forward edge without a pause).
	Chained bool
}

// Edge feeds a node from another node's output.
type Edge struct {
	From int
	Ship Ship
	Keys []int // of Hash: columns of the producer's output
}

// Ship is the strategy of an exchange.
type Ship uint8

// The strategies.
const (
	Forward   Ship = iota // subtask i to subtask i
	Hash                  // by key group
	Rebalance             // round robin, by batch
	Single                // everything to subtask 0
	Broadcast             // everything to every subtask
)

// String is the name that EXPLAIN prints.
func (s Ship) String() string {
	return [...]string{"forward", "hash", "rebalance", "single", "broadcast"}[s]
}

// Source reads a table, adds computed columns, assigns watermarks per row and
// gives the columns of Schema. The reader's batches have the layout of
// Table.Schema; Project makes the output of them.
type Source struct {
	Name    string // of the table, for EXPLAIN and messages
	Source  connector.Source
	Table   *connector.Table
	Project []expr.Node // over Table.Schema; one per output column
	// Partitions is the condition by which files were left out, for EXPLAIN.
	Partitions expr.Node
	// Rowtime is the node over Table.Schema that gives the event time (checked
	// for NULL), Watermark the watermark expression; both nil: no event time.
	Rowtime   expr.Node
	Watermark expr.Node
	// Interval is pipeline.auto-watermark-interval as an event-time step:
	// a mark is emitted when the watermark rose by strictly more than this
	// since the last one (0: on every rise).
	Interval types.Time
	// WatermarkFrom is where event time starts: 0 for tables whose watermark
	// Flink assigns in the plan (filesystem, datagen, values), so that times
	// before 1970 never move it; types.MinTime for connectors with a generator
	// of their own (kafka).
	WatermarkFrom types.Time
	// IdleAfter is the idle timeout in processing time, 0: off.
	IdleAfter types.Time
}

// Sink writes the rows of its input.
type Sink struct {
	Name string
	Sink connector.Sink
	// Keep are the input columns that are written (upsert helpers are not).
	NotNull  []int // columns that must not be NULL
	DropNull bool  // table.exec.sink.not-null-enforcer = DROP
}
