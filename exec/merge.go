package exec

import (
	"fsql/row"
	"fsql/types"
)

// merging is the order in which a gate takes its inputs when they all replay
// (ADR 0008): always from the input whose event time is lowest, of several such
// from the first, from one mark to the next. What comes out, rows and marks,
// depends on what the inputs hold and on nothing else. Since event time
// as a whole is then that of the input that is taken from, every row meets the
// event time that it has in its own input: it is late exactly if it is late
// there, wherever its batch was cut and whatever subtask it is in.
//
// An input that is idle is not waited for. A barrier does not disturb the order:
// what the other inputs have before theirs is kept (ahead) and is part of the
// checkpoint.
type merging struct {
	ordered  bool
	aligning bool
	final    bool   // the barrier that the inputs are aligned at is the last
	lack     *input // what the gate waits for
	rows     int    // of a batch at most
	blend    *blend // nil: batches of several inputs are not put together
}

// taking is where a gate is in an input.
type taking struct {
	next  Element // popped and not worked off; has tells that there is one
	has   bool
	row   int // rows of it that were taken
	mark  int // and marks
	piece int // of the blend, -1: none yet
	ahead []Element
	// past inputs hold what was on its way at a checkpoint, nothing comes after.
	past bool
}

// turnStep is the step of event time by which inputs take turns whose rows cannot
// be put into one batch, those of joins. Such an operator works on one input at a time,
// and turns of a few rows would cost it more than the rows do.
const turnStep = 10_000

// merge is Next of a merging gate.
func (g *Gate) merge() (e Element, port int, ok bool) {
	for {
		if g.aligning {
			if !g.align() {
				return Element{}, 0, false
			}
			return Element{Kind: Barrier, Epoch: g.passed, Last: g.final}, 0, true
		}
		in, rival := g.lowest()
		if in == nil || !in.load() {
			if in != nil && in.past {
				if e, port, ok := g.gone(in); ok {
					return e, port, true
				}
				continue
			}
			g.lack = in
			if e, ok := g.mixed(); ok {
				return e, 0, true
			}
			return Element{}, 0, false
		}
		if in.next.Kind != Data {
			if e, ok := g.mixed(); ok {
				return e, 0, true
			}
			in.has = false
			if in.next.Kind == Barrier {
				g.meet(in, in.next)
				continue
			}
			var b *row.Batch
			if t := g.setIdle(&in.channel, in.next.Kind == Idle); t != types.MinTime {
				b = row.Watermark(in.schema, t)
			}
			if e, port, ok := g.follow(in.port, b); ok {
				return e, port, true
			}
			continue
		}
		if g.blend != nil && !g.long(in, rival) {
			g.mix(in, rival)
			if in.ended() || g.blend.rows >= g.rows {
				e, _ := g.mixed()
				g.later(0, nil)
				return e, 0, true
			}
			continue
		}
		if e, ok := g.mixed(); ok {
			return e, 0, true
		}
		e = g.cut(in, rival)
		if in.ended() {
			g.later(in.port, nil)
			return e, in.port, true
		}
		if e.Batch.Rows > 0 || len(e.Batch.Marks) > 0 || e.bytes > 0 {
			return e, in.port, true
		}
	}
}

// follow is later for a gate that returns what follows at once.
func (g *Gate) follow(port int, mark *row.Batch) (e Element, p int, ok bool) {
	g.later(port, mark)
	if len(g.then) == 0 {
		return Element{}, 0, false
	}
	e, g.then = g.then[0], g.then[1:]
	return e, port, true
}

// gone ends an input of which nothing is left.
func (g *Gate) gone(in *input) (Element, int, bool) {
	if e, ok := g.mixed(); ok {
		return e, 0, true
	}
	in.time, in.idle, in.late = types.MaxTime, false, false
	g.olds--
	var b *row.Batch
	if t := g.round(g.combined()); t > g.valve.last {
		g.valve.last = t
		b = row.Watermark(in.schema, t)
	}
	return g.follow(in.port, b)
}

// lowest is the input to take from, and the one that comes after it. Inputs
// that are idle or have ended count only if something is there.
func (g *Gate) lowest() (in, rival *input) {
	for _, i := range g.in {
		switch {
		case i.idle && !i.ended():
			if i.load() && i.next.Kind != Barrier {
				return i, nil
			}
		case i.ended():
		case in == nil || g.round(i.time) < g.round(in.time):
			in, rival = i, in
		case rival == nil || g.round(i.time) < g.round(rival.time):
			rival = i
		}
	}
	if in != nil {
		return in, rival
	}
	for _, i := range g.in {
		if i.load() {
			return i, nil
		}
	}
	return nil, nil
}

// load makes sure that the input has its next element at hand.
func (in *input) load() bool {
	if in.has {
		return true
	}
	if len(in.ahead) > 0 {
		in.next, in.ahead = in.ahead[0], in.ahead[1:]
	} else if in.queue == nil {
		return false
	} else if e, ok := in.queue.Pop(); ok {
		in.next = e
	} else {
		return false
	}
	in.has, in.row, in.mark, in.piece = true, 0, 0, -1
	return true
}

// until finds how far an input may be taken from before it is the rival's turn:
// rows up to row, marks up to mark.
func (g *Gate) until(in, rival *input) (row, mark int) {
	b, limit := in.next.Batch, types.MaxTime
	if rival != nil {
		limit = g.round(rival.time)
	}
	for m := in.mark; m < len(b.Marks); m++ {
		t := g.round(b.Marks[m].Time)
		if t > limit || rival != nil && t == limit && in.rank > rival.rank || t == types.MaxTime {
			return int(b.Marks[m].Row), m + 1
		}
	}
	return b.Rows, len(b.Marks)
}

// cut takes from an input what comes before the rival's turn.
func (g *Gate) cut(in, rival *input) Element {
	b := in.next.Batch
	from, first := in.row, in.mark
	to, mark := g.until(in, rival)
	e := Element{Kind: Data}
	if from == 0 && first == 0 && to == b.Rows && mark == len(b.Marks) {
		c := *b
		e.Batch = &c
		c.Marks = nil
	} else {
		e.Batch = b.Slice(from, to)
	}
	for _, m := range b.Marks[first:mark] {
		if t := g.rise(&in.channel, m.Time); t != types.MinTime {
			e.Batch.Marks = append(e.Batch.Marks, row.Mark{Row: m.Row - int32(from), Time: t})
		}
	}
	e.bytes = in.took(to, mark)
	return e
}

// took notes what was taken from the next batch; at its end it returns the bytes
// that were charged for it.
func (in *input) took(row, mark int) int64 {
	in.row, in.mark = row, mark
	if b := in.next.Batch; row < b.Rows || mark < len(b.Marks) {
		return 0
	}
	n := in.next.bytes
	in.next, in.has = Element{}, false
	return n
}

// meet begins the alignment of the inputs at a barrier.
func (g *Gate) meet(in *input, e Element) {
	g.aligning, g.passed, g.final = true, e.Epoch, e.Last
	in.held = true
}

// align takes the inputs up to their barriers; what comes before these is kept.
// It tells whether all have theirs.
func (g *Gate) align() bool {
	all := true
	for _, in := range g.in {
		if in.past || in.held {
			continue
		}
		if in.has && in.next.Kind == Barrier {
			in.has, in.held = false, true
		}
		for !in.held {
			e, ok := in.queue.Pop()
			if !ok {
				all = false
				break
			}
			if in.held = e.Kind == Barrier; !in.held {
				in.ahead = append(in.ahead, e)
			}
		}
	}
	if !all {
		return false
	}
	for _, in := range g.in {
		in.held = false
	}
	g.aligning = false
	return true
}
