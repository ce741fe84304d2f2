package filesystem

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// monitored is the source of a folder that is watched: it is listed again and
// again, and never ends. As in Flink every path is read once, to the end that
// the file has when it is reached; what is appended to it later, or put in its
// place, is not read. Files of one listing are read in order of their paths,
// those of a later listing after them. The folder may be missing.
type monitored struct {
	*source
	every types.Time // between two listings
}

func newMonitored(s *source) (connector.Source, error) {
	m := &monitored{s, types.Time(s.table.Options.Duration("source.monitor-interval"))}
	if m.every <= 0 {
		return nil, diag.New(diag.BadOption, diag.Span{}, "'source.monitor-interval' of table '%s' must be above 0", s.table.Name)
	}
	return m, nil
}

// Splits is the folder: whoever reads it finds the files.
func (m *monitored) Splits(context.Context) ([]connector.Split, error) {
	return []connector.Split{{ID: m.path}}, nil
}

// Readers is one: it decides what is read next.
func (m *monitored) Readers(int) int { return 1 }

func (m *monitored) Bounded() bool { return false }

// Describe implements connector.Described.
func (m *monitored) Describe() string { return fmt.Sprintf("monitor=[%d ms]", m.every) }

// Open goes on from what Positions told: first the folder, then the files that
// were found in it and not read to their ends.
func (m *monitored) Open(_ context.Context, own []connector.Split) (connector.Reader, error) {
	w := &watcher{reader: m.reader(slices.Clone(own[1:])), folder: m, seen: map[string]bool{}, wake: make(chan struct{}, 1)}
	for _, s := range w.splits {
		w.seen[s.ID] = true
	}
	if own[0].Offset == nil {
		return w, nil
	}
	done, err := decodePaths(own[0].Offset)
	if err != nil {
		return nil, err
	}
	for _, p := range done {
		w.done.add(p)
		w.seen[filepath.Join(m.path, filepath.FromSlash(p))] = true
	}
	return w, nil
}

// watcher is the reader of a monitored folder. Its splits are the files that
// were found and are not finished.
type watcher struct {
	*reader
	folder *monitored
	seen   map[string]bool // files that were found
	done   pathList        // those that are finished, below the folder
	next   types.Time      // of the next listing
	wake   chan struct{}
	timer  *time.Timer
}

// Poll reads what was found, and lists the folder when nothing is left of it.
func (w *watcher) Poll(out *row.Builder, most int) (connector.Status, error) {
	for w.left > 0 {
		if w.at < len(w.splits) {
			status, err := w.reader.Poll(out, most)
			if status != connector.Ended || err != nil {
				w.finished()
				return status, err
			}
		}
		w.finished()
		if found, err := w.look(); !found || err != nil {
			return connector.Waiting, err
		}
	}
	return connector.Ended, w.closeFile()
}

// finished moves the files that were read to their ends to where they are only
// remembered.
func (w *watcher) finished() {
	for _, s := range w.splits[:w.at] {
		w.done.add(w.below(s.ID))
	}
	w.splits, w.at = w.splits[w.at:], 0
}

// below is the path of a file below the folder, "." if the table is that file.
func (w *watcher) below(file string) string {
	rel, err := filepath.Rel(w.folder.path, file)
	if err != nil { // it was listed below the folder
		return file
	}
	return filepath.ToSlash(rel)
}

// look lists the folder if it is time to.
func (w *watcher) look() (found bool, err error) {
	now := w.folder.now()
	// A clock that was put back must not stop the listing.
	if wait := w.next - now; wait > 0 && wait <= w.folder.every {
		w.alarm(wait)
		return false, nil
	}
	files, err := list(w.folder.path, w.folder.pattern)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, &diag.Error{Code: diag.InputOutput, Msg: "the path '" + w.folder.path + "' cannot be listed", Cause: err}
	}
	w.next = now + w.folder.every
	for _, f := range files {
		if w.seen[f] {
			continue
		}
		w.seen[f] = true
		if _, ok := partitionValues(w.folder.path, f, w.folder.table.Partitions); !ok {
			w.folder.stray++
			w.done.add(w.below(f))
			continue
		}
		w.splits = append(w.splits, connector.Split{ID: f})
	}
	if len(w.splits) == 0 {
		w.alarm(w.folder.every)
	}
	return len(w.splits) > 0, nil
}

func (w *watcher) alarm(ms types.Time) {
	d := time.Duration(ms) * time.Millisecond
	if w.timer != nil {
		w.timer.Reset(d)
		return
	}
	w.timer = time.AfterFunc(d, func() {
		select {
		case w.wake <- struct{}{}:
		default:
		}
	})
}

// Wake is signalled when it is time to list the folder.
func (w *watcher) Wake() <-chan struct{} { return w.wake }

// Positions are the folder, with the files that are finished, and those that
// were found and are not.
func (w *watcher) Positions() []connector.Split {
	return append([]connector.Split{{ID: w.folder.path, Offset: w.done.encode()}}, w.reader.Positions()...)
}

func (w *watcher) Close() error {
	if w.timer != nil {
		w.timer.Stop()
	}
	return w.closeFile()
}
