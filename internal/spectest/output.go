package spectest

import (
	"fmt"
	"slices"

	"fsql/row"
	"fsql/types"
)

// output is what a query gives, or what is written to a test table.
type output struct {
	name   string
	schema *types.Schema
	kinds  row.Kinds
	key    []int // columns that tell changes apart; nil: none are known
	job    *job
	spell  speller

	changes []change
	seen    int      // changes that a look has shown
	safe    int      // changes before the last checkpoint
	owed    []string // shown, lost in a crash, and to come again
}

func (o *output) add(b *row.Batch) {
	if b.Rows > 0 {
		o.changes = append(o.changes, o.spell.rows(b)...)
	}
}

// updates tells that rows may be taken back.
func (o *output) updates() bool { return o.kinds != row.InsertOnly }

// take is what has changed since the last look.
func (o *output) take() ([]change, error) {
	news := slices.Clone(o.changes[o.seen:])
	o.seen = len(o.changes)
	for _, line := range o.owed {
		i := slices.IndexFunc(news, func(c change) bool { return c.withOp() == line })
		if i < 0 {
			return nil, fmt.Errorf("%s was shown before the crash and did not come again", line)
		}
		news = slices.Delete(news, i, i+1)
	}
	o.owed = nil
	return news, nil
}

// checkpointed says that what came so far is never lost.
func (o *output) checkpointed() { o.safe = len(o.changes) }

// crashed loses what came since the last checkpoint.
func (o *output) crashed() {
	for _, c := range o.changes[min(o.safe, o.seen):o.seen] {
		o.owed = append(o.owed, c.withOp())
	}
	o.changes, o.seen = o.changes[:o.safe], min(o.seen, o.safe)
}

// content folds all changes to the rows that are there, in the order in which
// they came. With a key a row replaces the one of its key. bad names a change
// that takes back what is not there.
func (o *output) content(key []int) (rows []change, bad string) {
	byKey := map[string]int{} // to the last row that is there
	gone := make([]bool, 0, len(o.changes))
	before := map[string][]int{}
	for _, c := range o.changes {
		k := c.line()
		if key != nil {
			k = keyOf(c, key)
		}
		at, there := byKey[k]
		switch {
		case c.kind.Adds() && key != nil && there:
			gone[at] = true
		case !c.kind.Adds() && !there:
			if key == nil || c.kind == row.Delete {
				return nil, c.withOp()
			}
			continue
		}
		if c.kind.Adds() {
			if there && key == nil {
				before[k] = append(before[k], at)
			}
			byKey[k] = len(rows)
			rows, gone = append(rows, c), append(gone, false)
			continue
		}
		gone[at] = true
		if n := len(before[k]); n > 0 {
			byKey[k], before[k] = before[k][n-1], before[k][:n-1]
		} else {
			delete(byKey, k)
		}
	}
	left := rows[:0:0]
	for i, c := range rows {
		if !gone[i] {
			left = append(left, c)
		}
	}
	return left, ""
}

func keyOf(c change, key []int) string {
	k := ""
	for _, i := range key {
		k += c.cells[i] + "\x00"
	}
	return k
}

// columns finds the columns of a key.
func (o *output) columns(names []string) ([]int, error) {
	if len(names) == 0 {
		return nil, nil
	}
	key := []int{}
	for _, n := range names {
		i := o.schema.Index(n)
		if i < 0 {
			return nil, fmt.Errorf("key=%s: %s has no such column", n, o.name)
		}
		key = append(key, i)
	}
	return key, nil
}

// compact folds changes to their net effect per key: what was taken away and
// what came. Without a key every row is its own.
func compact(changes []change, key []int) []change {
	type group struct{ minus, plus []change }
	groups := map[string]*group{}
	var order []string
	for _, c := range changes {
		k := c.line()
		if key != nil {
			k = keyOf(c, key)
		}
		g := groups[k]
		if g == nil {
			g = &group{}
			groups[k] = g
			order = append(order, k)
		}
		from, to := &g.minus, &g.plus
		if !c.kind.Adds() {
			from, to = to, from
		}
		// What comes back, or goes again, is no change.
		if i := slices.IndexFunc(*from, func(x change) bool { return x.line() == c.line() }); i >= 0 {
			*from = slices.Delete(*from, i, i+1)
			continue
		}
		*to = append(*to, c)
	}
	var out []change
	for _, k := range order {
		g := groups[k]
		for i := range max(len(g.minus), len(g.plus)) {
			paired := i < len(g.minus) && i < len(g.plus)
			if i < len(g.minus) {
				kind := row.Delete
				if paired {
					kind = row.UpdateBefore
				}
				out = append(out, change{kind, g.minus[i].cells})
			}
			if i < len(g.plus) {
				kind := row.Insert
				if paired {
					kind = row.UpdateAfter
				}
				out = append(out, change{kind, g.plus[i].cells})
			}
		}
	}
	return out
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
