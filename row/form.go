package row

import "fsql/types"

// Form stores rows: all columns of a row as one encoded key (Keys), those of
// fixed width first, so that most of a row is decoded column by column.
type Form struct {
	Keys Keys // of the rows that were encoded last

	cols []int // stored order
	vecs []*Vec
}

// NewForm is the form of the rows of a schema.
func NewForm(s *types.Schema) *Form {
	f := &Form{vecs: make([]*Vec, len(s.Columns))}
	for _, fixed := range []bool{true, false} {
		for c := range s.Columns {
			if (fixedWidth(s.Columns[c].Type.Layout()) > 0) == fixed {
				f.cols = append(f.cols, c)
			}
		}
	}
	return f
}

// Encode encodes rows; row i is Keys.At(i).
func (f *Form) Encode(cols []*Vec, rows int) {
	for i, c := range f.cols {
		f.vecs[i] = cols[c]
	}
	f.Keys.Encode(f.vecs, rows, nil)
}

// Decode appends stored rows to cols, which the caller owns.
func (f *Form) Decode(rows [][]byte, cols []*Vec) {
	for i, c := range f.cols {
		f.vecs[i] = cols[c]
	}
	DecodeKeys(rows, 0, f.vecs)
}
