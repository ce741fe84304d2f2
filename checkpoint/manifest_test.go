package checkpoint

import (
	"reflect"
	"strings"
	"testing"

	"fsql/connector"
	"fsql/state"
	"fsql/types"
)

func sample() *Manifest {
	return &Manifest{Epoch: 300, Last: true, Nodes: []Node{
		{UID: "t/Source(s)", Fingerprint: "source", Subtasks: []Subtask{{
			Seen: types.MinTime, Top: 1_700_000_000_000, Emitted: -5,
			Positions: []connector.Split{{ID: "/data/a.csv", Offset: []byte{0, 0, 0, 0, 0, 0, 1, 2}}, {ID: "b"}},
		}}},
		{UID: "t/Agg", Fingerprint: "keys BIGINT", Subtasks: []Subtask{{Seen: types.MaxTime, Local: []byte{1, 2}}, {Seen: 7}}},
		{UID: "t", Fingerprint: "sink", Subtasks: []Subtask{{Prepared: [][]byte{[]byte("one"), {}}}}},
	}}
}

func TestManifest(t *testing.T) {
	m := sample()
	got, err := Decode(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := m.Encode(), got.Encode(); string(a) != string(b) {
		t.Errorf("%+v\nis not\n%+v", got, m)
	}
	if s := got.Node("t/Source(s)").Subtasks[0]; !reflect.DeepEqual(s.Positions, m.Nodes[0].Subtasks[0].Positions) || s.Emitted != -5 {
		t.Errorf("%+v", s)
	}
	if got.Node("u") != nil || !got.Last || got.Epoch != 300 {
		t.Errorf("%+v", got)
	}
	// Every prefix is refused, and so is a later version.
	data := m.Encode()
	for n := range data {
		if _, err := Decode(data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are taken for a manifest", n, len(data))
		}
	}
	data[0] = 9
	if _, err := Decode(data); err == nil || !strings.Contains(err.Error(), "later version") {
		t.Errorf("%v", err)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add(sample().Encode())
	f.Add((&Manifest{Epoch: 1}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(m.Encode())
		if err != nil || string(again.Encode()) != string(m.Encode()) {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// TestPending: changes and prepared output of an epoch that was given up are
// stored with the next one, in their order; of positions the last counts.
func TestPending(t *testing.T) {
	p := NewPending([]Node{{UID: "agg", Subtasks: make([]Subtask, 2)}, {UID: "sink", Subtasks: make([]Subtask, 1)}})
	p.Carry(1, []byte("carried"))
	change := func(val string) *state.Changes {
		c := &state.Changes{}
		c.Put(0, 0, []byte("k"), func(dst []byte) []byte { return append(dst, val...) })
		return c
	}
	ack := func(task int, e types.Epoch, parts ...Part) { p.Add(Ack{Task: task, Epoch: e, Parts: parts}) }
	ack(0, 1, Part{Node: 0, Subtask: 0, Changes: change("one"), State: Subtask{Seen: 1}})
	ack(2, 1, Part{Node: 1, State: Subtask{Prepared: [][]byte{[]byte("first")}}})
	ack(2, 2, Part{Node: 1, State: Subtask{Prepared: [][]byte{[]byte("second")}}})
	ack(0, 2, Part{Node: 0, Subtask: 0, Changes: change("two"), State: Subtask{Seen: 2}})
	ack(1, 1, Part{Node: 0, Subtask: 1, Changes: &state.Changes{}, State: Subtask{Seen: 3}})
	ack(1, 2, Part{Node: 0, Subtask: 1, Changes: change("three"), State: Subtask{Seen: 4}})

	deltas, m := p.Persist(2, false)
	b := state.NewMemory()
	if err := b.Commit(2, deltas, m.Encode()); err != nil {
		t.Fatal(err)
	}
	var epochs []types.Epoch
	for _, d := range deltas {
		epochs = append(epochs, d.Epoch)
	}
	if !reflect.DeepEqual(epochs, []types.Epoch{1, 2, 2}) || deltas[2].Scope != state.Groups("agg", 1, 2) && deltas[1].Scope != state.Groups("agg", 1, 2) {
		t.Errorf("deltas of epochs %v", epochs)
	}
	if m.Nodes[0].Subtasks[0].Seen != 2 || m.Nodes[0].Subtasks[1].Seen != 4 {
		t.Errorf("%+v", m.Nodes[0])
	}
	if got := string(join(p.Prepared(1))); got != "carried first second" {
		t.Errorf("prepared: %s", got)
	}
	p.Persisted()
	p.Published()
	if deltas, _ := p.Persist(3, false); len(deltas) > 0 || len(p.Prepared(1)) > 0 {
		t.Error("what was stored and published is still there")
	}
}

func join(parts [][]byte) []byte {
	var out []byte
	for i, p := range parts {
		if i > 0 {
			out = append(out, ' ')
		}
		out = append(out, p...)
	}
	return out
}
