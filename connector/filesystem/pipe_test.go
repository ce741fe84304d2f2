//go:build unix

package filesystem_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fsql/connector"
	"fsql/row"
)

// fifo is a table over a named pipe, opened.
func fifo(t *testing.T) (path string, src connector.Source, r connector.Reader, out *row.Builder) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "in")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	tab := table(t, dir, "id INT, s STRING", "path="+path, "format=csv")
	src, err := filesystem().Source(tab)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := src.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r, err = src.Open(t.Context(), splits); err != nil {
		t.Fatal(err)
	}
	return path, src, r, row.NewBuilder(tab.Schema)
}

// TestPipe: rows come when they are written, and nothing waits for them.
func TestPipe(t *testing.T) {
	path, src, r, out := fifo(t)
	if connector.Replays(src) {
		t.Error("a pipe cannot be read again")
	}
	if s, err := r.Poll(out, 10); s != connector.Waiting || err != nil {
		t.Fatal(s, err)
	}
	w, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	until := func(rows int, end connector.Status) {
		t.Helper()
		for {
			s, err := r.Poll(out, 10)
			if err != nil {
				t.Fatal(err)
			}
			if out.Len() >= rows && (s == end || end == connector.Waiting) {
				return
			}
			if s == connector.Waiting {
				<-r.Wake()
			}
		}
	}
	write("1,a\n2,")
	until(1, connector.Waiting)
	write("b\n3,c")
	until(2, connector.Waiting)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	until(3, connector.Ended)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestPipeCloses: a reader can be closed while nobody has opened the pipe, and while
// somebody has and writes nothing. TestMain finds goroutines that are left.
func TestPipeCloses(t *testing.T) {
	for _, opened := range []bool{false, true} {
		path, _, r, out := fifo(t)
		if s, err := r.Poll(out, 10); s != connector.Waiting || err != nil {
			t.Fatal(s, err)
		}
		if opened {
			w, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = w.Close() }()
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
