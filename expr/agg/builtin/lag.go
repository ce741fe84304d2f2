package builtin

import (
	"encoding/binary"
	"unsafe"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// Over lists the functions that exist with OVER only.
func Over() []*agg.Func { return []*agg.Func{lagFunc()} }

// lagFunc is LAG(x [, n [, default]]): the value of n rows before, of those that
// were folded. n is 1 unless written; of a group with fewer rows the result is
// the default of the row that was folded last. Rows that a RANGE frame folds
// together all get the result of the last one (flink-sql 4.6).
func lagFunc() *agg.Func {
	return &agg.Func{
		Name: "LAG", Syntax: "LAG(x [, n [, default]]) OVER (..)", Example: "LAG(px, 1) OVER (PARTITION BY sym ORDER BY ts)",
		Doc:     "The value of a row before this one.",
		Returns: lagType, Args: lagArgs,
		New: func(args []types.Type, result types.Type, o agg.Options) (agg.Accumulator, error) {
			a := &lag{offset: 1}
			if len(args) > 1 {
				if a.offset = -1; o.Literals[1] != nil {
					a.offset = lagOffset(o.Literals[1], 0)
				}
			}
			if len(args) > 2 {
				a.fallback = row.NewVec(result, 0)
			}
			return a, nil
		},
	}
}

func lagArgs(args []types.Type) []types.Type {
	if len(args) < 3 {
		return args
	}
	out := append([]types.Type(nil), args...)
	out[2] = args[0].OrNull(args[2].Nullable)
	return out
}

func lagType(args []types.Type, opts agg.Options) (types.Type, error) {
	if len(args) < 1 || len(args) > 3 {
		return types.Type{}, diag.New(diag.WrongArguments, diag.Span{}, "LAG takes one to three arguments, not %d", len(args)).
			WithHint("write LAG(x), LAG(x, 2) or LAG(x, 2, default)")
	}
	if args[0].Kind == types.Null {
		return types.Type{}, refuse("LAG", args[0], "")
	}
	if len(args) > 1 {
		switch l := opts.Literals[1]; {
		case !args[1].IsInteger() || l != nil && l.IsNull(0):
			return types.Type{}, diag.New(diag.WrongArguments, diag.Span{}, "the offset of LAG must be a whole number")
		case l != nil && lagOffset(l, 0) < 0:
			return types.Type{}, diag.New(diag.WrongArguments, diag.Span{}, "the offset of LAG must not be negative")
		}
	}
	t := args[0].Plain()
	return t.OrNull(len(args) < 3 || args[0].Nullable || args[2].Nullable), nil
}

func lagOffset(v *row.Vec, i int) int64 {
	if v.Type.Layout() == types.LayoutI32 {
		return int64(v.I32[i])
	}
	return v.I64[i]
}

// lag keeps the last values of every group, encoded, one more than the offset.
type lag struct {
	offset   int64 // -1: that of the row folded last
	groups   []lagGroup
	fallback *row.Vec // layout of a default, nil: NULL
	keys     row.Keys
	defaults row.Keys
}

type lagGroup struct {
	vals   [][]byte // oldest first
	offset int64
	def    []byte
}

func (a *lag) Grow(n int) {
	for len(a.groups) < n {
		a.groups = append(a.groups, lagGroup{})
	}
}

func (a *lag) Reset(slots []int32) {
	for _, s := range slots {
		a.groups[s] = lagGroup{}
	}
}

func (a *lag) Add(args []*row.Vec, sel []int32, slots []int32, signs []int8) error {
	a.keys.Encode(args[:1], len(slots), sel)
	if a.fallback != nil {
		a.defaults.Encode(args[2:3], len(slots), sel)
	}
	for i, s := range slots {
		g := &a.groups[s]
		if g.offset = a.offset; a.offset < 0 {
			r := i
			if sel != nil {
				r = int(sel[i])
			}
			if g.offset = 1; !args[1].IsNull(r) {
				g.offset = lagOffset(args[1], r)
			}
			if g.offset < 0 {
				return diag.New(diag.WrongArguments, diag.Span{}, "the offset of LAG is %d, it must not be negative", g.offset)
			}
		}
		g.push(a.keys.At(i))
		if a.fallback != nil {
			g.def = append(g.def[:0], a.defaults.At(i)...)
		}
	}
	return nil
}

// push adds a value and forgets those before the offset; their memory is used
// again.
func (g *lagGroup) push(v []byte) {
	over := int64(len(g.vals)) - g.offset
	if over <= 0 {
		g.vals = append(g.vals, append([]byte(nil), v...))
		return
	}
	first := append(g.vals[0][:0], v...)
	copy(g.vals, g.vals[over:])
	g.vals = g.vals[:g.offset+1]
	g.vals[g.offset] = first
}

// Merge is not asked for: windows do not have LAG.
func (a *lag) Merge(dst, src []int32) error {
	return diag.New(diag.Internal, diag.Span{}, "LAG cannot be merged")
}

func (a *lag) Result(slots []int32, out *row.Vec) {
	for _, s := range slots {
		g := &a.groups[s]
		switch {
		case int64(len(g.vals)) == g.offset+1:
			row.DecodeKey(g.vals[0], []*row.Vec{out})
		case g.def != nil:
			row.DecodeKey(g.def, []*row.Vec{out})
		default:
			out.AppendNull(1)
		}
	}
}

func (a *lag) Bytes() int64 {
	return int64(cap(a.groups)) * (int64(unsafe.Sizeof(lagGroup{})) + 40*min(max(a.offset+1, 1), 64))
}

const lagForm = 1

func (a *lag) Save(dst []byte, slot int32) []byte {
	g := &a.groups[slot]
	dst = binary.AppendVarint(append(dst, lagForm), g.offset)
	dst = binary.AppendUvarint(dst, uint64(len(g.vals)))
	for _, v := range g.vals {
		dst = append(binary.AppendUvarint(dst, uint64(len(v))), v...)
	}
	return append(dst, g.def...)
}

func (a *lag) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(lagForm)
	g := &a.groups[slot]
	g.offset = d.Varint()
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		g.vals = append(g.vals, append([]byte(nil), d.Bytes()...))
	}
	if d.Err == nil && len(d.Data) > 0 {
		g.def = append([]byte(nil), d.Data...)
	}
	return d.Err
}
