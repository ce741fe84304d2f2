package sim

import (
	"slices"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// tumble counts rows per key and window of Size milliseconds, the plain way:
// one comparison per row for lateness, maps, sorting when a mark comes. In
// columns (key BIGINT, ts TIMESTAMP(3)) of every input; out key, window end in
// milliseconds, count.
type tumble struct {
	base
	size    types.Time
	key, ts int
}

func (p *tumble) Build(*op.Context) (op.Operator, error) {
	return op.Cut(&tumbling{spec: p, open: map[pane]int64{}, now: types.MinTime}, p.schema), nil
}

type pane struct {
	end types.Time
	key int64
}

type tumbling struct {
	spec *tumble
	open map[pane]int64
	now  types.Time
	late int64
}

func (p *tumbling) OnRows(_ int, b *row.Batch, _ op.Emitter) (bool, error) {
	for r := range b.Rows {
		end := windowEnd(types.Time(b.Cols[p.spec.ts].I64[r]/1000), p.spec.size)
		if end-1 <= p.now {
			p.late++
			continue
		}
		p.open[pane{end, b.Cols[p.spec.key].I64[r]}]++
	}
	return false, nil
}

func windowEnd(t, size types.Time) types.Time { return t - t%size + size }

func (p *tumbling) OnWatermark(w types.Time, out op.Emitter) (types.Time, bool, error) {
	p.now = w
	var due []pane
	for k := range p.open {
		if k.end-1 <= w {
			due = append(due, k)
		}
	}
	slices.SortFunc(due, func(a, b pane) int {
		if a.end != b.end {
			return int(a.end - b.end)
		}
		return int(a.key - b.key)
	})
	build := row.NewBuilder(p.spec.schema)
	for _, k := range due {
		appendLong(build.Cols[0], k.key)
		appendLong(build.Cols[1], int64(k.end))
		appendLong(build.Cols[2], p.open[k])
		build.Added(1, row.Insert)
		delete(p.open, k)
	}
	if b := build.Flush(); b != nil {
		return w, false, out.Emit(b)
	}
	return w, false, nil
}

func (p *tumbling) OnBarrier(types.Epoch) error { return nil }
func (p *tumbling) StateBytes() int64           { return int64(len(p.open)) * 24 }
func (p *tumbling) Counters() []op.Counter {
	return []op.Counter{{Name: "numLateRecordsDropped", Value: p.late}}
}
