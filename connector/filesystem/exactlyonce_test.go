package filesystem_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsql/connector"
	"fsql/types"
)

// once is a job of one writer that writes the numbers 0, 1, 2, .. and dies now
// and then.
type once struct {
	t    *testing.T
	rand *rand.Rand
	tab  *connector.Table

	sink  connector.Transactional
	w     connector.Preparer
	epoch types.Epoch
	next  int      // number to be written
	held  [][]byte // prepared, not published
	safe  []saved  // checkpoints, the newest last
}

type saved struct {
	epoch types.Epoch
	next  int
	held  [][]byte
}

func (o *once) must(err error) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
}

// start begins or resumes; withdraw falls back to the checkpoint before the last.
func (o *once) start(withdraw bool) {
	s, err := filesystem().Sink(o.tab)
	o.must(err)
	o.sink = s.(connector.Transactional)
	o.sink.Join("job")
	w, err := o.sink.OpenWriter(context.Background(), 0)
	o.must(err)
	o.w = w.(connector.Preparer)
	if withdraw {
		o.safe = o.safe[:len(o.safe)-1]
	}
	var last saved
	if n := len(o.safe); n > 0 {
		last = o.safe[n-1]
	}
	o.epoch, o.next, o.held = last.epoch, last.next, nil
	for range 1 + o.rand.IntN(2) { // a start may die and be repeated
		carried, err := o.sink.Recover(context.Background(), last.epoch, last.held, withdraw)
		o.must(err)
		if o.held = nil; carried != nil {
			o.held = [][]byte{carried}
		}
	}
}

func (o *once) write(n int) {
	var rows []string
	for range n {
		rows = append(rows, fmt.Sprintf(`{"n":%d,"p":%d}`, o.next, o.next%3))
		o.next++
	}
	o.must(o.w.Write(context.Background(), batchOf(o.t, o.tab, rows...)))
}

func (o *once) checkpoint(last bool) {
	o.epoch++
	p, err := o.w.Prepare(context.Background(), o.epoch, last)
	o.must(err)
	o.held = append(o.held, p)
	if !last && o.rand.IntN(4) == 0 {
		return // it could not be stored; the next one takes this along
	}
	o.safe = append(o.safe, saved{o.epoch, o.next, slices.Clone(o.held)})
	if !last && o.rand.IntN(3) == 0 {
		o.die(false)
		return
	}
	o.must(o.sink.Commit(context.Background(), o.epoch, o.held))
	if o.rand.IntN(3) == 0 {
		o.must(o.sink.Commit(context.Background(), o.epoch, o.held))
	}
	o.held = nil
}

func (o *once) die(withdraw bool) {
	if o.rand.IntN(2) == 0 {
		o.must(o.w.Close())
	}
	o.start(withdraw)
}

// TestExactlyOnce: whatever happens, the numbers are there at the end, each
// once, in files that readers see, and no other file is left; and what readers
// see meanwhile is never ahead of the last checkpoint nor any number twice.
func TestExactlyOnce(t *testing.T) {
	for seed := uint64(1); seed <= 12; seed++ {
		dir := t.TempDir()
		options := []string{"path=out", "format=csv"}
		if seed%3 == 0 {
			options[1] = "format=avro"
		}
		r := rand.New(rand.NewPCG(seed, 1))
		if r.IntN(2) == 0 {
			options = append(options, "sink.rolling-policy.file-size=30 b")
		}
		if r.IntN(3) == 0 {
			options = append(options, "sink.rolling-policy.rollover-interval=0 ms")
		}
		o := &once{t: t, rand: r, tab: table(t, dir, "n INT, p INT", options...)}
		if r.IntN(2) == 0 {
			o.tab.Partitions = []string{"p"}
		}
		o.start(false)
		for range 60 {
			switch k := r.IntN(10); {
			case k < 5:
				o.write(1 + r.IntN(6))
			case k < 8:
				o.checkpoint(false)
			case k < 9:
				o.die(false)
			case len(o.safe) > 1:
				o.die(true)
			}
			o.visible(o.stored())
		}
		o.checkpoint(true)
		o.must(o.w.Close())
		if got := o.visible(o.next); got != o.next {
			t.Fatalf("seed %d: %d numbers, not %d", seed, got, o.next)
		}
		for _, f := range files(t, filepath.Join(dir, "out")) {
			if strings.Contains(f, ".part") {
				t.Errorf("seed %d: left over: %s", seed, f)
			}
		}
	}
}

func (o *once) stored() int {
	if n := len(o.safe); n > 0 {
		return o.safe[n-1].next
	}
	return 0
}

// visible checks the numbers that a reader sees and counts them.
func (o *once) visible(most int) int {
	o.t.Helper()
	seen := map[string]bool{}
	columns := "n INT, p INT"
	if o.tab.Partitions != nil {
		columns = "n INT"
	}
	o.must(filepath.WalkDir(filepath.Join(o.tab.Dir, "out"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		rel, err := filepath.Rel(o.tab.Dir, path)
		o.must(err)
		numbers, err := read(table(o.t, o.tab.Dir, columns, "path="+rel, "format="+o.tab.Format.Name), 100)
		for _, line := range numbers {
			n, _, _ := strings.Cut(line, ",")
			var v int
			fmt.Sscan(n, &v)
			if seen[n] || v >= most {
				o.t.Fatalf("%s is seen twice, or before it is safe (%d)", n, most)
			}
			seen[n] = true
		}
		return err
	}))
	return len(seen)
}

// TestRolling: files that are large enough are closed; with checkpoints those
// in progress go on over them, so that short intervals do not make small files.
func TestRolling(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	tab := table(t, dir, "a INT", "path=out", "format=csv", "sink.rolling-policy.file-size=4 b")
	plain, err := filesystem().Sink(tab)
	if err != nil {
		t.Fatal(err)
	}
	w, err := plain.OpenWriter(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]string{{`{"a":1}`}, {`{"a":2}`}, {`{"a":3}`}} {
		if err := w.Write(ctx, batchOf(t, tab, rows...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	got := files(t, filepath.Join(dir, "out"))
	slices.Sort(got)
	if want := []string{"part: 1\n2\n", "part: 3\n"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}

	tab = table(t, t.TempDir(), "n INT, p INT", "path=out", "format=csv")
	o := &once{t: t, rand: rand.New(rand.NewPCG(1, 1)), tab: tab}
	o.start(false)
	for e := types.Epoch(1); e <= 5; e++ {
		o.write(1)
		p, err := o.w.Prepare(ctx, e, e == 5)
		o.must(err)
		o.must(o.sink.Commit(ctx, e, [][]byte{p}))
		want := ".part: "
		if e == 5 {
			want = "part: "
		}
		if got := files(t, filepath.Join(tab.Dir, "out")); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("after checkpoint %d: %q", e, got)
		}
	}
	o.must(o.w.Close())
}

// A file that a checkpoint knows and that is gone or shorter fails the start:
// its rows cannot be given any more.
func TestLostFile(t *testing.T) {
	for _, harm := range []func(path string) error{os.Remove, func(path string) error { return os.Truncate(path, 1) }} {
		tab := table(t, t.TempDir(), "n INT, p INT", "path=out", "format=csv")
		o := &once{t: t, rand: rand.New(rand.NewPCG(1, 1)), tab: tab}
		o.start(false)
		o.write(3)
		p, err := o.w.Prepare(context.Background(), 1, false)
		o.must(err)
		o.must(o.w.Close())
		hidden, err := filepath.Glob(filepath.Join(tab.Dir, "out", ".part*"))
		if err != nil || len(hidden) != 1 {
			t.Fatal(hidden, err)
		}
		o.must(harm(hidden[0]))
		if _, err := o.sink.Recover(context.Background(), 1, [][]byte{p}, false); err == nil {
			t.Error("a start without the file")
		}
	}
}
