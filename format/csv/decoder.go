package csv

import (
	"bytes"

	"fsql/format"
	"fsql/option"
	"fsql/row"
	"fsql/types"
)

// decoder reads records. The usual record has no quote and no escape: its
// fields are cut at delimiters within one line. Others are taken apart
// character by character (odd.go).
type decoder struct {
	dialect
	schema   *types.Schema
	wanted   []bool
	columns  []*format.Column // nil where not wanted
	comments bool
	ignore   bool
	line     int64 // of the record that is read, from 1
	started  bool
	skipped  int64
	arena    format.Arena
	moments  format.Moments
	fields   [][]byte
	text     []byte // unescaped fields of an odd record
	bad      format.Bad
}

func newDecoder(s *types.Schema, wanted []bool, o *option.Values) (format.Decoder, error) {
	if err := supported(s); err != nil {
		return nil, err
	}
	d := &decoder{
		schema: s, comments: o.Bool("allow-comments"), ignore: o.Bool("ignore-parse-errors"),
		line: 1, moments: format.Moments{Style: format.SQL}, columns: make([]*format.Column, len(s.Columns)),
		fields: make([][]byte, 0, len(s.Columns)+1),
	}
	var err error
	if d.dialect, err = newDialect(o); err != nil {
		return nil, err
	}
	for i, c := range s.Columns {
		if wanted == nil || wanted[i] {
			d.columns[i] = format.NewColumn(c.Type)
		}
	}
	return d, nil
}

func (d *decoder) Skipped() int64 { return d.skipped }

// Decode reads up to max records.
func (d *decoder) Decode(data []byte, last bool, out *row.Builder, max int) (int, error) {
	for i, c := range d.columns {
		if c != nil {
			c.Attach(out.Cols[i])
		}
	}
	at, rows := 0, 0
	if !d.started && (len(data) >= 3 || last) {
		d.started = true
		if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
			at = 3
		}
	}
	var err error
	for err == nil && rows < max && at < len(data) && d.started {
		next, lines, ok := d.record(data[at:], last)
		if next == 0 {
			break // not complete
		}
		if ok {
			var taken bool
			if taken, err = d.row(); taken {
				rows++
			}
		}
		at += next
		d.line += lines
	}
	for _, c := range d.columns {
		if c != nil {
			c.Finish()
		}
	}
	out.Added(rows, row.Insert)
	return at, err
}

// record cuts the first record of data into d.fields. It returns the bytes it
// takes with its line end (0: it is not complete), how many lines that were,
// and whether it is a record, not a comment.
func (d *decoder) record(data []byte, last bool) (next int, lines int64, ok bool) {
	end := bytes.IndexByte(data, '\n')
	next = end + 1
	if end < 0 {
		if !last {
			return 0, 0, false
		}
		end, next = len(data), len(data)
	}
	text := data[:end]
	if d.comments && len(text) > 0 && text[0] == '#' {
		return next, 1, false
	}
	if d.quote != 0 && bytes.IndexByte(text, d.quote) >= 0 || d.escape != 0 && bytes.IndexByte(text, d.escape) >= 0 {
		return d.odd(data, last)
	}
	if len(text) > 0 && text[len(text)-1] == '\r' {
		text = text[:len(text)-1]
	}
	d.fields = d.fields[:0]
	for {
		i := bytes.IndexByte(text, d.delim)
		if i < 0 {
			d.fields = append(d.fields, text)
			return next, 1, true
		}
		d.fields = append(d.fields, text[:i])
		text = text[i+1:]
	}
}

// row appends d.fields to the columns; false: the row was skipped.
func (d *decoder) row() (taken bool, err error) {
	if n := len(d.fields); n != len(d.columns) {
		switch {
		case d.ignore && n > len(d.columns):
			d.skipped++
			return false, nil
		case !d.ignore && n > len(d.columns):
			return false, d.fail("", d.fields[len(d.columns)], "too many fields: expected %d, found %d, first too many", len(d.columns), n)
		case !d.ignore:
			return false, d.fail("", d.fields[n-1], "too few fields: expected %d, found %d, last", len(d.columns), n)
		}
	}
	for i, c := range d.columns {
		if c == nil {
			continue
		}
		if i >= len(d.fields) {
			d.skipped++
			c.Null()
			continue
		}
		if d.value(c, c.Vec.Type, d.fields[i]) {
			continue
		}
		if d.ignore {
			d.skipped++
			c.Null()
			continue
		}
		t := c.Vec.Type
		d.undo(i)
		return false, d.fail(d.schema.Columns[i].Name, d.fields[i], "%s", why(t, d.fields[i]))
	}
	return true, nil
}

// undo takes back the values that the failed row has appended before column i.
func (d *decoder) undo(i int) {
	for _, c := range d.columns[:i] {
		if c != nil {
			c.Truncate(c.Len() - 1)
		}
	}
}
