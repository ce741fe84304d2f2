package state

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/vfs"

	"fsql/types"
)

const jobFolder = "state/job"

func mustOpen(t *testing.T, fs vfs.FS, retained int) *Folder {
	t.Helper()
	f, err := openFolder(fs, jobFolder, FolderOptions{Retained: retained, NewID: "new", PID: 77})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// put commits an epoch in which keys 0 to 19 have the epoch as value, and key
// "e" is that of the epoch alone.
func put(t *testing.T, f *Folder, e types.Epoch) {
	t.Helper()
	s := f.Open(Groups("node", 0, 1))
	for i := range 20 {
		must(t, s.Put(fmt.Appendf(GroupKey(nil, i), "key %d", i), fmt.Appendf(nil, "%d", e)))
	}
	must(t, s.Put(fmt.Appendf(GroupKey(nil, 0), "e%d", e), []byte("x")))
	must(t, f.Commit(e, []Delta{s.Seal(e)}, fmt.Appendf(nil, "manifest %d", e)))
}

// content is all that a folder has, or what is wrong with it, falling back as a
// job does.
func content(f *Folder) (e types.Epoch, text string, err error) {
	for {
		e, manifest, ok, err := f.Last()
		if err != nil || !ok {
			return e, "", err
		}
		all := map[string]string{}
		if err = f.Open(Groups("node", 0, 1)).Scan(nil, nil, func(key, val []byte) (bool, error) {
			all[string(key)] = string(val)
			return true, nil
		}); err == nil {
			var b strings.Builder
			for _, k := range slices.Sorted(maps.Keys(all)) {
				fmt.Fprintf(&b, "%q=%s ", k, all[k])
			}
			return e, b.String() + string(manifest), nil
		}
		if err := f.Reject(err); err != nil {
			return 0, "", err
		}
	}
}

// TestFolderLife: fresh, committed, reopened, finished, fresh again.
func TestFolderLife(t *testing.T) {
	fs := vfs.NewMem()
	f := mustOpen(t, fs, 2)
	if e, _, ok, err := f.Last(); e != 0 || ok || err != nil {
		t.Fatal(e, ok, err)
	}
	for e := types.Epoch(1); e <= 4; e++ {
		put(t, f, e)
	}
	_, want, err := content(f)
	must(t, err)
	s := f.Open(Groups("node", 0, 1))
	must(t, s.Put(GroupKey(nil, 3), []byte("not committed")))
	must(t, f.Reopen())
	if e, got, err := content(f); e != 4 || err != nil || strings.Count(got, "=4 ") != 20 || !strings.HasSuffix(got, "manifest 4") {
		t.Fatal(e, got, want, err)
	}
	if all, _ := f.checkpoints(); !slices.Equal(all, []types.Epoch{4, 3}) {
		t.Errorf("kept %v", all)
	}
	if f.FellBack() || f.ID() != "new" {
		t.Error(f.FellBack(), f.ID())
	}
	must(t, f.Close())
	f, err = openFolder(fs, jobFolder, FolderOptions{Retained: 2, NewID: "other"})
	must(t, err)
	if e, _, err := content(f); e != 4 || err != nil || f.ID() != "new" {
		t.Fatal(e, err, f.ID())
	}
	must(t, f.Drop("node"))
	put(t, f, 5)
	if _, got, _ := content(f); strings.Contains(got, "e4") {
		t.Errorf("dropped state is there: %s", got)
	}
	must(t, f.Finish())
	must(t, f.Close())
	f, err = openFolder(fs, jobFolder, FolderOptions{Retained: 2, NewID: "other"})
	must(t, err)
	if e, _, ok, err := f.Last(); e != 0 || ok || err != nil || f.ID() != "other" {
		t.Fatal(e, ok, err, f.ID())
	}
	must(t, f.Close())
}

// TestFolderHeld: a second process is told who has the folder; one that died
// leaves nothing that a person would have to remove.
func TestFolderHeld(t *testing.T) {
	fs := vfs.NewMem()
	f := mustOpen(t, fs, 1)
	var held *Held
	if _, err := openFolder(fs, jobFolder, FolderOptions{PID: 78}); !errors.As(err, &held) || held.Owner != "77" {
		t.Fatalf("%v", err)
	}
	must(t, f.Close())
	must(t, mustOpen(t, fs, 1).Close())
}

// TestDamage truncates the files of the newest checkpoint and of the folder to every
// length, and changes each of their bytes: either it can still be read and is what it was, or the one
// before it is used, or the job is refused. Never anything else, and never a
// panic.
func TestDamage(t *testing.T) {
	base := vfs.NewMem()
	f, err := openFolder(base, jobFolder, FolderOptions{Retained: 2, NewID: "a1b2c3d4", PID: 77})
	must(t, err)
	wants := map[types.Epoch]string{}
	_, _, _, err = f.Last()
	must(t, err)
	for e := types.Epoch(1); e <= 3; e++ {
		put(t, f, e)
		must(t, f.Reopen())
		_, wants[e], err = content(f)
		must(t, err)
	}
	must(t, f.Close())
	state := jobFolder + "/chk-3/state"
	names, err := base.List(state)
	must(t, err)
	files := []string{jobFolder + "/current", jobFolder + "/chk-3/manifest", jobFolder + "/id", jobFolder + "/owner", jobFolder + "/lock"}
	for _, n := range names {
		files = append(files, state+"/"+n)
	}
	variants, fell, refused := 0, 0, 0
	try := func(file string, damaged []byte, what string) {
		fs := vfs.NewMem()
		if ok, err := vfs.Clone(base, fs, jobFolder, jobFolder); !ok || err != nil {
			must(t, fs.MkdirAll("state", 0o755))
			if ok, err := vfs.Clone(base, fs, jobFolder, jobFolder); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		must(t, fs.Remove(file))
		if damaged != nil {
			must(t, writeFile(fs, file, damaged))
		}
		variants++
		f, err := openFolder(fs, jobFolder, FolderOptions{Retained: 2, NewID: "another"})
		var bad *Damaged
		if errors.As(err, &bad) && file == jobFolder+"/id" {
			refused++
			return
		}
		if err != nil {
			t.Fatalf("%s %s: %v", file, what, err)
		}
		e, got, err := content(f)
		switch {
		case errors.As(err, &bad):
			refused++
		case err != nil:
			t.Fatalf("%s %s: %v", file, what, err)
		case e == 0:
			if file != jobFolder+"/current" || damaged != nil {
				t.Fatalf("%s %s: begins anew", file, what)
			}
		case f.ID() != "a1b2c3d4":
			t.Fatalf("%s %s: the id is %s", file, what, f.ID())
		case got != wants[e]:
			t.Fatalf("%s %s: checkpoint %d is wrong:\n%s", file, what, e, got)
		case e < 3:
			fell++
			if !f.FellBack() {
				t.Fatalf("%s %s: fell back in silence", file, what)
			}
		}
		must(t, f.Close())
	}
	tables := 0
	for _, file := range files {
		data, err := readFile(base, file)
		must(t, err)
		try(file, nil, "is gone")
		whole := strings.HasPrefix(file, state) && !isTable(file)
		if isTable(file) {
			tables++
		}
		for n := range data {
			flipped := slices.Clone(data)
			flipped[n] ^= 1 << (n % 8)
			if whole && n%50 > 0 { // these are read whole: that they are refused is enough
				refuse(t, base, file, data[:n:n])
				refuse(t, base, file, flipped)
				variants, fell = variants+2, fell+2
				continue
			}
			if tables > 1 && n%20 > 0 {
				continue // one of a kind
			}
			try(file, data[:n:n], fmt.Sprintf("cut to %d bytes", n))
			try(file, flipped, fmt.Sprintf("byte %d changed", n))
		}
	}
	t.Logf("%d variants of %d files: %d times the checkpoint before, %d refused", variants, len(files), fell, refused)
	if fell < variants/2 {
		t.Errorf("only %d of %d variants were noticed", fell, variants)
	}
}

// refuse puts a damaged file into the newest checkpoint, which must not be taken
// then, and puts it right again.
func refuse(t *testing.T, fs vfs.FS, file string, damaged []byte) {
	t.Helper()
	right, err := readFile(fs, file)
	must(t, err)
	must(t, writeFile(fs, file, damaged))
	h, err := readHeader(fs, jobFolder+"/chk-3")
	must(t, err)
	if err := h.copy(fs, jobFolder+"/chk-3/state", "scratch"); err == nil {
		t.Fatalf("%s is taken with %q", file, damaged)
	}
	must(t, writeFile(fs, file, right))
}

// TestFullDisk: a checkpoint that cannot be opened because the disk is full is not
// passed over, and is there when there is room again.
func TestFullDisk(t *testing.T) {
	mem := vfs.NewMem()
	fs := &full{FS: mem}
	f := mustOpen(t, fs, 2)
	_, _, _, err := f.Last()
	must(t, err)
	put(t, f, 1)
	put(t, f, 2)
	must(t, f.Reopen())
	for range 2 {
		fs.full = true
		var bad *Damaged
		if _, _, _, err := f.Last(); !errors.Is(err, syscall.ENOSPC) || errors.As(err, &bad) || f.FellBack() {
			t.Fatalf("%v, fell back: %v", err, f.FellBack())
		}
		fs.full = false
		must(t, f.Reopen())
	}
	if e, _, err := content(f); e != 2 || err != nil {
		t.Fatal(e, err)
	}
	must(t, f.Close())
}

// full is a disk without room now and then.
type full struct {
	vfs.FS
	full bool
}

func (f *full) Create(name string) (vfs.File, error) {
	if f.full {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: syscall.ENOSPC}
	}
	return f.FS.Create(name)
}

// TestCrashWithinCommit stops the world at every operation on files of a
// commit, keeping what was synced: the folder then has this epoch or the one
// before.
func TestCrashWithinCommit(t *testing.T) {
	for at := 1; ; at++ {
		mem := vfs.NewStrictMem()
		fs := &stopping{FS: mem}
		fs.stop = func() { mem.SetIgnoreSyncs(true) }
		f := mustOpen(t, fs, 1)
		if _, _, _, err := f.Last(); err != nil {
			t.Fatal(err)
		}
		put(t, f, 1)
		fs.left = at
		put(t, f, 2)
		done := fs.left > 0
		fs.left = 0
		mem.SetIgnoreSyncs(true)
		must(t, f.Close())
		mem.ResetToSyncedState()
		mem.SetIgnoreSyncs(false)
		f = mustOpen(t, mem, 1)
		e, got, err := content(f)
		if err != nil || e < 1 || e > 2 || strings.Count(got, fmt.Sprintf("=%d ", e)) != 20 || f.FellBack() {
			t.Fatalf("stopped at operation %d: epoch %d, %v, %s", at, e, err, got)
		}
		must(t, f.Close())
		if done {
			if e != 2 {
				t.Fatalf("a commit that was done is lost")
			}
			t.Logf("%d operations", at-1)
			return
		}
	}
}

// stopping calls stop before the operation at which left becomes 0.
type stopping struct {
	vfs.FS
	mu   sync.Mutex // Pebble flushes on its own goroutine
	left int
	stop func()
}

func (s *stopping) count() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left > 0 {
		if s.left--; s.left == 0 {
			s.stop()
		}
	}
}

func (s *stopping) Create(name string) (vfs.File, error) {
	s.count()
	f, err := s.FS.Create(name)
	return stoppingFile{f, s}, err
}
func (s *stopping) Link(a, b string) error   { s.count(); return s.FS.Link(a, b) }
func (s *stopping) Rename(a, b string) error { s.count(); return s.FS.Rename(a, b) }
func (s *stopping) Remove(a string) error    { s.count(); return s.FS.Remove(a) }
func (s *stopping) OpenDir(a string) (vfs.File, error) {
	s.count()
	f, err := s.FS.OpenDir(a)
	return stoppingFile{f, s}, err
}

type stoppingFile struct {
	vfs.File
	fs *stopping
}

func (f stoppingFile) Sync() error     { f.fs.count(); return f.File.Sync() }
func (f stoppingFile) SyncData() error { f.fs.count(); return f.File.SyncData() }

func FuzzHeader(f *testing.F) {
	fs := vfs.NewMem()
	if err := fs.MkdirAll("chk/state", 0o755); err != nil {
		f.Fatal(err)
	}
	if err := writeFile(fs, "chk/state/000001.sst", []byte("x")); err != nil {
		f.Fatal(err)
	}
	if err := writeHeader(fs, "chk", 5, []byte("payload")); err != nil {
		f.Fatal(err)
	}
	data, err := readFile(fs, "chk/manifest")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(formatPointer(9))
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := parsePointer(data); err == nil && string(formatPointer(e)) != string(data) {
			t.Errorf("pointer to %d: %q", e, data)
		}
		h, err := parseHeader(data)
		if err == nil && (h.epoch == 0 && len(data) < 12) {
			t.Errorf("%q is taken for a manifest", data)
		}
	})
}
