package state

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fsql/row"
	"fsql/types"
)

// TestTableAgainstMap runs random batches of additions, lookups and removals
// against a Go map, over short and long keys, with and without hashes.
func TestTableAgainstMap(t *testing.T) {
	for _, zero := range []bool{false, true} {
		for seed := uint64(1); seed <= 20; seed++ {
			t.Run(fmt.Sprintf("zero=%v/seed=%d", zero, seed), func(t *testing.T) {
				m := &model{table: NewTable(), slots: map[string]int32{}, rand: random(seed), keys: row.Keys{Zero: zero}}
				steps, span := 200, 2000
				if zero {
					steps, span = 60, 100
				}
				for i := 0; i < steps; i++ {
					m.step(t, span)
				}
			})
		}
	}
}

type model struct {
	table *Table
	slots map[string]int32
	rand  random
	keys  row.Keys
}

func (m *model) step(t *testing.T, span int) {
	batch := &row.Vec{Type: types.String()}
	for n := 1 + m.rand.n(60); n > 0; n-- {
		v := m.rand.n(span)
		batch.Str = append(batch.Str, strings.Repeat("k", v%40*(v%11))+fmt.Sprint(v))
	}
	batch.Len = len(batch.Str)
	m.keys.Encode([]*row.Vec{batch}, batch.Len, nil)
	got := make([]int32, batch.Len)
	switch m.rand.n(4) {
	case 0:
		m.table.Find(&m.keys, got)
		for i, s := range got {
			want, ok := m.slots[string(m.keys.At(i))]
			if !ok {
				want = -1
			}
			if s != want {
				t.Fatalf("Find %q: %d, want %d", batch.Str[i], s, want)
			}
		}
	case 1:
		var gone []int32
		for i := range got {
			key := string(m.keys.At(i))
			if s, ok := m.slots[key]; ok {
				gone = append(gone, s)
				delete(m.slots, key)
			}
		}
		m.table.Remove(gone)
	default:
		fresh := m.table.FindOrAdd(&m.keys, got, nil)
		for i, s := range got {
			key := string(m.keys.At(i))
			want, ok := m.slots[key]
			if !ok {
				if len(fresh) == 0 || fresh[0] != s {
					t.Fatalf("slot %d of a new key: fresh has %v", s, fresh)
				}
				fresh = fresh[1:]
				m.slots[key], want = s, s
			}
			if s != want {
				t.Fatalf("FindOrAdd %q: %d, want %d", batch.Str[i], s, want)
			}
		}
		if len(fresh) != 0 {
			t.Fatalf("fresh slots %v left", fresh)
		}
	}
	m.check(t)
}

func (m *model) check(t *testing.T) {
	if m.table.Len() != len(m.slots) {
		t.Fatalf("Len %d, want %d", m.table.Len(), len(m.slots))
	}
	var want []int32
	for key, s := range m.slots {
		want = append(want, s)
		if !bytes.Equal(m.table.Key(s), []byte(key)) {
			t.Fatalf("key of slot %d: %q, want %q", s, m.table.Key(s), key)
		}
		if int(s) >= m.table.Cap() {
			t.Fatalf("slot %d, but Cap is %d", s, m.table.Cap())
		}
	}
	slices.Sort(want)
	if got := m.table.Slots(nil); !slices.Equal(got, want) {
		t.Fatalf("Slots %v, want %v", got, want)
	}
}

// Keys that come and go, never all gone, take no more room in the end.
func TestTableReusesMemory(t *testing.T) {
	table := NewTable()
	var k row.Keys
	slots, all := make([]int32, 1000), []int32{}
	after := int64(0)
	for round := 0; round < 50; round++ {
		v := &row.Vec{Type: types.String(), Len: 1000}
		for i := 0; i < 1000; i++ {
			v.Str = append(v.Str, fmt.Sprintf("a key of more than twenty-six bytes: %04d.%06d", i, round))
		}
		k.Encode([]*row.Vec{v}, 1000, nil)
		table.FindOrAdd(&k, slots, nil)
		all = append(all, slots...)
		if round >= 5 {
			table.Remove(all[:1000])
			all = all[1000:]
		}
		if round == 10 {
			after = table.Bytes()
		}
	}
	if table.Bytes() > after*5/4 { // some groups grow their index later than others
		t.Errorf("%d bytes, %d after ten rounds", table.Bytes(), after)
	}
	table.Remove(all)
	if table.Cap() != 0 || table.Bytes() > 200<<10 {
		t.Errorf("empty table: cap %d, %d bytes", table.Cap(), table.Bytes())
	}
}

// BenchmarkTable counts and sums per key, as limits.md section 5 measured it:
// uniform random keys, 4,096 rows a batch.
func BenchmarkTable(b *testing.B) {
	for _, n := range []int{1e4, 1e6} {
		for _, text := range []bool{false, true} {
			b.Run(fmt.Sprintf("keys=%d/text=%v", n, text), func(b *testing.B) { benchTable(b, n, text) })
		}
	}
}

func benchTable(b *testing.B, n int, text bool) {
	const rows = 4096
	rand := random(7)
	var batches []*row.Vec
	for i := 0; i < 2*n; i += rows {
		v := &row.Vec{Type: types.Of(types.BigInt), Len: rows}
		if text {
			v.Type = types.String()
		}
		for r := 0; r < rows; r++ {
			key := int64(rand.n(n))
			if text {
				v.Str = append(v.Str, fmt.Sprintf("key-of-22-bytes-%06d", key))
			} else {
				v.I64 = append(v.I64, key*7919)
			}
		}
		batches = append(batches, v)
	}
	table := NewTable()
	var k row.Keys
	var counts, sums []int64
	slots := make([]int32, rows)
	add := func(v *row.Vec) {
		k.Encode([]*row.Vec{v}, rows, nil)
		table.FindOrAdd(&k, slots, nil)
		for len(counts) < table.Cap() {
			counts, sums = append(counts, 0), append(sums, 0)
		}
		for r, s := range slots {
			counts[s]++
			sums[s] += int64(r)
		}
	}
	for _, v := range batches {
		add(v)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		add(batches[i%len(batches)])
	}
	b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds()/1e6, "Mrows/s")
	b.ReportMetric(float64(table.Bytes()+int64(table.Len())*16)/float64(table.Len()), "B/key")
}
