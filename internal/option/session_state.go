package option

func checkpointKeys() []Def {
	const later = "Part of Flink's checkpoints that fsql's do not need."
	return []Def{
		{Key: "execution.checkpointing.interval", Type: Duration, Doc: "Time between the checkpoints of an INSERT job; not set: none."},
		{Key: "execution.checkpointing.mode", Type: Enum, Choices: []string{"EXACTLY_ONCE", "AT_LEAST_ONCE"}, Default: "EXACTLY_ONCE", Doc: "AT_LEAST_ONCE takes rows while a checkpoint's barriers are on their way: no waiting, but rows may count twice after a restart."},
		{Key: "execution.checkpointing.timeout", Type: Duration, Default: "10 min", Doc: "A checkpoint that takes longer is given up."},
		{Key: "execution.checkpointing.min-pause", Type: Duration, Default: "0 ms", Doc: "Pause between two checkpoints."},
		{Key: "execution.checkpointing.max-concurrent-checkpoints", Type: Int, Default: "1", Doc: "Checkpoints under way at once.", Ignored: true},
		{Key: "execution.checkpointing.tolerable-failed-checkpoints", Type: Int, Default: "0", Doc: "Failed checkpoints in a row that do not fail the job."},
		{Key: "execution.checkpointing.externalized-checkpoint-retention", Type: Enum, Choices: []string{"NO_EXTERNALIZED_CHECKPOINTS", "RETAIN_ON_CANCELLATION", "DELETE_ON_CANCELLATION"}, Default: "NO_EXTERNALIZED_CHECKPOINTS", Doc: "Whether checkpoints outlive a cancelled job."},
		{Key: "execution.checkpointing.dir", Type: String, Doc: "Folder of the checkpoints, with a folder for each job, named by pipeline.name or else by the script and the number of the INSERT in it. Not set: they are kept in memory and serve restarts within the process.", Alias: []string{"state.checkpoints.dir", "state.backend.fs.checkpointdir"}},
		{Key: "execution.checkpointing.savepoint-dir", Type: String, Doc: "Folder of the savepoints.", Alias: []string{"state.savepoints.dir", "savepoints.state.backend.fs.dir"}},
		{Key: "execution.checkpointing.storage", Type: String, Doc: "Where checkpoints live: jobmanager or filesystem.", Alias: []string{"state.checkpoint-storage"}, Ignored: true},
		{Key: "execution.checkpointing.num-retained", Type: Int, Default: "1", Doc: "Finished checkpoints that are kept, at least two: a damaged one has one before it.", Alias: []string{"state.checkpoints.num-retained"}},
		{Key: "execution.checkpointing.incremental", Type: Bool, Default: "false", Doc: "fsql's checkpoints always hold the changes only.", Alias: []string{"state.backend.incremental"}, Ignored: true},
		{Key: "execution.checkpointing.unaligned.enabled", Type: Bool, Default: "false", Doc: later, Alias: []string{"execution.checkpointing.unaligned"}, Ignored: true},
		{Key: "execution.checkpointing.unaligned.forced", Type: Bool, Default: "false", Doc: later, Ignored: true},
		{Key: "execution.checkpointing.aligned-checkpoint-timeout", Type: Duration, Default: "0 ms", Doc: later, Alias: []string{"execution.checkpointing.alignment-timeout"}, Ignored: true},
		{Key: "execution.checkpointing.checkpoints-after-tasks-finish", Type: Bool, Default: "true", Doc: later, Alias: []string{"execution.checkpointing.checkpoints-after-tasks-finish.enabled"}, Ignored: true},
		{Key: "execution.checkpointing.interval-during-backlog", Type: Duration, Doc: later, Ignored: true},
		{Key: "execution.checkpointing.create-subdir", Type: Bool, Default: "true", Doc: later, Alias: []string{"state.checkpoints.create-subdir"}, Ignored: true},
		{Key: "execution.state-recovery.path", Type: String, Doc: "Savepoint that the following INSERT begins with.", Alias: []string{"execution.savepoint.path"}},
		{Key: "execution.state-recovery.claim-mode", Type: Enum, Choices: []string{"NO_CLAIM", "CLAIM", "LEGACY"}, Default: "NO_CLAIM", Doc: "Whether the job owns the savepoint it begins with.", Alias: []string{"execution.savepoint-restore-mode"}},
		{Key: "execution.state-recovery.ignore-unclaimed-state", Type: Bool, Default: "false", Doc: "State of operators that are gone is dropped, and operators that are new begin without state.", Alias: []string{"execution.savepoint.ignore-unclaimed-state"}},
		{Key: "state.backend.type", Type: String, Default: "hashmap", Doc: "hashmap or rocksdb; state is in memory either way, and its checkpoints are in Pebble, which stores as RocksDB does.", Alias: []string{"state.backend"}, Ignored: true},
		{Key: "state.backend.async", Type: Bool, Doc: removed, Ignored: true},
		{Key: "state.backend.local-recovery", Type: Bool, Doc: removed, Ignored: true},
	}
}

func restartKeys() []Def {
	return []Def{
		{Key: "restart-strategy.type", Type: Enum, Choices: []string{"none", "off", "disable", "fixed-delay", "fixeddelay", "failure-rate", "failurerate", "exponential-delay", "exponentialdelay"}, Doc: "Whether and how a failed INSERT job is started again. Not set: with checkpoints as exponential-delay, but for failures that would only come again.", Alias: []string{"restart-strategy"}},
		{Key: "restart-strategy.fixed-delay.attempts", Type: Int, Default: "1", Doc: "Restarts after which the job fails."},
		{Key: "restart-strategy.fixed-delay.delay", Type: Duration, Default: "1 s", Doc: "Pause before a restart."},
		{Key: "restart-strategy.failure-rate.max-failures-per-interval", Type: Int, Default: "1", Doc: "Failures per interval after which the job fails."},
		{Key: "restart-strategy.failure-rate.failure-rate-interval", Type: Duration, Default: "1 min", Doc: "The interval in which failures are counted."},
		{Key: "restart-strategy.failure-rate.delay", Type: Duration, Default: "1 s", Doc: "Pause before a restart."},
		{Key: "restart-strategy.exponential-delay.initial-backoff", Type: Duration, Default: "1 s", Doc: "The first pause."},
		{Key: "restart-strategy.exponential-delay.max-backoff", Type: Duration, Default: "1 min", Doc: "The longest pause."},
		{Key: "restart-strategy.exponential-delay.backoff-multiplier", Type: Float, Default: "1.5", Doc: "By how much the pause grows."},
		{Key: "restart-strategy.exponential-delay.jitter-factor", Type: Float, Default: "0.1", Doc: "How much the pause varies."},
		{Key: "restart-strategy.exponential-delay.reset-backoff-threshold", Type: Duration, Default: "1 h", Doc: "Time without failure after which the pause is short again."},
		{Key: "restart-strategy.exponential-delay.attempts-before-reset-backoff", Type: Int, Default: "2147483647", Doc: "Restarts without such a time after which the job fails."},
	}
}
