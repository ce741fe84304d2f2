package exec

import (
	"encoding/binary"
	"fmt"
	"strings"

	"fsql/checkpoint"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// What a gate that merges has taken from its queues and not given yet belongs to
// the checkpoint: the sources do not send it again. A job that resumes finds it
// as inputs of their own, which come before those that go on.

// flying is the part of a node's gates in checkpoints.
type flying struct {
	part int // among the nodes of the manifest, -1: none
	sub  int // subtask
	told func(e types.Epoch, rows []int)
}

// gateUID follows the UID of a node where its gates are meant.
const gateUID = "/inputs"

// holds tells that rows were on their way to a node.
func holds(n *checkpoint.Node) bool {
	if n != nil {
		for _, s := range n.Subtasks {
			if len(s.Local) > 0 {
				return true
			}
		}
	}
	return false
}

const flyingVersion = 1

// inFlight is what the gate has to remember at a barrier that all its inputs
// have passed.
func (g *Gate) inFlight() []checkpoint.Part {
	if g.told != nil {
		g.told(g.passed, g.waiting())
	}
	if g.flying.part < 0 {
		return nil
	}
	var b []byte
	n := 0
	for _, in := range g.in {
		if in.has || len(in.ahead) > 0 {
			b = in.encode(b)
			n++
		}
	}
	p := checkpoint.Part{Node: g.flying.part, Subtask: g.flying.sub}
	p.State.Seen, p.State.Top, p.State.Emitted = types.MinTime, types.MinTime, types.MinTime
	if n > 0 && !strikes(g.fault, LoseFlying) {
		p.State.Local = append(binary.AppendUvarint([]byte{flyingVersion}, uint64(n)), b...)
	}
	return []checkpoint.Part{p}
}

// waiting is how many rows the gate holds, per input of the operator.
func (g *Gate) waiting() []int {
	var rows []int
	for _, in := range g.in {
		for len(rows) <= in.port {
			rows = append(rows, 0)
		}
		for _, e := range in.left() {
			if e.Kind == Data {
				rows[in.port] += e.Batch.Rows
			}
		}
	}
	return rows
}

// left are the elements that were taken from the queue and are left.
func (in *input) left() []Element {
	if !in.has {
		return in.ahead
	}
	return append([]Element{in.rest()}, in.ahead...)
}

// encode writes what the input holds.
func (in *input) encode(b []byte) []byte {
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(in.port)), uint64(in.from))
	b = binary.AppendVarint(b, int64(in.time))
	flags := byte(0)
	if in.idle {
		flags = 1
	}
	elements := in.left()
	b = binary.AppendUvarint(append(b, flags), uint64(len(elements)))
	for _, e := range elements {
		b = append(b, byte(e.Kind))
		if e.Kind == Data {
			b = appendBatch(b, e.Batch)
		}
	}
	return b
}

// rest is what was not taken of the next element.
func (in *input) rest() Element {
	e := in.next
	if e.Kind != Data || in.row == 0 && in.mark == 0 {
		return e
	}
	b := e.Batch.Slice(in.row, e.Batch.Rows)
	for _, m := range e.Batch.Marks[in.mark:] {
		b.Marks = append(b.Marks, row.Mark{Row: m.Row - int32(in.row), Time: m.Time})
	}
	e.Batch = b
	return e
}

func appendBatch(b []byte, batch *row.Batch) []byte {
	b = binary.AppendUvarint(b, uint64(batch.Rows))
	if batch.Rows > 0 {
		var k row.Keys
		k.Encode(batch.Cols, batch.Rows, nil)
		for r := range batch.Rows {
			b = state.AppendBytes(append(b, byte(batch.Kind(r))), k.At(r))
		}
	}
	b = binary.AppendUvarint(b, uint64(len(batch.Marks)))
	for _, m := range batch.Marks {
		b = binary.AppendVarint(binary.AppendUvarint(b, uint64(m.Row)), int64(m.Time))
	}
	return b
}

func decodeBatch(d *state.Decoder, s *types.Schema) *row.Batch {
	n := int(d.Uvarint())
	build := row.NewBuilder(s)
	for ; n > 0 && d.Err == nil; n-- {
		kind := row.Kind(d.Byte())
		if key := d.Bytes(); d.Err == nil {
			row.DecodeKey(key, build.Cols)
			build.Added(1, kind)
		}
	}
	b := &row.Batch{Schema: s, Rows: build.Len(), Cols: build.Cols, Kinds: build.Kinds}
	for m := d.Uvarint(); m > 0 && d.Err == nil; m-- {
		at := d.Uvarint()
		b.Marks = append(b.Marks, row.Mark{Row: int32(at), Time: types.Time(d.Varint())})
	}
	return b
}

// flown makes inputs of what the gates of a node had taken before a restart: of
// all old subtasks, the rows that are for this one.
func (b *assembly) flown(node *physical.Node, sub int) (ins []*input, err error) {
	if b.memory == nil {
		return nil, nil
	}
	i, ok := b.memory.gates[node.ID]
	if !ok {
		return nil, nil
	}
	for s, old := range b.memory.past(i, sub, node.Parallel) {
		if len(old.Local) == 0 {
			continue
		}
		own := b.memory.same(i, node.Parallel) || s%node.Parallel == sub
		err := guard(func() error {
			d := &state.Decoder{Data: old.Local}
			d.Version(flyingVersion)
			for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
				ins = append(ins, b.decode(d, node, sub, own))
			}
			return d.Err
		})
		if err != nil {
			return nil, &Unreadable{node.UID, fmt.Errorf("rows on their way: %w", err)}
		}
	}
	return ins, nil
}

// layout is what the rows on their way to a node look like.
func layout(p *physical.Plan, n *physical.Node) string {
	var b strings.Builder
	for _, e := range n.Inputs {
		b.WriteByte('(')
		for i, c := range p.Nodes[e.From].Schema.Columns {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(c.Type.String())
		}
		b.WriteByte(')')
	}
	return b.String()
}

// decode reads one input; own: rows that go by no key are for this subtask.
func (b *assembly) decode(d *state.Decoder, node *physical.Node, sub int, own bool) *input {
	in := &input{port: int(d.Uvarint()), from: int(d.Uvarint())}
	in.past, in.time, in.idle = true, types.Time(d.Varint()), d.Byte()&1 != 0
	edge := node.Inputs[in.port]
	in.schema = b.plan.Nodes[edge.From].Schema
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		e := Element{Kind: ElementKind(d.Byte())}
		if e.Kind == Data {
			e.Batch = decodeBatch(d, in.schema)
			if edge.Ship == physical.Hash && node.Parallel > 1 {
				s := newScatter(edge.Keys, node.Parallel, b.job.env.ZeroHash)
				e.Batch = e.Batch.Gather(s.split(e.Batch)[sub])
			} else if !own {
				e.Batch = e.Batch.Gather(nil)
			}
			e.bytes = e.Batch.Bytes()
			b.job.account.Add(e.bytes)
		}
		in.ahead = append(in.ahead, e)
	}
	return in
}
