package join

import (
	"encoding/binary"

	"fsql/row"
	"fsql/types"
)

// form is how the rows of a side are stored: the columns that somebody needs
// later, as one encoded key (row.Keys) each. Columns of fixed width stand
// first, so that most of a row is decoded column by column.
type form struct {
	in   *types.Schema
	cols []int // columns of the input, in stored order
	// flagged rows begin with what is written where they lie: a byte, which says
	// for instance whether the row has met a partner, and a number (8 bytes).
	flagged bool
	at      int // of the flag

	keys row.Keys
	vecs []*row.Vec
}

func newForm(in *types.Schema, used []bool, flagged bool) *form {
	f := &form{in: in, flagged: flagged}
	if flagged {
		f.vecs = append(f.vecs, nil, nil)
	}
	for _, fixed := range []bool{true, false} {
		for c, u := range used {
			if u && fixedWidth(in.Columns[c].Type) == fixed {
				f.cols = append(f.cols, c)
				f.vecs = append(f.vecs, nil)
			}
		}
	}
	f.at = (len(f.vecs) + 7) / 8
	return f
}

func fixedWidth(t types.Type) bool {
	switch t.Layout() {
	case types.LayoutStr, types.LayoutList, types.LayoutRow:
		return false
	}
	return true
}

// encode encodes all rows of a batch: row i is keys.At(i).
func (f *form) encode(b *row.Batch) {
	if f.flagged {
		f.vecs[0], f.vecs[1] = row.NewVec(types.Of(types.Boolean), b.Rows), row.NewVec(types.Of(types.BigInt), b.Rows)
	}
	first := len(f.vecs) - len(f.cols)
	for i, c := range f.cols {
		f.vecs[first+i] = b.Cols[c]
	}
	f.keys.Encode(f.vecs, b.Rows, nil)
}

// decode appends stored rows to cols, which are by column of the input: those
// of stored columns must be there.
func (f *form) decode(rows [][]byte, cols []*row.Vec) {
	first := len(f.vecs) - len(f.cols)
	if f.flagged {
		f.vecs[0], f.vecs[1] = row.NewVec(types.Of(types.Boolean), 0), row.NewVec(types.Of(types.BigInt), 0)
	}
	for i, c := range f.cols {
		f.vecs[first+i] = cols[c]
	}
	row.DecodeKeys(rows, 0, f.vecs)
}

// met tells whether a stored row has its flag set; meet sets it.
func (f *form) met(stored []byte) bool { return stored[f.at] != 0 }

func (f *form) meet(stored []byte) { stored[f.at] = 1 }

// tag is the byte of a stored row itself; setTag writes it.
func (f *form) tag(stored []byte) byte { return stored[f.at] }

func (f *form) setTag(stored []byte, b byte) { stored[f.at] = b }

// number is that of a stored row; setNumber writes it.
func (f *form) number(stored []byte) int64 {
	return int64(binary.LittleEndian.Uint64(stored[f.at+1:]))
}

func (f *form) setNumber(stored []byte, n int64) {
	binary.LittleEndian.PutUint64(stored[f.at+1:], uint64(n))
}
