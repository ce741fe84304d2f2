package exec

import (
	"fsql/row"
	"fsql/types"
)

// Gate merges the queues of a task into one ordered stream. A queue is held
// back from its barrier until all queues have theirs; event time and idleness
// are combined as valve says.
//
// choose picks among the queues that are ready (nil: in turn). It is the one
// place where scheduling can change the order of rows; a gate that merges does
// not use it.
type Gate struct {
	valve
	merging
	flying
	in     []*input
	choose func(n int) int

	// loose gates do not hold queues back: rows of the next epoch are taken
	// before the barrier of this one is complete (at-least-once).
	loose bool

	olds     int // inputs that are past and have something left
	ready    []*input
	turn     int
	then     []Element   // to be returned before anything else
	thenPort int         // and the input they are for
	passed   types.Epoch // the last barrier that all queues have passed
	flagged  bool        // the writers were told that the gate waits
}

// input is one queue of a gate: one subtask of one input of the head operator.
type input struct {
	channel
	taking
	queue  *Queue[Element] // nil: nothing comes any more
	rank   int             // among the inputs of the gate
	port   int             // input of the head operator
	from   int             // subtask of the producer
	schema *types.Schema
	epoch  types.Epoch // of its last barrier
	held   bool
}

func newGate(in []*input, choose func(int) int, f Fault) *Gate {
	g := &Gate{in: in, choose: choose, valve: newValve(f)}
	for n, i := range in {
		i.rank = n
		if i.past {
			g.olds++
		} else {
			i.time = types.MinTime
		}
		g.valve.add(&i.channel)
	}
	return g
}

// Next returns the next element and the input of the operator it is for. A
// Data element may be left without rows and marks; Idle, Active and Barrier are
// those of the gate, not of one queue.
func (g *Gate) Next() (e Element, port int, ok bool) {
	for {
		if len(g.then) > 0 {
			e, g.then = g.then[0], g.then[1:]
			return e, g.thenPort, true
		}
		if g.ordered {
			return g.merge()
		}
		in := g.pick()
		if in == nil {
			return Element{}, 0, false
		}
		if !in.load() {
			if e, port, ok := g.gone(in); ok {
				return e, port, true
			}
			continue
		}
		e, in.next, in.has = in.next, Element{}, false
		switch e.Kind {
		case Data:
			if m, same := g.marks(&in.channel, e.Batch.Marks); !same {
				b := *e.Batch
				b.Marks = m
				e.Batch = &b
			}
			if in.ended() {
				g.later(in.port, nil)
			}
			return e, in.port, true
		case Idle, Active:
			var b *row.Batch
			if t := g.setIdle(&in.channel, e.Kind == Idle); t != types.MinTime {
				b = row.Watermark(in.schema, t)
			}
			g.later(in.port, b)
		case Barrier:
			if g.aligned(in, e.Epoch) {
				return e, 0, true
			}
		}
	}
}

// later notes what has to follow after a channel changed: a mark, and word of
// idleness if the whole gate turned.
func (g *Gate) later(port int, mark *row.Batch) {
	g.then, g.thenPort = g.then[:0], port
	if mark != nil {
		g.then = append(g.then, Element{Kind: Data, Batch: mark})
	}
	if g.turned() {
		k := Active
		if g.idle {
			k = Idle
		}
		g.then = append(g.then, Element{Kind: k})
	}
}

// pick chooses a queue that has something and is not held back. What was on its
// way at a restart comes before everything else.
func (g *Gate) pick() *input {
	if g.olds > 0 {
		for _, in := range g.in {
			if in.past && !in.ended() {
				return in
			}
		}
	}
	if g.choose == nil {
		for range g.in {
			in := g.in[g.turn]
			if g.turn++; g.turn == len(g.in) {
				g.turn = 0
			}
			if in.ready() {
				return in
			}
		}
		return nil
	}
	g.ready = g.ready[:0]
	for _, in := range g.in {
		if in.ready() {
			g.ready = append(g.ready, in)
		}
	}
	if len(g.ready) == 0 {
		return nil
	}
	return g.ready[g.choose(len(g.ready))]
}

func (in *input) ready() bool { return !in.held && in.queue != nil && !in.queue.Empty() }

// aligned holds an input back after its barrier and reports whether all inputs
// have arrived there.
func (g *Gate) aligned(in *input, e types.Epoch) bool {
	in.epoch, in.held = e, !g.loose && !strikes(g.fault, SkipAlign)
	for _, i := range g.in {
		if i.epoch <= g.passed && !i.past {
			return false
		}
	}
	g.passed = e // every queue has each barrier in turn: e was the one that lacked
	for _, i := range g.in {
		i.held = false
	}
	return true
}
