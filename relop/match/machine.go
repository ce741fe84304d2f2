package match

import (
	"fsql/internal/diag"
	"fsql/types"
)

// stepsBetween is how many runs are looked at between two looks whether the job is
// to be stopped: one row is compared with all runs of its partition.
const stepsBetween = 1 << 12

// worked is called for every run that is looked at.
func (o *operator) worked() error {
	if o.steps++; o.steps < stepsBetween {
		return nil
	}
	o.steps = 0
	if o.ctx.Stopped == nil {
		return nil
	}
	return o.ctx.Stopped()
}

// step feeds a row to all runs of a partition. The row is the last one of
// p.rows; at is its time.
func (o *operator) step(p *part, at types.Time) error {
	o.newRuns, o.done, o.args.last = o.newRuns[:0], o.done[:0], nil
	clear(o.tested)
	for _, r := range p.runs {
		if err := o.worked(); err != nil {
			return err
		}
		if err := o.follow(p, r); err != nil {
			return err
		}
		o.free(r)
	}
	// What the queue held before goes on in the memory of the next one.
	p.runs, o.newRuns = append(p.runs[:0], o.newRuns...), o.newRuns[:0]
	return o.settle(p, o.done, at)
}

// follow finds the runs that a run becomes with the row at hand.
func (o *operator) follow(p *part, r run) error {
	for v, c := range o.conds {
		if c != nil && !c.own {
			o.tested[v] = 0
		}
	}
	o.run = r
	if r.start == noStart {
		o.run.start = p.next() - 1
	}
	edges, err := o.edges(p, r.state)
	if err != nil {
		return err
	}
	for _, e := range edges {
		to, err := o.given(p, e)
		if err != nil {
			return err
		}
		o.put(to)
		// What may follow is optional: the run is a match as well.
		ends, err := o.mayEnd(p, e.to)
		if err != nil {
			return err
		}
		if ends {
			to.state = final
			to.took = o.counts.copy(to.took)
			o.put(to)
		}
	}
	if r.start == noStart {
		o.put(r)
	}
	return nil
}

func (o *operator) put(r run) {
	if r.state == final {
		o.done.offer(r)
	} else {
		o.newRuns.offer(r)
	}
}

// edges are the take edges that the row passes, in the order in which Flink
// finds them: those of a state, then those of the states that it leads to at
// once, last ones first.
func (o *operator) edges(p *part, from int32) ([]*edge, error) {
	o.open, o.taken = append(o.open[:0], from), o.taken[:0]
	for len(o.open) > 0 {
		s := o.open[len(o.open)-1]
		o.open = o.open[:len(o.open)-1]
		edges := o.machine.states[s].edges
		for i := range edges {
			e := &edges[i]
			ok, err := o.passes(p, e)
			switch {
			case err != nil:
				return nil, err
			case !ok:
			case e.take:
				o.taken = append(o.taken, e)
			default:
				o.open = append(o.open, e.to)
			}
		}
	}
	return o.taken, nil
}

// mayEnd tells that the final state is reached from a state without a row.
func (o *operator) mayEnd(p *part, from int32) (bool, error) {
	o.open = append(o.open[:0], from)
	for len(o.open) > 0 {
		s := o.open[len(o.open)-1]
		o.open = o.open[:len(o.open)-1]
		edges := o.machine.states[s].edges
		for i := range edges {
			e := &edges[i]
			if e.take {
				continue
			}
			ok, err := o.passes(p, e)
			if err != nil {
				return false, err
			}
			if ok && e.to == final {
				return true, nil
			}
			if ok {
				o.open = append(o.open, e.to)
			}
		}
	}
	return false, nil
}

// passes tells whether the row at hand may go along an edge.
func (o *operator) passes(p *part, e *edge) (bool, error) {
	if e.take {
		if ok, err := o.fits(p, e.v); !ok || err != nil {
			return false, err
		}
	}
	for _, v := range e.not {
		if ok, err := o.fits(p, v); ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// fits tells whether the row at hand fits a variable in the run at hand. Several
// edges may ask.
func (o *operator) fits(p *part, v int) (bool, error) {
	c := o.conds[v]
	if c == nil {
		return true, nil
	}
	if o.tested[v] == 0 {
		ok, err := c.holds(o, p, v)
		if err != nil {
			return false, err
		}
		o.tested[v] = 1
		if ok {
			o.tested[v] = 2
		}
	}
	return o.tested[v] == 2, nil
}

// timeout drops the runs that began too long before a time. A match that waited
// for one of them may come out.
func (o *operator) timeout(p *part, at types.Time) error {
	if o.spec.Within <= 0 {
		return nil
	}
	if len(p.runs) > 0 && p.runs[0].start != noStart && o.expired(p, &p.runs[0], at) {
		o.newRuns = o.newRuns[:0]
		for _, r := range p.runs {
			if err := o.worked(); err != nil {
				return err
			}
			if r.start != noStart && o.expired(p, &r, at) {
				o.free(r)
			} else {
				o.newRuns.offer(r)
			}
		}
		p.runs, o.newRuns = append(p.runs[:0], o.newRuns...), o.newRuns[:0]
	}
	return o.settle(p, nil, at)
}

func (o *operator) expired(p *part, r *run, at types.Time) bool {
	start := o.rows.at[p.row(r.start)]
	return int64(at) >= start && uint64(int64(at)-start) >= uint64(o.spec.Within)
}

// settle lets the matches out that no run which began before can win over.
func (o *operator) settle(p *part, done queue, at types.Time) error {
	for _, r := range done {
		p.matches.offer(r)
	}
	for len(p.matches) > 0 && p.matches[0].start <= p.runs[0].start {
		m := p.matches.poll()
		last, before, err := o.skip(&m)
		if err != nil {
			return err
		}
		over := func(r *run) bool {
			if r.start == noStart || r.start > last || before && r.start == last {
				return false
			}
			o.free(*r)
			return true
		}
		p.runs.remove(over)
		p.matches.remove(over)
		o.out.add(o, p, &m, at)
		o.free(m)
	}
	return nil
}

// skip is the row by which AFTER MATCH SKIP tells what is over: the runs that
// began up to it, or only before it.
func (o *operator) skip(m *run) (row int64, before bool, err error) {
	s, took := o.spec.Skip, o.counts.of(m.took)
	switch s.To {
	case ToNext:
		return m.start, false, nil
	case PastLast:
		_, n := span(took, All)
		return m.start + n - 1, false, nil
	}
	ahead, n := span(took, s.Var)
	name := o.spec.Vars[s.Var].Name
	if n == 0 {
		return 0, false, diag.New(diag.MatchSkip, diag.Span{}, "AFTER MATCH SKIP TO %s: the match has no row of the variable '%s'", name, name).
			WithHint("skip to a variable that is not optional")
	}
	row = m.start + ahead
	if s.To == ToLast {
		row += n - 1
	}
	if row == m.start {
		return 0, false, diag.New(diag.MatchSkip, diag.Span{}, "AFTER MATCH SKIP TO %s leads to the first row of the match itself: the same match would be found again and again", name).
			WithHint("write SKIP PAST LAST ROW or SKIP TO NEXT ROW")
	}
	return row, true, nil
}

// given is the run at hand with the row at hand given to the variable of an edge.
func (o *operator) given(p *part, e *edge) (run, error) {
	r := run{state: e.to, start: o.run.start, took: o.counts.copy(o.run.took)}
	o.counts.of(r.took)[e.v]++
	if !o.aggs.any {
		return r, nil
	}
	if err := o.aggs.copied(o, r.took, o.run.took); err != nil {
		return r, err
	}
	return r, o.aggs.took(o, p, r.took, e.v, p.next()-1)
}

// free gives back what a run that is over has kept.
func (o *operator) free(r run) {
	o.aggs.dropped(r.took)
	o.counts.drop(r.took)
}
