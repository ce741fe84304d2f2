package filesystem

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/row"
)

const (
	chunk         = 256 << 10
	longestRecord = 512 << 20 // a longer one is a mistake, and would eat the memory
)

// reader reads its splits one after another, in chunks that are reused: the
// decoder copies the strings it keeps.
type reader struct {
	source *source
	splits []connector.Split
	at     int   // of the split that is read
	left   int64 // rows until LIMIT

	file    *os.File
	pipe    *pipe // instead of file, if what is read is no regular one
	in      io.Reader
	buf     []byte // undecoded bytes are buf[from:to]
	from    int
	to      int
	eof     bool
	starved bool  // the last decoding got nowhere: more bytes are needed
	dry     bool  // the pipe has nothing now
	offset  int64 // of buf[from] in the unpacked file
	skipped int64
	wake    chan struct{} // signalled by pipes, nil: there are none

	decoder  format.Decoder
	rows     *row.Builder // the physical columns of the caller's builder
	constant []*row.Vec   // one value per constant column of the file
}

// Poll decodes up to most rows of the current file.
func (r *reader) Poll(out *row.Builder, most int) (connector.Status, error) {
	for {
		if r.at == len(r.splits) || r.left == 0 {
			return connector.Ended, r.closeFile()
		}
		if r.in == nil {
			if err := r.open(r.splits[r.at]); err != nil {
				return connector.Ended, err
			}
		}
		n, err := r.decode(out, int(min(int64(most), r.left)))
		if err != nil {
			return connector.Ended, err
		}
		if n > 0 {
			r.left -= int64(n)
			return connector.Progressed, nil
		}
		if r.dry {
			return connector.Waiting, nil
		}
		if r.eof && r.from == r.to {
			if err := r.closeFile(); err != nil {
				return connector.Ended, err
			}
			r.at++
		}
	}
}

// decode fills the buffer and appends the rows that are complete in it.
func (r *reader) decode(out *row.Builder, most int) (rows int, err error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	for i, c := range r.source.layout.columns {
		r.rows.Cols[i] = out.Cols[c]
	}
	used, err := r.decoder.Decode(r.buf[r.from:r.to], r.eof, r.rows, most)
	r.from += used
	r.offset += int64(used)
	if err != nil {
		return 0, r.explain(err)
	}
	rows = r.rows.Len()
	r.starved = used == 0 && rows == 0
	if rows == 0 {
		if r.starved && r.eof {
			// Nothing in the rest is a record.
			r.offset += int64(r.to - r.from)
			r.from = r.to
		}
		return 0, nil
	}
	for k, c := range r.source.layout.constant {
		repeat(out.Cols[c], r.constant[k], rows)
	}
	r.hand(out, rows)
	return rows, nil
}

// hand tells the caller's builder about the rows and forgets them.
func (r *reader) hand(out *row.Builder, rows int) {
	kinds := r.rows.Kinds
	if kinds == nil {
		out.Added(rows, row.Insert)
	} else {
		for from := 0; from < rows; {
			to := from + 1
			for to < rows && kinds[to] == kinds[from] {
				to++
			}
			out.Added(to-from, kinds[from])
			from = to
		}
	}
	r.rows = row.NewBuilder(r.source.layout.physical)
}

// repeat appends n copies of the one value of v.
func repeat(to, v *row.Vec, n int) {
	sel := make([]int32, n)
	to.AppendGather(v, sel)
}

// fill moves what is left to the front and reads on; the buffer grows when it
// is full of one record that is not complete.
func (r *reader) fill() error {
	r.dry = false
	if r.eof || !r.starved && r.to-r.from >= len(r.buf)/2 {
		return nil
	}
	if r.to-r.from == len(r.buf) {
		if len(r.buf) >= longestRecord {
			return diag.New(diag.BadRow, diag.Span{}, "file %s holds a record of more than %d MiB", r.splits[r.at].ID, longestRecord>>20).
				WithHint("a quote that is never closed makes the rest of a file one record")
		}
		grown := make([]byte, 2*len(r.buf))
		copy(grown, r.buf)
		r.buf = grown
	} else {
		copy(r.buf, r.buf[r.from:r.to])
		r.from, r.to = 0, r.to-r.from
	}
	for r.to < len(r.buf) {
		n, err := r.in.Read(r.buf[r.to:])
		r.to += n
		if errors.Is(err, io.EOF) {
			r.eof = true
			return nil
		}
		if errors.Is(err, errDry) {
			r.dry = true
			return nil
		}
		if err != nil {
			return &diag.Error{Code: diag.InputOutput, Msg: "file " + r.splits[r.at].ID + " cannot be read", Cause: err}
		}
	}
	return nil
}

func (r *reader) open(s connector.Split) error {
	r.eof, r.starved, r.from, r.to, r.offset = false, false, 0, 0, 0
	if r.buf == nil {
		r.buf = make([]byte, chunk)
	}
	if err := r.bytes(s.ID); err != nil {
		return err
	}
	d, err := r.source.table.Format.OfFile(r.source.layout.physical, r.source.layout.wanted, r.source.table.FormatOpts)
	if err != nil {
		return err
	}
	r.decoder = d
	r.rows = row.NewBuilder(r.source.layout.physical)
	if r.constant, err = r.source.constants(s.ID); err != nil {
		return err
	}
	if len(s.Offset) == 16 {
		return r.resume(s)
	}
	return nil
}

// bytes opens a file.
func (r *reader) bytes(name string) error {
	if r.wake != nil && live(name) {
		r.pipe = openPipe(name, r.wake)
		r.in = r.pipe
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return &diag.Error{Code: diag.InputOutput, Msg: "file " + name + " cannot be opened", Cause: err}
	}
	r.file = f
	r.in, err = unpack(name, f)
	return err
}

// resume goes to a position that Positions told.
func (r *reader) resume(s connector.Split) error {
	if r.pipe != nil {
		return diag.New(diag.NotSupported, diag.Span{}, "the job cannot go on: %s is no regular file, what was read of it cannot be read again", s.ID)
	}
	r.offset = int64(binary.BigEndian.Uint64(s.Offset))
	given := int(binary.BigEndian.Uint64(s.Offset[8:]))
	if err := r.pass(r.offset); err != nil {
		return err
	}
	for given > 0 {
		if err := r.fill(); err != nil {
			return err
		}
		used, err := r.decoder.Decode(r.buf[r.from:r.to], r.eof, r.rows, given)
		if err != nil {
			return r.explain(err)
		}
		if r.starved = used == 0 && r.rows.Len() == 0; r.starved && r.eof {
			return shorter(s.ID, nil)
		}
		r.from += used
		r.offset += int64(used)
		given -= r.rows.Len()
		r.rows = row.NewBuilder(r.source.layout.physical)
	}
	r.starved = false
	return nil
}

// pass goes to an offset of the file that was just opened.
func (r *reader) pass(offset int64) error {
	if h, ok := r.decoder.(format.Headed); ok && offset > 0 {
		for r.from == 0 {
			if err := r.fill(); err != nil {
				return err
			}
			size, err := h.Header(r.buf[:r.to])
			if err != nil {
				return r.explain(err)
			}
			if size == 0 && r.eof {
				return shorter(r.splits[r.at].ID, nil)
			}
			r.from, r.starved = size, true
		}
		read := min(int64(r.to), offset)
		r.from, r.starved, offset = int(read), false, offset-read
	}
	if _, err := io.CopyN(io.Discard, r.in, offset); err != nil {
		return shorter(r.splits[r.at].ID, err)
	}
	return nil
}

func shorter(file string, cause error) error {
	return &diag.Error{Code: diag.InputOutput, Msg: "file " + file + " became shorter than it was", Cause: cause}
}

func (r *reader) closeFile() error {
	var err error
	switch {
	case r.file != nil:
		err = r.file.Close()
	case r.pipe != nil:
		err = r.pipe.Close()
	}
	if r.decoder != nil { // opening may have failed half-way
		r.skipped += r.decoder.Skipped()
	}
	r.file, r.pipe, r.in, r.decoder = nil, nil, nil, nil
	return err
}

// explain gives a bad record the file it is in.
func (r *reader) explain(err error) error {
	var bad *format.Bad
	if !errors.As(err, &bad) {
		return err
	}
	name := r.splits[r.at].ID
	if rel, relErr := filepath.Rel(r.source.table.Dir, name); relErr == nil && !strings.HasPrefix(rel, "..") {
		name = rel
	}
	e := diag.New(diag.BadRow, diag.Span{}, "file %s, %s", name, bad.Message())
	if f := r.source.table.Format; f.Options.Def("ignore-parse-errors") != nil {
		e.WithHint("'%s.ignore-parse-errors' = 'true' skips such rows and counts them", f.Name)
	}
	return e
}

// Wake is signalled when a pipe has something to read.
func (r *reader) Wake() <-chan struct{} { return r.wake }

// Positions are the splits that are not finished, the first with the offset
// after the rows given so far.
func (r *reader) Positions() []connector.Split {
	out := append([]connector.Split{}, r.splits[r.at:]...)
	if r.in != nil && len(out) > 0 {
		at, given := r.offset, 0
		if m, ok := r.decoder.(format.Midway); ok {
			var back int64
			back, given = m.Midway()
			at -= back
		}
		out[0].Offset = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(at)), uint64(given))
	}
	return out
}

func (r *reader) Skipped() int64 {
	n := r.skipped + r.source.stray
	if r.decoder != nil {
		n += r.decoder.Skipped()
	}
	return n
}

func (r *reader) Close() error { return r.closeFile() }
