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
	laterConnectors = []string{"jdbc", "hive", "elasticsearch-6", "elasticsearch-7", "opensearch", "opensearch-2", "hbase-1.4", "hbase-2.2",
		"mongodb", "kinesis", "firehose", "dynamodb", "pulsar", "mysql-cdc", "postgres-cdc", "mongodb-cdc", "oracle-cdc", "sqlserver-cdc", "tidb-cdc", "db2-cdc"}
	laterFormats = []string{"avro-confluent", "debezium-avro-confluent", "parquet", "orc", "protobuf"}
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

// Resolved is what a table's WITH options name.
type Resolved struct {
	Connector *Connector
	Options   *option.Values
	// Format is nil for a connector without one.
	Format        *format.Format
	FormatOptions *option.Values
	// KeyFormat is nil for a table whose keys are not looked at.
	KeyFormat        *format.Format
	KeyFormatOptions *option.Values
}

// Resolve finds the connector and the formats that a table's WITH options name,
// and validates the options. Flink does so when the table is used, not when it
// is created, and so does fsql.
func Resolve(reg *Registry, table string, opts []option.Entry) (*Resolved, error) {
	var named words
	rest := named.take(opts)
	if named.connector == nil {
		return nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s' has no option 'connector': it is not known where its rows are", table).
			WithHint("write WITH ('connector' = 'filesystem', 'path' = '...', 'format' = 'json')")
	}
	r := &Resolved{Connector: reg.Connector(named.connector.Value)}
	c := r.Connector
	if c == nil {
		return nil, reg.unknownConnector(named.connector)
	}
	scopes := []option.Scope{
		{Set: c.Options, Owner: "connector '" + c.Name + "'"},
		{Set: TableOptions()},
	}
	if err := named.check(reg, table, c, rest); err != nil {
		return nil, err
	}
	value, prefix := named.value(c)
	formatAt, keyAt := 0, 0
	if c.Formatted {
		if r.Format = reg.Format(value.Value); r.Format == nil {
			return nil, reg.unknownFormat(value)
		}
		formatAt = len(scopes)
		scopes = append(scopes, option.Scope{Set: r.Format.Options, Prefix: prefix + r.Format.Name + ".", Owner: "format '" + r.Format.Name + "'"})
	}
	if named.keyFormat != nil {
		if r.KeyFormat = reg.Format(named.keyFormat.Value); r.KeyFormat == nil {
			return nil, reg.unknownFormat(named.keyFormat)
		}
		keyAt = len(scopes)
		scopes = append(scopes, option.Scope{Set: r.KeyFormat.Options, Prefix: "key." + r.KeyFormat.Name + ".", Owner: "format '" + r.KeyFormat.Name + "'"})
	}
	vals, err := option.Check(rest, scopes...)
	if err != nil {
		return nil, err
	}
	r.Options = vals[0]
	if formatAt > 0 {
		r.FormatOptions = vals[formatAt]
	}
	if keyAt > 0 {
		r.KeyFormatOptions = vals[keyAt]
	}
	return r, nil
}

// words are the options that say what the others may be.
type words struct{ connector, format, valueFormat, keyFormat *option.Entry }

// take finds them and returns the rest.
func (w *words) take(opts []option.Entry) (rest []option.Entry) {
	for i := range opts {
		switch opts[i].Key {
		case "connector":
			w.connector = &opts[i]
		case "format":
			w.format = &opts[i]
		case "value.format":
			w.valueFormat = &opts[i]
		case "key.format":
			w.keyFormat = &opts[i]
		default:
			rest = append(rest, opts[i])
		}
	}
	return rest
}

// value is the option that names the format of values, and what the options of
// that format begin with.
func (w *words) value(c *Connector) (e *option.Entry, prefix string) {
	if c.Keys == NoKeys || w.valueFormat == nil {
		return w.format, ""
	}
	return w.valueFormat, "value."
}

// check refuses formats where there must be none, and misses those that must be.
func (w *words) check(reg *Registry, table string, c *Connector, rest []option.Entry) error {
	stray := func(e *option.Entry) error {
		err := diag.New(diag.UnknownOption, e.KeyPos, "unknown option '%s' of connector '%s'", e.Key, c.Name)
		switch {
		case !c.Formatted:
			return err.WithHint("the connector '%s' takes no format", c.Name)
		case c.Keys == MustHaveKeys:
			return err.WithHint("write 'key.format' and 'value.format'")
		}
		return err.WithHint("the connector '%s' has no keys: write 'format'", c.Name)
	}
	needs := func(key string) error {
		return diag.New(diag.MissingOption, diag.Span{}, "table '%s' needs the option '%s', which is missing", table, key).
			WithHint("write '%s' = 'json'; formats: %s", key, strings.Join(reg.formatNames(), ", "))
	}
	switch {
	case w.format != nil && (!c.Formatted || c.Keys == MustHaveKeys):
		return stray(w.format)
	case w.valueFormat != nil && c.Keys == NoKeys:
		return stray(w.valueFormat)
	case w.keyFormat != nil && c.Keys == NoKeys:
		return stray(w.keyFormat)
	case w.format != nil && w.valueFormat != nil:
		return diag.New(diag.BadOption, w.valueFormat.KeyPos, "'format' and 'value.format' are the same option: table '%s' may have one of them", table)
	case c.Keys == MustHaveKeys && w.keyFormat == nil:
		return needs("key.format")
	}
	if value, _ := w.value(c); !c.Formatted || value != nil {
		return nil
	}
	key := "format"
	if c.Keys == MustHaveKeys {
		key = "value.format"
	}
	for i := range rest {
		if diag.Nearest(rest[i].Key, []string{key}) != "" {
			return diag.New(diag.UnknownOption, rest[i].KeyPos, "unknown option '%s' of connector '%s'", rest[i].Key, c.Name).
				WithLabel("did you mean '%s'?", key)
		}
	}
	return needs(key)
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
