// Package csv is the format csv: one row per line, without a header, by the
// rules of Flink (that is, of Jackson's CSV reader).
package csv

import (
	"strconv"
	"unicode/utf8"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Format returns the format.
func Format() *format.Format {
	return &format.Format{
		Name:    "csv",
		Options: options(),
		Decoder: func(s *types.Schema, wanted []bool, o *option.Values) (format.Decoder, error) {
			return newDecoder(s, wanted, o)
		},
		Encoder: func(s *types.Schema, o *option.Values) (format.Encoder, error) { return newEncoder(s, o) },
		Lines:   true,
		Kinds:   row.InsertOnly,
	}
}

func options() *option.Set {
	return &option.Set{Defs: []option.Def{
		{Key: "field-delimiter", Type: option.String, Default: ",", Doc: `The character between fields; escapes such as '\t' are understood.`},
		{Key: "disable-quote-character", Type: option.Bool, Default: "false", Doc: "Quotes are ordinary characters."},
		{Key: "quote-character", Type: option.String, Default: `"`, Doc: "The character around fields that hold delimiters or line ends."},
		{Key: "allow-comments", Type: option.Bool, Default: "false", Doc: "Lines that begin with # are skipped, and so are blank ones."},
		{Key: "ignore-parse-errors", Type: option.Bool, Default: "false", Doc: "Fields that cannot be read are NULL and broken lines are skipped."},
		{Key: "array-element-delimiter", Type: option.String, Default: ";", Doc: "The character between elements of arrays and fields of rows."},
		{Key: "escape-character", Type: option.String, Doc: "The character that takes the meaning from the one behind it."},
		{Key: "null-literal", Type: option.String, Doc: "The text that stands for NULL; '' for empty fields."},
		{Key: "write-bigdecimal-in-scientific-notation", Type: option.Bool, Default: "true", Doc: "Without effect on files in Flink and here: decimals may have an exponent.", Ignored: true},
		{Key: "trim-spaces", Type: option.Bool, Default: "false", Doc: "Blanks around fields, outside of quotes, are no part of them."},
		{Key: "empty-string-as-null", Type: option.Bool, Default: "false", Doc: "Empty fields are NULL."},
		{Key: "allow-trailing-comma", Type: option.Bool, Default: "true", Doc: "A line may end with one delimiter too many."},
		{Key: "ignore-trailing-unmappable", Type: option.Bool, Default: "false", Doc: "Fields beyond the last column are ignored."},
		{Key: "fail-on-missing-columns", Type: option.Bool, Default: "false", Doc: "A line with fewer fields than the table has columns is an error, even when they are not read."},
	}}
}

// dialect is how fields are written.
type dialect struct {
	delim  string // one character
	elem   string // between elements
	quote  byte   // 0: none
	escape byte   // 0: none
	null   string
	nulls  bool // null stands for NULL
}

func newDialect(o *option.Values) (d dialect, err error) {
	if o.Bool("disable-quote-character") && o.Has("quote-character") {
		return d, diag.New(diag.BadOption, diag.Span{},
			"'csv.disable-quote-character' and 'csv.quote-character' cannot be set at the same time").
			WithHint("they contradict each other: remove one of them")
	}
	if d.delim, err = character(o, "field-delimiter"); err != nil {
		return d, err
	}
	if d.elem, err = character(o, "array-element-delimiter"); err != nil {
		return d, err
	}
	if !o.Bool("disable-quote-character") {
		if d.quote, err = ascii(o, "quote-character"); err != nil {
			return d, err
		}
	}
	if o.Has("escape-character") {
		if d.escape, err = ascii(o, "escape-character"); err != nil {
			return d, err
		}
	}
	if d.delim == "\n" || d.delim == "\r" || d.delim[0] == d.quote {
		return d, badCharacter("field-delimiter", d.delim, "a character other than a line end and the quote character")
	}
	d.null, d.nulls = o.String("null-literal"), o.Has("null-literal")
	return d, nil
}

// character returns an option of one character, its escapes resolved.
func character(o *option.Values, key string) (string, error) {
	text := o.String(key)
	s := text
	if len(s) > 1 && s[0] == '\\' {
		if r, _, rest, err := strconv.UnquoteChar(s, '\''); err == nil && rest == "" {
			s = string(r)
		}
	}
	if utf8.RuneCountInString(s) != 1 {
		return "", badCharacter(key, text, "exactly one character")
	}
	return s, nil
}

// ascii returns an option of one character of one byte.
func ascii(o *option.Values, key string) (byte, error) {
	text := o.String(key)
	if len(text) != 1 || text[0] == '\n' || text[0] == '\r' {
		return 0, badCharacter(key, text, "exactly one character of ASCII")
	}
	return text[0], nil
}

func badCharacter(key, text, want string) error {
	return diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'csv.%s', which is %s", text, key, want)
}

// checkTypes refuses what csv has no form for: maps, and nesting beyond one level.
func checkTypes(s *types.Schema) error {
	for _, c := range s.Columns {
		if err := checkType(c.Type, c.Name, true); err != nil {
			return err
		}
	}
	return nil
}

func checkType(t types.Type, column string, nested bool) error {
	switch t.Kind {
	case types.Array, types.Row:
		if !nested {
			return diag.New(diag.NotSupported, diag.Span{}, "column '%s': csv cannot nest %s inside of an ARRAY or ROW", column, t.Short())
		}
		for _, f := range t.Fields {
			if err := checkType(f.Type, column, false); err != nil {
				return err
			}
		}
	case types.Map, types.Multiset, types.Variant, types.Bitmap, types.Descriptor, types.Invalid:
		return diag.New(diag.NotSupported, diag.Span{}, "column '%s': csv does not support the type %s", column, t.Short()).
			WithHint("json has a form for it, or declare the column as STRING")
	}
	return nil
}
