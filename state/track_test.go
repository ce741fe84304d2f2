package state

import (
	"encoding/binary"
	"fmt"
	"maps"
	"strings"
	"testing"

	"fsql/row"
	"fsql/types"
)

// TestSeal: what a table hands over epoch by epoch, stored one after another,
// is what the table held when it was sealed, whatever is added, changed and
// removed while it is copied; and it is no more than what changed.
func TestSeal(t *testing.T) {
	for seed := uint64(1); seed <= 30; seed++ {
		for _, zero := range []bool{false, true} {
			t.Run(fmt.Sprintf("zero=%v/seed=%d", zero, seed), func(t *testing.T) {
				m := &sealModel{t: t, rand: random(seed), zero: zero, keys: row.Keys{Zero: zero}, stored: map[string]int{}}
				m.restart()
				for m.step = range 400 {
					m.change()
				}
			})
		}
	}
}

type sealModel struct {
	t       *testing.T
	rand    random
	zero    bool
	step    int
	table   *Table
	keys    row.Keys
	vals    map[int32]int   // by slot
	now     map[string]int  // what the table holds
	changed map[string]bool // since the last Seal
	stored  map[string]int  // what was handed over

	// The snapshot that is being copied, nil: none; and what the table held then.
	open    *Snapshot
	then    map[string]int
	touched map[string]bool
}

func (m *sealModel) restart() {
	m.table = NewTable()
	m.table.Track(Tracking{Space: 3, Skip: 8, Zero: m.zero})
	m.vals, m.now, m.changed, m.open = map[int32]int{}, maps.Clone(m.stored), map[string]bool{}, nil
	for key, val := range m.stored {
		m.vals[m.table.Load([]byte(key))] = val
	}
}

func (m *sealModel) change() {
	v := row.NewVec(types.String(), 0)
	prefix := []int64{}
	for range 1 + m.rand.n(8) {
		n := m.rand.n(60)
		v.Str = append(v.Str, strings.Repeat("x", n%3*20)+fmt.Sprint(n))
		prefix = append(prefix, int64(n%2))
	}
	v.Len = len(v.Str)
	m.keys.EncodeWith(prefix, []*row.Vec{v}, v.Len, nil)
	slots := make([]int32, v.Len)
	switch k := m.rand.n(20); {
	case k < 10:
		m.table.FindOrAdd(&m.keys, slots, nil)
		m.table.Touch(slots)
		for i, s := range slots {
			m.vals[s], m.now[string(m.keys.At(i))] = m.step, m.step
			m.changed[string(m.keys.At(i))] = true
		}
	case k < 14:
		m.table.Find(&m.keys, slots)
		for i, s := range slots {
			key := string(m.keys.At(i))
			if _, ok := m.now[key]; ok && s >= 0 {
				m.table.Touch([]int32{s})
				m.vals[s] = -1
				m.table.Remove([]int32{s})
				delete(m.now, key)
				m.changed[key] = true
			}
		}
	case k < 16:
		m.seal()
	case k < 19:
		if m.open != nil && !m.open.Copy(1+m.rand.n(20)) {
			m.hand()
		}
	case m.rand.n(5) == 0:
		if m.open != nil {
			m.finish()
		}
		m.restart()
	}
}

func (m *sealModel) seal() {
	if m.open != nil {
		m.finish()
	}
	m.open = &Snapshot{}
	m.table.Seal(m.open, func(dst []byte, slot int32) []byte { return binary.AppendVarint(dst, int64(m.vals[slot])) })
	m.then, m.touched = maps.Clone(m.now), m.changed
	m.changed = map[string]bool{}
}

func (m *sealModel) finish() {
	for m.open.Copy(3) {
	}
	m.hand()
}

func (m *sealModel) hand() {
	applyTo(m.t, m.stored, &m.open.Changes, m.touched, m.zero)
	if !maps.Equal(m.stored, m.then) {
		m.t.Fatalf("step %d: stored %v, want %v", m.step, m.stored, m.then)
	}
	m.open = nil
}

func applyTo(t *testing.T, stored map[string]int, c *Changes, changed map[string]bool, zero bool) {
	t.Helper()
	last := ""
	for w := range c.Delta(Scope{}, 1).Writes {
		if string(w.Key) <= last {
			t.Fatalf("%q after %q", w.Key, last)
		}
		last = string(w.Key)
		key := w.Key[3:]
		group := row.Group(row.Hash(key[8:]))
		if zero {
			group = 0
		}
		if int(binary.BigEndian.Uint16(w.Key)) != group || w.Key[2] != 3 {
			t.Fatalf("%q: not in group %d and space 3", w.Key, group)
		}
		if !changed[string(key)] {
			t.Fatalf("%q has not changed", key)
		}
		if w.Delete {
			delete(stored, string(key))
			continue
		}
		n, _ := binary.Varint(w.Val)
		stored[string(key)] = int(n)
	}
}

// Changes of one key count in the order in which they were made.
func TestChangesLastCounts(t *testing.T) {
	var c, d Changes
	long := []byte(strings.Repeat("v", 100_000))
	for i := range 50 {
		c.Put(1, 0, []byte("a"), func(dst []byte) []byte { return append(dst, byte(i)) })
		c.Put(1, 0, []byte("b"), func(dst []byte) []byte { return append(dst, long...) })
	}
	d.Delete(1, 0, []byte("b"))
	d.Put(0, 0, nil, func(dst []byte) []byte { return dst })
	c.Join(&d)
	var got []string
	for w := range c.Delta(Scope{}, 1).Writes {
		got = append(got, fmt.Sprintf("%q %d %v", w.Key, len(w.Val), w.Delete))
		if w.Key[len(w.Key)-1] == 'a' && w.Val[0] != 49 {
			t.Errorf("value %d", w.Val[0])
		}
	}
	if want := `["\x00\x00\x00" 0 false "\x00\x01\x00a" 1 false "\x00\x01\x00b" 0 true]`; fmt.Sprint(got) != want {
		t.Errorf("%v", got)
	}
}

// TestSort: many changes, whose keys differ in their first bytes or later, come
// in the order of their keys, each once with its last value.
func TestSort(t *testing.T) {
	r := random(3)
	for _, n := range []int{1, few, few + 1, 20_000} {
		var c Changes
		want := map[string]int{}
		for i := range n {
			key := fmt.Appendf(nil, "%d", r.n(n))
			if r.n(2) == 0 {
				key = fmt.Appendf(nil, "a long beginning %d", r.n(n))
			}
			group := r.n(3) * 60
			c.Put(group, 1, key, func(dst []byte) []byte { return binary.AppendUvarint(dst, uint64(i)) })
			want[string(append(GroupKey(nil, group), append([]byte{1}, key...)...))] = i
		}
		last := ""
		for w := range c.Delta(Scope{}, 1).Writes {
			i, _ := binary.Uvarint(w.Val)
			if string(w.Key) <= last || want[string(w.Key)] != int(i) {
				t.Fatalf("%d: %q after %q with %d, want %d", n, w.Key, last, i, want[string(w.Key)])
			}
			last = string(w.Key)
			delete(want, last)
		}
		if len(want) > 0 {
			t.Errorf("%d: %d keys are missing", n, len(want))
		}
	}
}

func TestAppendSized(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 300, 20_000} {
		b := AppendSized([]byte("head"), func(dst []byte) []byte { return append(dst, strings.Repeat("x", n)...) })
		d := Decoder{Data: append(b[4:], "tail"...)}
		if got := d.Bytes(); d.Err != nil || len(got) != n || string(d.Data) != "tail" {
			t.Errorf("%d: %d bytes, then %q, %v", n, len(got), d.Data, d.Err)
		}
	}
}
