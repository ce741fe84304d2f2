package sim

import (
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// Small operators for plans made by hand. Each is a spec that builds itself.

// base is what the specs share.
type base struct {
	name   string
	schema *types.Schema
	keys   []int // hash requirement
	kinds  row.Kinds
	pause  bool
}

func (b base) Describe() op.Description             { return op.Description{Name: b.name} }
func (b base) Output() *types.Schema                { return b.schema }
func (b base) Require(int) op.Distribution          { return op.Distribution{Keys: b.keys} }
func (b base) Emits([]row.Kinds) (row.Kinds, error) { return b.kinds, nil }
func (b base) MayPause() bool                       { return b.pause }

// pass hands batches of any number of inputs on (UNION ALL); keep, if set,
// drops the rows for which it says no.
type pass struct {
	base
	keep func(b *row.Batch, r int) bool
}

func (p *pass) Build(*op.Context) (op.Operator, error) { return &passing{p}, nil }

type passing struct{ *pass }

func (p *passing) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if p.keep != nil {
		sel := []int32{}
		for r := range b.Rows {
			if p.keep(b, r) {
				sel = append(sel, int32(r))
			}
		}
		b = b.Gather(sel)
	}
	if b.Rows == 0 && len(b.Marks) == 0 {
		return false, nil
	}
	return false, out.Emit(b)
}

func (p *passing) OnBarrier(types.Epoch) error { return nil }

// repeat emits every row n times, at most BatchRows rows per call.
type repeat struct {
	base
	n int
}

func (p *repeat) Build(c *op.Context) (op.Operator, error) {
	return op.Cut(&repeating{spec: p, most: c.BatchRows}, p.schema), nil
}

type repeating struct {
	spec *repeat
	most int
	at   int // rows emitted for the batch in hand
}

func (p *repeating) OnRows(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	var sel []int32
	for ; p.at < b.Rows*p.spec.n && len(sel) < p.most; p.at++ {
		sel = append(sel, int32(p.at/p.spec.n))
	}
	if err := out.Emit(b.Gather(sel)); err != nil {
		return false, err
	}
	if p.at < b.Rows*p.spec.n {
		return true, nil
	}
	p.at = 0
	return false, nil
}

func (p *repeating) OnWatermark(w types.Time, _ op.Emitter) (types.Time, bool, error) {
	return w, false, nil
}
func (p *repeating) OnBarrier(types.Epoch) error { return nil }

// counting counts rows per key as an updating aggregate: +I, then -U and +U, in
// batches of at most BatchRows or two rows.
type counting struct {
	base
	key int
}

func (p *counting) Build(c *op.Context) (op.Operator, error) {
	return &counter{spec: p, n: map[int64]int64{}, most: c.BatchRows}, nil
}

type counter struct {
	spec *counting
	n    map[int64]int64
	most int
}

func (p *counter) OnBatch(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	build := row.NewBuilder(p.spec.schema)
	add := func(k row.Kind, key, n int64) {
		appendLong(build.Cols[0], key)
		appendLong(build.Cols[1], n)
		build.Added(1, k)
	}
	at := 0
	for r := 0; r <= b.Rows; r++ {
		for ; at < len(b.Marks) && int(b.Marks[at].Row) == r; at++ {
			build.Mark(b.Marks[at].Time)
		}
		if r == b.Rows {
			break
		}
		if build.Len() > 0 && build.Len()+2 > p.most {
			if err := out.Emit(build.Flush()); err != nil {
				return false, err
			}
		}
		key := b.Cols[p.spec.key].I64[r]
		old := p.n[key]
		if p.n[key]++; old == 0 {
			add(row.Insert, key, 1)
			continue
		}
		add(row.UpdateBefore, key, old)
		add(row.UpdateAfter, key, old+1)
	}
	if o := build.Flush(); o != nil {
		return false, out.Emit(o)
	}
	return false, nil
}

func (p *counter) OnBarrier(types.Epoch) error { return nil }
func (p *counter) StateBytes() int64           { return int64(len(p.n)) * 16 }

func appendLong(v *row.Vec, x int64) {
	v.Reserve(1)
	v.I64 = append(v.I64, x)
	v.Len++
}
