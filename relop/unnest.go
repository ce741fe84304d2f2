package relop

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// UnnestSpec gives a row for every element of a collection, beside the columns
// of the row that holds it, in the order of the elements: UNNEST.
//
// A NULL collection has no elements. A NULL element is one, but for an element
// that is a NULL row: its fields have nowhere to come from, and Flink leaves it
// out. Row kinds pass unchanged, so that the elements of the old image of an
// update are taken back one by one.
type UnnestSpec struct {
	In         *types.Schema
	Of         int // the column that holds the collection
	Outer      bool
	Ordinality bool
	// Cond says which elements count, over the columns of In and Elements; nil:
	// all. Outer gives a row none of whose elements count once, beside NULLs.
	Cond expr.Node
	Cols []int // of the output, among the columns of In and Elements
	Out  *types.Schema
}

// Elements are the columns that a collection is spread to, with their names in
// Flink: the fields of rows, key and value of a MAP, else the element. None: t
// is no collection. With ordinality the position follows, which begins at 1.
func Elements(t types.Type, ordinality bool) []types.Column {
	var out []types.Column
	switch {
	case t.Kind == types.Map:
		out = []types.Column{{Name: "KEY", Type: t.Elem()}, {Name: "VALUE", Type: t.Value()}}
	case t.Kind != types.Array && t.Kind != types.Multiset:
		return nil
	case t.Elem().Kind == types.Row:
		for _, f := range t.Elem().Fields {
			out = append(out, types.Column{Name: f.Name, Type: f.Type})
		}
	default:
		out = []types.Column{{Name: "EXPR$0", Type: t.Elem()}}
	}
	if ordinality {
		out = append(out, types.Column{Name: "ORDINALITY", Type: types.Of(types.Int).NotNull()})
	}
	return out
}

// both are the columns of In and Elements.
func (s *UnnestSpec) both() *types.Schema {
	b := &types.Schema{Columns: append([]types.Column(nil), s.In.Columns...)}
	b.Columns = append(b.Columns, Elements(s.In.Columns[s.Of].Type, s.Ordinality)...)
	return b
}

// Describe implements op.Spec.
func (s *UnnestSpec) Describe() op.Description {
	kind := "INNER"
	if s.Outer {
		kind = "LEFT"
	}
	d := op.Description{Name: "Unnest", Args: [][2]string{{"joinType", kind}, {"of", list([]string{s.In.Columns[s.Of].Name})}}}
	if s.Ordinality {
		d.Args = append(d.Args, [2]string{"ordinality", "true"})
	}
	if s.Cond != nil {
		d.Args = append(d.Args, [2]string{"where", list([]string{s.Cond.String()})})
	}
	names := make([]string, len(s.Out.Columns))
	for i, c := range s.Out.Columns {
		names[i] = c.Name
	}
	d.Args = append(d.Args, [2]string{"select", list(names)})
	return d
}

// Output implements op.Spec.
func (s *UnnestSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *UnnestSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec. The new image of a row tells nothing of the elements
// that it had before.
func (s *UnnestSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	if withoutOld(in[0]) {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "UNNEST needs the old row of every update")
	}
	return in[0], nil
}

// MayPause implements op.Spec.
func (s *UnnestSpec) MayPause() bool { return true }

// Build implements op.Spec.
func (s *UnnestSpec) Build(c *op.Context) (op.Operator, error) {
	both := s.both()
	o := &unnest{
		of: s.Of, outer: s.Outer, collection: s.In.Columns[s.Of].Type, in: len(s.In.Columns),
		cols: s.Cols, both: both, out: s.Out, none: noRows(s.Out), most: max(1, c.BatchRows),
	}
	if s.Ordinality {
		o.ordinality = len(both.Columns) - 1
	}
	if s.Cond == nil {
		return o, nil
	}
	zone, err := value.LoadZone(c.Zone)
	if err != nil {
		return nil, err
	}
	o.eval = expr.Ctx{Zone: zone, Now: c.Now, Watermark: types.MinTime, Rand: expr.NewRand(c.Seed), Stop: c.Stopped}
	if o.cond, err = expr.Compile([]expr.Node{s.Cond}, both); err != nil {
		return nil, err
	}
	o.used = make([]bool, len(both.Columns))
	markUsed(s.Cond, o.used)
	if expr.ReadsWatermark(s.Cond) {
		return op.Cut(unnestByMark{o}, s.Out), nil
	}
	return o, nil
}
