package json

import (
	"bytes"
	"fmt"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// mark is the byte order mark, which Flink's reader skips in every message.
const mark = "\xef\xbb\xbf"

// malformed is the position that a function returns when it failed.
const malformed = -1

// decoder reads one JSON value per line: an object is a row, an array the rows
// of its objects. It is schema-directed: only the wanted columns are decoded,
// of the other values the syntax is checked.
type decoder struct {
	root *object
	cols []*node // of the wanted columns, in the order of the table
	at   []int   // their places in the table

	iso         bool // timestamps in ISO-8601
	ignore      bool // ignore-parse-errors
	failMissing bool
	decimals    bool // a DECIMAL is read: numbers inside of texts keep their digits
	respell     bool // numbers in STRING columns are spelled anew, as in the change formats

	arena   format.Arena
	scratch []byte  // unescaped text
	name    []byte  // a name while others are unescaped
	tree    []byte  // text of a nested value
	stack   []entry // members of the maps that are being read
	tail    []byte  // a last line, with the line end it lacks

	line    int64
	skipped int64
	before  int          // rows appended since the columns were attached and before the lines at hand
	out     *row.Builder // of messages
	inside  bool         // of a top-level array, behind an element
	back    int          // bytes from the beginning of that array's line
	given   int          // rows given of the array

	// Why the last record failed: a place and what was expected there, a field
	// that is missing, or a value that does not fit.
	errAt   int
	errWant string
	missing string
	bad     *format.Bad
}

// newDecoder makes a decoder for the wanted columns of a table.
func newDecoder(s *types.Schema, wanted []bool, o *option.Values) (*decoder, error) {
	d := &decoder{
		iso:         o.String("timestamp-format.standard") == "ISO-8601",
		ignore:      o.Bool("ignore-parse-errors"),
		failMissing: o.Bool("fail-on-missing-field"),
	}
	var names []string
	for i, c := range s.Columns {
		decimals := d.decimals
		n, err := d.newNode(c.Type, c.Name)
		if err != nil {
			return nil, columnError(c.Name, err)
		}
		if wanted != nil && !wanted[i] {
			d.decimals = decimals
			continue
		}
		d.cols, d.at, names = append(d.cols, n), append(d.at, i), append(names, c.Name)
	}
	d.root = newObject(d.cols, names)
	return d, nil
}

// Skipped counts lines and fields that were let go.
func (d *decoder) Skipped() int64 { return d.skipped }

// Decode reads whole lines.
func (d *decoder) Decode(data []byte, last bool, out *row.Builder, max int) (consumed int, err error) {
	d.attach(out)
	rows := 0
	end := bytes.LastIndexByte(data, '\n') + 1
	if end > 0 {
		consumed, rows, err = d.lines(data[:end], max)
	}
	if last && err == nil && consumed == end && consumed < len(data) && rows < max {
		// The last line gets the end it lacks, in a buffer that has room for it.
		d.tail = append(append(d.tail[:0], data[consumed:]...), '\n')
		var n, more int
		d.before = rows
		n, more, err = d.lines(d.tail, max-rows)
		consumed += min(n, len(data)-consumed)
		rows += more
	}
	d.finish()
	out.Added(rows, row.Insert)
	return consumed, err
}

// attach makes the columns of out those that are appended to.
func (d *decoder) attach(out *row.Builder) {
	for i, n := range d.cols {
		n.col.Attach(out.Cols[d.at[i]])
	}
	d.before = 0
}

// finish makes them complete.
func (d *decoder) finish() {
	for _, n := range d.cols {
		n.col.Finish()
	}
}

// Midway tells how much of a top-level array has been given.
func (d *decoder) Midway() (back int64, rows int) {
	if !d.inside {
		return 0, 0
	}
	return int64(d.back), d.given
}

// lines reads at most max rows from a buffer of whole lines.
func (d *decoder) lines(b []byte, max int) (consumed, rows int, err error) {
	p, begin, before := 0, 0, d.back // of the array: it began before bytes before begin
	for rows < max && p < len(b) {
		start := p
		if d.inside || b[p] != '{' {
			if !d.inside {
				begin, before, d.given = p, 0, 0
			}
			more, next := d.other(b, p)
			if next < 0 {
				if err := d.failed(b, start, rows); err != nil {
					return start, rows, err
				}
				next = nextLine(b, start)
			}
			rows += more
			p = next
			d.back = before + p - begin
			d.given += more
			continue
		}
		d.line++
		if p = d.object(d.root, b, p+1, 1); p < 0 {
			if err := d.failed(b, start, rows); err != nil {
				return start, rows, err
			}
			p = nextLine(b, start)
			continue
		}
		rows++
		if b[p] == '\n' {
			p++
		} else {
			p = nextLine(b, p) // text behind a complete object is not looked at
		}
	}
	return p, rows, nil
}

func nextLine(b []byte, p int) int { return p + bytes.IndexByte(b[p:], '\n') + 1 }

// other reads from a line that does not begin with an object: a blank line,
// blanks or a byte order mark before the value, or one element of an array.
func (d *decoder) other(b []byte, p int) (more, next int) {
	if !d.inside {
		d.line++
		if bytes.HasPrefix(b[p:], []byte(mark)) {
			p += len(mark)
		}
		if b[p] == '\n' || b[p] == '\r' && b[p+1] == '\n' {
			return 0, nextLine(b, p) // Flink drops empty messages
		}
		switch p = space(b, p); b[p] {
		case '{':
			if p = d.object(d.root, b, p+1, 1); p < 0 {
				return 0, p
			}
			return 1, nextLine(b, p)
		case '[':
			p = space(b, p+1)
			if b[p] == ']' {
				return 0, nextLine(b, p)
			}
		case '\n':
			return 0, d.fail(p, "a JSON object")
		default:
			if d.skip(b, p, 0) < 0 {
				return 0, malformed
			}
			d.bad = &format.Bad{Reason: "a JSON object is needed for a row, this is another value"}
			return 0, malformed
		}
	}
	d.inside = false
	if b[p] != '{' {
		if d.skip(b, p, 0) >= 0 {
			d.bad = &format.Bad{Reason: "an array of JSON objects is needed for rows, this one holds another value"}
		}
		return 0, malformed
	}
	if p = d.object(d.root, b, p+1, 1); p < 0 {
		return 0, p
	}
	switch p = space(b, p); b[p] {
	case ',':
		d.inside = true
		return 1, space(b, p+1)
	case ']':
		return 1, nextLine(b, p)
	}
	if d.ignore {
		// The rows of a broken array up to the mistake stay, as in Flink.
		d.skipped++
		return 1, nextLine(b, p)
	}
	return 0, d.fail(p, "a comma or ']'")
}

// fail notes what was expected where.
func (d *decoder) fail(p int, want string) int {
	d.errAt, d.errWant = p, want
	return malformed
}

// failed takes back what the record at start has appended. It returns the
// error, or nil when errors are ignored.
func (d *decoder) failed(b []byte, start, rows int) error {
	for _, n := range d.cols {
		n.col.Truncate(n.col.Vec.Len + d.before + rows)
	}
	bad, missing := d.bad, d.missing
	d.bad, d.missing, d.inside = nil, "", false
	if d.ignore {
		d.skipped++
		return nil
	}
	line := bytes.TrimSuffix(b[start:nextLine(b, start)-1], []byte("\r"))
	switch {
	case missing != "":
		bad = &format.Bad{Reason: fmt.Sprintf("the field '%s' is missing", missing), Value: format.Cut(line)}
	case bad == nil:
		bad = &format.Bad{Reason: d.syntax(b, start), Value: format.Cut(line)}
	case bad.Column == "":
		bad.Value = format.Cut(line)
	}
	bad.Line = d.line
	return bad
}

// syntax says what is wrong with a line that is no JSON.
func (d *decoder) syntax(b []byte, start int) string {
	if d.errAt >= len(b) || b[d.errAt] == '\n' {
		return "not valid JSON: unexpected end of line, " + d.errWant + " is missing"
	}
	return fmt.Sprintf("not valid JSON: %s expected at character %d instead of '%s'", d.errWant,
		len([]rune(string(b[start:d.errAt])))+1, format.Cut(b[d.errAt:d.errAt+1]))
}
