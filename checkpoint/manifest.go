package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fsql/connector"
	"fsql/state"
	"fsql/types"
)

// Manifest is what a checkpoint holds besides keyed state: how far every
// subtask was. It is written whole with every checkpoint.
type Manifest struct {
	Epoch types.Epoch
	// Last tells that no row was to follow: the job only had to publish.
	Last  bool
	Nodes []Node
}

// Node is a node of the plan that has something to remember: a source, an
// operator with state, a transactional sink.
type Node struct {
	UID         string
	Fingerprint string
	Subtasks    []Subtask
}

// Subtask is one subtask of a node.
type Subtask struct {
	// Seen is the last event time that reached an operator, MinTime: none.
	Seen types.Time
	// Local is the operator's state that is not keyed.
	Local []byte
	// Positions are where a source goes on; Top and Emitted its event time:
	// what it has read, and what it has announced.
	Positions    []connector.Split
	Top, Emitted types.Time
	// Prepared is what a sink has to publish: one item per epoch since the
	// last one that was published.
	Prepared [][]byte
}

// Node returns the node of a UID, or nil.
func (m *Manifest) Node(uid string) *Node {
	for i := range m.Nodes {
		if m.Nodes[i].UID == uid {
			return &m.Nodes[i]
		}
	}
	return nil
}

// Prepared is what all subtasks of a sink have prepared.
func (n *Node) Prepared() [][]byte {
	var all [][]byte
	for i := range n.Subtasks {
		all = append(all, n.Subtasks[i].Prepared...)
	}
	return all
}

const (
	manifestVersion = 1
	flagLast        = 1
)

// Encode writes the manifest.
func (m *Manifest) Encode() []byte {
	b := binary.AppendUvarint([]byte{manifestVersion}, uint64(m.Epoch))
	flags := byte(0)
	if m.Last {
		flags = flagLast
	}
	b = binary.AppendUvarint(append(b, flags), uint64(len(m.Nodes)))
	for _, n := range m.Nodes {
		b = state.AppendBytes(b, []byte(n.UID))
		b = state.AppendBytes(b, []byte(n.Fingerprint))
		b = binary.AppendUvarint(b, uint64(len(n.Subtasks)))
		for i := range n.Subtasks {
			b = n.Subtasks[i].append(b)
		}
	}
	return b
}

func (s *Subtask) append(b []byte) []byte {
	b = binary.AppendVarint(b, int64(s.Seen))
	b = state.AppendBytes(b, s.Local)
	b = binary.AppendUvarint(b, uint64(len(s.Positions)))
	for _, p := range s.Positions {
		b = state.AppendBytes(b, []byte(p.ID))
		b = state.AppendBytes(b, p.Offset)
	}
	b = binary.AppendVarint(binary.AppendVarint(b, int64(s.Top)), int64(s.Emitted))
	b = binary.AppendUvarint(b, uint64(len(s.Prepared)))
	for _, p := range s.Prepared {
		b = state.AppendBytes(b, p)
	}
	return b
}

// Decode reads a manifest. Its bytes are kept.
func Decode(data []byte) (*Manifest, error) {
	if len(data) > 0 && data[0] > manifestVersion {
		return nil, fmt.Errorf("it was written by a later version of fsql (form %d)", data[0])
	}
	d := state.Decoder{Data: data}
	d.Version(manifestVersion)
	m := &Manifest{Epoch: types.Epoch(d.Uvarint()), Last: d.Byte()&flagLast != 0}
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		node := Node{UID: string(d.Bytes()), Fingerprint: string(d.Bytes())}
		for k := d.Uvarint(); k > 0 && d.Err == nil; k-- {
			node.Subtasks = append(node.Subtasks, readSubtask(&d))
		}
		m.Nodes = append(m.Nodes, node)
	}
	if d.Err == nil && len(d.Data) > 0 {
		d.Err = errors.New("the manifest is followed by something")
	}
	return m, d.Err
}

func readSubtask(d *state.Decoder) Subtask {
	s := Subtask{Seen: types.Time(d.Varint()), Local: d.Bytes()}
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		p := connector.Split{ID: string(d.Bytes())}
		if off := d.Bytes(); len(off) > 0 {
			p.Offset = off
		}
		s.Positions = append(s.Positions, p)
	}
	s.Top, s.Emitted = types.Time(d.Varint()), types.Time(d.Varint())
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		s.Prepared = append(s.Prepared, d.Bytes())
	}
	return s
}
