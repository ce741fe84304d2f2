// Package csv is the format of delimited text: a scanner and a writer of our
// own with the rules of Flink's csv format (Jackson's, underneath).
package csv

import (
	"fsql/diag"
	"fsql/format"
	"fsql/option"
	"fsql/row"
	"fsql/types"
)

// Format returns the csv format.
func Format() *format.Format {
	return &format.Format{
		Name:    "csv",
		Kinds:   row.InsertOnly,
		Options: options(),
		Decoder: newDecoder,
		Encoder: newEncoder,
	}
}

func options() *option.Set {
	return &option.Set{Defs: []option.Def{
		{Key: "field-delimiter", Type: option.String, Default: ",", Doc: "Character between fields; escapes such as \\t work."},
		{Key: "disable-quote-character", Type: option.Bool, Default: "false", Doc: "Quotes are ordinary text."},
		{Key: "quote-character", Type: option.String, Default: `"`, Doc: "Character around fields that hold delimiters, quotes or line ends."},
		{Key: "allow-comments", Type: option.Bool, Default: "false", Doc: "Lines that begin with # are skipped."},
		{Key: "ignore-parse-errors", Type: option.Bool, Default: "false", Doc: "Bad fields become NULL, bad rows are skipped; both are counted."},
		{Key: "array-element-delimiter", Type: option.String, Default: ";", Doc: "Between the elements of arrays and the fields of rows."},
		{Key: "escape-character", Type: option.String, Doc: "The character behind it loses its meaning."},
		{Key: "null-literal", Type: option.String, Doc: "Text that stands for NULL."},
		{Key: "write-bigdecimal-in-scientific-notation", Type: option.Bool, Default: "true", Doc: "Write decimals without trailing zeros, with an exponent where that is shorter."},
	}}
}

// dialect are the characters that mean something; 0: none does.
type dialect struct {
	delim, quote, escape byte
	element              string // between elements of an array
	null                 string
	hasNull              bool
}

func newDialect(o *option.Values) (dialect, error) {
	d := dialect{quote: '"', element: o.String("array-element-delimiter")}
	if o.Bool("disable-quote-character") {
		if o.Has("quote-character") {
			return d, diag.New(diag.BadOption, diag.Span{}, "'csv.quote-character' and 'csv.disable-quote-character' cannot both be set").
				WithHint("leave one of the two out")
		}
		d.quote = 0
	}
	for _, c := range []struct {
		key string
		to  *byte
	}{{"field-delimiter", &d.delim}, {"quote-character", &d.quote}, {"escape-character", &d.escape}} {
		if c.to == &d.quote && d.quote == 0 || c.to == &d.escape && !o.Has(c.key) {
			continue
		}
		text := unescapeJava(o.String(c.key))
		if len(text) != 1 || text[0] >= 0x80 {
			return d, diag.New(diag.BadOption, diag.Span{}, "'csv.%s' is '%s', which is not one ASCII character", c.key, o.String(c.key))
		}
		*c.to = text[0]
	}
	d.null, d.hasNull = o.String("null-literal"), o.Has("null-literal")
	return d, nil
}

// unescapeJava resolves the two-character escapes that Flink takes in the
// delimiter option.
func unescapeJava(s string) string {
	if len(s) == 2 && s[0] == '\\' {
		switch s[1] {
		case 't':
			return "\t"
		case 'n':
			return "\n"
		case 'r':
			return "\r"
		case 'b':
			return "\b"
		case 'f':
			return "\f"
		case '\\', '\'', '"':
			return s[1:]
		}
	}
	return s
}

// supported refuses the types that the format has no form for.
func supported(s *types.Schema) error {
	for _, c := range s.Columns {
		if t := c.Type; !fits(t, true) {
			return diag.New(diag.NotSupported, diag.Span{}, "the format csv has no form for column '%s' of type %s", c.Name, t.Short()).
				WithHint("csv holds plain values, and arrays and rows of plain values")
		}
	}
	return nil
}

func fits(t types.Type, nested bool) bool {
	switch t.Kind {
	case types.Array, types.Row:
		for _, f := range t.Fields {
			if !nested || !fits(f.Type, false) {
				return false
			}
		}
	case types.Map, types.Multiset, types.IntervalMonths, types.IntervalMillis, types.Variant, types.Bitmap:
		return false
	}
	return true
}
