package filesystem

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"fsql/internal/diag"
	"fsql/state"
	"fsql/types"
)

// In a job with checkpoints a file goes through these states:
//
//	in progress   .part-JOB-...inprogress, written to; a checkpoint knows its length
//	done          the same name; it was closed by the rolling policy, or the job ended
//	published     part-JOB-...-EPOCH, with the checkpoint that knows it as done
//
// Files in progress go on over checkpoints, as in Flink, so that short
// intervals do not make small files; but those of a format with a form of its own
// around the rows end with each. A start cuts them to the length that the
// checkpoint knows and publishes them with the next one.

// Join implements connector.Transactional.
func (s *sink) Join(id string) { s.id = id }

// preparer is the writer in a job with checkpoints.
type preparer struct {
	*writer
	fresh map[string]bool // folders with files whose names are not safe yet
}

// preparedForm is the version of what Prepare gives: a list of files.
const preparedForm = 1

// fileState is a file as a checkpoint knows it.
type fileState struct {
	folder, name string // below the table's path; the name without the epoch
	size         int64
	done         types.Epoch // in which it was closed, 0: in progress
}

func (f *fileState) final() string { return fmt.Sprintf("%s-%d", f.name, f.done) }

// Prepare implements connector.Preparer. The rolling policy looks at times
// here: what it closes would not be seen before a checkpoint anyway.
func (w *preparer) Prepare(_ context.Context, e types.Epoch, last bool) ([]byte, error) {
	var files []fileState
	now, roll := w.sink.roll.now(), &w.sink.roll
	for _, p := range w.inProgress() {
		if p.ending == nil && p.safe < p.size {
			if err := errors.Join(p.out.Flush(), p.file.Sync()); err != nil {
				return nil, failed(p.hidden, err)
			}
			w.named(p)
			p.safe = p.size
		}
		if last || p.ending != nil || now-p.begun >= roll.open || now-p.wrote >= roll.idle {
			if err := w.close(p); err != nil {
				return nil, err
			}
			continue
		}
		files = append(files, fileState{p.folder, p.name, p.size, 0})
	}
	for _, p := range w.rolled {
		if p.safe < p.size {
			if err := syncFile(p.hidden); err != nil {
				return nil, err
			}
			w.named(p)
		}
		files = append(files, fileState{p.folder, p.name, p.size, e})
	}
	w.rolled = w.rolled[:0]
	for _, folder := range slices.Sorted(maps.Keys(w.fresh)) {
		if err := syncFile(filepath.Join(w.sink.path, folder)); err != nil {
			return nil, err
		}
	}
	clear(w.fresh)
	return encodeFiles(files), nil
}

// named notes that a file's name has to be made safe, once.
func (w *preparer) named(p *part) {
	if p.safe == 0 {
		w.fresh[p.folder] = true
	}
}

// Close leaves the files: the next start takes or removes them.
func (w *preparer) Close() error {
	for _, p := range w.open {
		p.file.Close()
	}
	clear(w.open)
	return nil
}

func encodeFiles(files []fileState) []byte {
	b := binary.AppendUvarint([]byte{preparedForm}, uint64(len(files)))
	for _, f := range files {
		b = state.AppendBytes(b, []byte(filepath.ToSlash(f.folder)))
		b = state.AppendBytes(b, []byte(f.name))
		b = binary.AppendUvarint(binary.AppendVarint(b, f.size), uint64(f.done))
	}
	return b
}

// decodeFiles lists the files of several checkpoints of the same writers; the
// last that was said of a file counts.
func decodeFiles(prepared [][]byte) ([]fileState, error) {
	var files []fileState
	at := map[string]int{}
	for _, b := range prepared {
		d := state.Decoder{Data: b}
		d.Version(preparedForm)
		for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
			f := fileState{folder: filepath.FromSlash(string(d.Bytes())), name: string(d.Bytes()), size: d.Varint(), done: types.Epoch(d.Uvarint())}
			if i, ok := at[f.name]; ok {
				files[i] = f
				continue
			}
			at[f.name] = len(files)
			files = append(files, f)
		}
		if d.Err != nil {
			return nil, d.Err
		}
	}
	return files, nil
}

// Commit implements connector.Transactional.
func (s *sink) Commit(_ context.Context, _ types.Epoch, prepared [][]byte) error {
	files, err := decodeFiles(prepared)
	if err != nil {
		return err
	}
	return s.publishDone(files)
}

func (s *sink) publishDone(files []fileState) error {
	folders := map[string]bool{}
	for i := range files {
		f := &files[i]
		if f.done == 0 {
			continue
		}
		folders[f.folder] = true
		switch err := s.publish(f.folder, hiddenName(f.name), f.final()); {
		case errors.Is(err, fs.ErrNotExist) && exists(s.inFolder(f.folder, f.final())):
			// It was published before.
		case err != nil:
			return err
		}
	}
	for folder := range folders {
		if err := syncFile(filepath.Join(s.path, folder)); err != nil {
			return err
		}
	}
	return nil
}

// Recover implements connector.Transactional.
func (s *sink) Recover(_ context.Context, e types.Epoch, prepared [][]byte, withdraw bool) ([]byte, error) {
	files, err := decodeFiles(prepared)
	if err != nil {
		return nil, err
	}
	if err := s.publishDone(files); err != nil {
		return nil, err
	}
	var open []fileState
	for _, f := range files {
		if f.done == 0 {
			open = append(open, f)
		}
	}
	if err := s.sweep(e, open, withdraw); err != nil {
		return nil, err
	}
	for i := range open {
		f := &open[i]
		if err := cut(s.inFolder(f.folder, hiddenName(f.name)), f.size); err != nil {
			return nil, err
		}
		f.done = e + 1
	}
	if len(open) == 0 {
		return nil, nil
	}
	return encodeFiles(open), nil
}

// sweep removes the hidden files of the job that no checkpoint knows. If the
// checkpoints after e are lost, it also takes back what they have published.
func (s *sink) sweep(e types.Epoch, open []fileState, withdraw bool) error {
	return filepath.WalkDir(s.path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		mine := func(f fileState) bool { return d.Name() == hiddenName(f.name) }
		if strings.HasPrefix(d.Name(), "."+s.prefix()) && !slices.ContainsFunc(open, mine) {
			return os.Remove(path)
		}
		name, ok := strings.CutPrefix(d.Name(), s.prefix())
		if !ok || !withdraw {
			return nil
		}
		at := strings.LastIndexByte(name, '-')
		if n, err := strconv.ParseUint(name[at+1:], 10, 64); err != nil || at < 0 || types.Epoch(n) <= e {
			return nil
		}
		name = s.prefix() + name[:at]
		if slices.ContainsFunc(open, func(f fileState) bool { return f.name == name }) {
			return os.Rename(path, filepath.Join(filepath.Dir(path), hiddenName(name)))
		}
		return os.Remove(path)
	})
}

// prefix begins the names of all files of the job in this table.
func (s *sink) prefix() string { return "part-" + s.id + "-" }

func (s *sink) inFolder(folder, name string) string { return filepath.Join(s.path, folder, name) }

// cut shortens a file to what a checkpoint knows of it.
func cut(path string, size int64) error {
	info, err := os.Stat(path)
	if err != nil {
		return failed(path, err)
	}
	if info.Size() < size {
		return diag.New(diag.InputOutput, diag.Span{}, "file %s has %d bytes, but %d were safe when the last checkpoint was made", path, info.Size(), size)
	}
	if err := os.Truncate(path, size); err != nil {
		return failed(path, err)
	}
	return syncFile(path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// syncFile makes a file, or the names in a folder, survive a crash.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return failed(path, err)
	}
	err = f.Sync()
	if runtime.GOOS == "windows" {
		err = nil // it syncs neither folders nor what was opened for reading
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return failed(path, err)
	}
	return nil
}

// makeSafeFolder makes a folder whose name survives a crash.
func makeSafeFolder(path string) error {
	if exists(path) {
		return nil
	}
	parent := filepath.Dir(path)
	if err := makeSafeFolder(parent); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return failed(path, err)
	}
	return syncFile(parent)
}
