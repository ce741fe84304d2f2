package state

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/vfs"

	"fsql/types"
)

// Folder is the Backend of one job on disk. In its folder lie
//
//	lock, owner    one process at a time, and which
//	id             tells what the job leaves in sinks from everybody else's
//	current        the pointer: the checkpoint that counts
//	chk-N/         checkpoint N: a manifest, and in state/ hard links of Pebble's tables
//	work/          the database that commits go to
//
// A commit writes to work/, makes a checkpoint of it and then moves the pointer
// by renaming a file; every file and folder is synced before. A start never
// opens the working database of the run before, which may hold anything: it
// takes a copy, made of hard links, of the checkpoint that the pointer names.
type Folder struct {
	fs   vfs.FS
	dir  string
	opts FolderOptions
	lock io.Closer
	id   string
	work *database

	epoch    types.Epoch // of the checkpoint that work began with, or the last commit
	manifest []byte
	begun    bool          // epoch and manifest say what work begins with
	choices  []types.Epoch // checkpoints that may still be tried, the best one first
	pointed  types.Epoch   // what the pointer names, 0: nothing
	rejected bool          // a checkpoint was passed over
}

// FolderOptions of a job.
type FolderOptions struct {
	Retained int    // checkpoints that are kept, at least 1
	NewID    string // for a job that begins
	PID      int    // of this process
	Log      *slog.Logger
}

// Held is the failure to open a folder that another process uses.
type Held struct{ Owner string } // its process id, "" if it is not known

// Error names the process.
func (h *Held) Error() string { return "in use by process " + h.Owner }

// Damaged is the failure of all checkpoints of a job.
type Damaged struct{ Cause error }

// Error says what is wrong with the last one tried.
func (d *Damaged) Error() string { return "no checkpoint can be read: " + d.Cause.Error() }

// Unwrap returns the cause.
func (d *Damaged) Unwrap() error { return d.Cause }

// OpenFolder takes the folder of a job, making it if it is not there.
func OpenFolder(dir string, o FolderOptions) (*Folder, error) { return openFolder(vfs.Default, dir, o) }

func openFolder(fs vfs.FS, dir string, o FolderOptions) (*Folder, error) {
	f := &Folder{fs: fs, dir: dir, opts: o}
	if err := makeDir(fs, dir); err != nil {
		return nil, err
	}
	var err error
	if f.lock, err = fs.Lock(f.path("lock")); err != nil {
		// The lock belongs to the process and goes with it, however it ends.
		if owner, readErr := f.read("owner"); readErr == nil {
			return nil, &Held{strings.TrimSpace(string(owner))}
		}
		return nil, err
	}
	if err := f.begin(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *Folder) begin() error {
	if err := f.write("owner", []byte(strconv.Itoa(f.opts.PID)+"\n")); err != nil {
		return err
	}
	if err := f.identify(); err != nil {
		return err
	}
	return f.Reopen()
}

// identify reads the id of the job, or gives it one when it begins.
func (f *Folder) identify() error {
	text, err := f.read("id")
	if err != nil && !notExist(err) {
		return err
	}
	if f.id, err = parseID(text); err == nil {
		return nil
	}
	// Without a pointer nothing counts yet, or any more.
	if _, noPointer := f.fs.Stat(f.path("current")); noPointer == nil {
		return &Damaged{fmt.Errorf("the file id, by which the job's output is known: %w", err)}
	}
	f.id = f.opts.NewID
	return errors.Join(f.write("id", formatID(f.id)), f.sync(f.dir))
}

// ID is the same over all starts of a job, until it has finished.
func (f *Folder) ID() string { return f.id }

// Reopen goes back to the last commit, dropping whatever came after it, and
// with it the failure to write that, such as of a disk that is full.
func (f *Folder) Reopen() error {
	if err := f.closeWork(); err != nil {
		f.warn("the database of the run before cannot be closed", "error", err)
	}
	f.begun = false
	all, err := f.checkpoints()
	if err != nil {
		return err
	}
	f.pointed = 0
	pointer, err := f.read("current")
	switch {
	case err == nil:
		if f.pointed, err = parsePointer(pointer); err != nil {
			// Which of them counts is not known. Each is complete if its
			// manifest is whole, since that is written last.
			f.warn("the pointer to the last checkpoint is damaged", "error", err)
			f.rejected = true
			f.choices = all
			return nil
		}
	case !notExist(err):
		return err
	}
	// A checkpoint above the pointer was never completed.
	f.choices = slices.DeleteFunc(all, func(e types.Epoch) bool { return e > f.pointed })
	if f.pointed > 0 && !slices.Contains(f.choices, f.pointed) {
		f.choices = slices.Insert(f.choices, 0, f.pointed)
	}
	return nil
}

// checkpoints lists those in the folder, the newest first.
func (f *Folder) checkpoints() ([]types.Epoch, error) {
	names, err := f.fs.List(f.dir)
	if err != nil {
		return nil, err
	}
	var all []types.Epoch
	for _, n := range names {
		if digits, ok := strings.CutPrefix(n, "chk-"); ok {
			if e, err := strconv.ParseUint(digits, 10, 64); err == nil && e > 0 {
				all = append(all, types.Epoch(e))
			}
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	return all, nil
}

// Last implements Backend: it opens the newest checkpoint that is whole. One
// that is not is reported, and the one before it taken.
func (f *Folder) Last() (e types.Epoch, manifest []byte, ok bool, err error) {
	for !f.begun {
		if len(f.choices) == 0 && f.rejected {
			return 0, nil, false, &Damaged{errors.New("all of them are damaged")}
		}
		if len(f.choices) == 0 {
			if err := f.fresh(); err != nil {
				return 0, nil, false, err
			}
			break
		}
		cause := f.recover(f.choices[0])
		if cause == nil {
			break
		}
		if passing(cause) {
			return 0, nil, false, errors.Join(cause, f.closeWork())
		}
		if err := f.Reject(cause); err != nil {
			return 0, nil, false, err
		}
	}
	return f.epoch, f.manifest, f.epoch > 0, nil
}

// Reject passes over the checkpoint that Last gave: its state turned out to be
// damaged. An error is a *Damaged: there is no other.
func (f *Folder) Reject(cause error) error {
	f.warn("a checkpoint is damaged and passed over", "checkpoint", f.choices[0], "error", cause)
	f.rejected, f.begun = true, false
	if f.choices = f.choices[1:]; len(f.choices) == 0 {
		return errors.Join(&Damaged{cause}, f.closeWork())
	}
	return f.closeWork()
}

// FellBack tells that the checkpoint in use is not the newest one.
func (f *Folder) FellBack() bool { return f.rejected }

func (f *Folder) warn(msg string, args ...any) {
	if f.opts.Log != nil {
		f.opts.Log.Warn(msg, append(args, "folder", f.dir)...)
	}
}

// fresh begins without state.
func (f *Folder) fresh() (err error) {
	if err := f.fs.RemoveAll(f.path("work")); err != nil {
		return err
	}
	f.work, err = openDatabase(f.fs, f.path("work"))
	f.epoch, f.manifest, f.begun = 0, nil, err == nil
	return err
}

// recover begins with a checkpoint.
func (f *Folder) recover(e types.Epoch) error {
	dir := f.path(name(e))
	h, err := readHeader(f.fs, dir)
	if err != nil {
		return err
	}
	if h.epoch != e {
		return fmt.Errorf("the manifest is that of checkpoint %d", h.epoch)
	}
	if err := h.copy(f.fs, f.fs.PathJoin(dir, "state"), f.path("work")); err != nil {
		return err
	}
	if f.work, err = openDatabase(f.fs, f.path("work")); err != nil {
		return err
	}
	f.epoch, f.manifest, f.begun = e, h.payload, true
	return nil
}

// Open implements Backend; Last was called before.
func (f *Folder) Open(s Scope) Store { return f.work.open(s) }

// Drop implements Backend.
func (f *Folder) Drop(uid string) error { return f.work.drop(uid) }

// Commit implements Backend.
func (f *Folder) Commit(e types.Epoch, deltas []Delta, manifest []byte) (err error) {
	defer unpanicked(&err)
	for len(deltas) > 0 {
		n := 1
		for n < len(deltas) && deltas[n].Epoch == deltas[0].Epoch {
			n++
		}
		if err := f.work.write(deltas[:n]); err != nil {
			return err
		}
		deltas = deltas[n:]
	}
	dir := f.path(name(e))
	if err := f.fs.RemoveAll(dir); err != nil { // of an attempt that failed
		return err
	}
	if err := f.fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := f.work.db.Checkpoint(f.fs.PathJoin(dir, "state")); err != nil {
		return err
	}
	if err := writeHeader(f.fs, dir, e, manifest); err != nil {
		return err
	}
	if err := errors.Join(f.sync(dir), f.sync(f.dir)); err != nil {
		return err
	}
	if err := f.point(e); err != nil {
		return err
	}
	f.epoch, f.manifest, f.rejected = e, manifest, false
	return f.prune()
}

// point moves the pointer.
func (f *Folder) point(e types.Epoch) error {
	if err := f.write("current.new", formatPointer(e)); err != nil {
		return err
	}
	if err := f.fs.Rename(f.path("current.new"), f.path("current")); err != nil {
		return err
	}
	f.pointed = e
	return f.sync(f.dir)
}

// prune removes the checkpoints that need not be kept.
func (f *Folder) prune() error {
	all, err := f.checkpoints()
	if err != nil {
		return err
	}
	kept := 0
	for _, e := range all {
		if e <= f.pointed && kept < max(f.opts.Retained, 1) {
			kept++
			continue
		}
		if err := f.fs.RemoveAll(f.path(name(e))); err != nil {
			return err
		}
	}
	return nil
}

// Finish forgets a job that has ended: the next start begins anew.
func (f *Folder) Finish() error {
	err := f.closeWork()
	// The pointer goes first: without it nothing counts.
	for _, n := range []string{"current", "id"} {
		if removeErr := f.fs.Remove(f.path(n)); removeErr != nil && !notExist(removeErr) {
			err = errors.Join(err, removeErr)
		}
	}
	err = errors.Join(err, f.sync(f.dir), f.fs.RemoveAll(f.path("work")))
	f.pointed = 0
	return errors.Join(err, f.prune())
}

// Close gives the folder to the next process.
func (f *Folder) Close() error {
	err := f.closeWork()
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
		f.lock = nil
	}
	return err
}

func (f *Folder) closeWork() (err error) {
	defer unpanicked(&err)
	if f.work == nil {
		return nil
	}
	w := f.work
	f.work = nil
	return w.db.Close()
}

func name(e types.Epoch) string { return fmt.Sprintf("chk-%d", e) }

func (f *Folder) path(name string) string { return f.fs.PathJoin(f.dir, name) }
