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
// is what the table holds, whatever is added, changed and removed; and it is
// no more than what changed.
func TestSeal(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		for _, zero := range []bool{false, true} {
			t.Run(fmt.Sprintf("zero=%v/seed=%d", zero, seed), func(t *testing.T) { sealAgainstMap(t, random(seed), zero) })
		}
	}
}

func sealAgainstMap(t *testing.T, r random, zero bool) {
	table := NewTable()
	table.Track(Tracking{Space: 3, Skip: 8, Zero: zero})
	vals := map[int32]int{} // by slot
	now, stored := map[string]int{}, map[string]int{}
	changed := map[string]bool{}
	keys := row.Keys{Zero: zero}
	for step := range 300 {
		v := row.NewVec(types.String(), 0)
		prefix := []int64{}
		for range 1 + r.n(8) {
			n := r.n(60)
			v.Str = append(v.Str, strings.Repeat("x", n%3*20)+fmt.Sprint(n))
			prefix = append(prefix, int64(n%2))
		}
		v.Len = len(v.Str)
		keys.EncodeWith(prefix, []*row.Vec{v}, v.Len, nil)
		slots := make([]int32, v.Len)
		switch k := r.n(10); {
		case k < 6:
			table.FindOrAdd(&keys, slots, nil)
			table.Touch(slots)
			for i, s := range slots {
				vals[s] = step
				now[string(keys.At(i))] = step
				changed[string(keys.At(i))] = true
			}
		case k < 8:
			table.Find(&keys, slots)
			for i, s := range slots {
				key := string(keys.At(i))
				if _, ok := now[key]; ok && s >= 0 {
					table.Remove([]int32{s})
					delete(now, key)
					changed[key] = true
				}
			}
		default:
			var c Changes
			table.Seal(&c, func(dst []byte, slot int32) []byte { return binary.AppendUvarint(dst, uint64(vals[slot])) })
			applyTo(t, stored, &c, changed, zero)
			if !maps.Equal(stored, now) {
				t.Fatalf("step %d: stored %v, want %v", step, stored, now)
			}
			clear(changed)
		}
		if r.n(40) == 0 { // restored
			var c Changes
			table.Seal(&c, func(dst []byte, slot int32) []byte { return binary.AppendUvarint(dst, uint64(vals[slot])) })
			applyTo(t, stored, &c, changed, zero)
			clear(changed)
			table = NewTable()
			table.Track(Tracking{Space: 3, Skip: 8, Zero: zero})
			clear(vals)
			for key, val := range stored {
				vals[table.Load([]byte(key))] = val
			}
		}
	}
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
		n, _ := binary.Uvarint(w.Val)
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

func TestAppendSized(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 300, 20_000} {
		b := AppendSized([]byte("head"), func(dst []byte) []byte { return append(dst, strings.Repeat("x", n)...) })
		d := Decoder{Data: append(b[4:], "tail"...)}
		if got := d.Bytes(); d.Err != nil || len(got) != n || string(d.Data) != "tail" {
			t.Errorf("%d: %d bytes, then %q, %v", n, len(got), d.Data, d.Err)
		}
	}
}
