package exec

import (
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// router ships what one node subtask emits over one edge: a queue per subtask
// of the consumer (forward: one queue). Rows go where the strategy says; marks,
// idleness and barriers go to every queue, since any of them may hold event
// time back.
type router struct {
	ship    physical.Ship
	out     []*Queue[Element]
	account *Account
	fault   Fault
	turn    int     // of Rebalance
	scatter scatter // of Hash
}

// take ships a batch.
func (r *router) take(b *row.Batch) error {
	switch {
	case len(r.out) == 1:
		r.push(0, b)
	case b.Rows == 0 || r.ship == physical.Broadcast:
		for t := range r.out {
			r.push(t, b)
		}
	case r.ship == physical.Hash:
		r.hash(b)
	case r.ship == physical.Rebalance:
		r.whole(r.turn, b)
		r.turn = (r.turn + 1) % len(r.out)
	default:
		r.whole(0, b)
	}
	return nil
}

// whole sends the rows of b to one target and its marks to all.
func (r *router) whole(target int, b *row.Batch) {
	r.push(target, b)
	m := marksOnly(b)
	for t := range r.out {
		if t != target && m != nil {
			r.push(t, m)
		}
	}
}

// hash sends each row to the subtask that owns its key group.
func (r *router) hash(b *row.Batch) {
	var m *row.Batch
	for t, sel := range r.scatter.split(b) {
		switch len(sel) {
		case b.Rows:
			r.push(t, b)
		case 0:
			if m == nil {
				m = marksOnly(b)
			}
			if m != nil {
				r.push(t, m)
			}
		default:
			r.push(t, b.Gather(sel))
		}
	}
}

// marksOnly is the last mark of b, without rows; nil if it has none.
func marksOnly(b *row.Batch) *row.Batch {
	if len(b.Marks) == 0 {
		return nil
	}
	return row.Watermark(b.Schema, b.Marks[len(b.Marks)-1].Time)
}

func (r *router) push(target int, b *row.Batch) {
	if r.fault != nil {
		if b = r.damaged(target, b); b == nil {
			return
		}
	}
	n := b.Bytes()
	r.account.Add(n)
	r.out[target].Push(Element{Kind: Data, Batch: b, bytes: n})
}

// damaged is b after the planted faults.
func (r *router) damaged(target int, b *row.Batch) *row.Batch {
	if len(b.Marks) > 0 && b.Marks[len(b.Marks)-1].Time != types.MaxTime && r.fault.Strikes(DropMark) {
		c := *b
		c.Marks = nil
		b = &c
	}
	if b.Rows > 0 && r.out[target].Full() && r.fault.Strikes(LoseRow) {
		sel := make([]int32, b.Rows-1)
		for i := range sel {
			sel[i] = int32(i)
		}
		b = b.Gather(sel)
	}
	if b.Rows == 0 && len(b.Marks) == 0 {
		return nil
	}
	return b
}

// all sends an element without a batch to every queue.
func (r *router) all(e Element) {
	for _, q := range r.out {
		q.Push(e)
	}
}

// full tells that some queue has no room.
func (r *router) full() bool {
	for _, q := range r.out {
		if q.Full() {
			return true
		}
	}
	return false
}
