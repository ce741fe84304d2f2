package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// kindNames are the words for the kinds of rows in TO_CHANGELOG and
// FROM_CHANGELOG.
var kindNames = [...]string{row.Insert: "INSERT", row.UpdateBefore: "UPDATE_BEFORE", row.UpdateAfter: "UPDATE_AFTER", row.Delete: "DELETE"}

// KindName is the word for a kind of row.
func KindName(k row.Kind) string { return kindNames[k] }

// KindNamed is the kind that a word names.
func KindNamed(word string) (k row.Kind, ok bool) {
	for k, name := range kindNames {
		if name == word {
			return row.Kind(k), true
		}
	}
	return 0, false
}

// ToChangelogSpec makes an inserted row of every change: its code, then the
// columns of the row. Changes of kinds without a code are left out.
type ToChangelogSpec struct {
	In    *types.Schema
	Codes [4]*string    // by kind; nil: none
	Out   *types.Schema // the code, the columns of In
}

// Describe implements op.Spec.
func (s *ToChangelogSpec) Describe() op.Description {
	var codes []string
	for k, c := range s.Codes {
		if c != nil {
			codes = append(codes, kindNames[k]+"='"+*c+"'")
		}
	}
	return op.Description{Name: "ToChangelog", Args: [][2]string{{"codes", list(codes)}, {"select", list(columnNames(s.Out, nil))}}}
}

// Output implements op.Spec.
func (s *ToChangelogSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *ToChangelogSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec.
func (s *ToChangelogSpec) Emits([]row.Kinds) (row.Kinds, error) { return row.InsertOnly, nil }

// MayPause implements op.Spec.
func (s *ToChangelogSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *ToChangelogSpec) Build(*op.Context) (op.Operator, error) {
	return &toChangelog{spec: s, none: noRows(s.Out)}, nil
}

type toChangelog struct {
	spec *ToChangelogSpec
	none []*row.Vec
	sel  []int32
}

// OnBatch implements op.Operator.
func (o *toChangelog) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	o.sel = o.sel[:0]
	for r := range b.Rows {
		if o.spec.Codes[b.Kind(r)] != nil {
			o.sel = append(o.sel, int32(r))
		}
	}
	if len(o.sel) < b.Rows {
		b = b.Gather(o.sel)
	}
	made := &row.Batch{Schema: o.spec.Out, Rows: b.Rows, Cols: o.none, Marks: b.Marks}
	if b.Rows > 0 {
		codes := row.NewVec(o.spec.Out.Columns[0].Type, b.Rows)
		for r := range b.Rows {
			codes.Str[r] = *o.spec.Codes[b.Kind(r)]
		}
		made.Cols = append([]*row.Vec{codes}, b.Cols...)
	}
	return false, send(made, out)
}

// OnBarrier implements op.Operator.
func (o *toChangelog) OnBarrier(types.Epoch) error { return nil }
