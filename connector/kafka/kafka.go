// Package kafka reads and writes topics of Kafka: Flink's connectors kafka and
// upsert-kafka. One partition is one split.
package kafka

import (
	"fsql/connector"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Connector returns the connector of topics whose messages are rows, or changes
// if their format says so.
func Connector() *connector.Connector {
	return &connector.Connector{
		Name:      "kafka",
		Formatted: true,
		Keys:      connector.MayHaveKeys,
		Options:   &option.Set{Defs: append(append(common(), startup()...), rows()...)},
		Metadata:  metadata(),
		Source:    func(t *connector.Table) (connector.Source, error) { return newSource(t, false) },
		Sink:      func(t *connector.Table) (connector.Sink, error) { return newSink(t, false) },
	}
}

// Upsert returns the connector of topics whose messages are the last rows of
// their keys, and deletes if they have no value.
func Upsert() *connector.Connector {
	return &connector.Connector{
		Name:      "upsert-kafka",
		Formatted: true,
		Keys:      connector.MustHaveKeys,
		Options:   &option.Set{Defs: append(common(), buffering()...)},
		Metadata:  metadata(),
		Kinds:     func(*option.Values) row.Kinds { return row.Upserts },
		Source:    func(t *connector.Table) (connector.Source, error) { return newSource(t, true) },
		Sink:      func(t *connector.Table) (connector.Sink, error) { return newSink(t, true) },
	}
}

const noSuchSetting = "Has no effect: fsql decides by itself."

// common are the options of both connectors.
func common() []option.Def {
	return []option.Def{
		{Key: "topic", Type: option.String, Doc: "The topic; for reading also several: 'a;b'."},
		{Key: "topic-pattern", Type: option.String, Doc: "A regular expression that the names of the topics to read match."},
		{Key: "properties.bootstrap.servers", Type: option.String, Required: true, Doc: "Brokers to ask first: 'host:9092,other:9092'."},
		{Key: "properties.#", Type: option.String, Doc: "A setting of the Kafka client, under the name that it has in Java."},
		{Key: "key.fields-prefix", Type: option.String, Doc: "What the names of key columns begin with, to tell them from columns of the value."},
		{Key: "value.fields-include", Type: option.Enum, Choices: []string{"ALL", "EXCEPT_KEY"}, Default: "ALL", Doc: "Whether the key columns are part of the value as well."},
		{Key: "scan.bounded.mode", Type: option.Enum, Choices: []string{"unbounded", "latest-offset", "group-offsets", "timestamp", "specific-offsets"}, Default: "unbounded", Doc: "Where reading ends; it is looked up once, at the start."},
		{Key: "scan.bounded.specific-offsets", Type: option.String, Doc: "Offsets at which the mode specific-offsets ends: 'partition:0,offset:42;partition:1,offset:300'."},
		{Key: "scan.bounded.timestamp-millis", Type: option.Int, Doc: "Milliseconds since 1970 at which the mode timestamp ends."},
		{Key: "scan.topic-partition-discovery.interval", Type: option.Duration, Default: "5 min", Doc: "How often new partitions are looked for; 0: never."},
		{Key: "scan.parallelism", Type: option.Int, Doc: noSuchSetting, Ignored: true},
		{Key: "sink.parallelism", Type: option.Int, Doc: "Number of writers; default: that of the query."},
		{Key: "sink.delivery-guarantee", Type: option.Enum, Choices: []string{"none", "at-least-once", "exactly-once"}, Default: "at-least-once", Doc: "What becomes of rows when the job fails: they may be lost, may come twice, or come once, in transactions that end with checkpoints."},
		{Key: "sink.transactional-id-prefix", Type: option.String, Doc: "What the names of the transactions of exactly-once begin with; no other job may have it."},
		{Key: "sink.transaction-naming-strategy", Type: option.Enum, Choices: []string{"INCREMENTING", "POOLING"}, Default: "INCREMENTING", Doc: "Which of two ways to name transactions Flink takes; fsql has one.", Ignored: true},
	}
}

// startup are the options that say where reading begins.
func startup() []option.Def {
	return []option.Def{
		{Key: "scan.startup.mode", Type: option.Enum, Choices: []string{"earliest-offset", "latest-offset", "group-offsets", "timestamp", "specific-offsets"}, Default: "group-offsets", Doc: "Where reading begins, if no checkpoint says so."},
		{Key: "scan.startup.specific-offsets", Type: option.String, Doc: "Offsets at which the mode specific-offsets begins: 'partition:0,offset:42;partition:1,offset:300'."},
		{Key: "scan.startup.timestamp-millis", Type: option.Int, Doc: "Milliseconds since 1970 at which the mode timestamp begins."},
	}
}

// rows are the options of the connector kafka alone.
func rows() []option.Def {
	return []option.Def{
		{Key: "key.fields", Type: option.String, Doc: "The columns that make the key: 'a;b'."},
		{Key: "sink.partitioner", Type: option.String, Default: "default", Doc: "Which partition a row goes to: default (by its key), fixed (one per writer) or round-robin."},
	}
}

// buffering are the options of the connector upsert-kafka alone.
func buffering() []option.Def {
	return []option.Def{
		{Key: "sink.buffer-flush.max-rows", Type: option.Int, Default: "0", Doc: "Rows of different keys that wait at most, so that only the last row of each key is written; 0: none wait."},
		{Key: "sink.buffer-flush.interval", Type: option.Duration, Default: "0 s", Doc: "How long they wait at most."},
	}
}

// metadata are the columns that a message offers besides its key and value.
func metadata() []types.Column {
	return []types.Column{
		{Name: "topic", Type: types.String().NotNull()},
		{Name: "partition", Type: types.Of(types.Int).NotNull()},
		{Name: "headers", Type: headersType()},
		{Name: "leader-epoch", Type: types.Of(types.Int)},
		{Name: "offset", Type: types.Of(types.BigInt).NotNull()},
		{Name: "timestamp", Type: types.TimestampLTZOf(3).NotNull()},
		{Name: "timestamp-type", Type: types.String().NotNull()},
	}
}

func headersType() types.Type {
	return types.MapOf(types.String().NotNull(), types.Of(types.VarBinary).NotNull()).NotNull()
}
