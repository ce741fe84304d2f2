package planner

import (
	"fsql/internal/diag"
)

// checkSettings refuses combinations of session keys that Flink refuses when
// it plans, and the mode that fsql does not have.
func (e *Env) checkSettings(at diag.Span) error {
	s := e.Settings
	if s.String(keyRuntimeMode) == "batch" {
		return notYet(batchMode, at)
	}
	if s.Bool(keyMiniBatch) {
		if s.Duration(keyMiniBatchLatency) <= 0 {
			return diag.New(diag.BadOption, at, "mini-batch is enabled, but its latency is not set: '%s' must be greater than 0", keyMiniBatchLatency).
				WithHint("SET '%s' = '1 s'", keyMiniBatchLatency)
		}
		if s.Int(keyMiniBatchSize) <= 0 {
			return diag.New(diag.BadOption, at, "mini-batch is enabled, but its size is not set: '%s' must be greater than 0", keyMiniBatchSize).
				WithHint("SET '%s' = '1000'", keyMiniBatchSize)
		}
	}
	return nil
}
