// Package avro is the format avro: object container files, and messages that are
// one record each without its schema. The schema of what is written, and of
// messages that are read, follows from the table; a file says its own, which is
// resolved against the table by the names of the fields.
package avro

import (
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Format returns the format.
func Format() *format.Format {
	return &format.Format{
		Name:  "avro",
		Kinds: row.InsertOnly,
		Options: &option.Set{Defs: []option.Def{
			{Key: "codec", Type: option.Enum, Choices: codecNames, Default: "snappy", Doc: "How the blocks of a file are packed."},
			{Key: "encoding", Type: option.Enum, Choices: []string{"binary", "json"}, Default: "binary", Doc: "Form of messages; files are always binary."},
			{Key: "timestamp_mapping.legacy", Type: option.Bool, Default: "true", Doc: "TIMESTAMP is an instant in Avro, as before Flink 1.19, and there is no TIMESTAMP_LTZ; else it is a local time."},
		}},
		FileDecoder: newFileDecoder,
		FileEncoder: newFileEncoder,
		Decoder:     newMessageDecoder,
		Encoder:     newMessageEncoder,
	}
}

// noType refuses a type that Avro, or Flink's use of it, has no form for.
func noType(t types.Type, column, hint string) error {
	e := diag.New(diag.NotSupported, diag.Span{}, "the format avro does not support the type %s of column '%s'", t.Short(), column)
	if hint != "" {
		e.WithHint("%s", hint)
	}
	return e
}
