package exec

import (
	"context"

	"fsql/connector"
	"fsql/expr"
	"fsql/internal/value"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// open finds the splits of a source, deals them to its subtasks and opens
// readers.
func (b *assembly) open(ctx context.Context, node *physical.Node) error {
	src := node.Source
	var splits [][]connector.Split
	if b.memory.begins(node) {
		all, err := src.Source.Splits(ctx)
		if err != nil {
			return err
		}
		splits = deal(all, node.Parallel)
	} else {
		splits = b.memory.positions(node)
	}
	for sub, own := range splits {
		t := b.heads[node.ID][sub].(*SourceTask)
		if err := t.prepare(&b.job.env, b.job.env.seed(node.ID, sub)); err != nil {
			return err
		}
		t.part, t.sub, t.again = b.memory.part(node), sub, types.MinTime
		if b.order.ticks[node.ID] {
			t.ticks = &ticks{stride: b.job.env.Stride}
		}
		b.memory.resume(t, node, own)
		if len(own) == 0 {
			continue
		}
		var err error
		if t.reader, err = src.Source.Open(ctx, own); err != nil {
			return err
		}
		t.clock, _ = t.reader.(connector.Clocked)
		if err := b.memory.recallParts(t, node); err != nil {
			return err
		}
		b.job.closers = append(b.job.closers, t.reader.Close)
	}
	return nil
}

// deal gives each subtask its splits. A source with a watermark has one
// subtask, which reads all of them in their order.
func deal(splits []connector.Split, parallel int) [][]connector.Split {
	own := make([][]connector.Split, parallel)
	for i, s := range splits {
		own[i%parallel] = append(own[i%parallel], s)
	}
	return own
}

// prepare compiles what the source computes.
func (s *SourceTask) prepare(e *Env, seed uint64) error {
	nodes := s.plan.Project
	if s.plan.Watermark != nil {
		nodes = append(nodes[:len(nodes):len(nodes)], s.plan.Rowtime, s.plan.Watermark)
		s.time = newEventTime(s.plan.WatermarkFrom, s.plan.Interval)
	}
	var err error
	if s.program, err = expr.Compile(nodes, s.plan.Table.Schema); err != nil {
		return err
	}
	zone, err := value.LoadZone(e.Zone)
	if err != nil {
		return err
	}
	s.eval = expr.Ctx{
		Zone: zone, Now: s.chain.time, Watermark: types.MinTime,
		Rand: expr.NewRand(seed), Stop: s.stopped, Budget: sourceBudget,
	}
	s.build = row.NewBuilder(s.plan.Table.Schema)
	s.memory.account = s.account
	return nil
}
