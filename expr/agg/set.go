package agg

import (
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// Set runs the calls of one aggregation over shared slots: it picks argument
// columns, applies FILTER, DISTINCT and AddsOnly, and drives one Accumulator per
// call.
type Set struct {
	calls []*setCall
	size  int // slots that there is room for

	sel, slots []int32 // rows that pass a FILTER
	signs      []int8
	addSel     []int32 // of these, rows that are not taken back
	addSlots   []int32
	one        [2][1]int32 // row and slot of a single step
	oneSign    [1]int8
}

type setCall struct {
	acc    Accumulator
	args   []int
	filter int
	adds   bool       // it gets no rows that are taken back
	cols   []*row.Vec // the argument columns of a batch
}

// NewSet builds the accumulators of calls over an input; opts gives Retract,
// Mergeable and ZeroHash for all of them.
func NewSet(in *types.Schema, calls []Call, opts Options) (*Set, error) {
	s := &Set{}
	for _, c := range calls {
		args := make([]types.Type, len(c.Args))
		for i, a := range c.Args {
			args[i] = in.Columns[a].Type
		}
		o := c.Opts
		o.Retract, o.Mergeable, o.ZeroHash = opts.Retract && !o.AddsOnly, opts.Mergeable, opts.ZeroHash
		acc, err := c.Fn.New(args, c.Type, o)
		if err != nil {
			return nil, err
		}
		if c.Opts.Distinct {
			acc = Distinct(acc, args, o)
		}
		s.calls = append(s.calls, &setCall{acc: acc, args: c.Args, filter: c.Filter, adds: o.AddsOnly, cols: make([]*row.Vec, len(c.Args))})
	}
	return s, nil
}

// Grow makes room for the slots [0, n), with some to spare.
func (s *Set) Grow(n int) {
	if n <= s.size {
		return
	}
	s.size = max(n, s.size+s.size/2, 64)
	for _, c := range s.calls {
		c.acc.Grow(s.size)
	}
}

// Add folds row sel[k] of b (sel nil: row k) into slot slots[k] of every call
// whose FILTER it passes; signs as for Accumulator.Add.
func (s *Set) Add(b *row.Batch, sel, slots []int32, signs []int8) error {
	for _, c := range s.calls {
		c.pick(b)
		cSel, cSlots, cSigns := sel, slots, signs
		if c.filter >= 0 {
			cSel, cSlots, cSigns = s.pass(b.Cols[c.filter], sel, slots, signs)
			if len(cSlots) == 0 {
				continue
			}
		}
		if c.adds && cSigns != nil {
			if cSel, cSlots = s.added(cSel, cSlots, cSigns); len(cSlots) == 0 {
				continue
			}
			cSigns = nil
		}
		if err := c.acc.Add(c.cols, cSel, cSlots, cSigns); err != nil {
			return err
		}
	}
	return nil
}

func (c *setCall) pick(b *row.Batch) {
	for i, a := range c.args {
		c.cols[i] = b.Cols[a]
	}
}

// pass leaves the rows for which a condition is TRUE.
func (s *Set) pass(cond *row.Vec, sel, slots []int32, signs []int8) ([]int32, []int32, []int8) {
	s.sel, s.slots, s.signs = s.sel[:0], s.slots[:0], s.signs[:0]
	for i, slot := range slots {
		r := int32(i)
		if sel != nil {
			r = sel[i]
		}
		if !cond.Bool[r] || cond.IsNull(int(r)) {
			continue
		}
		s.sel, s.slots = append(s.sel, r), append(s.slots, slot)
		if signs != nil {
			s.signs = append(s.signs, signs[i])
		}
	}
	if signs == nil {
		return s.sel, s.slots, nil
	}
	return s.sel, s.slots, s.signs
}

// added leaves the rows that are not taken back.
func (s *Set) added(sel, slots []int32, signs []int8) (rows, of []int32) {
	s.addSel, s.addSlots = s.addSel[:0], s.addSlots[:0]
	for i, slot := range slots {
		if signs[i] < 0 {
			continue
		}
		r := int32(i)
		if sel != nil {
			r = sel[i]
		}
		s.addSel, s.addSlots = append(s.addSel, r), append(s.addSlots, slot)
	}
	return s.addSel, s.addSlots
}

// AddEach is Add row by row (sel must not be nil); it appends the results after
// each row to out, a column per call.
func (s *Set) AddEach(b *row.Batch, sel, slots []int32, signs []int8, out []*row.Vec) error {
	for i, c := range s.calls {
		c.pick(b)
		cSel := sel
		if c.filter >= 0 {
			cSel = s.pad(b.Cols[c.filter], sel)
		}
		cSigns := signs
		if c.adds && signs != nil {
			cSel, cSigns = s.padTaken(cSel, signs), nil
		}
		var err error
		if step, ok := c.acc.(Stepper); ok {
			err = step.AddEach(c.cols, cSel, slots, cSigns, out[i])
		} else {
			err = s.each(c, cSel, slots, cSigns, out[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pad puts -1 for the rows for which a condition is not TRUE.
func (s *Set) pad(cond *row.Vec, sel []int32) []int32 {
	s.sel = s.sel[:0]
	for _, r := range sel {
		if !cond.Bool[r] || cond.IsNull(int(r)) {
			r = -1
		}
		s.sel = append(s.sel, r)
	}
	return s.sel
}

// padTaken puts -1 for the rows that are taken back.
func (s *Set) padTaken(sel []int32, signs []int8) []int32 {
	s.addSel = s.addSel[:0]
	for i, r := range sel {
		if signs[i] < 0 {
			r = -1
		}
		s.addSel = append(s.addSel, r)
	}
	return s.addSel
}

// each drives an accumulator that is no Stepper.
func (s *Set) each(c *setCall, sel, slots []int32, signs []int8, out *row.Vec) error {
	for i, slot := range slots {
		s.one[0][0], s.one[1][0] = sel[i], slot
		if sel[i] >= 0 {
			var sign []int8
			if signs != nil {
				s.oneSign[0] = signs[i]
				sign = s.oneSign[:]
			}
			if err := c.acc.Add(c.cols, s.one[0][:], s.one[1][:], sign); err != nil {
				return err
			}
		}
		c.acc.Result(s.one[1][:], out)
	}
	return nil
}

// Merge folds slot src[k] into slot dst[k].
func (s *Set) Merge(dst, src []int32) error {
	for _, c := range s.calls {
		if err := c.acc.Merge(dst, src); err != nil {
			return err
		}
	}
	return nil
}

// Reset empties slots.
func (s *Set) Reset(slots []int32) {
	for _, c := range s.calls {
		c.acc.Reset(slots)
	}
}

// Results appends the results of slots to out, a column per call.
func (s *Set) Results(slots []int32, out []*row.Vec) {
	for i, c := range s.calls {
		c.acc.Result(slots, out[i])
	}
}

// Bytes estimates the memory held.
func (s *Set) Bytes() int64 {
	n := int64(0)
	for _, c := range s.calls {
		n += c.acc.Bytes()
	}
	return n
}

// Save appends the state of a slot, Load puts it back into an empty one.
func (s *Set) Save(dst []byte, slot int32) []byte {
	for _, c := range s.calls {
		dst = state.AppendSized(dst, func(dst []byte) []byte { return c.acc.Save(dst, slot) })
	}
	return dst
}

// Load puts what Save gave into an empty slot.
func (s *Set) Load(slot int32, saved []byte) error {
	d := Decoder{Data: saved}
	for _, c := range s.calls {
		one := d.Bytes()
		if d.Err != nil {
			return d.Err
		}
		if err := c.acc.Load(slot, one); err != nil {
			return err
		}
	}
	return nil
}
