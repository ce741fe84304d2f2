package join

import (
	"sort"

	"fsql/state"
)

// longList is the list of a hot key: runs of at most longRun entries, none of
// them empty, so that an entry that comes late moves a few others only.
type longList struct {
	runs [][]entry
	head int // entries of the first run that are gone
	n    int
}

// live are the entries of run i.
func (g *longList) live(i int) []entry {
	if i == 0 {
		return g.runs[0][g.head:]
	}
	return g.runs[i]
}

func (g *longList) insert(e entry) {
	g.n++
	last := len(g.runs) - 1
	if r := g.runs[last]; r[len(r)-1].at <= e.at {
		if len(r) < longRun {
			g.runs[last] = append(r, e)
		} else {
			g.runs = append(g.runs, append(make([]entry, 0, longRun), e))
		}
		return
	}
	i := sort.Search(last, func(i int) bool { r := g.runs[i]; return r[len(r)-1].at > e.at })
	r := g.runs[i]
	if len(r) == longRun {
		if i == 0 && g.head > 0 {
			r = r[:copy(r, r[g.head:])]
			g.head = 0
		} else {
			i, r = g.split(i, e.at)
		}
	}
	from := 0
	if i == 0 {
		from = g.head
	}
	at := from + sort.Search(len(r)-from, func(k int) bool { return r[from+k].at > e.at })
	r = append(r, entry{})
	copy(r[at+1:], r[at:])
	r[at] = e
	g.runs[i] = r
}

// split makes two runs of a full one and returns that for a time.
func (g *longList) split(i int, at int64) (int, []entry) {
	r := g.runs[i]
	upper := append(make([]entry, 0, longRun), r[longRun/2:]...)
	g.runs = append(g.runs, nil)
	copy(g.runs[i+2:], g.runs[i+1:])
	g.runs[i], g.runs[i+1] = r[:longRun/2], upper
	if upper[0].at <= at {
		return i + 1, upper
	}
	return i, g.runs[i]
}

// pop takes the first entry away and tells whether it was the last one.
func (g *longList) pop() (empty bool) {
	g.n--
	if g.head++; g.head == len(g.runs[0]) {
		g.runs[0] = nil
		g.runs, g.head = g.runs[1:], 0
	}
	return g.n == 0
}

func (g *longList) seek(from int64) cursor {
	i := sort.Search(len(g.runs), func(i int) bool { r := g.runs[i]; return r[len(r)-1].at >= from })
	if i == len(g.runs) {
		return cursor{run: int32(i)}
	}
	c := cursor{run: int32(i), at: seekRun(g.live(i), from)}
	if i == 0 {
		c.at += int32(g.head)
	}
	return c
}

func (g *longList) collect(c *cursor, to int64, max int, dst []state.Ref) ([]state.Ref, bool) {
	for int(c.run) < len(g.runs) {
		run := g.runs[c.run]
		had := len(dst)
		var done bool
		if dst, done = collectRun(run, c, to, max, dst); !done {
			return dst, false
		}
		if int(c.at) < len(run) {
			return dst, true
		}
		max -= len(dst) - had
		c.run, c.at = c.run+1, 0
	}
	return dst, true
}

func (g *longList) upTo(t int64) *entry {
	// The last run that does not begin later.
	i := sort.Search(len(g.runs), func(i int) bool { return g.live(i)[0].at > t }) - 1
	if i < 0 {
		return nil
	}
	return upToRun(g.live(i), t)
}
