package json

import (
	"math"
	"strconv"

	"fsql/connector/format"
	"fsql/internal/value"
)

// compact appends the value at p, whose syntax has been checked, as Jackson
// prints a tree: without blanks, numbers spelled anew, of repeated names the
// last value.
func (d *decoder) compact(dst, b []byte, p int) []byte {
	switch c := b[p]; {
	case c == '"':
		text, _ := d.text(b, p)
		return appendString(dst, text)
	case c == '-' || c-'0' <= 9:
		next, fraction := d.number(b, p)
		return d.appendNumber(dst, b[p:next], fraction)
	case c == '[':
		dst = append(dst, '[')
		if p = space(b, p+1); b[p] == ']' {
			return append(dst, ']')
		}
		for {
			dst = d.compact(dst, b, p)
			if p = space(b, d.skip(b, p, 0)); b[p] != ',' {
				return append(dst, ']')
			}
			dst = append(dst, ',')
			p = space(b, p+1)
		}
	case c == '{':
		dst = append(dst, '{')
		from := len(d.stack)
		count := len(d.entries(b, p))
		for i := from; i < from+count; i++ {
			if i > from {
				dst = append(dst, ',')
			}
			dst = d.compact(dst, b, d.stack[i].key)
			dst = append(dst, ':')
			dst = d.compact(dst, b, d.stack[i].value)
		}
		d.stack = d.stack[:from]
		return append(dst, '}')
	}
	return append(dst, b[p:d.word(b, p)]...)
}

// appendNumber spells a number as Java does: whole ones as they are, others as
// a double or, when the table holds a DECIMAL anywhere, as a BigDecimal.
func (d *decoder) appendNumber(dst, text []byte, fraction bool) []byte {
	if !fraction {
		if string(text) == "-0" {
			text = text[1:]
		}
		return append(dst, text...)
	}
	if d.decimals {
		if out, ok := appendBig(dst, text); ok {
			return out
		}
	}
	f, _ := value.ParseDouble(text)
	if math.IsInf(f, 0) {
		dst = append(dst, '"')
		return append(value.AppendDouble(dst, f), '"')
	}
	return value.AppendDouble(dst, f)
}

// appendBig spells a number with all its digits.
func appendBig(dst, text []byte) (out []byte, ok bool) {
	neg := text[0] == '-'
	if neg {
		text = text[1:]
	}
	var digits []byte
	scale, exp := 0, 0
	point := false
	for i, c := range text {
		if c|0x20 == 'e' {
			e, err := strconv.Atoi(string(text[i+1:]))
			if err != nil {
				return dst, false
			}
			exp = e
			break
		}
		if c == '.' {
			point = true
			continue
		}
		digits = append(digits, c)
		if point {
			scale++
		}
	}
	return format.AppendShortDigits(dst, neg, digits, scale-exp), true
}

// appendString appends a quoted text, escaped as Jackson does: only what must be.
func appendString[T ~string | ~[]byte](dst []byte, s T) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
