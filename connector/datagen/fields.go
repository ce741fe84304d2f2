package datagen

import (
	"fmt"
	"strconv"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/internal/option"
)

// keys of the options of a field.
var keys = []string{"kind", "min", "max", "max-past", "length", "var-len", "null-rate", "start", "end"}

// fields reads the options of the columns, and of what they are made of
// ("fields.r.x.min" for the field x of the row r). It remembers which ones there
// are, so that an option that says nothing to a column's type is refused.
type fields struct {
	table *connector.Table
	known map[string]bool
}

// text returns an option of a field, or its default.
func (f *fields) text(name, key string) string {
	f.known[name+"."+key] = true
	s, _ := f.table.Options.Named("fields.#."+key, name)
	return s
}

// has tells whether an option of a field was written.
func (f *fields) has(name, key string) bool {
	f.known[name+"."+key] = true
	_, set := f.table.Options.Named("fields.#."+key, name)
	return set
}

// whole returns an option that is a whole number.
func (f *fields) whole(name, key string, otherwise int64) (int64, error) {
	if !f.has(name, key) {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(f.text(name, key), 10, 64)
	if err != nil {
		return 0, f.bad(name, key, "a whole number")
	}
	return n, nil
}

// number returns an option that is a number.
func (f *fields) number(name, key string, otherwise float64) (float64, error) {
	if !f.has(name, key) {
		return otherwise, nil
	}
	x, err := strconv.ParseFloat(f.text(name, key), 64)
	if err != nil {
		return 0, f.bad(name, key, "a number")
	}
	return x, nil
}

// share returns null-rate.
func (f *fields) share(name string) (float64, error) {
	x, ok := option.ParseFloat(f.text(name, "null-rate"))
	if !ok || x < 0 || x > 1 {
		return 0, f.bad(name, "null-rate", "a number from 0 to 1")
	}
	return x, nil
}

func (f *fields) bad(name, key, want string) error {
	return diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'fields.%s.%s' of table '%s', which is %s",
		f.text(name, key), name, key, f.table.Name, want)
}

// refuse is an error about a column as a whole.
func (f *fields) refuse(name, format string, args ...any) error {
	return diag.New(diag.BadOption, diag.Span{}, "column '%s' of table '%s': %s", name, f.table.Name, fmt.Sprintf(format, args...))
}

// check refuses options that no column has asked for.
func (f *fields) check() error {
	for _, key := range keys {
		for _, name := range f.table.Options.Names("fields.#." + key) {
			if f.known[name+"."+key] {
				continue
			}
			e := diag.New(diag.UnknownOption, diag.Span{}, "unknown option 'fields.%s.%s' of table '%s'", name, key, f.table.Name)
			if f.known[name+".kind"] {
				return e.WithHint("the column '%s' has no use for '%s': it depends on its type and on 'fields.%s.kind'", name, key, name)
			}
			var names []string
			for _, c := range f.table.Schema.Columns {
				names = append(names, c.Name)
			}
			if near := diag.Nearest(name, names); near != "" {
				e.WithLabel("did you mean 'fields.%s.%s'?", near, key)
			}
			return e.WithHint("there is no column '%s'", name)
		}
	}
	return nil
}
