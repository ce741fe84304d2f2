package filesystem

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// rolling says when a file is closed and the next one begun.
type rolling struct {
	size       int64
	open, idle types.Time
	now        func() types.Time
}

func newRolling(t *connector.Table) rolling {
	o := t.Options
	ms := func(key string) types.Time { return types.Time(o.Duration(key)) }
	return rolling{
		size: max(1, o.Bytes("sink.rolling-policy.file-size")),
		open: ms("sink.rolling-policy.rollover-interval"), idle: ms("sink.rolling-policy.inactivity-interval"),
		now: clock(t),
	}
}

// writer writes hidden files and gives them their names when it is flushed, so
// that a reader never sees half a file.
type writer struct {
	sink      *sink
	encoder   format.Encoder // nil: every file has its own
	subtask   int
	id        string
	partition []int
	open      map[string]*part // by folder below the table's path, "" without partitions
	rolled    []*part          // closed, not published
	count     int
	buf       []byte
}

// part is a file in progress.
type part struct {
	folder, name string // below the table's path; the name it will have
	hidden       string // its path until then
	file         *os.File
	out          *bufio.Writer
	encoder      format.Encoder
	ending       format.FileEncoder // nil: the file is complete after every row
	size, safe   int64              // bytes written, and those that survive a crash
	begun, wrote types.Time
}

func (w *writer) Write(_ context.Context, b *row.Batch) error {
	now := w.sink.roll.now()
	plain := &row.Batch{Schema: w.sink.layout.physical, Rows: b.Rows, Kinds: b.Kinds}
	for _, c := range w.sink.layout.columns {
		plain.Cols = append(plain.Cols, b.Cols[c])
	}
	for from := 0; from < b.Rows; {
		folder := w.folder(b, from)
		to := from + 1
		for to < b.Rows && (len(w.partition) == 0 || w.folder(b, to) == folder) {
			to++
		}
		p, err := w.part(folder, now)
		if err != nil {
			return err
		}
		if w.buf, err = p.encoder.Encode(w.buf[:0], plain, from, to); err != nil {
			return err
		}
		if _, err := p.out.Write(w.buf); err != nil {
			return failed(p.hidden, err)
		}
		p.size, p.wrote = p.size+int64(len(w.buf)), now
		if p.size >= w.sink.roll.size {
			if err := w.close(p); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}

// folder is where a row belongs: one level k=v per partition column.
func (w *writer) folder(b *row.Batch, r int) string {
	path := ""
	for i, c := range w.partition {
		v := w.sink.table.Options.String("partition.default-name")
		if !b.Cols[c].IsNull(r) {
			if text := partitionText(b.Cols[c], r); text != "" {
				v = text
			}
		}
		path = filepath.Join(path, escape(w.sink.table.Partitions[i])+"="+escape(v))
	}
	return path
}

func (w *writer) part(folder string, now types.Time) (*part, error) {
	if p := w.open[folder]; p != nil {
		return p, nil
	}
	dir := filepath.Join(w.sink.path, folder)
	if err := w.sink.makeFolder(dir); err != nil {
		return nil, failed(dir, err)
	}
	name := fmt.Sprintf("part-%s-%d-%d", w.id, w.subtask, w.count)
	w.count++
	p := &part{folder: folder, name: name, hidden: filepath.Join(dir, hiddenName(name)), encoder: w.encoder, begun: now}
	var err error
	if w.encoder == nil {
		if p.ending, err = w.sink.table.Format.FileEncoder(w.sink.layout.physical, w.sink.table.FormatOpts); err != nil {
			return nil, err
		}
		p.encoder = p.ending
	}
	if p.file, err = os.Create(p.hidden); err != nil {
		return nil, failed(p.hidden, err)
	}
	p.out = bufio.NewWriterSize(p.file, 256<<10)
	w.open[folder] = p
	return p, nil
}

func failed(path string, err error) error {
	return &diag.Error{Code: diag.InputOutput, Msg: "file " + path + " cannot be written", Cause: err}
}

// hiddenName is that of a file in progress: readers pass over it.
func hiddenName(name string) string { return "." + name + ".inprogress" }

// close ends a file. It stays hidden.
func (w *writer) close(p *part) error {
	delete(w.open, p.folder)
	w.rolled = append(w.rolled, p)
	if p.ending != nil {
		var err error
		if w.buf, err = p.ending.End(w.buf[:0]); err == nil {
			_, err = p.out.Write(w.buf)
		}
		if err != nil {
			return errors.Join(failed(p.hidden, err), p.file.Close())
		}
		p.size += int64(len(w.buf))
	}
	if err := errors.Join(p.out.Flush(), p.file.Close()); err != nil {
		return failed(p.hidden, err)
	}
	return nil
}

// inProgress lists the open files by folder.
func (w *writer) inProgress() []*part {
	out := make([]*part, 0, len(w.open))
	for _, f := range slices.Sorted(maps.Keys(w.open)) {
		out = append(out, w.open[f])
	}
	return out
}

// Flush completes the files in progress and gives them their names.
func (w *writer) Flush(context.Context) error {
	for _, p := range w.inProgress() {
		if err := w.close(p); err != nil {
			return err
		}
	}
	for _, p := range w.rolled {
		if err := w.sink.publish(p.folder, hiddenName(p.name), p.name); err != nil {
			return err
		}
	}
	w.rolled = w.rolled[:0]
	return nil
}

// publish gives a file its name, and marks its partition if that is asked for.
func (s *sink) publish(folder, from, to string) error {
	dir := filepath.Join(s.path, folder)
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		return failed(filepath.Join(dir, to), err)
	}
	if s.success != "" {
		mark := filepath.Join(dir, s.success)
		if err := os.WriteFile(mark, nil, 0o666); err != nil {
			return failed(mark, err)
		}
	}
	return nil
}

// Close removes what was never flushed.
func (w *writer) Close() error {
	for _, p := range w.open {
		p.file.Close()
		w.rolled = append(w.rolled, p)
	}
	for _, p := range w.rolled {
		os.Remove(p.hidden)
	}
	clear(w.open)
	return nil
}
