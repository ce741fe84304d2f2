package builtin

import (
	"slices"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// bitmaps are the functions of the type BITMAP.
func bitmaps() []*expr.Func {
	out := []*expr.Func{
		{Name: "BITMAP_BUILD", Doc: "The set of the numbers in an array; NULLs are left out, negative numbers count as unsigned.", Example: "BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[3, 1, 3])) = '{1,3}'", Syntax: "BITMAP_BUILD(array of INT)", BareNull: true, Resolve: resolveBitmapBuild},
		{Name: "BITMAP_FROM_BYTES", Doc: "The set in the portable form of Roaring bitmaps; other bytes fail the job.", Example: "BITMAP_TO_STRING(BITMAP_FROM_BYTES(x'3a300000010000000000000010000000ff00')) = '{255}'", Syntax: "BITMAP_FROM_BYTES(bytes)", BareNull: true, Resolve: resolveBitmapFromBytes},
		{Name: "BITMAP_TO_BYTES", Doc: "The set in the portable form of Roaring bitmaps.", Example: "BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY[255])) = x'3a300000010000000000000010000000ff00'", Syntax: "BITMAP_TO_BYTES(bitmap)",
			Resolve: ofBitmap(types.Of(types.VarBinary), func(_ *expr.Ctx, s string, out *row.Vec, i int32) { out.Str[i] = s })},
		{Name: "BITMAP_TO_STRING", Doc: "The numbers of the set in order, as text.", Example: "BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[-1])) = '{4294967295}'", Syntax: "BITMAP_TO_STRING(bitmap)",
			Resolve: ofBitmap(types.String(), func(c *expr.Ctx, s string, out *row.Vec, i int32) {
				out.Str[i] = c.Keep(value.AppendBitmapText(c.Scratch(), s))
			})},
		{Name: "BITMAP_TO_ARRAY", Doc: "The numbers of the set in order, those beyond 2147483647 as negative ones.", Example: "BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[2, -1, 1])) = ARRAY[1, 2, -1]", Syntax: "BITMAP_TO_ARRAY(bitmap)",
			Resolve: ofBitmap(types.ArrayOf(types.Of(types.Int)), bitmapToArray)},
		{Name: "BITMAP_CARDINALITY", Doc: "How many numbers the set holds.", Example: "BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[1, 1, 2])) = 2", Syntax: "BITMAP_CARDINALITY(bitmap)",
			Resolve: ofBitmap(types.Of(types.BigInt), func(_ *expr.Ctx, s string, out *row.Vec, i int32) { out.I64[i] = value.BitmapCardinality(s) })},
	}
	for _, f := range []struct {
		name, doc, result string
		keep              [3]bool // only in the first, only in the second, in both
	}{
		{"BITMAP_AND", "The numbers that both sets hold.", "{2}", [3]bool{false, false, true}},
		{"BITMAP_OR", "The numbers that one of the sets holds.", "{1,2,3}", [3]bool{true, true, true}},
		{"BITMAP_XOR", "The numbers that just one of the sets holds.", "{1,3}", [3]bool{true, true, false}},
		{"BITMAP_ANDNOT", "The numbers of the first set that the second lacks.", "{1}", [3]bool{true, false, false}},
	} {
		out = append(out, &expr.Func{Name: f.name, Doc: f.doc, Syntax: f.name + "(bitmap, bitmap)", Resolve: bitmapPair(f.keep),
			Example: "BITMAP_TO_STRING(" + f.name + "(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))) = '" + f.result + "'"})
	}
	return out
}

func isBitmap(t types.Type) bool { return t.Kind == types.Bitmap }

func resolveBitmapBuild(args []expr.Node) (*expr.Call, error) {
	list := types.ArrayOf(intType)
	args = typed(args, list)
	if err := takes(args, 1, false, func(t types.Type) bool {
		return isArray(t) && t.Elem().IsInteger() && t.Elem().Kind != types.BigInt
	}); err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: of(types.Bitmap, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var b value.BitmapBuilder
		var set []uint32
		a, kid := args[0], args[0].Kids[0]
		for i := range expr.Rows(sel, out.Len) {
			set = set[:0]
			for j := int(a.Off[i]); j < int(a.Off[i]+a.Size[i]); j++ {
				if !kid.IsNull(j) {
					set = append(set, uint32(kid.I32[j]))
				}
			}
			slices.Sort(set)
			out.Str[i] = c.Keep(b.Append(c.Scratch(), slices.Compact(set)))
		}
		return nil
	}}, nil
}

func resolveBitmapFromBytes(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isBytes); err != nil {
		return nil, err
	}
	args = typed(args, bytesType)
	return &expr.Call{Args: args, T: of(types.Bitmap, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var b value.BitmapBuilder
		var set []uint32
		for i := range expr.Rows(sel, out.Len) {
			var ok bool
			if set, ok = value.AppendBitmapNumbers(set[:0], args[0].Str[i]); !ok {
				return diag.New(diag.BadValue, diag.Span{}, "BITMAP_FROM_BYTES needs a bitmap in the portable form of Roaring bitmaps, which these %d bytes are not", len(args[0].Str[i]))
			}
			out.Str[i] = c.Keep(b.Append(c.Scratch(), set))
		}
		return nil
	}}, nil
}

// ofBitmap is the Resolve of a function of one bitmap.
func ofBitmap(t types.Type, set func(c *expr.Ctx, s string, out *row.Vec, i int32)) func(args []expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isBitmap); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: t.NotNull().OrNull(nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				set(c, args[0].Str[i], out, i)
			}
			return nil
		}}, nil
	}
}

func bitmapToArray(_ *expr.Ctx, s string, out *row.Vec, i int32) {
	numbers, _ := value.AppendBitmapNumbers(nil, s)
	v := row.NewVec(intType, len(numbers))
	for j, n := range numbers {
		v.I32[j] = int32(n)
	}
	out.Off[i], out.Size[i] = int32(out.Kids[0].Len), int32(len(numbers))
	out.Kids[0].AppendRange(v, 0, v.Len)
}

// bitmapPair is the Resolve of a function of two bitmaps.
func bitmapPair(keep [3]bool) func(args []expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 2, false, isBitmap, isBitmap); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: of(types.Bitmap, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			var builder value.BitmapBuilder
			var a, b, set []uint32
			for i := range expr.Rows(sel, out.Len) {
				a, _ = value.AppendBitmapNumbers(a[:0], args[0].Str[i])
				b, _ = value.AppendBitmapNumbers(b[:0], args[1].Str[i])
				set = mergeSets(set[:0], a, b, keep)
				out.Str[i] = c.Keep(builder.Append(c.Scratch(), set))
			}
			return nil
		}}, nil
	}
}

// mergeSets walks through two ordered sets at once.
func mergeSets(dst, a, b []uint32, keep [3]bool) []uint32 {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			if keep[0] {
				dst = append(dst, a[0])
			}
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			if keep[1] {
				dst = append(dst, b[0])
			}
			b = b[1:]
		default:
			if keep[2] {
				dst = append(dst, a[0])
			}
			a, b = a[1:], b[1:]
		}
	}
	return dst
}
