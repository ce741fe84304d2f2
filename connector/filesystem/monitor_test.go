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
	"time"

	"fsql/connector"
	"fsql/row"
	"fsql/types"
)

// watched reads a table with source.monitor-interval under a clock that the
// test owns.
type watched struct {
	t   *testing.T
	tab *connector.Table
	now types.Time
	r   connector.Reader
}

func watch(t *testing.T, dir, columns string, options ...string) *watched {
	w := &watched{t: t, tab: table(t, dir, columns, append(options, "source.monitor-interval=1 s")...), now: 5000}
	w.tab.Clock = func() types.Time { return w.now }
	w.open(nil)
	return w
}

// open begins, or goes on from positions.
func (w *watched) open(from []connector.Split) {
	w.t.Helper()
	src, err := filesystem().Source(w.tab)
	if err == nil && from == nil {
		from, err = src.Splits(context.Background())
	}
	if err == nil {
		w.r, err = src.Open(context.Background(), from)
	}
	if err != nil || src.Bounded() || len(from) == 0 {
		w.t.Fatal(err, src.Bounded(), from)
	}
	r := w.r
	w.t.Cleanup(func() { r.Close() })
}

// all is what can be read now, as lines.
func (w *watched) all() string {
	w.t.Helper()
	out := row.NewBuilder(w.tab.Schema)
	for {
		switch status, err := w.r.Poll(out, 3); {
		case err != nil:
			w.t.Fatal(err)
		case status == connector.Waiting:
			return strings.Join(lines(out.Flush()), " ")
		case status == connector.Ended:
			return strings.Join(append(lines(out.Flush()), "end"), " ")
		}
	}
}

func (w *watched) expect(want string) {
	w.t.Helper()
	if got := w.all(); got != want {
		w.t.Fatalf("got %q, want %q", got, want)
	}
}

// TestMonitoredFolder: files are read as they appear, those of a listing in the
// order of their paths; every path once (asked of a Flink 2.3.0: what is
// appended to a file that was read, or put in its place, is not read).
func TestMonitoredFolder(t *testing.T) {
	dir := t.TempDir()
	w := watch(t, dir, "a INT", "path=in", "format=csv", `source.path.regex-pattern=.*[^x]`)
	w.expect("") // the folder is not there yet
	write(t, dir, map[string]string{"in/b": "1\n2\n3\n4\n", "in/.c": "90", "in/_d": "91", "in/c.x": "92", "in/a/z": "5\n", "in/_tmp/e": "93"})
	w.expect("") // not before its time
	w.now += 999
	w.expect("")
	w.now++
	w.expect("5 1 2 3 4")
	write(t, dir, map[string]string{"in/aa": "6\n", "in/b": "1\n2\n3\n4\n94\n", "in/a/z": "95\n"})
	if err := os.Rename(filepath.Join(dir, "in/_d"), filepath.Join(dir, "in/d")); err != nil {
		t.Fatal(err)
	}
	w.now += 1000
	w.expect("6 91")
	// Gone and there again: the same path. Another path is another file.
	if err := os.Rename(filepath.Join(dir, "in/aa"), filepath.Join(dir, "in/bb")); err != nil {
		t.Fatal(err)
	}
	w.now += 1000
	w.expect("6")
	write(t, dir, map[string]string{"in/aa": "96\n"})
	w.now += 1000
	w.expect("")
	// A clock that is put back does not stop the listing.
	write(t, dir, map[string]string{"in/e": "7\n"})
	w.now -= 100_000
	w.expect("7")
	// Nor does a folder that is gone for a time.
	if err := os.RemoveAll(filepath.Join(dir, "in")); err != nil {
		t.Fatal(err)
	}
	w.now += 1000
	w.expect("")
	write(t, dir, map[string]string{"in/f": "8\n", "in/e": "97\n"})
	w.now += 1000
	w.expect("8")
}

// A single file, and one that ends with LIMIT.
func TestMonitoredFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"f.csv": "1\n2\n"})
	w := watch(t, dir, "a INT", "path=f.csv", "format=csv")
	w.expect("1 2")
	w.open(w.r.Positions())
	w.now += 1000
	w.expect("")
	w.tab.Limit = 1
	w.open(nil)
	w.expect("1 end")
}

// TestMonitoredWakes: who waits for the source is woken when it is time to list
// the folder again.
func TestMonitoredWakes(t *testing.T) {
	w := watch(t, t.TempDir(), "a INT", "path=in", "format=csv")
	w.tab.Clock = nil
	w.open(nil)
	w.expect("")
	select {
	case <-w.r.Wake():
	case <-time.After(time.Minute):
		t.Error("not woken")
	}
}

// TestMonitoredPartitions: new partitions are found; files outside of them are
// counted.
func TestMonitoredPartitions(t *testing.T) {
	dir := t.TempDir()
	w := watch(t, dir, "a INT, p INT", "path=in", "format=csv")
	w.tab.Partitions = []string{"p"}
	w.open(nil)
	write(t, dir, map[string]string{"in/p=1/f": "1\n", "in/stray": "90\n"})
	w.expect("1,1")
	write(t, dir, map[string]string{"in/p=0/f": "2\n", "in/p=1/g": "3\n"})
	w.now += 1000
	w.expect("2,0 3,1")
	if n := w.r.Skipped(); n != 1 {
		t.Errorf("%d files counted as stray", n)
	}
	w.open(w.r.Positions())
	write(t, dir, map[string]string{"in/p=2/f": "4\n"})
	w.expect("4,2")
}

// TestMonitoredResumes: a reader that is dropped at any row and opened again
// from its positions gives every row once, of files that were found before and
// of those that come after.
func TestMonitoredResumes(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		dir := t.TempDir()
		w := watch(t, dir, "n INT", "path=in", "format=json")
		var want, got []string
		files := 0
		for len(want) < 60 || len(got) < len(want) {
			if len(want) < 60 && r.IntN(3) == 0 {
				// Names in no order, in folders; what is found by one listing
				// is put there at once.
				for range 1 + r.IntN(3) {
					var text strings.Builder
					for range r.IntN(5) {
						fmt.Fprintf(&text, "{\"n\": %d}\n", len(want))
						want = append(want, fmt.Sprint(len(want)))
					}
					files++
					write(t, dir, map[string]string{fmt.Sprintf("in/%d/%03d-%d", r.IntN(2), r.IntN(1000), files): text.String()})
				}
				w.now += 1000
			}
			out := row.NewBuilder(w.tab.Schema)
			if _, err := w.r.Poll(out, 1+r.IntN(3)); err != nil {
				t.Fatal(err)
			}
			got = append(got, lines(out.Flush())...)
			if r.IntN(4) == 0 {
				p := w.r.Positions()
				// What is read after the checkpoint is read again.
				if _, err := w.r.Poll(row.NewBuilder(w.tab.Schema), 2); err != nil {
					t.Fatal(err)
				}
				w.r.Close()
				w.open(p)
			}
		}
		slices.Sort(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got %v", seed, got)
		}
	}
}

// TestMonitoredOrder: the order over restarts is that of a reader that was never
// dropped.
func TestMonitoredOrder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"in/b": "1\n2\n", "in/c": "3\n4\n"})
	w := watch(t, dir, "a INT", "path=in", "format=csv")
	out := row.NewBuilder(w.tab.Schema)
	if _, err := w.r.Poll(out, 1); err != nil {
		t.Fatal(err)
	}
	p := w.r.Positions()
	write(t, dir, map[string]string{"in/a": "5\n"})
	w.now += 1000
	w.open(p)
	w.expect("2 3 4 5")
}

// Positions that are damaged are refused.
func TestMonitoredDamage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"in/b1": "1\n", "in/b2": "3\n4\n"})
	w := watch(t, dir, "a INT", "path=in", "format=csv")
	w.expect("1 3 4")
	p := w.r.Positions()
	src, err := filesystem().Source(w.tab)
	if err != nil {
		t.Fatal(err)
	}
	whole := p[0].Offset
	for n := range whole {
		p[0].Offset = whole[:n:n]
		if r, err := src.Open(context.Background(), p); err == nil && n > 0 {
			t.Errorf("the first %d bytes of %d are taken: %v", n, len(whole), r.Positions())
		}
	}
}
