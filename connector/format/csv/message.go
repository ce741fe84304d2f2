package csv

import (
	"bytes"

	"fsql/connector/format"
	"fsql/row"
)

// Begin implements format.Messages.
func (d *decoder) Begin(out *row.Builder) {
	d.attach(out)
	d.out, d.given = out, 0
	d.final = true
}

// Message implements format.Messages. As in Flink no bytes at all are no row,
// and of several records the first one counts.
func (d *decoder) Message(data []byte) (rows int, err error) {
	if data == nil {
		return 0, nil
	}
	data = bytes.TrimPrefix(data, []byte(mark))
	if len(data) == 0 {
		if d.ignore {
			d.skipped++
			return 0, nil
		}
		return 0, &format.Bad{Reason: "the message is empty"}
	}
	d.tail = append(append(d.tail[:0], data...), '\n')
	_, rows, err = d.recordsAfter(d.tail, 1, d.given)
	d.given += rows
	return rows, err
}

// End implements format.Messages.
func (d *decoder) End() {
	d.finish()
	d.out.Added(d.given, row.Insert)
	d.out = nil
}
