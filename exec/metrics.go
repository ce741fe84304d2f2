package exec

import (
	"sync/atomic"

	"fsql/op"
	"fsql/types"
)

// Metrics is a snapshot of one subtask of one plan node, under Flink's names.
type Metrics struct {
	Node              int    // in the plan
	Name              string // "WindowAggregate[3] 2/4"
	Subtask, Parallel int
	RecordsIn         int64      // numRecordsIn
	RecordsOut        int64      // numRecordsOut
	InputWatermark    types.Time // currentInputWatermark; types.MinTime: none yet
	OutputWatermark   types.Time // currentOutputWatermark
	StateBytes        int64
	// Time is how the task spends a second, of the node that heads its chain;
	// nil of the others, and where no driver measures it.
	Time     *TaskTime
	Counters []op.Counter // the operator's own: numLateRecordsDropped
}

// TaskTime is how a task spends a second on average, in milliseconds, under
// Flink's names.
type TaskTime struct {
	Busy    int64 // busyTimeMsPerSecond
	Blocked int64 // backPressuredTimeMsPerSecond
	Idle    int64 // idleTimeMsPerSecond
}

// CheckpointMetrics are those of a job, under Flink's names.
type CheckpointMetrics struct {
	Completed    int64 // numberOfCompletedCheckpoints
	Failed       int64 // numberOfFailedCheckpoints
	LastDuration int64 // lastCheckpointDuration, ms
	LastSize     int64 // lastCheckpointSize, bytes that were written
}

// Late is the number of late rows that the subtask has dropped. A join of
// windows counts them by side.
func (m *Metrics) Late() int64 {
	return m.counter("numLateRecordsDropped") + m.counter("leftNumLateRecordsDropped") + m.counter("rightNumLateRecordsDropped")
}

func (m *Metrics) counter(name string) int64 {
	for _, c := range m.Counters {
		if c.Name == name {
			return c.Value
		}
	}
	return 0
}

// meter is where a subtask counts. It is written by its stepper, once per batch,
// and may be read by anybody.
type meter struct {
	node, subtask, parallel int
	name                    string
	in, out                 atomic.Int64
	inTime, outTime         atomic.Int64
	state                   atomic.Int64
	counters                atomic.Pointer[[]op.Counter]
	task                    *stopwatch // of the head of a chain
}

// checkpointMeter counts the checkpoints of a job.
type checkpointMeter struct{ completed, failed, duration, size atomic.Int64 }

func (m *checkpointMeter) snapshot() CheckpointMetrics {
	return CheckpointMetrics{m.completed.Load(), m.failed.Load(), m.duration.Load(), m.size.Load()}
}

func newMeter(node, subtask, parallel int, name string) *meter {
	m := &meter{node: node, subtask: subtask, parallel: parallel, name: name}
	m.inTime.Store(int64(types.MinTime))
	m.outTime.Store(int64(types.MinTime))
	return m
}

func (m *meter) snapshot() Metrics {
	s := Metrics{
		Node: m.node, Name: m.name, Subtask: m.subtask, Parallel: m.parallel,
		RecordsIn: m.in.Load(), RecordsOut: m.out.Load(),
		InputWatermark:  clockOf(types.Time(m.inTime.Load())),
		OutputWatermark: clockOf(types.Time(m.outTime.Load())),
		StateBytes:      m.state.Load(),
	}
	if c := m.counters.Load(); c != nil {
		s.Counters = *c
	}
	if m.task != nil {
		s.Time = m.task.perSecond()
	}
	return s
}
