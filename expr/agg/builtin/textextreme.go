package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/row"
	"fsql/state"
)

// textExtreme is extreme for strings, by bytes, which are kept in an arena.
type textExtreme struct {
	sign  int
	arena state.Arena
	refs  []state.Ref
	has   []bool
}

func (a *textExtreme) Grow(n int) { a.refs, a.has = extended(a.refs, n), extended(a.has, n) }

func (a *textExtreme) Reset(slots []int32) {
	for _, s := range slots {
		a.arena.Drop(a.refs[s])
		a.refs[s], a.has[s] = state.Ref{}, false
	}
}

func (a *textExtreme) Add(args []*row.Vec, sel, slots []int32, _ []int8) error {
	v := args[0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if !v.IsNull(r) && (!a.has[s] || a.better(v.Str[r], a.arena.Get(a.refs[s]))) {
			a.set(s, []byte(v.Str[r]))
		}
	}
	return nil
}

func (a *textExtreme) better(x string, y []byte) bool {
	if a.sign > 0 {
		return x > string(y)
	}
	return x < string(y)
}

func (a *textExtreme) set(s int32, x []byte) {
	a.refs[s], a.has[s] = a.arena.Set(a.refs[s], x), true
}

func (a *textExtreme) Merge(dst, src []int32) error {
	for i, s := range src {
		if !a.has[s] {
			continue
		}
		x := string(a.arena.Get(a.refs[s]))
		if d := dst[i]; !a.has[d] || a.better(x, a.arena.Get(a.refs[d])) {
			a.set(d, []byte(x))
		}
	}
	return nil
}

func (a *textExtreme) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	text := newTexts(slots, func(s int32) []byte { return a.arena.Get(a.refs[s]) })
	for i, s := range slots {
		if a.has[s] {
			out.Str[at+i] = text.next(len(a.arena.Get(a.refs[s])))
		} else {
			out.SetNull(at + i)
		}
	}
}

// sharedText cuts strings from one allocation.
type sharedText struct{ rest string }

// newTexts copies the strings of slots, one after another.
func newTexts(slots []int32, get func(slot int32) []byte) *sharedText {
	n := 0
	for _, s := range slots {
		n += len(get(s))
	}
	all := make([]byte, 0, n)
	for _, s := range slots {
		all = append(all, get(s)...)
	}
	return &sharedText{rest: string(all)}
}

func (t *sharedText) next(n int) string {
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}

func (a *textExtreme) Bytes() int64 {
	return a.arena.Bytes() + int64(cap(a.refs))*12 + int64(cap(a.has))
}

func (a *textExtreme) Save(dst []byte, slot int32) []byte {
	if !a.has[slot] {
		return append(dst, 1, 0)
	}
	x := a.arena.Get(a.refs[slot])
	return append(binary.AppendUvarint(append(dst, 1, 1), uint64(len(x))), x...)
}

func (a *textExtreme) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	if d.Uvarint() != 0 {
		a.set(slot, d.Bytes())
	}
	return d.Err
}
