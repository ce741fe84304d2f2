// Package json is the format json: one JSON value per line.
package json

import (
	"fmt"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Format returns the format.
func Format() *format.Format {
	return &format.Format{
		Name:    "json",
		Options: options(),
		Decoder: func(s *types.Schema, wanted []bool, o *option.Values) (format.Decoder, error) {
			if o.Bool("fail-on-missing-field") && o.Bool("ignore-parse-errors") {
				return nil, diag.New(diag.BadOption, diag.Span{},
					"'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true").
					WithHint("they contradict each other: remove one of them")
			}
			return newDecoder(s, wanted, o)
		},
		Encoder: func(s *types.Schema, o *option.Values) (format.Encoder, error) { return newEncoder(s, o) },
		Lines:   true,
		Kinds:   row.InsertOnly,
	}
}

func options() *option.Set {
	return &option.Set{Defs: append([]option.Def{
		{Key: "fail-on-missing-field", Type: option.Bool, Default: "false", Doc: "A field that a row lacks fails the job; else it is NULL."},
		{Key: "decode.json-parser.enabled", Type: option.Bool, Default: "true", Doc: "Which of two parsers Flink uses; fsql has one.", Ignored: true},
	}, Shared()...)}
}

// Shared are the options that json shares with the formats built upon it.
func Shared() []option.Def {
	return []option.Def{
		{Key: "ignore-parse-errors", Type: option.Bool, Default: "false", Doc: "Fields that cannot be read are NULL and broken lines are skipped."},
		{Key: "timestamp-format.standard", Type: option.Enum, Choices: []string{"SQL", "ISO-8601"}, Default: "SQL", Doc: "How timestamps are written: '2024-05-01 10:00:00' or '2024-05-01T10:00:00'."},
		{Key: "map-null-key.mode", Type: option.Enum, Choices: []string{"FAIL", "DROP", "LITERAL"}, Default: "FAIL", Doc: "What becomes of a map entry whose key is NULL."},
		{Key: "map-null-key.literal", Type: option.String, Default: "null", Doc: "The key written in place of NULL in the mode LITERAL."},
		{Key: "encode.decimal-as-plain-number", Type: option.Bool, Default: "false", Doc: "Write decimals without an exponent and with all digits of their scale."},
		{Key: "encode.ignore-null-fields", Type: option.Bool, Default: "false", Doc: "Leave fields that are NULL out."},
	}
}

func badKey(t types.Type) error {
	return diag.New(diag.NotSupported, diag.Span{}, "json takes maps with keys of type STRING only: %s has a key of another type", t.Short()).
		WithHint("the names of a JSON object are texts: declare the map with STRING keys and cast them")
}

func noType(t types.Type) error {
	return diag.New(diag.NotSupported, diag.Span{}, "json has no form for the type %s", t.Short())
}

// columnError names the column of an error of a type.
func columnError(name string, err error) error {
	if e := diag.Of(err); e.Code != diag.Internal {
		e.Msg = fmt.Sprintf("column '%s': %s", name, e.Msg)
		return e
	}
	return err
}
