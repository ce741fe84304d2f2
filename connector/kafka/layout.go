package kafka

import (
	"strings"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/types"
)

// layout says where the columns of a table are in a message.
type layout struct {
	value side
	key   *side // nil: the keys are not looked at
	meta  []int // columns of the table that are metadata and wanted
}

// side is the key or the value of messages.
type side struct {
	format  *format.Format
	options *option.Values
	schema  *types.Schema
	columns []int // of the table
	wanted  []bool
}

func (s *side) decoder() (format.Decoder, error) {
	if s.format.Decoder == nil {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "the format '%s' cannot be read", s.format.Name)
	}
	return s.format.Decoder(s.schema, s.wanted, s.options)
}

func (s *side) encoder() (format.Encoder, error) {
	if s.format.Encoder == nil {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "the format '%s' cannot be written", s.format.Name)
	}
	return s.format.Encoder(s.schema, s.options)
}

func (s *side) add(t *connector.Table, column int, name string) {
	s.schema.Columns = append(s.schema.Columns, types.Column{Name: name, Type: t.Schema.Columns[column].Type})
	s.columns = append(s.columns, column)
	s.wanted = append(s.wanted, t.Wanted == nil || t.Wanted[column])
}

// newLayout finds the columns of keys and values. The key of a table of changes
// by key is its primary key.
func newLayout(t *connector.Table, upsert bool) (*layout, error) {
	l := &layout{value: side{format: t.Format, options: t.FormatOpts, schema: &types.Schema{}}}
	keys, err := keyColumns(t, upsert)
	if err != nil {
		return nil, err
	}
	prefix := t.Options.String("key.fields-prefix")
	except := t.Options.String("value.fields-include") == "EXCEPT_KEY"
	if prefix != "" && !except {
		return nil, diag.New(diag.BadOption, diag.Span{}, "table '%s': with 'key.fields-prefix' the key columns cannot be part of the value", t.Name).
			WithHint("add 'value.fields-include' = 'EXCEPT_KEY'")
	}
	if t.KeyFormat != nil {
		l.key = &side{format: t.KeyFormat, options: t.KeyFormatOpts, schema: &types.Schema{}}
		for _, c := range keys {
			name, ok := strings.CutPrefix(t.Schema.Columns[c].Name, prefix)
			if !ok {
				return nil, diag.New(diag.BadOption, diag.Span{}, "table '%s': the key column '%s' does not begin with '%s', which 'key.fields-prefix' says", t.Name, t.Schema.Columns[c].Name, prefix)
			}
			l.key.add(t, c, name)
		}
	}
	key := map[int]bool{}
	for _, c := range keys {
		key[c] = true
	}
	for c := range t.Schema.Columns {
		switch {
		case t.Metadata != nil && t.Metadata[c] != "":
			if t.Wanted == nil || t.Wanted[c] {
				l.meta = append(l.meta, c)
			}
		case !except || !key[c]:
			l.value.add(t, c, t.Schema.Columns[c].Name)
		}
	}
	return l, nil
}

// keyColumns are the columns of the table that make the key.
func keyColumns(t *connector.Table, upsert bool) ([]int, error) {
	if upsert {
		if len(t.PrimaryKey) == 0 {
			return nil, diag.New(diag.BadConstraint, diag.Span{}, "table '%s' of the connector upsert-kafka needs a PRIMARY KEY, which is the key of its messages", t.Name).
				WithHint("declare PRIMARY KEY (..) NOT ENFORCED")
		}
		return t.PrimaryKey, nil
	}
	given := t.Options.Has("key.fields")
	switch {
	case given && t.KeyFormat == nil:
		return nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s' has 'key.fields' and no 'key.format': it is not known how keys are written", t.Name).
			WithHint("write 'key.format' = 'json'")
	case t.KeyFormat == nil:
		return nil, nil
	case !given || t.Options.String("key.fields") == "":
		return nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s' has 'key.format' and no 'key.fields': it is not known which columns make the key", t.Name).
			WithHint("write 'key.fields' = 'a;b'")
	}
	if len(t.PrimaryKey) > 0 && t.Format != nil && t.Format.Kinds == insertOnly {
		return nil, keyOfInserts(t)
	}
	var keys []int
	for _, name := range strings.Split(t.Options.String("key.fields"), ";") {
		i := t.Schema.Index(name)
		if i < 0 || t.Metadata != nil && t.Metadata[i] != "" {
			e := diag.New(diag.UnknownColumn, diag.Span{}, "'key.fields' of table '%s' names '%s', which is no stored column", t.Name, name)
			var names []string
			for j, c := range t.Schema.Columns {
				if t.Metadata == nil || t.Metadata[j] == "" {
					names = append(names, c.Name)
				}
			}
			if near := diag.Nearest(name, names); near != "" {
				e.WithLabel("did you mean '%s'?", near)
			}
			return nil, e.WithHint("the columns are %s", strings.Join(names, ", "))
		}
		keys = append(keys, i)
	}
	return keys, nil
}

// keyOfInserts refuses, as Flink does, a primary key that messages would not
// keep: each is a row of its own.
func keyOfInserts(t *connector.Table) error {
	return diag.New(diag.BadConstraint, diag.Span{}, "table '%s' has a PRIMARY KEY, but its messages (format '%s') are inserts only: nothing would keep one row per key", t.Name, t.Format.Name).
		WithHint("use the connector upsert-kafka, or leave the PRIMARY KEY out")
}
