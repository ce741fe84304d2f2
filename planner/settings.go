package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
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
	keyLengths          = "table.exec.sink.type-length-enforcer"
	keyNested           = "table.exec.sink.nested-constraint-enforcer"
	keyMiniBatch        = "table.exec.mini-batch.enabled"
	keyMiniBatchLatency = "table.exec.mini-batch.allow-latency"
	keyMiniBatchSize    = "table.exec.mini-batch.size"
	keyEarlyFire        = "table.exec.emit.early-fire.enabled"
	keyEarlyDelay       = "table.exec.emit.early-fire.delay"
	keyLateFire         = "table.exec.emit.late-fire.enabled"
	keyLateDelay        = "table.exec.emit.late-fire.delay"
	keyLateness         = "table.exec.emit.allow-lateness"
	keyDeltaJoin        = "table.optimizer.delta-join.strategy"
	keyIntervalCleanup  = "table.exec.interval-join.min-cleanup-interval"
	keyRowtimeInserter  = "table.exec.sink.rowtime-inserter"
	keyEventsDuplicate  = "table.exec.source.cdc-events-duplicate"
	keySortAtEnd        = "__table.exec.sort.non-temporal.enabled__"
	keyOnConflict       = "table.exec.sink.require-on-conflict"
	keyDeterminism      = "table.optimizer.non-deterministic-update.strategy"
	keyMaterialize      = "table.exec.sink.upsert-materialize"
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

// zone is the session time zone.
func (e *Env) zone() (expr.Zone, error) {
	z, err := value.LoadZone(e.zoneName())
	if err != nil {
		return nil, diag.New(diag.BadOption, diag.Span{}, "unknown time zone '%s' in '%s'", e.zoneName(), keyZone).
			WithHint("use a region such as 'Europe/Berlin', or an offset such as 'GMT+08:00'")
	}
	return z, nil
}
