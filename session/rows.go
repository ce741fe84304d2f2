package session

import (
	"context"
	"iter"
	"reflect"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/govalue"
	"fsql/row"
)

// Row is one row of a result. It may be kept.
type Row struct {
	batch *row.Batch
	at    int
}

// Kind is the row kind: Insert, unless the result changes over time.
func (r Row) Kind() row.Kind { return r.batch.Kind(r.at) }

// Len is the number of columns.
func (r Row) Len() int { return len(r.batch.Cols) }

// Value is the value of column i, nil for NULL: see the table of Go types in
// the package comment.
func (r Row) Value(i int) any { return govalue.Get(r.batch.Cols[i], r.at) }

// Values are those of all columns.
func (r Row) Values() []any {
	out := make([]any, r.Len())
	for i := range out {
		out[i] = r.Value(i)
	}
	return out
}

// Scan reads the columns into variables, one pointer for each. Numbers are
// converted where they fit. NULL goes into a pointer to a pointer, into *any and
// into slices and maps; into anything else it is an error.
func (r Row) Scan(dest ...any) error {
	if len(dest) != r.Len() {
		return diag.New(diag.ColumnCount, diag.Span{}, "%d columns are read into %d variables", r.Len(), len(dest))
	}
	for i, d := range dest {
		if err := r.into(i, d); err != nil {
			return err
		}
	}
	return nil
}

func (r Row) into(i int, dest any) error {
	err := govalue.Scan(dest, r.Value(i))
	if err == nil {
		return nil
	}
	e := diag.Of(err)
	e.Msg = "column '" + r.batch.Schema.Columns[i].Name + "': " + e.Msg
	return e
}

// Rows runs the query and iterates over its rows; leaving the loop ends the
// query. An error comes as the last element. It is for results of modest size:
// Records moves whole columns.
func (r *Result) Rows(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		t, err := r.stream(ctx)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer t.close(errReleased)
		for b := t.next(); b != nil; b = t.next() {
			for i := range b.Rows {
				if !yield(Row{b, i}, nil) {
					return
				}
			}
		}
		if t.err != nil {
			yield(Row{}, t.err)
		}
	}
}

// Structs is Rows with every row read into a struct T. The columns go to the
// exported fields by the tag `sql:"name"`, else by the field's name in any case;
// a field of the type row.Kind takes the row kind, unless it is tagged. A column
// without a field, and a field without a column, are errors.
func Structs[T any](ctx context.Context, r *Result) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		fields, err := fieldsOf(reflect.TypeFor[T](), r)
		if err != nil {
			yield(none, err)
			return
		}
		for in, err := range r.Rows(ctx) {
			var out T
			if err == nil {
				err = fields.fill(reflect.ValueOf(&out).Elem(), in)
			}
			if !yield(out, err) || err != nil {
				return
			}
		}
	}
}

// fields tell which field takes a column.
type fields struct {
	columns [][]int // by column
	kind    []int   // of the row kind; nil: none
}

func fieldsOf(t reflect.Type, r *Result) (*fields, error) {
	if t.Kind() != reflect.Struct {
		return nil, diag.New(diag.Usage, diag.Span{}, "rows are read into a struct, not into %s", t)
	}
	if r.Schema == nil {
		return nil, diag.New(diag.Usage, diag.Span{}, "the statement gives no rows")
	}
	out := &fields{columns: make([][]int, len(r.Schema.Columns))}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("sql")
		switch {
		case !f.IsExported() || f.Anonymous || tag == "-":
			continue
		case !tagged && f.Type == reflect.TypeFor[row.Kind]():
			out.kind = f.Index
			continue
		}
		at := -1
		for i, c := range r.Schema.Columns {
			if out.columns[i] == nil && (tagged && c.Name == tag || !tagged && strings.EqualFold(c.Name, f.Name)) {
				at = i
				break
			}
		}
		if at < 0 {
			return nil, diag.New(diag.UnknownColumn, diag.Span{}, "the result has no column for the field %s of %s", f.Name, t).
				WithHint("name the column with the tag `sql:\"name\"`, or leave the field out with `sql:\"-\"`")
		}
		out.columns[at] = f.Index
	}
	for i, f := range out.columns {
		if f == nil {
			return nil, diag.New(diag.UnknownColumn, diag.Span{}, "%s has no field for the column '%s'", t, r.Schema.Columns[i].Name)
		}
	}
	return out, nil
}

func (f *fields) fill(to reflect.Value, in Row) error {
	for i, index := range f.columns {
		if err := in.into(i, to.FieldByIndex(index).Addr().Interface()); err != nil {
			return err
		}
	}
	if f.kind != nil {
		to.FieldByIndex(f.kind).Set(reflect.ValueOf(in.Kind()))
	}
	return nil
}
