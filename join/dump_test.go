package join

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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

func sameContent(t *testing.T, before, after op.Operator) {
	a, ok := before.(*intervalJoin)
	if !ok {
		return
	}
	if x, y := content(a), content(after.(*intervalJoin)); x != y {
		t.Fatalf("restored\n%s\nwas\n%s", y, x)
	}
}
