package state

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/vfs"
	"go.uber.org/goleak"

	"fsql/types"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestStore runs the same random steps on both backends against Go maps: writes,
// reads, scans, seals, commits, and falls back to the last commit. The Pebble
// backend meets a crash there: what was not synced is gone.
func TestStore(t *testing.T) {
	for seed := uint64(1); seed <= 12; seed++ {
		t.Run(fmt.Sprintf("memory/%d", seed), func(t *testing.T) {
			b := NewMemory()
			runStore(t, seed, b, func(Backend) Backend { return b })
		})
		t.Run(fmt.Sprintf("pebble/%d", seed), func(t *testing.T) {
			fs := vfs.NewStrictMem()
			open := func() Backend {
				f, err := openFolder(fs, "state/job", FolderOptions{Retained: 1, NewID: "id"})
				if err != nil {
					t.Fatal(err)
				}
				if _, _, _, err := f.Last(); err != nil {
					t.Fatal(err)
				}
				return f
			}
			runStore(t, seed, open(), func(b Backend) Backend {
				fs.SetIgnoreSyncs(true)
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
				fs.ResetToSyncedState()
				fs.SetIgnoreSyncs(false)
				return open()
			})
		})
	}
}

// random is splitmix64.
type random uint64

func (r *random) n(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

type storeModel struct {
	t         *testing.T
	rand      random
	backend   Backend
	stores    []Store
	now, kept []map[string]string // by scope: current, committed
	epoch     types.Epoch
	deltas    []Delta
}

func scopes(rescaled bool) []Scope {
	if rescaled {
		return []Scope{{"a/agg", 0, 32}, {"a/agg", 32, 128}, {"a/agg2", 0, 128}}
	}
	return []Scope{{"a/agg", 0, 64}, {"a/agg", 64, 128}, {"a/agg2", 0, 128}}
}

func runStore(t *testing.T, seed uint64, b Backend, crash func(Backend) Backend) {
	m := &storeModel{t: t, rand: random(seed), backend: b, now: make([]map[string]string, 3), kept: make([]map[string]string, 3)}
	for i := range m.now {
		m.now[i], m.kept[i] = map[string]string{}, map[string]string{}
	}
	m.open(false)
	for i := 0; i < 400; i++ {
		m.step(crash)
	}
	if err := m.backend.Close(); err != nil {
		t.Fatal(err)
	}
}

func (m *storeModel) open(rescaled bool) {
	m.stores = nil
	for _, s := range scopes(rescaled) {
		m.stores = append(m.stores, m.backend.Open(s))
	}
}

// key makes a key within the groups of scope i.
func (m *storeModel) key(i int) []byte {
	s := m.stores[i].(*overlay).scope
	return fmt.Appendf(GroupKey(nil, s.FirstGroup+m.rand.n(min(5, s.EndGroup-s.FirstGroup))), "%d", m.rand.n(20))
}

func (m *storeModel) step(crash func(Backend) Backend) {
	i := m.rand.n(len(m.stores))
	key := m.key(i)
	switch k := m.rand.n(20); {
	case k < 9:
		val := fmt.Sprint(m.rand.n(1000))
		m.must(m.stores[i].Put(key, []byte(val)))
		m.now[i][string(key)] = val
	case k < 12:
		m.must(m.stores[i].Delete(key))
		delete(m.now[i], string(key))
	case k < 15:
		got, ok, err := m.stores[i].Get([]byte("x"), key)
		m.must(err)
		if want, has := m.now[i][string(key)]; ok != has || string(got) != "x"+want {
			m.t.Fatalf("Get %q: %q %v, want %q %v", key, got, ok, want, has)
		}
	case k < 17:
		m.scan(i, key, m.key(i))
	case k < 18:
		m.epoch++
		for _, s := range m.stores {
			m.deltas = append(m.deltas, s.Seal(m.epoch))
		}
		if m.rand.n(3) > 0 { // else the next commit takes two epochs
			m.commit()
		}
	case k == 18 && m.rand.n(4) == 0:
		m.fallBack(crash)
	}
}

func (m *storeModel) commit() {
	m.must(m.backend.Commit(m.epoch, m.deltas, fmt.Append(nil, "manifest ", m.epoch)))
	m.deltas = nil
	for i, s := range m.stores {
		s.Committed(m.epoch)
		m.kept[i] = maps.Clone(m.now[i])
	}
}

// fallBack loses what is not committed and opens the state with other key
// ranges: the first two scopes are one node's.
func (m *storeModel) fallBack(crash func(Backend) Backend) {
	m.backend = crash(m.backend)
	m.deltas = nil
	e, manifest, ok, err := m.backend.Last()
	m.must(err)
	if ok && string(manifest) != fmt.Sprint("manifest ", e) || e > m.epoch {
		m.t.Fatalf("Last: %d %q", e, manifest)
	}
	m.open(m.rand.n(2) == 0)
	all := maps.Clone(m.kept[0])
	maps.Copy(all, m.kept[1])
	end := GroupKey(nil, m.stores[0].(*overlay).scope.EndGroup)
	m.kept[0], m.kept[1] = map[string]string{}, map[string]string{}
	for k, v := range all {
		if bytes.Compare([]byte(k), end) < 0 {
			m.kept[0][k] = v
		} else {
			m.kept[1][k] = v
		}
	}
	for i := range m.now {
		m.now[i] = maps.Clone(m.kept[i])
		m.scan(i, nil, nil)
	}
}

func (m *storeModel) scan(i int, from, to []byte) {
	var want, got []string
	for _, k := range slices.Sorted(maps.Keys(m.now[i])) {
		if k >= string(from) && (to == nil || k < string(to)) {
			want = append(want, k+"="+m.now[i][k])
		}
	}
	limit := m.rand.n(20)
	if to == nil {
		limit = len(want)
	}
	want = want[:min(limit, len(want))]
	m.must(m.stores[i].Scan(from, to, func(key, val []byte) (bool, error) {
		if len(got) < limit {
			got = append(got, string(key)+"="+string(val))
		}
		return len(got) < limit, nil
	}))
	if !slices.Equal(got, want) {
		m.t.Fatalf("Scan %q %q of %d: %q, want %q", from, to, i, got, want)
	}
}

func (m *storeModel) must(err error) {
	if err != nil {
		m.t.Helper()
		m.t.Fatal(err)
	}
}
