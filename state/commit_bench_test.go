package state

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble"
	"github.com/cockroachdb/pebble/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/sstable"
	"github.com/cockroachdb/pebble/vfs"
)

// BenchmarkWays compares the ways to make an epoch's changes durable that
// ADR 0007 chooses from: one batch and a flush, or a sorted table written
// outside and ingested; each followed by a Pebble checkpoint, with the
// write-ahead log off. The state has a million keys of 24 bytes with values
// of 40 when the first epoch comes.
//
//	go test ./state -bench Ways -benchtime 20x
func BenchmarkWays(b *testing.B) {
	for _, changes := range []int{0, 1_000, 10_000, 100_000, 1_000_000} {
		for _, way := range []struct {
			name  string
			write func(*pebble.DB, string, int, int) error
		}{{"batch", byBatch}, {"ingest", byIngest}} {
			b.Run(fmt.Sprintf("%s/%d", way.name, changes), func(b *testing.B) { benchWay(b, way.write, changes) })
		}
	}
}

const benchKeys = 1_000_000

func benchWay(b *testing.B, write func(*pebble.DB, string, int, int) error, changes int) {
	dir := b.TempDir()
	db, err := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{DisableWAL: true, Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest})
	must(b, err)
	must(b, byIngest(db, dir, benchKeys, 0))
	last := ""
	var own int64
	for i := 0; b.Loop(); i++ {
		if changes > 0 {
			must(b, write(db, dir, changes, i+1))
		}
		to := filepath.Join(dir, fmt.Sprint("chk-", i))
		must(b, db.Checkpoint(to))
		if last != "" {
			b.StopTimer()
			own = ownBytes(b, to)
			must(b, os.RemoveAll(last))
			b.StartTimer()
		}
		last = to
	}
	b.ReportMetric(float64(own), "own-bytes")
	b.ReportMetric(float64(db.Metrics().Levels[0].NumFiles), "L0-files")
	must(b, db.Close())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ownBytes are the bytes of a checkpoint that are not hard links of tables.
func ownBytes(b *testing.B, dir string) (n int64) {
	must(b, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(d.Name()) != ".sst" {
			info, err := d.Info()
			must(b, err)
			n += info.Size()
		}
		return err
	}))
	return n
}

// benchChange is the i-th of n changes of an epoch, spread over the keys in
// their order.
func benchChange(key, val []byte, i, n, epoch int) {
	at := i * (benchKeys / n)
	binary.BigEndian.PutUint16(key, uint16(at*128/benchKeys))
	binary.BigEndian.PutUint64(key[2:], uint64(at))
	binary.LittleEndian.PutUint64(val, uint64(epoch))
	binary.LittleEndian.PutUint64(val[8:], uint64(at)*0x9e3779b97f4a7c15)
}

func byBatch(db *pebble.DB, _ string, n, epoch int) error {
	w := db.NewBatch()
	key, val := make([]byte, 24), make([]byte, 40)
	for i := range n {
		benchChange(key, val, i, n, epoch)
		if err := w.Set(key, val, nil); err != nil {
			return err
		}
	}
	if err := db.Apply(w, pebble.NoSync); err != nil {
		return err
	}
	return db.Flush()
}

func byIngest(db *pebble.DB, dir string, n, epoch int) error {
	path := filepath.Join(dir, fmt.Sprint("in-", epoch, ".sst"))
	f, err := vfs.Default.Create(path)
	if err != nil {
		return err
	}
	opts := (&pebble.Options{}).EnsureDefaults()
	w := sstable.NewWriter(objstorageprovider.NewFileWritable(f), opts.MakeWriterOptions(0, db.FormatMajorVersion().MaxTableFormat()))
	key, val := make([]byte, 24), make([]byte, 40)
	for i := range n {
		benchChange(key, val, i, n, epoch)
		if err := w.Set(key, val); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return db.Ingest([]string{path})
}
