package expr

import (
	"unsafe"

	"fsql/row"
	"fsql/types"
)

type vec = row.Vec

// Program is a set of expressions compiled against one schema: calls of
// kernels over numbered registers, common parts computed once, memory reused.
// It is used by one goroutine.
type Program struct {
	nodes  []Node
	root   *block
	outs   []int
	filter []*block // the conjunction of a single condition
	regs   []register
	vecs   []*vec // the registers' columns of the current batch
	sels   selections
	argv   []*vec
}

// register is the memory of a value that does not leave the program.
type register struct {
	vec   vec
	valid row.Bitmap
	fill  int  // values of a literal laid out so far
	view  *vec // as many of them as the batch has rows
}

// selections hands out buffers for rows in the manner of a stack.
type selections struct {
	bufs  [][]int32
	depth int
}

func (s *selections) push(n int) []int32 {
	if s.depth == len(s.bufs) {
		s.bufs = append(s.bufs, nil)
	}
	if cap(s.bufs[s.depth]) < n {
		s.bufs[s.depth] = make([]int32, n)
	}
	s.depth++
	return s.bufs[s.depth-1][:n]
}

func (s *selections) pop() { s.depth-- }

// Eval returns one column per node, of the batch's full length, valid at the
// rows in sel (nil: all rows). A plain column comes back as it is; no other
// memory of the results is used again.
func (p *Program) Eval(c *Ctx, b *row.Batch, sel []int32) ([]*row.Vec, error) {
	r := run{p: p, c: c, b: b}
	if err := bounded(c.begin(p), func() error { return r.block(p.root, sel) }); err != nil {
		return nil, err
	}
	out := make([]*row.Vec, len(p.outs))
	for i, reg := range p.outs {
		out[i] = p.vecs[reg]
	}
	return out, nil
}

// Select appends the rows for which the single BOOLEAN node is TRUE.
func (p *Program) Select(c *Ctx, b *row.Batch, dst []int32) (rows []int32, err error) {
	r := run{p: p, c: c, b: b}
	rows = dst
	err = bounded(c.begin(p), func() error {
		rows, err = r.choice(dst)
		return err
	})
	return rows, err
}

// choice appends the rows that the filter keeps.
func (r *run) choice(dst []int32) ([]int32, error) {
	p, b, from := r.p, r.b, len(dst)
	var sel []int32
	for i, f := range p.filter {
		if err := r.block(f, sel); err != nil {
			return dst[:from], err
		}
		cond := p.vecs[f.result]
		if i == 0 {
			dst = appendTrue(dst, cond, b.Rows)
		} else {
			dst = dst[:from+keepTrue(dst[from:], cond)]
		}
		if sel = dst[from:]; len(sel) == 0 {
			break
		}
	}
	return dst, nil
}

// asBytes sees a BOOLEAN column as bytes of 0 and 1.
func asBytes(b []bool) []byte {
	if len(b) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), len(b))
}

// appendTrue appends the rows below n where cond is TRUE, without branches.
func appendTrue(dst []int32, cond *vec, n int) []int32 {
	k := len(dst)
	if cap(dst)-k < n {
		grown := make([]int32, k, max(k+n, 2*cap(dst)))
		copy(grown, dst)
		dst = grown
	}
	out := dst[:k+n]
	v := asBytes(cond.Bool[:n])
	if cond.Valid == nil {
		for i, t := range v {
			out[k] = int32(i)
			k += int(t)
		}
	} else {
		for i, t := range v {
			out[k] = int32(i)
			k += int(t & byte(cond.Valid[i>>6]>>(uint(i)&63)))
		}
	}
	return out[:k]
}

// keepTrue moves the rows where cond is TRUE to the front and counts them.
func keepTrue(sel []int32, cond *vec) int {
	k := 0
	v := asBytes(cond.Bool)
	if cond.Valid == nil {
		for _, r := range sel {
			sel[k] = r
			k += int(v[r])
		}
		return k
	}
	for _, r := range sel {
		sel[k] = r
		k += int(v[r] & byte(cond.Valid[r>>6]>>(uint(r)&63)))
	}
	return k
}

// run is one evaluation.
type run struct {
	p *Program
	c *Ctx
	b *row.Batch
}

// block runs the code for the rows in sel.
func (r *run) block(b *block, sel []int32) error {
	for i := range b.code {
		in := &b.code[i]
		var err error
		switch in.op {
		case opColumn:
			r.p.vecs[in.out] = r.b.Cols[in.index]
		case opLiteral:
			r.p.vecs[in.out] = r.literal(in)
		case opAlias:
			r.p.vecs[in.out] = alias(r.p.vecs[in.args[0]], in.call.T)
		case opField:
			r.p.vecs[in.out] = fieldOf(r.p.vecs[in.args[0]], in.call.Extra.(int), in.call.T)
		case opKernel:
			err = r.kernel(in, sel)
		case opAnd, opOr:
			err = r.logic(in, sel)
		case opCase:
			err = r.choose(in, sel)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// target is the column an instruction writes.
func (r *run) target(in *instr) *vec {
	var v *vec
	if in.fresh {
		v = row.NewVec(in.call.T, r.b.Rows)
	} else {
		v = &r.p.regs[in.out].vec
		v.Reset(in.call.T, r.b.Rows)
	}
	r.p.vecs[in.out] = v
	return v
}

// bitmap gives v a validity of its own, all valid.
func (r *run) bitmap(in *instr, v *vec) row.Bitmap {
	words := (v.Len + 63) / 64
	if in.fresh {
		v.Valid = make(row.Bitmap, words)
	} else {
		reg := &r.p.regs[in.out]
		if cap(reg.valid) < words {
			reg.valid = make(row.Bitmap, words)
		}
		v.Valid = reg.valid[:words]
	}
	for i := range v.Valid {
		v.Valid[i] = ^uint64(0)
	}
	return v.Valid
}

func (r *run) kernel(in *instr, sel []int32) error {
	call := in.call
	base := len(r.p.argv)
	for _, a := range in.args {
		r.p.argv = append(r.p.argv, r.p.vecs[a])
	}
	args := r.p.argv[base:]
	out := r.target(in)
	var err error
	if call.Fn.Nulls == NullSeen {
		err = call.Eval(r.c, call, args, sel, out)
	} else {
		for _, a := range args {
			if a.Valid == nil {
				continue
			}
			if out.Valid == nil {
				r.bitmap(in, out)
			}
			for w := range out.Valid {
				out.Valid[w] &= a.Valid[w]
			}
		}
		if out.Valid == nil || call.Safe {
			err = call.Eval(r.c, call, args, sel, out)
		} else {
			rows := r.p.sels.push(r.b.Rows)
			if k := validRows(rows, out.Valid, sel, r.b.Rows); k > 0 {
				err = call.Eval(r.c, call, args, rows[:k], out)
			}
			r.p.sels.pop()
		}
	}
	r.p.argv = r.p.argv[:base]
	return err
}

// validRows collects the rows of sel (nil: below n) that are valid.
func validRows(dst []int32, valid row.Bitmap, sel []int32, n int) int {
	k := 0
	if sel == nil {
		for i := 0; i < n; i++ {
			dst[k] = int32(i)
			k += int(valid[i>>6] >> (uint(i) & 63) & 1)
		}
		return k
	}
	for _, i := range sel {
		dst[k] = i
		k += int(valid[i>>6] >> (uint(i) & 63) & 1)
	}
	return k
}

// literal is the constant as a column; it never changes once laid out, so
// that results may share it.
func (r *run) literal(in *instr) *vec {
	reg := &r.p.regs[in.out]
	n := r.b.Rows
	if reg.fill < n {
		reg.fill = max(n, 2*reg.fill)
		reg.vec = *Repeat(in.lit.Value, reg.fill)
		reg.view = nil
	}
	if reg.view == nil || reg.view.Len != n {
		all := reg.vec
		reg.view = all.Slice(0, n)
	}
	return reg.view
}

// Repeat lays the first value of v out n times. Lists share their elements.
func Repeat(v *row.Vec, n int) *row.Vec {
	if v.IsNull(0) {
		return row.AllNull(v.Type, n)
	}
	out := &row.Vec{Type: v.Type, Len: n}
	switch v.Type.Layout() {
	case types.LayoutBool:
		out.Bool = repeat(v.Bool[0], n)
	case types.LayoutI32:
		out.I32 = repeat(v.I32[0], n)
	case types.LayoutI64:
		out.I64 = repeat(v.I64[0], n)
	case types.LayoutF32:
		out.F32 = repeat(v.F32[0], n)
	case types.LayoutF64:
		out.F64 = repeat(v.F64[0], n)
	case types.LayoutDec:
		out.Dec = repeat(v.Dec[0], n)
	case types.LayoutNano:
		out.I64, out.Nano = repeat(v.I64[0], n), repeat(v.Nano[0], n)
	case types.LayoutStr:
		out.Str = repeat(v.Str[0], n)
	case types.LayoutList:
		out.Off, out.Size, out.Kids = repeat(v.Off[0], n), repeat(v.Size[0], n), v.Kids
	case types.LayoutRow:
		for _, k := range v.Kids {
			out.Kids = append(out.Kids, Repeat(k, n))
		}
	}
	return out
}

func repeat[T any](v T, n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = v
	}
	return s
}
