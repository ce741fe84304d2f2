package connector

import (
	"fmt"
	"strings"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
)

// laterConnectors and laterFormats are those that Flink has, in its
// distribution or beside it, and fsql lacks.
var (
	laterConnectors = []string{"kafka", "upsert-kafka", "jdbc", "hive", "elasticsearch-6", "elasticsearch-7", "opensearch", "opensearch-2", "hbase-1.4", "hbase-2.2",
		"mongodb", "kinesis", "firehose", "dynamodb", "pulsar", "mysql-cdc", "postgres-cdc", "mongodb-cdc", "oracle-cdc", "sqlserver-cdc", "tidb-cdc", "db2-cdc"}
	laterFormats = []string{"avro", "avro-confluent", "debezium-avro-confluent", "parquet", "orc", "protobuf"}
)

// TableOptions are the options that every scanned table takes besides those of
// its connector.
func TableOptions() *option.Set {
	return &option.Set{Defs: []option.Def{
		{Key: "scan.watermark.idle-timeout", Type: option.Duration, Doc: "Processing time without rows after which the source counts as idle; overrides table.exec.source.idle-timeout."},
		{Key: "scan.watermark.emit.strategy", Type: option.Enum, Choices: []string{"on-periodic", "on-event"}, Default: "on-periodic", Doc: "When watermarks are emitted."},
		{Key: "scan.watermark.emit.on-event.gap", Type: option.Int, Default: "1", Doc: "Rows between two watermarks of the strategy on-event."},
		{Key: "scan.watermark.alignment.group", Type: option.String, Doc: "Sources of one group wait for one another in event time."},
		{Key: "scan.watermark.alignment.max-drift", Type: option.Duration, Doc: "How far a source may be ahead of its group."},
		{Key: "scan.watermark.alignment.update-interval", Type: option.Duration, Default: "1 s", Doc: "How often a group's event time is looked at."},
	}}
}

// Resolve finds the connector and the format that a table's WITH options name,
// and validates the options. Flink does so when the table is used, not when it
// is created, and so does fsql. f and formatOpts are nil for a connector without
// a format.
func Resolve(reg *Registry, table string, opts []option.Entry) (c *Connector, f *format.Format, connOpts, formatOpts *option.Values, err error) {
	var conn, form *option.Entry
	var rest []option.Entry
	for i := range opts {
		switch opts[i].Key {
		case "connector":
			conn = &opts[i]
		case "format":
			form = &opts[i]
		default:
			rest = append(rest, opts[i])
		}
	}
	if conn == nil {
		return nil, nil, nil, nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s' has no option 'connector': it is not known where its rows are", table).
			WithHint("write WITH ('connector' = 'filesystem', 'path' = '...', 'format' = 'json')")
	}
	if c = reg.Connector(conn.Value); c == nil {
		return nil, nil, nil, nil, reg.unknownConnector(conn)
	}
	scopes := []option.Scope{
		{Set: c.Options, Owner: "connector '" + c.Name + "'"},
		{Set: TableOptions()},
	}
	switch {
	case c.Formatted && form == nil:
		for i := range rest {
			if diag.Nearest(rest[i].Key, []string{"format"}) != "" {
				return nil, nil, nil, nil, diag.New(diag.UnknownOption, rest[i].KeyPos, "unknown option '%s' of connector '%s'", rest[i].Key, c.Name).
					WithLabel("did you mean 'format'?")
			}
		}
		return nil, nil, nil, nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s' needs the option 'format', which is missing", table).
			WithHint("write 'format' = 'json'; formats: %s", strings.Join(reg.formatNames(), ", "))
	case c.Formatted:
		if f = reg.Format(form.Value); f == nil {
			return nil, nil, nil, nil, reg.unknownFormat(form)
		}
		scopes = append(scopes, option.Scope{Set: f.Options, Prefix: f.Name + ".", Owner: "format '" + f.Name + "'"})
	case form != nil:
		return nil, nil, nil, nil, diag.New(diag.UnknownOption, form.KeyPos, "unknown option 'format' of connector '%s'", c.Name).
			WithHint("the connector '%s' takes no format", c.Name)
	}
	vals, err := option.Check(rest, scopes...)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if f != nil {
		formatOpts = vals[2]
	}
	return c, f, vals[0], formatOpts, nil
}

func (r *Registry) unknownConnector(e *option.Entry) *diag.Error {
	for _, n := range laterConnectors {
		if e.Value == n {
			return diag.New(diag.NotImplemented, e.ValuePos, "the connector '%s' is not implemented yet", n)
		}
	}
	var names []string
	for _, c := range r.Connectors {
		names = append(names, c.Name)
	}
	return unknown(diag.UnknownConnector, e, "connector", names)
}

func (r *Registry) unknownFormat(e *option.Entry) *diag.Error {
	for _, n := range laterFormats {
		if e.Value == n {
			return diag.New(diag.NotImplemented, e.ValuePos, "the format '%s' is not implemented yet", n)
		}
	}
	return unknown(diag.UnknownFormat, e, "format", r.formatNames())
}

func unknown(code diag.Code, e *option.Entry, what string, names []string) *diag.Error {
	err := diag.New(code, e.ValuePos, "unknown %s '%s'", what, e.Value)
	if near := diag.Nearest(e.Value, names); near != "" {
		err.WithLabel("did you mean '%s'?", near)
	}
	return err.WithHint("%s", fmt.Sprintf("%ss: %s", what, strings.Join(names, ", ")))
}

func (r *Registry) formatNames() []string {
	var names []string
	for _, f := range r.Formats {
		names = append(names, f.Name)
	}
	return names
}
