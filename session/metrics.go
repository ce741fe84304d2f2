package session

import (
	"fsql/exec"
	"fsql/planner/physical"
	"fsql/types"
)

// Metric is one number that a job has counted, under Flink's name for it.
type Metric struct {
	// Operator is the subtask that has counted, "WindowAggregate[3] 2/4"; "": the
	// job.
	Operator string
	Name     string // "numRecordsIn"
	Value    int64
	// Time: the value is an event time in milliseconds since 1970;
	// types.MinTime: none has come.
	Time bool
}

// Metrics is what the query has counted so far: nil until it runs.
func (r *Result) Metrics() []Metric {
	if r.live == nil {
		return nil
	}
	return r.live.metrics()
}

// Metrics is what the job has counted so far: nil until it runs.
func (j *Job) Metrics() []Metric { return j.live.metrics() }

func (l *live) metrics() []Metric {
	job := l.job.Load()
	if job == nil {
		return nil
	}
	return append(jobMetrics(job.Checkpoints(), l.restarts.Load()), operatorMetrics(job.Metrics(), l.plan.Physical.Nodes, l.clock())...)
}

// jobMetrics are those of the job as a whole.
func jobMetrics(c exec.CheckpointMetrics, restarts int64) []Metric {
	return []Metric{
		{Name: "numRestarts", Value: restarts},
		{Name: "numberOfCompletedCheckpoints", Value: c.Completed},
		{Name: "numberOfFailedCheckpoints", Value: c.Failed},
		{Name: "lastCheckpointDuration", Value: c.LastDuration},
		{Name: "lastCheckpointSize", Value: c.LastSize},
	}
}

// operatorMetrics are those of the subtasks, in the order of the plan.
func operatorMetrics(all []exec.Metrics, nodes []*physical.Node, now types.Time) []Metric {
	var out []Metric
	for i := range all {
		m := &all[i]
		add := func(name string, v int64) { out = append(out, Metric{Operator: m.Name, Name: name, Value: v}) }
		add("numRecordsIn", m.RecordsIn)
		add("numRecordsOut", m.RecordsOut)
		windowed := false
		for _, c := range m.Counters {
			add(c.Name, c.Value)
			windowed = windowed || c.Name == "numLateRecordsDropped" || c.Name == "leftNumLateRecordsDropped"
		}
		if nodes[m.Node].Source == nil {
			out = append(out, Metric{Operator: m.Name, Name: "currentInputWatermark", Value: int64(m.InputWatermark), Time: true})
		}
		if nodes[m.Node].Sink == nil {
			out = append(out, Metric{Operator: m.Name, Name: "currentOutputWatermark", Value: int64(m.OutputWatermark), Time: true})
		}
		// How far event time is behind the clock, of what waits for it.
		if t := m.InputWatermark; windowed && t != types.MinTime && t != types.MaxTime {
			add("watermarkLatency", int64(now-t))
		}
		if m.StateBytes > 0 {
			add("stateBytes", m.StateBytes) // a name of fsql
		}
		if m.Time != nil {
			add("busyTimeMsPerSecond", m.Time.Busy)
			add("backPressuredTimeMsPerSecond", m.Time.Blocked)
			add("idleTimeMsPerSecond", m.Time.Idle)
		}
	}
	return out
}
