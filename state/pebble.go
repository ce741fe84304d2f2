package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/sstable"
	"github.com/cockroachdb/pebble/vfs"
)

// database is the Pebble database that commits are written to. The write-ahead
// log is off: nothing is written between commits, and with it each checkpoint
// would copy the log (50 to 170 MB where without it an empty one takes 20 KB).
type database struct {
	db    *pebble.DB
	fs    vfs.FS
	dir   string
	input int // number of the next table to be ingested
}

func openDatabase(fs vfs.FS, dir string) (d *database, err error) {
	defer unpanicked(&err)
	db, err := pebble.Open(dir, &pebble.Options{
		FS: fs, DisableWAL: true, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest,
		// Only a recovery reads: tables of several commits may lie above each
		// other, so that a small commit does not rewrite what is below it.
		L0CompactionThreshold: 16, L0StopWritesThreshold: 64,
	})
	if err != nil {
		return nil, err
	}
	return &database{db: db, fs: fs, dir: dir}, nil
}

// quiet keeps Pebble's progress reports off standard error.
type quiet struct{}

func (quiet) Infof(string, ...any) {}

// Fatalf is called when the store on disk is damaged beyond use.
func (quiet) Fatalf(format string, args ...any) { panic(fmt.Sprintf("state store: "+format, args...)) }

// unpanicked makes an error of a panic: a damaged store may meet one anywhere
// in the code that reads it.
func unpanicked(err *error) {
	if p := recover(); p != nil {
		*err = errors.Join(*err, fmt.Errorf("reading stored state: %v", p))
	}
}

// kindState begins every key on disk, so that other kinds may follow. Then come
// the node's UID with its length and the key as the Store has it.
const kindState = 1

func nodePrefix(uid string) []byte {
	return append(binary.AppendUvarint([]byte{kindState}, uint64(len(uid))), uid...)
}

// write stores the deltas of one epoch: it writes one sorted table and gives it
// to Pebble (ADR 0007).
func (d *database) write(deltas []Delta) error {
	if !slices.ContainsFunc(deltas, func(x Delta) bool { return x.Len > 0 }) {
		return nil
	}
	slices.SortFunc(deltas, func(a, b Delta) int {
		if c := bytes.Compare(nodePrefix(a.Scope.UID), nodePrefix(b.Scope.UID)); c != 0 {
			return c
		}
		return a.Scope.FirstGroup - b.Scope.FirstGroup
	})
	d.input++
	path := d.fs.PathJoin(d.dir, fmt.Sprintf("input-%d", d.input))
	f, err := d.fs.Create(path)
	if err != nil {
		return err
	}
	opts := (&pebble.Options{}).EnsureDefaults()
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), opts.MakeWriterOptions(0, d.db.FormatMajorVersion().MaxTableFormat()))
	for _, x := range deltas {
		key := nodePrefix(x.Scope.UID)
		prefix := len(key)
		for c := range x.Writes {
			key = append(key[:prefix], c.Key...)
			if c.Delete {
				err = w.Delete(key)
			} else {
				err = w.Set(key, c.Val)
			}
			if err != nil {
				return errors.Join(err, w.Close())
			}
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return d.db.Ingest([]string{path})
}

// drop forgets the state of a node.
func (d *database) drop(uid string) error {
	prefix := nodePrefix(uid)
	b := d.db.NewBatch()
	if err := b.DeleteRange(prefix, after(prefix), nil); err != nil {
		return errors.Join(err, b.Close())
	}
	if err := d.db.Apply(b, pebble.NoSync); err != nil {
		return errors.Join(err, b.Close())
	}
	return errors.Join(b.Close(), d.db.Flush())
}

// after is the first key behind all that begin with prefix. The last byte of a
// prefix is one of a UID, which is UTF-8 and never 0xff.
func after(prefix []byte) []byte {
	end := bytes.Clone(prefix)
	end[len(end)-1]++
	return end
}

// pebbleRange is the part of the database that a scope sees.
type pebbleRange struct {
	db         *pebble.DB
	prefix     []byte
	first, end []byte
	key        []byte // scratch: the prefix and a key
}

func (d *database) open(s Scope) Store {
	prefix := nodePrefix(s.UID)
	return newOverlay(s, &pebbleRange{
		db: d.db, prefix: prefix, first: GroupKey(nil, s.FirstGroup), end: GroupKey(nil, s.EndGroup), key: bytes.Clone(prefix),
	})
}

func (r *pebbleRange) get(dst, key []byte) (val []byte, ok bool, err error) {
	defer unpanicked(&err)
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
	defer unpanicked(&err)
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
		val, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		if more, err := fn(it.Key()[n:], val); !more || err != nil {
			return err
		}
	}
	return it.Error()
}
