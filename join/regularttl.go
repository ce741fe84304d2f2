package join

import (
	"encoding/binary"

	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// lifetime is the time to live of the stored rows of a side, by processing
// time, as of Flink's state: a row that was not written for so long is as if it
// were not there. Nothing is taken back for it; a change that takes it away
// later finds nothing. It is written when it comes, when an equal row comes or
// goes, and when its partners are counted, not when it is read.
type lifetime struct {
	ttl   types.Time   // 0: rows live for ever
	now   types.Time   // of the batch at work
	since []types.Time // by slot: when the row was written
}

func (l *lifetime) grow(slots int) {
	for l.ttl > 0 && len(l.since) < slots {
		l.since = append(l.since, 0)
	}
}

func (l *lifetime) wrote(slot int32) {
	if l.ttl > 0 {
		l.since[slot] = l.now
	}
}

func (l *lifetime) over(slot int32) bool { return l.ttl > 0 && l.now-l.since[slot] >= l.ttl }

func (l *lifetime) save(dst []byte, slot int32) []byte {
	if l.ttl == 0 {
		return dst
	}
	return binary.AppendVarint(dst, int64(l.since[slot]))
}

// load reads what save wrote. A row that was stored before there was a time to
// live begins to live now.
func (l *lifetime) load(d *state.Decoder, slot int32, c *op.Context) {
	if l.ttl == 0 || d.Err != nil {
		return
	}
	l.since[slot] = c.Now()
	if len(d.Data) > 0 {
		l.since[slot] = types.Time(d.Varint())
	}
}

func (s *RegularSpec) expires() bool { return s.L.TTL > 0 || s.R.TTL > 0 }

// expiringJoin also gives back the memory of rows that nobody meets any more:
// once per time to live it looks at all of them.
type expiringJoin struct {
	*regularJoin
	sweep types.Time // when; MaxTime: there are no rows
}

// OnBatch implements op.Operator.
func (o *expiringJoin) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	more, err := o.regularJoin.OnBatch(in, b, out)
	if o.sweep == types.MaxTime {
		o.schedule(o.ctx.Now())
	}
	return more, err
}

// schedule waits for the shorter of the two times to live, if there are rows.
func (o *expiringJoin) schedule(now types.Time) {
	o.sweep = types.MaxTime
	for _, side := range o.side {
		if ttl := side.life.ttl; ttl > 0 && side.table.Len() > 0 && ttl <= types.MaxTime-now {
			o.sweep = min(o.sweep, now+ttl)
		}
	}
}

// NextClock implements op.ClockHandler.
func (o *expiringJoin) NextClock() types.Time { return o.sweep }

// OnClock implements op.ClockHandler. No batch is at work: both inputs end at
// this operator.
func (o *expiringJoin) OnClock(now types.Time, _ op.Emitter) error {
	for i, side := range o.side {
		side.life.now = now
		all := side.table.Slots(nil)
		over := all[:0]
		for _, slot := range all {
			if s := &side.rows[slot]; side.life.over(slot) && s.count > 0 {
				over = append(over, slot)
			}
		}
		side.table.Touch(over)
		for _, slot := range over {
			s := &side.rows[slot]
			side.drop(slot, &o.keyed[s.key].side[i])
			s.used = false
			o.fresh = append(o.fresh, s.key)
		}
		side.table.Remove(over)
	}
	o.forgetKeys()
	o.schedule(now)
	return nil
}

// Restore implements op.Stateful.
func (o *expiringJoin) Restore(r *state.Restored) error {
	err := o.regularJoin.Restore(r)
	o.schedule(o.ctx.Now())
	return err
}
