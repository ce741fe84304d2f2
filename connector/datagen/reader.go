package datagen

import (
	"encoding/binary"
	"time"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/row"
)

// reader gives rows at the table's rate: a second's rows at once are due at the
// beginning of that second, as Flink's limiter lets the first through at once.
type reader struct {
	source  *source
	columns []*format.Column
	own     bool
	done    int64
	start   time.Time
	base    int64 // rows that were there at start
	wake    chan struct{}
	timer   *time.Timer
}

// Poll gives the rows that are due.
func (r *reader) Poll(out *row.Builder, most int) (connector.Status, error) {
	left := int64(most)
	if r.source.rows >= 0 {
		left = min(left, r.source.rows-r.done)
	}
	if !r.own || left <= 0 {
		return connector.Ended, nil
	}
	if r.start.IsZero() {
		r.start, r.base = time.Now(), r.done
	}
	elapsed := time.Since(r.start)
	due := r.base + int64(elapsed.Seconds()*float64(r.source.rate)) + burst(r.source.rate)
	if due <= r.done {
		next := time.Duration(float64(r.done-r.base-burst(r.source.rate)+1) / float64(r.source.rate) * float64(time.Second))
		r.alarm(next - elapsed)
		return connector.Waiting, nil
	}
	n := int(min(left, due-r.done))
	for i, g := range r.source.fields {
		if r.source.table.Wanted == nil || r.source.table.Wanted[i] {
			r.columns[i].Attach(out.Cols[i])
			g.fill(r.columns[i], r.done, n)
			r.columns[i].Finish()
		}
	}
	out.Added(n, row.Insert)
	r.done += int64(n)
	return connector.Progressed, nil
}

// burst is how many rows may come before their time: one, or a tenth of a
// second's at high rates.
func burst(rate int64) int64 { return max(1, rate/10) }

func (r *reader) alarm(d time.Duration) {
	if r.wake == nil {
		r.wake = make(chan struct{}, 1)
	}
	ring := func() {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
	if r.timer == nil {
		r.timer = time.AfterFunc(d, ring)
		return
	}
	r.timer.Reset(d)
}

// Wake is signalled when the next row is due.
func (r *reader) Wake() <-chan struct{} {
	if r.wake == nil {
		r.wake = make(chan struct{}, 1)
	}
	return r.wake
}

func (r *reader) Positions() []connector.Split {
	if !r.own {
		return nil
	}
	return []connector.Split{{ID: "datagen", Offset: binary.BigEndian.AppendUint64(nil, uint64(r.done))}}
}

func (r *reader) Skipped() int64 { return 0 }

func (r *reader) Close() error {
	if r.timer != nil {
		r.timer.Stop()
	}
	return nil
}
