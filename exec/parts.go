package exec

import (
	"encoding/binary"

	"fsql/connector"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// parts is event time of a source whose splits have it each of their own
// (connector.Parted), as Flink has it for sources with a generator of watermarks
// per split: that of the source is the least of the splits that are neither idle
// nor ended. One without rows holds it back until it counts as idle.
type parts struct {
	reader connector.Parted
	all    []splitTime
	past   map[string]types.Time // of splits before a restart
	runs   []run                 // of the rows that are in no batch yet
}

// splitTime is what is known of a split.
type splitTime struct {
	connector.PartState
	top   types.Time // running maximum
	since types.Time // when its last rows came, in processing time
	idle  bool
}

// run is rows of one split that follow one another.
type run struct{ part, rows int }

// partsForm is the version of what remembered gives.
const partsForm = 1

// polled notes what the reader has given. It tells whether event time may have
// risen without rows: a split has ended.
func (p *parts) polled(rows int, now types.Time) (changed bool) {
	for i, known := range p.reader.Parts() {
		if i == len(p.all) {
			top, ok := p.past[known.ID]
			if !ok {
				top = types.MinTime
			}
			p.all = append(p.all, splitTime{PartState: known, top: top, since: now})
		}
		if known.Ended && !p.all[i].Ended {
			p.all[i].Ended, changed = true, true
		}
	}
	if rows == 0 {
		return changed
	}
	at := p.reader.Part()
	p.all[at].since, p.all[at].idle = now, false
	if n := len(p.runs); n > 0 && p.runs[n-1].part == at {
		p.runs[n-1].rows += rows
	} else {
		p.runs = append(p.runs, run{at, rows})
	}
	return changed
}

// least is the least event time of the splits that count but for one, MaxTime if
// there is none.
func (p *parts) least(but int) types.Time {
	t := types.MaxTime
	for i := range p.all {
		if q := &p.all[i]; i != but && !q.idle && !q.Ended {
			t = min(t, q.top)
		}
	}
	return t
}

// marks looks at the next n rows, whose values of the watermark expression are
// v, and makes the marks of the source.
func (p *parts) marks(of *eventTime, v *row.Vec, n int) []row.Mark {
	var out []row.Mark
	for r := 0; r < n; {
		q := &p.runs[0]
		to := min(n, r+q.rows)
		out = p.raise(of, v, r, to, q.part, out)
		if q.rows -= to - r; q.rows == 0 {
			p.runs = p.runs[1:]
		}
		r = to
	}
	return out
}

// raise is eventTime.marks for rows of one split.
func (p *parts) raise(of *eventTime, v *row.Vec, from, to, at int, out []row.Mark) []row.Mark {
	unit := int64(1000)
	if v.Type.Layout() == types.LayoutNano {
		unit = 1
	}
	q, others := &p.all[at], p.least(at)
	next := threshold(q.top, unit)
	for r := from; r < to; r++ {
		if v.I64[r] < next || v.Valid != nil && !v.Valid.Valid(r) {
			continue
		}
		q.top = floorMillis(v.I64[r], unit)
		next = threshold(q.top, unit)
		if t := min(q.top, others); t > of.top {
			of.top = t
			if of.due() {
				out = append(out, row.Mark{Row: int32(r + 1), Time: t})
				of.emitted = t
			}
		}
	}
	return out
}

// recount is for splits that have ended or become idle: the others decide.
func (s *SourceTask) recount() error {
	if _, err := s.flush(); err != nil {
		return err
	}
	t := s.parts.least(-1)
	if t == types.MaxTime || t <= s.time.top {
		return nil
	}
	if s.time.top = t; !s.time.due() {
		return nil
	}
	s.time.emitted = t
	return s.out.Emit(row.Watermark(s.schema, t))
}

// idleAfter is the time without rows after which a split counts as idle, 0:
// never. What is there already is waited for.
func (s *SourceTask) idleAfter() types.Time {
	if s.parts == nil || s.plan.Source.Bounded() {
		return 0
	}
	return s.plan.IdleAfter
}

// nextIdle is when the next split counts as idle.
func (s *SourceTask) nextIdle() types.Time {
	t, after := types.MaxTime, s.idleAfter()
	if after == 0 {
		return t
	}
	for i := range s.parts.all {
		if q := &s.parts.all[i]; !q.idle && !q.Ended {
			t = min(t, q.since+after)
		}
	}
	return t
}

// rest lets splits that have been silent become idle.
func (s *SourceTask) rest() (worked bool, err error) {
	after := s.idleAfter()
	if after == 0 {
		return false, nil
	}
	now := s.chain.time()
	for i := range s.parts.all {
		if q := &s.parts.all[i]; !q.idle && !q.Ended && now >= q.since+after {
			q.idle, worked = true, true
		}
	}
	if worked {
		err = s.recount()
	}
	return worked, err
}

// remembered is what a checkpoint has to hold.
func (p *parts) remembered() []byte {
	b := binary.AppendUvarint([]byte{partsForm}, uint64(len(p.all)))
	for _, q := range p.all {
		b = binary.AppendVarint(state.AppendBytes(b, []byte(q.ID)), int64(q.top))
	}
	return b
}

// recall reads it.
func (p *parts) recall(b []byte) error {
	d := state.Decoder{Data: b}
	d.Version(partsForm)
	p.past = map[string]types.Time{}
	for n := d.Uvarint(); n > 0 && d.Err == nil; n-- {
		id := string(d.Bytes())
		p.past[id] = types.Time(d.Varint())
	}
	return d.Err
}
