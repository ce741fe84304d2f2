package expr

import (
	"unsafe"

	"fsql/types"
)

// logic runs AND and OR by Kleene's rules: the second operand only for the
// rows that the first one leaves open, unless it was computed before.
func (r *run) logic(in *instr, sel []int32) error {
	and := in.op == opAnd
	a := r.p.vecs[in.args[0]]
	if sub := in.blocks[1]; sub != nil {
		rows := r.p.sels.push(r.b.Rows)
		defer r.p.sels.pop()
		k := 0
		for i := range each(sel, r.b.Rows) {
			if a.Bool[i] == and || a.IsNull(int(i)) {
				rows[k] = i
				k++
			}
		}
		open := rows[:k]
		if k > 0 {
			if err := r.block(sub, open); err != nil {
				return err
			}
		}
		out := r.target(in)
		nulls := a.Valid != nil
		var b *vec
		if k > 0 {
			b = r.p.vecs[in.args[1]]
			nulls = nulls || b.Valid != nil
		}
		if nulls {
			r.bitmap(in, out)
		}
		for i := range each(sel, r.b.Rows) {
			out.Bool[i] = !and
		}
		for _, i := range open {
			kleene(out, a, b, int(i), and)
		}
		return nil
	}
	b := r.p.vecs[in.args[1]]
	out := r.target(in)
	if a.Valid == nil && b.Valid == nil {
		combine(out.Bool, a.Bool, b.Bool, and)
		return nil
	}
	r.bitmap(in, out)
	for i := range each(sel, r.b.Rows) {
		kleene(out, a, b, int(i), and)
	}
	return nil
}

// kleene sets one row of a AND b (or OR).
func kleene(out, a, b *vec, i int, and bool) {
	an, bn := a.IsNull(i), b.IsNull(i)
	switch {
	case !an && a.Bool[i] != and, !bn && b.Bool[i] != and:
		out.Bool[i] = !and
	case an || bn:
		out.Valid.Clear(i)
	default:
		out.Bool[i] = and
	}
}

// combine is AND or OR of columns without NULLs, eight rows at a time.
func combine(out, a, b []bool, and bool) {
	n := len(out)
	words := n / 8
	if words > 0 {
		o := unsafe.Slice((*uint64)(unsafe.Pointer(&out[0])), words)
		x := unsafe.Slice((*uint64)(unsafe.Pointer(&a[0])), words)
		y := unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), words)
		if and {
			for i := range o {
				o[i] = x[i] & y[i]
			}
		} else {
			for i := range o {
				o[i] = x[i] | y[i]
			}
		}
	}
	for i := words * 8; i < n; i++ {
		out[i] = a[i] && b[i] || !and && (a[i] || b[i])
	}
}

// choose runs CASE: conditions and values in turn, the last value for the
// rest. A branch sees only its rows unless it was computed before.
func (r *run) choose(in *instr, sel []int32) error {
	out := r.target(in)
	rest := r.p.sels.push(r.b.Rows)
	hit := r.p.sels.push(r.b.Rows)
	defer func() { r.p.sels.pop(); r.p.sels.pop() }()
	k := 0
	for i := range each(sel, r.b.Rows) {
		rest[k] = i
		k++
	}
	rest = rest[:k]
	last := len(in.args) - 1
	for i := 0; i < last && len(rest) > 0; i += 2 {
		if sub := in.blocks[i]; sub != nil {
			if err := r.block(sub, rest); err != nil {
				return err
			}
		}
		cond := r.p.vecs[in.args[i]]
		hits, left := 0, 0
		for _, row := range rest {
			if cond.Bool[row] && !cond.IsNull(int(row)) {
				hit[hits] = row
				hits++
			} else {
				rest[left] = row
				left++
			}
		}
		rest = rest[:left]
		if err := r.branch(in, i+1, hit[:hits], out); err != nil {
			return err
		}
	}
	return r.branch(in, last, rest, out)
}

func (r *run) branch(in *instr, i int, rows []int32, out *vec) error {
	if len(rows) == 0 {
		return nil
	}
	if sub := in.blocks[i]; sub != nil {
		if err := r.block(sub, rows); err != nil {
			return err
		}
	}
	v := r.p.vecs[in.args[i]]
	if v.Valid != nil && out.Valid == nil {
		r.bitmap(in, out)
	}
	Scatter(out, v, rows)
	return nil
}

// Scatter copies the rows of v to the same rows of out, of the same layout.
func Scatter(out, v *vec, rows []int32) {
	switch out.Type.Layout() {
	case types.LayoutBool:
		copyRows(out.Bool, v.Bool, rows)
	case types.LayoutI32:
		copyRows(out.I32, v.I32, rows)
	case types.LayoutI64:
		copyRows(out.I64, v.I64, rows)
	case types.LayoutF32:
		copyRows(out.F32, v.F32, rows)
	case types.LayoutF64:
		copyRows(out.F64, v.F64, rows)
	case types.LayoutDec:
		copyRows(out.Dec, v.Dec, rows)
	case types.LayoutNano:
		copyRows(out.I64, v.I64, rows)
		copyRows(out.Nano, v.Nano, rows)
	case types.LayoutStr:
		copyRows(out.Str, v.Str, rows)
	default:
		for _, i := range rows {
			out.Copy(int(i), v, int(i))
		}
		return
	}
	if v.Valid != nil {
		for _, i := range rows {
			if v.IsNull(int(i)) {
				out.SetNull(int(i))
			}
		}
	}
}

func copyRows[T any](dst, src []T, rows []int32) {
	for _, i := range rows {
		dst[i] = src[i]
	}
}

// each visits the rows of sel, or all below n when sel is nil.
func each(sel []int32, n int) func(yield func(int32) bool) {
	return func(yield func(int32) bool) {
		if sel == nil {
			for i := int32(0); i < int32(n); i++ {
				if !yield(i) {
					return
				}
			}
			return
		}
		for _, i := range sel {
			if !yield(i) {
				return
			}
		}
	}
}
