package relop

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// overNow is OVER whose rows come out at once: by processing time, from the
// first row on or over a number of rows.
type overNow struct {
	*frames
	zero bool
}

// OnBatch implements op.Operator.
func (o *overNow) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	r := &row.Batch{Schema: o.spec.Out, Rows: b.Rows, Cols: noRows(o.spec.Out), Marks: b.Marks}
	if b.Rows > 0 {
		o.find(b, nil)
		o.begin()
		if o.spec.bounded() {
			o.form.Encode(b.Cols, b.Rows)
		}
		for i, slot := range o.slots {
			if o.spec.bounded() {
				p := o.part(slot)
				if int64(p.size()) > o.spec.Preceding {
					o.leave(p.shift(), slot)
				}
				p.frame = append(p.frame, o.rows.Add(slot, 0, o.form.Keys.At(i)))
			}
			o.add(int32(i), slot)
		}
		if err := o.fold(b.Cols, b.Rows); err != nil {
			return false, err
		}
		r.Cols = o.results(append([]*row.Vec(nil), b.Cols...), 0, b.Rows)
		o.drop()
	}
	return false, send(r, out)
}

// OnBarrier implements op.Operator.
func (o *overNow) OnBarrier(types.Epoch) error { return nil }

// StateBytes implements op.Sized.
func (o *overNow) StateBytes() int64 { return o.bytes() }
