package planner

import (
	"fsql/types"
)

// Session keys that planning reads.
const (
	keyParallelism      = "parallelism.default"
	keyTableParallelism = "table.exec.resource.default-parallelism"
	keyWatermarkStep    = "pipeline.auto-watermark-interval"
	keyIdle             = "table.exec.source.idle-timeout"
	keyZone             = "table.local-time-zone"
	keyNotNull          = "table.exec.sink.not-null-enforcer"
	keyStateTTL         = "table.exec.state.ttl"
	keyJobName          = "pipeline.name"
	keyRuntimeMode      = "execution.runtime-mode"
	keyMiniBatch        = "table.exec.mini-batch.enabled"
	keyMiniBatchLatency = "table.exec.mini-batch.allow-latency"
	keyMiniBatchSize    = "table.exec.mini-batch.size"
	keyEarlyFire        = "table.exec.emit.early-fire.enabled"
	keyEarlyDelay       = "table.exec.emit.early-fire.delay"
	keyLateFire         = "table.exec.emit.late-fire.enabled"
	keyLateDelay        = "table.exec.emit.late-fire.delay"
	keyRowtimeInserter  = "table.exec.sink.rowtime-inserter"
	keyEventsDuplicate  = "table.exec.source.cdc-events-duplicate"
	keyOnConflict       = "table.exec.sink.require-on-conflict"
)

// parallelism is the number of subtasks of keyed operators.
func (e *Env) parallelism() int {
	if n := e.Settings.Int(keyTableParallelism); n > 0 {
		return int(n)
	}
	return max(1, int(e.Settings.Int(keyParallelism)))
}

// zoneName is the session time zone; "default" is UTC: a result must not
// depend on the machine.
func (e *Env) zoneName() string {
	z := e.Settings.String(keyZone)
	if z == "" || z == "default" {
		return "UTC"
	}
	return z
}

func (e *Env) watermarkStep() types.Time { return types.Time(e.Settings.Duration(keyWatermarkStep)) }
