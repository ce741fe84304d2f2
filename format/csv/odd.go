package csv

import "bytes"

// odd takes a record with quotes or escapes apart, character by character. A
// quote opens a quoted field only at its beginning; inside, a doubled quote is
// a quote and line ends belong to the field.
func (d *decoder) odd(data []byte, last bool) (next int, lines int64, ok bool) {
	d.fields, d.text = d.fields[:0], d.text[:0]
	var ends [16]int
	cuts := ends[:0] // ends of the fields in d.text
	i := 0
	lines = 1
field:
	for {
		if d.quote != 0 && i < len(data) && data[i] == d.quote {
			i++
			for {
				if i == len(data) {
					if !last {
						return 0, 0, false
					}
					break
				}
				switch c := data[i]; {
				case c == d.quote && i+1 < len(data) && data[i+1] == d.quote:
					d.text = append(d.text, c)
					i += 2
					continue
				case c == d.quote && i+1 == len(data) && !last:
					return 0, 0, false // the next byte may be a second quote
				case c == d.quote:
					i++
				case d.escape != 0 && c == d.escape && i+1 < len(data):
					d.text = append(d.text, unescaped(data[i+1]))
					i += 2
					continue
				default:
					if c == '\n' {
						lines++
					}
					d.text = append(d.text, c)
					i++
					continue
				}
				break
			}
			// Blanks between the closing quote and the delimiter are ignored.
			for i < len(data) && (data[i] == ' ' || data[i] == '\t') && data[i] != d.delim {
				i++
			}
		}
		for i < len(data) {
			c := data[i]
			switch {
			case c == d.delim:
				i++
				cuts = append(cuts, len(d.text))
				continue field
			case c == '\n':
				i++
				d.text = bytes.TrimSuffix(d.text, trailing(data, i-1))
				cuts = append(cuts, len(d.text))
				d.cut(cuts)
				return i, lines, true
			case d.escape != 0 && c == d.escape && i+1 < len(data):
				d.text = append(d.text, unescaped(data[i+1]))
				i += 2
			default:
				d.text = append(d.text, c)
				i++
			}
		}
		if !last {
			return 0, 0, false
		}
		d.text = bytes.TrimSuffix(d.text, trailing(data, len(data)))
		cuts = append(cuts, len(d.text))
		d.cut(cuts)
		return len(data), lines, true
	}
}

// trailing is the carriage return before a line end at position i, if it is
// one.
func trailing(data []byte, i int) []byte {
	if i > 0 && data[i-1] == '\r' {
		return data[i-1 : i]
	}
	return nil
}

// cut makes the fields that end at the given places of d.text.
func (d *decoder) cut(ends []int) {
	from := 0
	for _, to := range ends {
		d.fields = append(d.fields, d.text[from:to])
		from = to
	}
}

// unescaped is what a character means behind the escape character.
func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case '0':
		return 0
	}
	return c
}
