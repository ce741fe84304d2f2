package filesystem

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"fsql/connector"
	"fsql/diag"
	"fsql/format"
	"fsql/option"
	"fsql/row"
)

func newSink(t *connector.Table) (connector.Sink, error) {
	path, err := location(t)
	if err != nil {
		return nil, err
	}
	if t.Format.Encoder == nil {
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "writing the format '%s' is not implemented yet", t.Format.Name)
	}
	s := &sink{table: t, path: path, layout: newLayout(t)}
	if len(t.Partitions) > 0 {
		if s.success, err = commit(t.Options); err != nil {
			return nil, err
		}
	}
	// What the format cannot write is said when the query is planned.
	_, err = t.Format.Encoder(s.layout.physical, t.FormatOpts)
	return s, err
}

// commit reads what is to be done with a finished partition: the name of the
// file that marks it, "" for nothing.
func commit(o *option.Values) (success string, err error) {
	for _, policy := range strings.Split(o.String("sink.partition-commit.policy.kind"), ",") {
		switch policy = strings.TrimSpace(policy); policy {
		case "":
		case "success-file":
			success = o.String("sink.partition-commit.success-file.name")
		case "metastore", "custom":
			return "", diag.New(diag.NotSupported, diag.Span{}, "the partition-commit policy '%s' needs Hive or a Java class, which fsql does not have", policy)
		default:
			return "", diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'sink.partition-commit.policy.kind', which is success-file", policy)
		}
	}
	return success, nil
}

type sink struct {
	table   *connector.Table
	path    string
	layout  *layout
	success string // name of the file that marks a partition, "": none
}

// Accepts only inserts with plain formats; a changelog format writes all kinds.
func (s *sink) Accepts() row.Kinds { return s.table.Format.Kinds }

func (s *sink) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	encoder, err := s.table.Format.Encoder(s.layout.physical, s.table.FormatOpts)
	if err != nil {
		return nil, err
	}
	w := &writer{sink: s, encoder: encoder, subtask: subtask, open: map[string]*part{}}
	for _, p := range s.table.Partitions {
		w.partition = append(w.partition, s.table.Schema.Index(p))
	}
	var id [8]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	w.id = hex.EncodeToString(id[:])
	return w, os.MkdirAll(s.path, 0o777)
}

// writer writes hidden files and gives them their names when it is flushed, so
// that a reader never sees half a file.
type writer struct {
	sink      *sink
	encoder   format.Encoder
	subtask   int
	id        string
	partition []int
	open      map[string]*part // by folder below the table's path, "" without partitions
	count     int
	buf       []byte
}

// part is a file in progress.
type part struct {
	hidden, final string
	file          *os.File
	out           *bufio.Writer
}

func (w *writer) Write(_ context.Context, b *row.Batch) error {
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
		p, err := w.part(folder)
		if err != nil {
			return err
		}
		if w.buf, err = w.encoder.Encode(w.buf[:0], plain, from, to); err != nil {
			return err
		}
		if _, err := p.out.Write(w.buf); err != nil {
			return failed(p.hidden, err)
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

func (w *writer) part(folder string) (*part, error) {
	if p := w.open[folder]; p != nil {
		return p, nil
	}
	dir := filepath.Join(w.sink.path, folder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, failed(dir, err)
	}
	name := fmt.Sprintf("part-%s-%d-%d", w.id, w.subtask, w.count)
	w.count++
	p := &part{hidden: filepath.Join(dir, "."+name+".inprogress"), final: filepath.Join(dir, name)}
	var err error
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

// Flush completes the files in progress and gives them their names.
func (w *writer) Flush(context.Context) error {
	folders := make([]string, 0, len(w.open))
	for f := range w.open {
		folders = append(folders, f)
	}
	sort.Strings(folders)
	for _, f := range folders {
		p := w.open[f]
		if err := p.out.Flush(); err != nil {
			return failed(p.hidden, err)
		}
		if err := p.file.Close(); err != nil {
			return failed(p.hidden, err)
		}
		if err := os.Rename(p.hidden, p.final); err != nil {
			return failed(p.final, err)
		}
		if w.sink.success != "" {
			mark := filepath.Join(filepath.Dir(p.final), w.sink.success)
			if err := os.WriteFile(mark, nil, 0o666); err != nil {
				return failed(mark, err)
			}
		}
		delete(w.open, f)
	}
	return nil
}

// Close removes what was never flushed.
func (w *writer) Close() error {
	for _, p := range w.open {
		p.file.Close()
		os.Remove(p.hidden)
	}
	clear(w.open)
	return nil
}
