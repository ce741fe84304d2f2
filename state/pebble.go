package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/vfs"

	"fsql/types"
)

// OpenPebble opens or makes a Backend in a directory. The write-ahead log is
// off: nothing is written between commits, and with it each checkpoint would
// copy the log (50 to 170 MB where without it an empty one takes 20 KB). A
// commit is one batch and a flush: after a crash all of it is there or nothing.
func OpenPebble(dir string) (Backend, error) { return openPebble(dir, vfs.Default) }

func openPebble(dir string, fs vfs.FS) (Backend, error) {
	if err := makeDir(fs, dir); err != nil {
		return nil, err
	}
	db, err := pebble.Open(dir, &pebble.Options{FS: fs, DisableWAL: true, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	if err != nil {
		return nil, err
	}
	return &pebbleBackend{db: db}, nil
}

// makeDir makes a directory that survives a crash: whoever makes one must sync
// its parent, and so on up to one that was there.
func makeDir(fs vfs.FS, dir string) error {
	if _, err := fs.Stat(dir); err == nil {
		return nil
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := makeDir(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	p, err := fs.OpenDir(parent)
	if err != nil {
		return err
	}
	return errors.Join(p.Sync(), p.Close())
}

// quiet keeps Pebble's progress reports off standard error.
type quiet struct{}

func (quiet) Infof(string, ...any) {}

// Fatalf is called when the store on disk is damaged beyond use.
func (quiet) Fatalf(format string, args ...any) { panic(fmt.Sprintf("state store: "+format, args...)) }

// Keys on disk: a kind, then for state the node's UID with its length, then the
// key as the Store has it.
const (
	kindManifest = 0
	kindState    = 1
)

type pebbleBackend struct{ db *pebble.DB }

func nodePrefix(uid string) []byte {
	return append(binary.AppendUvarint([]byte{kindState}, uint64(len(uid))), uid...)
}

func (p *pebbleBackend) Open(s Scope) Store {
	prefix := nodePrefix(s.UID)
	return newOverlay(s, &pebbleRange{
		db: p.db, prefix: prefix, first: GroupKey(nil, s.FirstGroup), end: GroupKey(nil, s.EndGroup), key: bytes.Clone(prefix),
	})
}

func (p *pebbleBackend) Commit(e types.Epoch, deltas []Delta, manifest []byte) error {
	b := p.db.NewBatch()
	for _, d := range deltas {
		prefix := nodePrefix(d.Scope.UID)
		for _, w := range d.Writes {
			key := append(prefix[:len(prefix):len(prefix)], w.Key...)
			var err error
			if w.Delete {
				err = b.Delete(key, nil)
			} else {
				err = b.Set(key, w.Val, nil)
			}
			if err != nil {
				return errors.Join(err, b.Close())
			}
		}
	}
	if err := b.Set([]byte{kindManifest}, append(binary.BigEndian.AppendUint64(nil, uint64(e)), manifest...), nil); err != nil {
		return errors.Join(err, b.Close())
	}
	if err := p.db.Apply(b, pebble.NoSync); err != nil {
		return errors.Join(err, b.Close())
	}
	return errors.Join(b.Close(), p.db.Flush())
}

func (p *pebbleBackend) Last() (e types.Epoch, manifest []byte, ok bool, err error) {
	v, done, err := p.db.Get([]byte{kindManifest})
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil, false, nil
	}
	if err != nil {
		return 0, nil, false, err
	}
	e, manifest = types.Epoch(binary.BigEndian.Uint64(v)), bytes.Clone(v[8:])
	return e, manifest, true, done.Close()
}

func (p *pebbleBackend) Export(dir string) error { return p.db.Checkpoint(dir) }

func (p *pebbleBackend) Close() error { return p.db.Close() }

// pebbleRange is the part of the database that a scope sees.
type pebbleRange struct {
	db         *pebble.DB
	prefix     []byte
	first, end []byte
	key        []byte // scratch: the prefix and a key
}

func (r *pebbleRange) get(dst, key []byte) ([]byte, bool, error) {
	if bytes.Compare(key, r.first) < 0 || bytes.Compare(key, r.end) >= 0 {
		return dst, false, nil
	}
	r.key = append(r.key[:len(r.prefix)], key...)
	v, done, err := r.db.Get(r.key)
	if errors.Is(err, pebble.ErrNotFound) {
		return dst, false, nil
	}
	if err != nil {
		return dst, false, err
	}
	return append(dst, v...), true, done.Close()
}

func (r *pebbleRange) scan(from, to []byte, fn func(key, val []byte) (bool, error)) (err error) {
	from, to = narrow(from, to, r.first, r.end)
	if bytes.Compare(from, to) >= 0 {
		return nil
	}
	n := len(r.prefix)
	it, err := r.db.NewIter(&pebble.IterOptions{LowerBound: append(bytes.Clone(r.prefix), from...), UpperBound: append(bytes.Clone(r.prefix), to...)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	for ok := it.First(); ok; ok = it.Next() {
		if more, err := fn(it.Key()[n:], it.Value()); !more || err != nil {
			return err
		}
	}
	return it.Error()
}
