package exec

// Bounded queues and gates that wait for one input in particular (merge.go) can
// lock each other up: a reader waits for queue A while the writer of both A and B
// waits for room in B, which nobody reads until something has come through A.
// The bound of B gives way then, and only then: a writer ignores that a queue is
// full when some reader wants something of the writer and the full queue's reader
// is stalled, that is, waits for something else. What is queued beyond the bound
// is in the job's account like everything else.
//
// This suffices. Were all tasks stuck, the readers of full queues, followed
// downstream, would end at a gate that waits for an empty queue while another is
// full: both say so, wants are passed on upstream by tasks that have no input
// themselves, stalls by tasks that wait for room; and the task where the want
// ends up is one that can go on.

// full tells that the task must wait for room.
func (c *chain) full() bool {
	for _, r := range c.routers {
		if r.full() {
			return c.blocked()
		}
	}
	return false
}

// blocked tells whether the bounds of the queues that are full hold.
func (c *chain) blocked() bool {
	wanted := c.wanted() && !strikes(c.env.Fault, FirmBound)
	for _, r := range c.routers {
		for _, q := range r.out {
			if q.Full() && !(wanted && q.stalled.Load()) {
				return true
			}
		}
	}
	return false
}

// wanted tells that a reader can do nothing before this task gives something.
func (c *chain) wanted() bool {
	for _, r := range c.routers {
		for _, q := range r.out {
			if q.wanted.Load() {
				return true
			}
		}
	}
	return false
}

// noRoom says to the writers of a task that waits for room whether it waits for
// tasks that are stalled themselves.
func (c *chain) noRoom(g *Gate) {
	stalled := true
	for _, r := range c.routers {
		for _, q := range r.out {
			stalled = stalled && (!q.Full() || q.stalled.Load())
		}
	}
	g.flagged = true
	for _, in := range g.in {
		if in.queue != nil {
			in.queue.want(false)
			in.queue.stall(stalled)
		}
	}
}

// starved says to the writers that the gate has nothing to give, and of whom it
// waits; wanted: somebody waits for this task.
func (g *Gate) starved(wanted bool) {
	for _, in := range g.in {
		wanted = wanted || in.queue != nil && !g.lacks(in) && in.queue.Full()
	}
	if !wanted && !g.flagged {
		return
	}
	g.flagged = wanted
	for _, in := range g.in {
		if in.queue != nil {
			lacks := g.lacks(in)
			in.queue.want(wanted && lacks)
			in.queue.stall(wanted && !lacks)
		}
	}
}

// fed takes back what starved and noRoom have said.
func (g *Gate) fed() {
	if !g.flagged {
		return
	}
	g.flagged = false
	for _, in := range g.in {
		if in.queue != nil {
			in.queue.want(false)
			in.queue.stall(false)
		}
	}
}

// lacks tells that the gate would go on if something came from an input.
func (g *Gate) lacks(in *input) bool {
	if g.ordered && !g.aligning {
		return in == g.lack
	}
	return !in.held
}
