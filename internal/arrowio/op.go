package arrowio

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// OpColumn is the name of the column with the row kind.
const OpColumn = "op"

// WithOp puts the column of the row kind before the others.
func WithOp(s *types.Schema) *types.Schema {
	return &types.Schema{Columns: append([]types.Column{{Name: OpColumn, Type: types.CharOf(2).NotNull()}}, s.Columns...)}
}

// AddOp puts the row kinds of a batch before its columns, as WithOp does with
// its schema.
func AddOp(b *row.Batch) *row.Batch {
	kinds := row.NewVec(types.CharOf(2).NotNull(), b.Rows)
	for r := range b.Rows {
		kinds.Str[r] = b.Kind(r).String()
	}
	return &row.Batch{Rows: b.Rows, Cols: append([]*row.Vec{kinds}, b.Cols...)}
}

// Ops reads the column of the row kind; nil: the record has none.
func Ops(rec arrow.Record) ([]row.Kind, error) {
	at := rec.Schema().FieldIndices(OpColumn)
	if len(at) == 0 {
		return nil, nil
	}
	texts, ok := rec.Column(at[0]).(*array.String)
	if !ok {
		return nil, diag.New(diag.TypeMismatch, diag.Span{}, "the column '%s' of the record holds no row kinds, which are texts", OpColumn)
	}
	kinds := make([]row.Kind, rec.NumRows())
	for i := range kinds {
		for kinds[i].String() != texts.Value(i) {
			if kinds[i]++; kinds[i] > row.Delete {
				return nil, diag.New(diag.BadValue, diag.Span{}, "'%s' is no row kind", texts.Value(i)).WithHint("row kinds are +I, -U, +U and -D")
			}
		}
	}
	return kinds, nil
}
