package match

import "fsql/types"

// part is what is kept of a partition. Rows whose time has come are numbered in
// order; those from the first row of the earliest run on are kept.
type part struct {
	used    bool
	waiting []int32 // rows that wait for event time, in order but for those from fresh on
	fresh   int
	taken   int        // of those that wait, while their time has come
	wake    types.Time // earliest timer, MaxTime: none
	rows    []int32    // numbered rows from number base on
	base    int64
	runs    queue // with the one that has no row yet
	matches queue // complete, but a run that began before may still win
}

// next is the number of the next row.
func (p *part) next() int64 { return p.base + int64(len(p.rows)) }

func (p *part) row(number int64) int32 { return p.rows[number-p.base] }

// first is the number of the first row that is needed.
func (p *part) first() int64 {
	n := p.next()
	if len(p.runs) > 0 {
		n = min(n, p.runs[0].start)
	}
	if len(p.matches) > 0 {
		n = min(n, p.matches[0].start)
	}
	return n
}

// idle tells that a partition is as it was in the beginning.
func (p *part) idle() bool {
	return len(p.waiting) == 0 && len(p.matches) == 0 && len(p.runs) <= 1
}

// counts hold for each run how many rows it has given to each variable. The rows
// of a run lie one behind the other, and the variables in the order of the
// pattern: the counts tell which rows a variable has. Entry 0 is all zeros.
type counts struct {
	vars int
	all  []int32
	free []int32
}

func newCounts(vars int) counts { return counts{vars: vars, all: make([]int32, vars)} }

func (c *counts) of(id int32) []int32 {
	at := int(id) * c.vars
	return c.all[at : at+c.vars : at+c.vars]
}

// copy makes an entry like another one.
func (c *counts) copy(id int32) int32 {
	var to int32
	if n := len(c.free); n > 0 {
		to = c.free[n-1]
		c.free = c.free[:n-1]
	} else {
		to = int32(len(c.all) / c.vars)
		for range c.vars {
			c.all = append(c.all, 0)
		}
	}
	copy(c.of(to), c.of(id))
	return to
}

func (c *counts) drop(id int32) {
	if id != 0 {
		c.free = append(c.free, id)
	}
}

// span is where the rows of variable v lie in a run: how many rows of the run
// are before them, and how many there are. All: all rows.
func span(took []int32, v int) (before, n int64) {
	if v == All {
		for _, t := range took {
			n += int64(t)
		}
		return 0, n
	}
	for _, t := range took[:v] {
		before += int64(t)
	}
	return before, int64(took[v])
}
