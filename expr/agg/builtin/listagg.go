package builtin

import (
	"unsafe"

	"fsql/row"
)

// joinedText is what the nodes of a list up to one of them make as a string. A
// list that only grows gets longer strings of which each begins with the one
// before: they share the bytes of all, which are appended to and never changed,
// so that a result costs what is new and not the whole list.
type joinedText struct {
	all  []byte
	upto int32
}

// longText is the number of bytes from which on the text of a list is kept.
const longText = 256

// joined gives each list as one string.
func joined(sep string) func(a *list, slots []int32, out *row.Vec) {
	return func(a *list, slots []int32, out *row.Vec) {
		at := out.Extend(len(slots))
		for len(a.texts) < len(a.slots) {
			a.texts = append(a.texts, joinedText{upto: nobody})
		}
		a.ids = a.ids[:0]
		for _, s := range slots {
			for n := a.fresh(s); n != nobody; n = a.nodes[n].next {
				a.ids = append(a.ids, a.nodes[n].value)
			}
		}
		parts := row.NewVec(a.typ, 0)
		a.values.Decode(a.ids, []*row.Vec{parts})
		next := 0
		for i, s := range slots {
			if a.slots[s].head == nobody {
				out.SetNull(at + i)
				continue
			}
			t := &a.texts[s]
			all, held := t.all, cap(t.all)
			for n := a.fresh(s); n != nobody; n = a.nodes[n].next {
				if n != a.slots[s].head {
					all = append(all, sep...)
				}
				all = append(all, parts.Str[next]...)
				next++
			}
			if out.Str[at+i] = unsafe.String(unsafe.SliceData(all), len(all)); len(all) >= longText {
				t.all, t.upto = all, a.slots[s].tail
				a.held += int64(cap(all) - held)
			}
		}
	}
}

// fresh is the first node of a slot's list that its text does not have yet.
func (a *list) fresh(slot int32) int32 {
	if n := a.texts[slot].upto; n != nobody {
		return a.nodes[n].next
	}
	return a.slots[slot].head
}

// forget drops the text of a list that loses values.
func (a *list) forget(slot int32) {
	if int(slot) < len(a.texts) {
		a.held -= int64(cap(a.texts[slot].all))
		a.texts[slot] = joinedText{upto: nobody}
	}
}
