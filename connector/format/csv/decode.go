package csv

import (
	"bytes"
	"fmt"
	"strings"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Positions that say that there is none.
const (
	bad        = -1 // the record is malformed
	incomplete = -2 // the record goes on behind the buffer
)

// decoder reads records. Columns that nobody reads are skipped, their quotes
// and their UTF-8 checked.
type decoder struct {
	dialect
	cols   []column
	read   int  // how many columns are read
	simple bool // a delimiter of one byte, nothing to unescape or to trim
	// digits tells that no text of digits stands for NULL.
	digits bool

	ignore, comments, trim, emptyNull bool
	trailing, surplus, strict         bool // allow-trailing-comma, ignore-trailing-unmappable, fail-on-missing-columns

	arena   format.Arena
	scratch []byte
	tail    []byte

	started bool  // the byte order mark is behind
	final   bool  // no byte follows the buffer
	returns bool  // the buffer holds a carriage return
	line    int64 // of the record
	inner   int   // line ends inside of the record
	skipped int64
	why     string // the record is malformed
	resume  int    // where a malformed record may be left
	failure *format.Bad

	out   *row.Builder // of messages
	given int          // rows of them
}

func newDecoder(s *types.Schema, wanted []bool, o *option.Values) (*decoder, error) {
	if err := checkTypes(s); err != nil {
		return nil, err
	}
	dia, err := newDialect(o)
	if err != nil {
		return nil, err
	}
	d := &decoder{
		dialect:  dia,
		ignore:   o.Bool("ignore-parse-errors"),
		comments: o.Bool("allow-comments"), trim: o.Bool("trim-spaces"), emptyNull: o.Bool("empty-string-as-null"),
		trailing: o.Bool("allow-trailing-comma"), surplus: o.Bool("ignore-trailing-unmappable"), strict: o.Bool("fail-on-missing-columns"),
	}
	d.simple = len(d.delim) == 1 && d.escape == 0 && !d.trim
	d.digits = !strings.ContainsAny(dia.null, "0123456789")
	for i, c := range s.Columns {
		col := column{name: c.Name, typ: c.Type}
		if wanted == nil || wanted[i] {
			col.kind = kindOf(c.Type)
			col.out = format.NewColumn(c.Type)
			col.at = i
			col.moments.Style = format.SQL
			if c.Type.Kind == types.TimestampLTZ {
				col.moments.Style = format.SQLZone
			}
			d.read++
		}
		d.cols = append(d.cols, col)
	}
	return d, nil
}

// mark is the byte order mark.
const mark = "\xef\xbb\xbf"

// Skipped counts records and fields that were let go.
func (d *decoder) Skipped() int64 { return d.skipped }

// Decode reads whole records.
func (d *decoder) Decode(data []byte, last bool, out *row.Builder, max int) (consumed int, err error) {
	skip := 0
	if !d.started {
		if len(data) < len(mark) && !last {
			return 0, nil
		}
		d.started = true
		if bytes.HasPrefix(data, []byte(mark)) {
			skip = len(mark)
			data = data[skip:]
		}
	}
	d.attach(out)
	rows := 0
	d.final = false
	whole := d.whole(data)
	if whole > 0 {
		consumed, rows, err = d.records(data[:whole], max)
	}
	if last && err == nil && rows < max && consumed < len(data) {
		// What is left is the last record, without the line end it lacks.
		d.final = true
		d.tail = append(append(d.tail[:0], data[consumed:]...), '\n')
		var n, more int
		base := rows
		n, more, err = d.recordsAfter(d.tail, max-rows, base)
		consumed += min(n, len(data)-consumed)
		rows += more
	}
	d.finish()
	out.Added(rows, row.Insert)
	return consumed + skip, err
}

// attach makes the columns of out those that are appended to.
func (d *decoder) attach(out *row.Builder) {
	for i := range d.cols {
		if c := &d.cols[i]; c.kind != skipped {
			c.out.Attach(out.Cols[c.at])
		}
	}
}

// finish makes them complete.
func (d *decoder) finish() {
	for i := range d.cols {
		if c := &d.cols[i]; c.kind != skipped {
			c.out.Finish()
		}
	}
}

// whole is the length of data up to its last line end. A '\r' at the very end
// may be the first half of one.
func (d *decoder) whole(data []byte) int {
	if n := bytes.LastIndexByte(data, '\n'); n >= 0 {
		return n + 1
	}
	if len(data) == 0 {
		return 0
	}
	return bytes.LastIndexByte(data[:len(data)-1], '\r') + 1
}

func (d *decoder) records(b []byte, max int) (consumed, rows int, err error) {
	return d.recordsAfter(b, max, 0)
}

// recordsAfter reads at most max records; before is how many rows were appended
// since the columns were attached.
func (d *decoder) recordsAfter(b []byte, max, before int) (consumed, rows int, err error) {
	p := 0
	// Looking for carriage returns once pays only when many records follow.
	const many = 1000
	d.returns = max < many || bytes.IndexByte(b, '\r') >= 0
	for rows < max && p < len(b) {
		start := p
		if d.comments {
			if next := comment(b, p); next > p {
				d.line++
				p = next
				continue
			}
		}
		d.inner = 0
		p = d.record(b, p)
		if p >= 0 {
			d.line += int64(1 + d.inner)
			rows++
			continue
		}
		for i := range d.cols {
			if c := &d.cols[i]; c.kind != skipped {
				c.out.Truncate(c.out.Vec.Len + before + rows)
			}
		}
		if p == incomplete {
			return start, rows, nil
		}
		if !d.ignore {
			return start, rows, d.report(b, start)
		}
		d.skipped++
		d.failure = nil
		p = len(b)
		if d.resume >= 0 {
			p = nextLine(b, d.resume)
		}
		d.line += int64(bytes.Count(b[start:p], []byte{'\n'}))
	}
	return p, rows, nil
}

// comment skips a line that is blank or begins with #; the position stays when
// the line is neither.
func comment(b []byte, p int) int {
	q := p
	for b[q] == ' ' || b[q] == '\t' {
		q++
	}
	if b[q] == '#' || ends(b[q]) {
		return nextLine(b, q)
	}
	return p
}

// record reads one record and returns the position behind it.
func (d *decoder) record(b []byte, p int) int {
	delim := d.delim[0]
	for i := range d.cols {
		c := &d.cols[i]
		end := -1
		switch {
		case !d.simple:
		case b[p] != d.quote || d.quote == 0:
			end = d.quick(c, b, p, delim)
		case c.kind == text || c.kind == skipped:
			end = d.quickQuoted(c, b, p, delim)
		}
		if end < 0 {
			var field []byte
			if field, end = d.field(b, p); end < 0 {
				return end
			}
			if c.kind != skipped && !d.convert(c, field) {
				return bad
			}
		}
		if ends(b[end]) {
			if i < len(d.cols)-1 {
				if !d.absent(i + 1) {
					return d.leave(end)
				}
			}
			return lineBehind(b, end)
		}
		p = end + len(d.delim)
	}
	return d.beyond(b, p)
}

// quick reads the usual spelling of a type; the result is negative for anything
// else.
func (d *decoder) quick(c *column, b []byte, p int, delim byte) int {
	switch c.kind {
	case skipped:
		if end, wide := d.fieldEnd(b, p, delim); !wide {
			return end
		}
	case text:
		end, wide := d.fieldEnd(b, p, delim)
		if !wide && !d.null(b[p:end]) {
			c.out.Vec.Str = append(c.out.Vec.Str, d.arena.String(b[p:end]))
			return end
		}
	case big:
		if x, end := format.Whole(b, p); end > 0 && d.digits && (b[end] == delim || ends(b[end])) {
			c.out.Vec.I64 = append(c.out.Vec.I64, x)
			return end
		}
	case integer:
		if x, end := format.Whole(b, p); end > 0 && d.digits && x == int64(int32(x)) && (b[end] == delim || ends(b[end])) {
			c.out.Vec.I32 = append(c.out.Vec.I32, int32(x))
			return end
		}
	case double:
		if x, scale, end := format.Plain(b, p); end > 0 && d.digits && (b[end] == delim || ends(b[end])) {
			c.out.Vec.F64 = append(c.out.Vec.F64, format.Quotient(x, scale))
			return end
		}
	case decimal:
		if x, scale, end := format.Plain(b, p); end > 0 && d.digits && (b[end] == delim || ends(b[end])) {
			if dec, ok := format.Decimal(x, scale, c.typ); ok {
				c.out.Vec.Dec = append(c.out.Vec.Dec, dec)
				return end
			}
		}
	case moment:
		end, _ := d.fieldEnd(b, p, delim)
		if ms, nano, ok := c.moments.Parse(b[p:end]); ok && d.digits {
			c.out.Vec.I64 = append(c.out.Vec.I64, format.CutMicros(ms, nano, c.typ.Precision))
			return end
		}
	}
	return -1
}

// quickQuoted reads the usual quoted text: without a quote, a line end or
// anything but ASCII in it.
func (d *decoder) quickQuoted(c *column, b []byte, p int, delim byte) int {
	q, f := quoteEnd(b, p+1, d.quote)
	if f != 0 || q+1 >= len(b) || b[q+1] != delim && !ends(b[q+1]) {
		return -1
	}
	if c.kind == text {
		s := b[p+1 : q]
		if d.null(s) {
			return -1
		}
		c.out.Vec.Str = append(c.out.Vec.Str, d.arena.String(s))
	}
	return q + 1
}

// absent appends NULL to the columns from i on, which the record does not have.
// Flink counts: it is an error when the record has fewer fields than columns
// are read.
func (d *decoder) absent(i int) bool {
	if d.strict || i < d.read && !d.ignore {
		want := len(d.cols)
		d.why = fmt.Sprintf("%s, %d are needed", count(i), want)
		return false
	}
	for ; i < len(d.cols); i++ {
		if c := &d.cols[i]; c.kind != skipped {
			c.out.Null()
		}
	}
	return true
}

func count(fields int) string {
	if fields == 1 {
		return "1 field"
	}
	return fmt.Sprintf("%d fields", fields)
}

// beyond reads what follows the last column: an empty field is forgiven.
func (d *decoder) beyond(b []byte, p int) int {
	first := ""
	for n := 0; ; n++ {
		text, end := d.field(b, p)
		if end < 0 {
			return end
		}
		if n == 0 {
			first = string(text)
		}
		if ends(b[end]) {
			if d.surplus || d.trailing && n == 0 && len(format.Trim(text)) == 0 {
				return lineBehind(b, end)
			}
			d.why = fmt.Sprintf("too many fields, the table has %d columns and '%s' follows", len(d.cols), format.Cut([]byte(first)))
			return d.leave(end)
		}
		p = end + len(d.delim)
	}
}

// leave fails a record that has been read to the line end at p.
func (d *decoder) leave(p int) int {
	d.resume = p
	return bad
}

// report makes the error of the record at start.
func (d *decoder) report(b []byte, start int) error {
	e := d.failure
	if e == nil {
		line := b[start:]
		if n := bytes.IndexAny(line, "\r\n"); n >= 0 {
			line = line[:n]
		}
		e = &format.Bad{Reason: d.why, Value: format.Cut(line)}
	}
	d.failure = nil
	e.Line = d.line + 1
	return e
}

// expected says what a column takes.
func expected(c *column, text []byte) string {
	t := c.typ.Short()
	s := "not a " + t
	if strings.ContainsAny(t[:1], "AI") {
		s = "not an " + t
	}
	switch c.kind {
	case moment, nano:
		s += " of the form yyyy-MM-dd HH:mm:ss[.fraction]"
		if c.moments.Style.Zone {
			s += "Z (UTC)"
		}
	case date:
		s += " of the form yyyy-MM-dd"
	case clock:
		s += " of the form HH:mm[:ss[.fraction]]"
	case blob:
		s += " in base64"
	}
	if len(text) == 0 {
		s += " (an empty field is NULL only with 'csv.null-literal' = '')"
	}
	return s
}
