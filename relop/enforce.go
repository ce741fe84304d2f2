package relop

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// EnforceSpec holds the rows that go to a table to what its types declare beyond
// their kind: the lengths of texts and bytes, NOT NULL inside of rows and
// collections (flink-sql 6.5). In has the types of the table.
type EnforceSpec struct {
	In      *types.Schema
	Table   string
	Lengths Lengths
	Nested  Nested
	Drop    bool // a row with a NULL is left out, else it fails the job
	// Columns: columns that are NOT NULL are checked here, ahead of a step that
	// would keep their NULLs; else the sink does it.
	Columns bool
}

// Lengths is 'table.exec.sink.type-length-enforcer'.
type Lengths uint8

// The ways to treat texts and bytes of another length.
const (
	AnyLength Lengths = iota
	TrimPad
	RefuseLength
)

// Nested is 'table.exec.sink.nested-constraint-enforcer': where NULLs are looked
// for.
type Nested uint8

// The places.
const (
	NotNested Nested = iota
	InRows
	InCollections // and in rows
)

const (
	lengthKey = "table.exec.sink.type-length-enforcer"
	nestedKey = "table.exec.sink.nested-constraint-enforcer"
	nullKey   = "table.exec.sink.not-null-enforcer"
)

// Needed tells that there is something to do for a column.
func (s *EnforceSpec) Needed() bool {
	if s.Columns {
		return true
	}
	for _, c := range s.In.Columns {
		if s.measured(c.Type) || s.searched(c.Type) {
			return true
		}
	}
	return false
}

func (s *EnforceSpec) measured(t types.Type) bool {
	switch t.Kind {
	case types.Char, types.Binary:
		return s.Lengths != AnyLength
	case types.VarChar, types.VarBinary:
		return s.Lengths != AnyLength && t.Length != types.MaxLength
	}
	return false
}

// searched tells that a value of type t may hold a NULL where none is allowed.
func (s *EnforceSpec) searched(t types.Type) bool {
	switch t.Kind {
	case types.Row:
		for _, f := range t.Fields {
			if s.Nested != NotNested && (!f.Type.Nullable || s.searched(f.Type)) {
				return true
			}
		}
	case types.Array, types.Multiset, types.Map:
		for _, f := range t.Fields {
			if s.Nested == InCollections && (!f.Type.Nullable || s.searched(f.Type)) {
				return true
			}
		}
	}
	return false
}

// Describe implements op.Spec.
func (s *EnforceSpec) Describe() op.Description {
	var lengths, nested []string
	for _, c := range s.In.Columns {
		if s.measured(c.Type) {
			lengths = append(lengths, c.Name)
		}
		if s.searched(c.Type) {
			nested = append(nested, c.Name)
		}
	}
	d := op.Description{Name: "ConstraintEnforcer"}
	if s.Columns {
		var columns []string
		for _, c := range s.In.Columns {
			if !c.Type.Nullable {
				columns = append(columns, c.Name)
			}
		}
		d.Args = append(d.Args, [2]string{"notNull", list(columns)})
	}
	if lengths != nil {
		d.Args = append(d.Args, [2]string{"length", list(lengths)})
	}
	if nested != nil {
		d.Args = append(d.Args, [2]string{"nestedNotNull", list(nested)})
	}
	return d
}

// Output implements op.Spec.
func (s *EnforceSpec) Output() *types.Schema { return s.In }

// Require implements op.Spec.
func (s *EnforceSpec) Require(int) op.Distribution { return op.Distribution{} }

// Emits implements op.Spec.
func (s *EnforceSpec) Emits(in []row.Kinds) (row.Kinds, error) { return in[0], nil }

// MayPause implements op.Spec.
func (s *EnforceSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *EnforceSpec) Build(*op.Context) (op.Operator, error) { return &enforce{spec: s}, nil }

type enforce struct {
	spec *EnforceSpec
	sel  []int32
}

// OnBatch implements op.Operator.
func (o *enforce) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	made := *b
	made.Schema, made.Cols = o.spec.In, append([]*row.Vec(nil), b.Cols...)
	o.sel = o.sel[:0]
	for i, c := range o.spec.In.Columns {
		if o.spec.measured(c.Type) {
			v, err := o.fitted(c, b.Cols[i], b.Rows)
			if err != nil {
				return false, err
			}
			made.Cols[i] = v
		}
	}
	for r := range b.Rows {
		path := ""
		for i, c := range o.spec.In.Columns {
			switch {
			case path != "":
			case o.spec.Columns && !c.Type.Nullable && b.Cols[i].IsNull(r):
				path = "column '" + c.Name + "'"
			default:
				if path = o.search(c.Name, c.Type, b.Cols[i], r); path != "" {
					path = "'" + path + "'"
				}
			}
		}
		switch {
		case path == "":
			o.sel = append(o.sel, int32(r))
		case !o.spec.Drop:
			return false, diag.New(diag.NullViolation, diag.Span{}, "%s of table '%s' is NOT NULL, but a NULL is being written to it", path, o.spec.Table).
				WithHint("SET '%s' = 'DROP' drops such rows instead; '%s' = 'IGNORE' does not look into rows and collections", nullKey, nestedKey)
		}
	}
	if len(o.sel) < b.Rows {
		return false, send(made.Gather(o.sel), out)
	}
	return false, out.Emit(&made)
}

// OnBarrier implements op.Operator.
func (o *enforce) OnBarrier(types.Epoch) error { return nil }

// fitted is a column whose values have the declared length.
func (o *enforce) fitted(c types.Column, v *row.Vec, rows int) (*row.Vec, error) {
	var made *row.Vec
	text := c.Type.IsString()
	pads := c.Type.Kind == types.Char || c.Type.Kind == types.Binary
	for r := range rows {
		if v.IsNull(r) {
			continue
		}
		n := len(v.Str[r])
		if text {
			n = utf8.RuneCountInString(v.Str[r])
		}
		if want := int(c.Type.Length); n == want || n < want && !pads {
			continue
		}
		if o.spec.Lengths == RefuseLength {
			return nil, diag.New(diag.BadValue, diag.Span{}, "column '%s' of table '%s' is %s, but a value of length %d is being written to it", c.Name, o.spec.Table, c.Type.Short(), n).
				WithHint("SET '%s' = 'TRIM_PAD' makes such values fit, 'IGNORE' writes them as they are", lengthKey)
		}
		if made == nil {
			copied := *v
			copied.Str = append([]string(nil), v.Str...)
			made = &copied
		}
		made.Str[r] = fit(v.Str[r], n, int(c.Type.Length), text)
	}
	if made == nil {
		return v, nil
	}
	return made, nil
}

// fit cuts or fills a value of n characters or bytes.
func fit(s string, n, want int, text bool) string {
	switch {
	case n < want && text:
		return s + strings.Repeat(" ", want-n)
	case n < want:
		return s + string(bytes.Repeat([]byte{0}, want-n))
	case !text:
		return s[:want]
	}
	at := 0
	for range want {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at]
}

// search tells where a NULL is that value r of v must not hold; "" if it holds
// none.
func (o *enforce) search(path string, t types.Type, v *row.Vec, r int) string {
	if !o.spec.searched(t) || v.IsNull(r) {
		return ""
	}
	inside := func(path string, t types.Type, kid *row.Vec, at int) string {
		if !t.Nullable && kid.IsNull(at) {
			return path
		}
		return o.search(path, t, kid, at)
	}
	if t.Kind == types.Row {
		for i, f := range t.Fields {
			if found := inside(path+"."+f.Name, f.Type, v.Kids[i], r); found != "" {
				return found
			}
		}
		return ""
	}
	for i := range int(v.Size[r]) {
		at, where := int(v.Off[r])+i, path+"["+strconv.Itoa(i)+"]"
		for k, f := range t.Fields {
			if found := inside(where, f.Type, v.Kids[k], at); found != "" {
				return found
			}
		}
	}
	return ""
}
