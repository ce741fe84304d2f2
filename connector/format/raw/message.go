package raw

import "fsql/row"

// Begin implements format.Messages.
func (d *decoder) Begin(out *row.Builder) {
	if d.read {
		d.column.Attach(out.Cols[0])
	}
	d.out, d.given = out, 0
}

// Message implements format.Messages: a message is a value, line ends and all,
// and one that has no bytes at all is NULL.
func (d *decoder) Message(data []byte) (rows int, err error) {
	switch {
	case !d.read:
	case data == nil:
		d.column.Null()
	default:
		if err := d.append(data); err != nil {
			return 0, err
		}
	}
	d.given++
	return 1, nil
}

// End implements format.Messages.
func (d *decoder) End() {
	if d.read {
		d.column.Finish()
	}
	d.out.Added(d.given, row.Insert)
	d.out = nil
}

// Null implements format.Nulls.
func (e *encoder) Null(b *row.Batch, i int) bool { return b.Cols[0].IsNull(i) }
