package option

import (
	_ "embed"
	"strings"
)

// SessionKeys are the keys that SET takes. Flink takes any key and forgets what
// it does not know; fsql refuses a key it does not know, because it is nearly
// always a misspelt one. Keys that Flink has and that mean nothing here are
// declared as ignored.
func SessionKeys() *Set {
	s := &Set{}
	for _, defs := range [][]Def{clientKeys(), jobKeys(), executionKeys(), sinkKeys(), optimizerKeys(), checkpointKeys(), restartKeys()} {
		s.Defs = append(s.Defs, defs...)
	}
	s.Defs = append(s.Defs, ignoredKeys(s)...)
	return s
}

// Texts shared by declarations of keys without effect.
const (
	noCluster  = "A setting of Flink's cluster; fsql is one process."
	sameResult = "Tunes how Flink computes, not what; fsql decides by itself."
	removed    = "Removed in Flink 2.0."
)

func clientKeys() []Def {
	return []Def{
		{Key: "table.local-time-zone", Type: String, Default: "default", Doc: "Zone in which TIMESTAMP_LTZ is shown and read: a region such as 'Europe/Berlin' or an offset such as 'GMT+08:00'."},
		{Key: "sql-client.execution.result-mode", Type: Enum, Choices: []string{"table", "changelog", "tableau"}, Default: "table", Doc: "How a result is shown."},
		{Key: "sql-client.execution.max-table-result.rows", Type: Int, Default: "1000000", Doc: "Rows that the table view keeps; the oldest are dropped.", Alias: []string{"sql-client.execution.max-table-result-rows"}},
		{Key: "sql-client.verbose", Type: Bool, Default: "false", Doc: "Show causes of errors in full."},
		{Key: "table.display.max-column-width", Type: Int, Default: "30", Doc: "Width at which columns of text are cut in tables.", Alias: []string{"sql-client.display.max-column-width"}},
		{Key: "table.dml-sync", Type: Bool, Default: "false", Doc: "An INSERT waits until its job has ended."},
		{Key: "table.sql-dialect", Type: Enum, Choices: []string{"default", "hive"}, Default: "default", Doc: "The dialect of the parser; only the default one is there."},
		{Key: "table.builtin-catalog-name", Type: String, Default: "default_catalog", Doc: "Name of the first catalog.", Ignored: true},
		{Key: "table.builtin-database-name", Type: String, Default: "default_database", Doc: "Name of the first database.", Ignored: true},
		{Key: "table.dynamic-table-options.enabled", Type: Bool, Default: "true", Doc: "Allow the OPTIONS hint."},
		{Key: "table.column-expansion-strategy", Type: String, Doc: "Columns that SELECT * leaves out: EXCLUDE_ALIASED_VIRTUAL_METADATA_COLUMNS, EXCLUDE_DEFAULT_VIRTUAL_METADATA_COLUMNS."},
		{Key: "sql-client.display.color-schema", Type: String, Default: "DEFAULT", Doc: "Colours of Flink's own client.", Ignored: true},
		{Key: "sql-client.display.show-line-numbers", Type: Bool, Default: "false", Doc: "Line numbers in Flink's own client.", Ignored: true},
		{Key: "sql-client.display.print-time-cost", Type: Bool, Default: "true", Doc: "Time cost in Flink's own client.", Ignored: true},
		{Key: "sql-client.prompt", Type: String, Doc: "Prompt of Flink's own client.", Ignored: true},
		{Key: "sql-client.right-prompt", Type: String, Doc: "Right prompt of Flink's own client.", Ignored: true},
	}
}

// maxParallelism is the number of key groups: a keyed operator cannot have more
// subtasks.
const maxParallelism = 128

func jobKeys() []Def {
	return []Def{
		{Key: "execution.runtime-mode", Type: Enum, Choices: []string{"streaming", "batch", "automatic"}, Default: "streaming", Doc: "fsql always streams; bounded input ends by itself."},
		{Key: "parallelism.default", Type: Int, From: 1, To: maxParallelism, Default: "1", Doc: "Subtasks of every operator that may have several."},
		{Key: "table.exec.resource.default-parallelism", Type: Int, From: -1, To: maxParallelism, Default: "-1", Doc: "Overrides parallelism.default when above 0."},
		{Key: "pipeline.max-parallelism", Type: Int, Default: "-1", Doc: "Key groups; fsql has 128.", Ignored: true},
		{Key: "pipeline.name", Type: String, Doc: "Name of the job; it also is its identity when it is resumed."},
		{Key: "pipeline.auto-watermark-interval", Type: Duration, Default: "200 ms", Doc: "A watermark is emitted when event time moved on by more than this (0: on every rise)."},
		{Key: "pipeline.operator-chaining.enabled", Type: Bool, Default: "true", Doc: "Run neighbouring operators in one task.", Alias: []string{"pipeline.operator-chaining"}, Ignored: true},
		{Key: "pipeline.object-reuse", Type: Bool, Default: "false", Doc: sameResult, Ignored: true},
		{Key: "pipeline.watermark-alignment.allow-unaligned-source-splits", Type: Bool, Default: "false", Doc: "Tolerate connectors that cannot align their splits.", Ignored: true},
		{Key: "execution.buffer-timeout.interval", Type: Duration, Default: "100 ms", Doc: sameResult, Alias: []string{"execution.buffer-timeout"}, Ignored: true},
		{Key: "execution.attached", Type: Bool, Default: "false", Doc: noCluster, Ignored: true},
		{Key: "execution.target", Type: String, Doc: noCluster, Ignored: true},
		{Key: "execution.shutdown-on-attached-exit", Type: Bool, Default: "false", Doc: noCluster, Ignored: true},
		{Key: "table.exec.uid.generation", Type: Enum, Choices: []string{"PLAN_ONLY", "ALWAYS", "DISABLED"}, Default: "PLAN_ONLY", Doc: "How operators are named in state.", Ignored: true},
		{Key: "table.exec.uid.format", Type: String, Default: "<id>_<transformation>", Doc: "How operators are named in state.", Ignored: true},
		{Key: "table.plan.force-recompile", Type: Bool, Default: "false", Doc: "COMPILE PLAN replaces a file that is there."},
		{Key: "table.plan.compile.catalog-objects", Type: Enum, Choices: []string{"ALL", "SCHEMA", "IDENTIFIER"}, Default: "ALL", Doc: "What a compiled plan holds of the tables."},
		{Key: "table.plan.restore.catalog-objects", Type: Enum, Choices: []string{"ALL", "ALL_ENFORCED", "IDENTIFIER"}, Default: "ALL", Doc: "What a compiled plan takes from the catalog."},
		{Key: "table.rtas-ctas.atomicity-enabled", Type: Bool, Default: "false", Doc: "CREATE TABLE AS leaves no table behind when it fails."},
	}
}

func executionKeys() []Def {
	return []Def{
		{Key: "table.exec.state.ttl", Type: Duration, Default: "0 s", Doc: "State is forgotten when it was not written for so long (0: never)."},
		{Key: "table.exec.source.idle-timeout", Type: Duration, Default: "0 s", Doc: "A source without rows for so long no longer holds event time back (0: never)."},
		{Key: "table.exec.source.cdc-events-duplicate", Type: Bool, Default: "false", Doc: "Sources of changes may repeat them: clean by primary key."},
		{Key: "table.exec.legacy-cast-behaviour", Type: Enum, Choices: []string{"DISABLED", "ENABLED"}, Default: "DISABLED", Doc: "Casts as before Flink 1.15; only DISABLED is there."},
		{Key: "table.legacy-nested-row-nullability", Type: Bool, Default: "false", Doc: "Casts of rows lose NOT NULL of their fields, as before Flink 2.2."},
		{Key: "table.exec.mini-batch.enabled", Type: Bool, Default: "false", Doc: "Aggregations collect rows and report a key's changes once per bundle."},
		{Key: "table.exec.mini-batch.allow-latency", Type: Duration, Default: "0 ms", Doc: "How long rows may be held; above 0 with mini-batch."},
		{Key: "table.exec.mini-batch.size", Type: Int, Default: "-1", Doc: "How many rows may be held; above 0 with mini-batch."},
		{Key: "table.exec.emit.early-fire.enabled", Type: Bool, Default: "false", Doc: "Legacy windows report before they end."},
		{Key: "table.exec.emit.early-fire.delay", Type: Duration, Doc: "Time between early reports (0: on every row)."},
		{Key: "table.exec.emit.late-fire.enabled", Type: Bool, Default: "false", Doc: "Legacy windows report again for late rows."},
		{Key: "table.exec.emit.late-fire.delay", Type: Duration, Doc: "Time between late reports (0: on every row)."},
		{Key: "table.exec.emit.allow-lateness", Type: Duration, Doc: "How long legacy windows take late rows."},
		{Key: "table.exec.interval-join.min-cleanup-interval", Type: Duration, Default: "0 ms", Doc: "How much longer interval joins keep their rows."},
		{Key: "table.exec.rank.topn-cache-size", Type: Int, Default: "10000", Doc: sameResult, Alias: []string{"table.exec.topn-cache-size"}, Ignored: true},
		{Key: "table.exec.async-state.enabled", Type: Bool, Default: "false", Doc: sameResult, Ignored: true},
		{Key: "table.exec.async-lookup.buffer-capacity", Type: Int, Default: "100", Doc: "Lookups under way at once."},
		{Key: "table.exec.async-lookup.output-mode", Type: Enum, Choices: []string{"ORDERED", "ALLOW_UNORDERED"}, Default: "ORDERED", Doc: "Whether lookups keep the order of rows."},
		{Key: "table.exec.async-lookup.timeout", Type: Duration, Default: "3 min", Doc: "Time after which a lookup fails."},
		{Key: "table.exec.async-lookup.key-ordered-enabled", Type: Bool, Default: "false", Doc: "Lookups keep the order of rows of one key."},
		{Key: "table.exec.deduplicate.insert-update-after-sensitive-enabled", Type: Bool, Default: "true", Doc: "Deduplication tells first rows from updates."},
		{Key: "table.exec.deduplicate.mini-batch.compact-changes-enabled", Type: Bool, Default: "false", Doc: sameResult, Ignored: true},
		{Key: "table.exec.unbounded-over.version", Type: Int, Default: "2", Doc: sameResult, Ignored: true},
		{Key: "table.exec.sort.default-limit", Type: Int, Default: "-1", Doc: "Rows that ORDER BY without LIMIT keeps.", Ignored: true},
		{Key: "__table.exec.sort.non-temporal.enabled__", Type: Bool, Default: "false", Doc: "Allow ORDER BY on columns that are no time; Flink's own tests use it."},
		{Key: "table.exec.deduplicate.insert-and-updateafter-sensitive.enabled", Type: Bool, Doc: removed, Ignored: true},
		{Key: "table.exec.deduplicate.mini-batch.compact-changes.enabled", Type: Bool, Doc: removed, Ignored: true},
		{Key: "table.exec.shuffle-mode", Type: String, Doc: removed, Ignored: true},
		{Key: "table.exec.legacy-transformation-uids", Type: Bool, Doc: removed, Ignored: true},
	}
}

func sinkKeys() []Def {
	return []Def{
		{Key: "table.exec.sink.not-null-enforcer", Type: Enum, Choices: []string{"ERROR", "DROP"}, Default: "ERROR", Doc: "NULL for a NOT NULL column fails the job, or drops the row."},
		{Key: "table.exec.sink.nested-constraint-enforcer", Type: Enum, Choices: []string{"IGNORE", "ROWS", "ROWS_AND_COLLECTIONS"}, Default: "IGNORE", Doc: "Whether NOT NULL inside of rows and collections is checked."},
		{Key: "table.exec.sink.type-length-enforcer", Type: Enum, Choices: []string{"IGNORE", "TRIM_PAD", "ERROR"}, Default: "IGNORE", Doc: "What happens to texts and bytes of another length than declared."},
		{Key: "table.exec.sink.keyed-shuffle", Type: Enum, Choices: []string{"NONE", "AUTO", "FORCE"}, Default: "AUTO", Doc: "Whether rows are sent to the sink's subtask of their primary key."},
		{Key: "table.exec.sink.upsert-materialize", Type: Enum, Choices: []string{"NONE", "AUTO", "FORCE"}, Default: "AUTO", Doc: "Whether changes are put into order per primary key before a sink."},
		{Key: "table.exec.sink.upsert-materialize-strategy.type", Type: Enum, Choices: []string{"LEGACY", "MAP", "VALUE", "ADAPTIVE"}, Default: "LEGACY", Doc: sameResult, Ignored: true},
		{Key: "table.exec.sink.rowtime-inserter", Type: Enum, Choices: []string{"ENABLED", "DISABLED"}, Default: "ENABLED", Doc: "Whether the event time of rows is handed to sinks; with two rowtime columns ENABLED is an error."},
		{Key: "table.exec.sink.require-on-conflict", Type: Bool, Default: "true", Doc: "An INSERT whose key is not the sink's needs ON CONFLICT."},
	}
}

func optimizerKeys() []Def {
	return []Def{
		{Key: "table.optimizer.agg-phase-strategy", Type: Enum, Choices: []string{"AUTO", "ONE_PHASE", "TWO_PHASE"}, Default: "AUTO", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.distinct-agg.split.enabled", Type: Bool, Default: "false", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.distinct-agg.split.bucket-num", Type: Int, Default: "1024", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.incremental-agg-enabled", Type: Bool, Default: "true", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.reuse-sub-plan-enabled", Type: Bool, Default: "true", Doc: "Equal parts of a plan run once."},
		{Key: "table.optimizer.reuse-source-enabled", Type: Bool, Default: "true", Doc: "Equal scans run once."},
		{Key: "table.optimizer.reuse-sink-enabled", Type: Bool, Default: "true", Doc: "Several INSERTs into one table share the sink.", Ignored: true},
		{Key: "table.optimizer.non-deterministic-update.strategy", Type: Enum, Choices: []string{"IGNORE", "TRY_RESOLVE"}, Default: "IGNORE", Doc: "Whether functions that change from call to call are refused below updates."},
		{Key: "table.optimizer.delta-join.strategy", Type: Enum, Choices: []string{"AUTO", "FORCE", "NONE"}, Default: "AUTO", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.multi-join.enabled", Type: Bool, Default: "false", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.ignore-query-hints", Type: Bool, Doc: "Not a key of Flink 2.3, which takes it all the same; hints are always read.", Ignored: true},
		{Key: "table.optimizer.join-reorder-enabled", Type: Bool, Default: "false", Doc: sameResult, Ignored: true},
		{Key: "table.optimizer.source.aggregate-pushdown-enabled", Type: Bool, Doc: removed, Ignored: true},
		{Key: "table.optimizer.source.predicate-pushdown-enabled", Type: Bool, Doc: removed, Ignored: true},
	}
}

//go:embed flink.keys
var flinkKeys string

// ignoredKeys declares the other keys of Flink 2.3.0, taken from the
// declarations in its jars, and the name spaces in which Flink takes any name.
func ignoredKeys(known *Set) []Def {
	have := map[string]bool{}
	for _, d := range known.Defs {
		have[d.Key] = true
		for _, a := range d.Alias {
			have[a] = true
		}
	}
	var defs []Def
	for _, key := range strings.Fields(flinkKeys) {
		if !have[key] {
			defs = append(defs, Def{Key: key, Type: String, Doc: noCluster, Ignored: true, Secret: sensitive(key)})
		}
	}
	return defs
}
