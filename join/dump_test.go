package join

import (
	"fmt"
	"slices"
	"strings"

	"fsql/op"
	"fsql/types"
)

// content is what an interval join has stored, as text.
func content(o *intervalJoin) string {
	var lines []string
	for slot := range o.keyed {
		for side := range 2 {
			l := &o.keyed[slot].side[side]
			var c cursor
			if l.n > 0 {
				c = o.lists.seek(l, int64(types.MinTime))
			}
			refs, _ := o.lists.collect(l, &c, int64(types.MaxTime), 1<<30, nil)
			for _, r := range refs {
				lines = append(lines, fmt.Sprintf("%d %x %x", side, o.table.Key(int32(slot)), o.rows.Get(r)))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// rowsOf is what a regular join has stored, as text.
func rowsOf(o *regularJoin) string {
	var lines []string
	for i, side := range o.side {
		for _, slot := range side.table.Slots(nil) {
			r := side.rows[slot]
			lines = append(lines, fmt.Sprintf("%d %x %d %d %d %x %x", i, o.keys.Key(r.key), r.count, r.met, r.number, side.bytes(slot), side.life.save(nil, slot)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// windowsOf is what a window join has stored, as text.
func windowsOf(o *windowJoin) string {
	var lines []string
	for slot := range o.groups {
		g := &o.groups[slot]
		for side := range 2 {
			var c cursor
			refs, _ := o.lists.collect(&g.side[side], &c, int64(types.MaxTime), 1<<30, nil)
			if len(refs) == 0 {
				continue
			}
			lines = append(lines, fmt.Sprintf("%d %d %t %x %d", side, g.end, g.alone, o.table.Key(int32(slot)), o.lists.first(&g.side[side]).at))
			for _, r := range refs {
				lines[len(lines)-1] += fmt.Sprintf(" %x", o.rows.Get(r))
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// versionsOf is what a temporal join has stored, as text.
func versionsOf(o *temporalJoin) string {
	var lines []string
	f := o.pairs.forms[right]
	for _, slot := range o.table.Slots(nil) {
		k, l := &o.keyed[slot], o.keyed[slot].list
		end := types.Time(0)
		if o.life != nil {
			end = o.life.ends[slot]
		}
		lines = append(lines, fmt.Sprintf("key %x waits %d versions %d end %d", o.table.Key(slot), k.waits, l.n, end))
		var c cursor
		if l.n > 0 {
			c = o.lists.seek(&l, int64(types.MinTime))
		}
		refs, _ := o.lists.collect(&l, &c, int64(types.MaxTime), 1<<30, nil)
		for _, r := range refs {
			data := slices.Clone(o.versions.Data(r))
			v := o.versions.Row(int32(f.number(data)))
			f.setNumber(data, 0)
			lines = append(lines, fmt.Sprintf("version %x %d %d %x", o.table.Key(slot), v.At, v.Seq, data))
		}
	}
	for id := range int32(o.waiting.Ids()) {
		if r := o.waiting.Row(id); r.Seq != 0 {
			lines = append(lines, fmt.Sprintf("row %x %d %d %x", o.table.Key(r.Part), r.At, r.Seq, o.waiting.Get(id)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func contentOf(o op.Operator) string {
	switch r := o.(type) {
	case *regularJoin:
		return rowsOf(r)
	case *expiringJoin:
		return rowsOf(r.regularJoin)
	case *temporalJoin:
		return versionsOf(r)
	case *expiringTemporal:
		return versionsOf(r.temporalJoin)
	}
	if w, ok := o.(*windowJoin); ok {
		return windowsOf(w)
	}
	return content(o.(*intervalJoin))
}
