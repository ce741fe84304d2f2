package expr

import (
	"fsql/row"
	"fsql/types"
)

// fieldFunc is the access to a field of a ROW; Call.Extra is its position. The
// program knows it: the child column is handed on without a copy.
var fieldFunc = &Func{
	Name:    "FIELD",
	Doc:     "A field of a row, NULL where the row is NULL.",
	Syntax:  "r.field",
	Nulls:   NullSeen,
	Resolve: func([]Node) (*Call, error) { return nil, ErrArguments },
}

// alias is the column v under another type of the same layout.
func alias(v *row.Vec, t types.Type) *row.Vec {
	out := *v
	out.Type = t
	return &out
}

// fieldOf is child column i of a ROW, NULL where the row is.
func fieldOf(r *row.Vec, i int, t types.Type) *row.Vec {
	out := alias(r.Kids[i], t)
	if r.Valid != nil {
		valid := make(row.Bitmap, len(r.Valid))
		copy(valid, r.Valid)
		if out.Valid != nil {
			for w := range valid {
				valid[w] &= out.Valid[w]
			}
		}
		out.Valid = valid
	}
	return out
}
