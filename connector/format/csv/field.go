package csv

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"fsql/connector/format"
)

// field reads the field at p, whatever it looks like: its text, unquoted and
// unescaped, and the position of the delimiter or line end behind it. The
// position is negative when the field is malformed or incomplete.
func (d *decoder) field(b []byte, p int) (text []byte, end int) {
	if !d.simple {
		return d.careful(b, p)
	}
	if d.quote == 0 || b[p] != d.quote {
		end, wide := d.fieldEnd(b, p, d.delim[0])
		if wide && !utf8.Valid(b[p:end]) {
			return nil, d.malformed(p, end, "not valid UTF-8")
		}
		return b[p:end], end
	}
	q, f := quoteEnd(b, p+1, d.quote)
	if q == len(b) {
		return nil, d.unclosed(p)
	}
	text = b[p+1 : q]
	if f&broken != 0 {
		d.inner += bytes.Count(text, []byte{'\n'})
	}
	if f&wide != 0 && !utf8.Valid(text) {
		return nil, d.malformed(p, q+1, "not valid UTF-8")
	}
	if f&doubled != 0 {
		d.scratch = undouble(d.scratch[:0], text, d.quote)
		text = d.scratch
	}
	return text, d.behindQuote(b, p, q+1)
}

func (d *decoder) fieldEnd(b []byte, p int, delim byte) (end int, wide bool) {
	if d.returns {
		return fieldEnd(b, p, delim)
	}
	return lineFieldEnd(b, p, delim)
}

func undouble(dst, text []byte, quote byte) []byte {
	for {
		n := bytes.IndexByte(text, quote)
		if n < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:n+1]...)
		text = text[n+2:]
	}
}

// behindQuote skips the blanks between a closing quote and the end of the field.
func (d *decoder) behindQuote(b []byte, start, p int) int {
	for {
		switch c := b[p]; {
		case ends(c) || d.delimAt(b, p):
			return p
		case c > ' ':
			return d.malformed(start, p, "text behind a closing quote")
		}
		p++
	}
}

func (d *decoder) delimAt(b []byte, p int) bool {
	if b[p] != d.delim[0] {
		return false
	}
	return len(d.delim) == 1 || bytes.HasPrefix(b[p:], []byte(d.delim))
}

// careful reads fields of dialects with an escape character, a delimiter of
// several bytes or trimmed blanks.
func (d *decoder) careful(b []byte, p int) (text []byte, end int) {
	start := p
	if d.trim {
		for b[p] == ' ' || b[p] == '\t' && !d.delimAt(b, p) {
			p++
		}
	}
	quoted := d.quote != 0 && b[p] == d.quote
	if quoted {
		p++
	}
	d.scratch = d.scratch[:0]
	for {
		if p == len(b) {
			return nil, d.unclosed(start)
		}
		c := b[p]
		switch {
		case d.escape != 0 && c == d.escape:
			if p+1 == len(b) || p+2 == len(b) && d.final {
				return nil, d.unclosed(start)
			}
			p++
			d.scratch = append(d.scratch, unescaped(b[p]))
			if b[p] == '\n' {
				d.inner++
			}
			p++
		case quoted && c == d.quote:
			if p+1 < len(b) && b[p+1] == d.quote {
				d.scratch = append(d.scratch, c)
				p += 2
				continue
			}
			if p+1 == len(b) {
				return nil, d.unclosed(start)
			}
			return d.complete(start, d.behindQuote(b, start, p+1), false)
		case !quoted && (ends(c) || d.delimAt(b, p)):
			return d.complete(start, p, d.trim)
		default:
			if c == '\n' {
				d.inner++
			}
			d.scratch = append(d.scratch, c)
			p++
		}
	}
}

// complete checks and returns the text of a field read carefully.
func (d *decoder) complete(start, end int, trim bool) ([]byte, int) {
	text := d.scratch
	if trim {
		text = bytes.TrimRight(text, " \t")
	}
	if end >= 0 && !utf8.Valid(text) {
		return nil, d.malformed(start, end, "not valid UTF-8")
	}
	return text, end
}

// unescaped is what a character behind the escape character stands for.
func unescaped(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// null tells whether a text stands for NULL.
func (d *decoder) null(text []byte) bool {
	return d.nulls && string(text) == d.dialect.null || d.emptyNull && len(text) == 0
}

// malformed notes why the record cannot be read; it ends somewhere behind at.
func (d *decoder) malformed(start, at int, why string) int {
	d.why, d.resume = why, at
	return bad
}

// unclosed is a field that the buffer does not hold to its end.
func (d *decoder) unclosed(start int) int {
	if d.final {
		d.why = "a closing quote is missing"
		if d.escape != 0 {
			d.why = "a closing quote or an escaped character is missing"
		}
		d.resume = -1
		return bad
	}
	return incomplete
}

// list splits the text of an ARRAY or ROW; blanks alone are no element.
func (d *decoder) list(text []byte) []string {
	if len(format.Trim(text)) == 0 {
		return nil
	}
	return strings.Split(string(text), d.elem)
}
