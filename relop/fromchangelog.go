package relop

import (
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// FromChangelogSpec makes the change of every inserted row that its code names.
type FromChangelogSpec struct {
	In    *types.Schema
	Code  int // column of the codes
	Kinds map[string]row.Kind
	Names []string      // of the codes, as they are written
	Out   *types.Schema // the other columns
}

// Describe implements op.Spec.
func (s *FromChangelogSpec) Describe() op.Description {
	var codes []string
	for _, c := range s.Names {
		codes = append(codes, "'"+c+"'="+kindNames[s.Kinds[c]])
	}
	return op.Description{Name: "FromChangelog", Args: [][2]string{
		{"op", list([]string{s.In.Columns[s.Code].Name})}, {"codes", list(codes)}, {"select", list(columnNames(s.Out, nil))},
	}}
}

// Output implements op.Spec.
func (s *FromChangelogSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *FromChangelogSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec: whatever the codes are, all kinds, as in Flink.
func (s *FromChangelogSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "FROM_CHANGELOG takes only inserts")
	}
	return row.AllKinds, nil
}

// MayPause implements op.Spec.
func (s *FromChangelogSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *FromChangelogSpec) Build(*op.Context) (op.Operator, error) {
	return &fromChangelog{spec: s}, nil
}

type fromChangelog struct{ spec *FromChangelogSpec }

// OnBatch implements op.Operator.
func (o *fromChangelog) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	codes := b.Cols[o.spec.Code]
	made := &row.Batch{Schema: o.spec.Out, Rows: b.Rows, Kinds: make([]row.Kind, b.Rows), Marks: b.Marks}
	for r := range b.Rows {
		if codes.IsNull(r) {
			return false, diag.New(diag.BadValue, diag.Span{}, "FROM_CHANGELOG: the column '%s' is NULL, but every row needs a code that says what change it is", o.spec.In.Columns[o.spec.Code].Name).
				WithHint("filter such rows before, or give them a code: COALESCE(%s, 'INSERT')", o.spec.In.Columns[o.spec.Code].Name)
		}
		kind, ok := o.spec.Kinds[codes.Str[r]]
		if !ok {
			return false, diag.New(diag.BadValue, diag.Span{}, "FROM_CHANGELOG: the code '%s' in column '%s' is not defined", codes.Str[r], o.spec.In.Columns[o.spec.Code].Name).
				WithHint("codes are %s; op_mapping => MAP['%s', 'INSERT'] defines others", list(o.spec.Names), codes.Str[r])
		}
		made.Kinds[r] = kind
	}
	for i, c := range b.Cols {
		if i != o.spec.Code {
			made.Cols = append(made.Cols, c)
		}
	}
	return false, out.Emit(made)
}

// OnBarrier implements op.Operator.
func (o *fromChangelog) OnBarrier(types.Epoch) error { return nil }
