package json

import (
	"bytes"
	"math"

	"fsql/row"
)

// Messages are read as lines are, after their line ends are gone.

// Begin implements format.Messages.
func (d *decoder) Begin(out *row.Builder) {
	d.attach(out)
	d.out = out
}

// Message implements format.Messages. As in Flink an empty message is no row.
func (d *decoder) Message(data []byte) (rows int, err error) {
	if len(data) == 0 {
		return 0, nil
	}
	d.tail = oneLine(d.tail[:0], data)
	_, rows, err = d.lines(d.tail, math.MaxInt)
	d.before += rows
	return rows, err
}

// End implements format.Messages.
func (d *decoder) End() {
	d.finish()
	d.out.Added(d.before, row.Insert)
	d.out = nil
}

// Begin implements format.Messages.
func (c *changes) Begin(out *row.Builder) {
	c.attach(out)
	c.out = out
	c.kinds, c.most = c.kinds[:0], math.MaxInt
}

// Message implements format.Messages.
func (c *changes) Message(data []byte) (rows int, err error) {
	if len(data) == 0 {
		return 0, nil
	}
	before := len(c.kinds)
	c.tail = oneLine(c.tail[:0], data)
	_, err = c.messages(c.tail)
	return len(c.kinds) - before, err
}

// End implements format.Messages.
func (c *changes) End() {
	c.finish()
	c.added(c.out)
	c.out = nil
}

// oneLine appends a message as one line. A line end between values becomes a
// blank, one inside of a text the escape that means it.
func oneLine(dst, data []byte) []byte {
	if bytes.IndexByte(data, '\n') < 0 {
		return append(append(dst, data...), '\n')
	}
	text := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n' && text:
			dst = append(dst, `\n`...)
		case c == '\n':
			dst = append(dst, ' ')
		case c == '\\' && text && i+1 < len(data) && data[i+1] != '\n':
			i++
			dst = append(dst, c, data[i])
		default:
			text = text != (c == '"')
			dst = append(dst, c)
		}
	}
	return append(dst, '\n')
}
