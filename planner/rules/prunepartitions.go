package rules

import (
	"slices"

	"fsql/expr"
	"fsql/planner/logical"
)

// prunePartitions tells a scan of a partitioned table which partitions its
// readers want, as far as their conditions speak of partition columns alone:
// the files of the others are not opened. The conditions stay where they are.
// It stands behind the sharing of scans: a shared one is read for all of its
// readers. A table with a watermark is read whole, as rows that a WHERE drops
// move it all the same (flink-sql 3.1).
func (c Context) prunePartitions(roots []logical.Node) ([]logical.Node, error) {
	wanted := map[*logical.Scan]expr.Node{} // nil: everything
	_, err := logical.Each("", func(n logical.Node) (logical.Node, error) {
		for _, in := range n.Inputs() {
			if s, ok := in.(*logical.Scan); ok && len(s.Table.PartitionedBy) > 0 && s.Watermark == nil {
				if err := c.wants(n, s, wanted); err != nil {
					return nil, err
				}
			}
		}
		return n, nil
	}).Apply(roots)
	if err != nil {
		return nil, err
	}
	return logical.Each("", func(n logical.Node) (logical.Node, error) {
		s, ok := n.(*logical.Scan)
		if !ok || wanted[s] == nil {
			return n, nil
		}
		pruned := *s
		pruned.Partitions = wanted[s]
		return &pruned, nil
	}).Apply(roots)
}

// wants adds what a reader of a scan wants.
func (c Context) wants(reader logical.Node, s *logical.Scan, wanted map[*logical.Scan]expr.Node) error {
	var cond expr.Node
	if calc, ok := reader.(*logical.Calc); ok && calc.Cond != nil {
		p := &partitions{c: c, scan: s}
		cond = p.part(logical.Substitute(calc.Cond, s.Exprs))
		if p.err != nil {
			return p.err
		}
	}
	before, seen := wanted[s]
	switch {
	case !seen:
		wanted[s] = cond
	case before == nil || cond == nil:
		wanted[s] = nil
	default:
		or, err := expr.NewCall(c.Funcs, "OR", []expr.Node{before, cond})
		if err != nil {
			return err
		}
		wanted[s] = or
	}
	return nil
}

// partitions takes from a condition what a partition alone can fail.
type partitions struct {
	c    Context
	scan *logical.Scan
	err  error
}

// part is TRUE wherever cond is; nil if partition columns say nothing of it.
func (p *partitions) part(cond expr.Node) expr.Node {
	call, ok := cond.(*expr.Call)
	if !ok || call.Fn.Lazy != expr.LazyAnd && call.Fn.Lazy != expr.LazyOr {
		if p.decides(cond) {
			return cond
		}
		return nil
	}
	var parts []expr.Node
	for _, a := range call.Args {
		m := p.part(a)
		if m == nil && call.Fn.Lazy == expr.LazyOr {
			return nil
		}
		if m != nil {
			parts = append(parts, m)
		}
	}
	if len(parts) < 2 {
		if len(parts) == 0 {
			return nil
		}
		return parts[0]
	}
	n, err := expr.NewCall(p.c.Funcs, call.Fn.Name, parts)
	if err != nil {
		p.err = err
		return nil
	}
	return n
}

// decides tells that cond reads partition columns and nothing else.
func (p *partitions) decides(cond expr.Node) bool {
	reads := false
	other := logical.Any(cond, func(n expr.Node) bool {
		if c, ok := n.(*expr.Call); ok {
			return c.Fn.Volatile || c.Fn.Dynamic
		}
		col := logical.AsRef(n)
		if col < 0 {
			return false
		}
		reads = true
		return p.scan.Meta[col] != "" || !slices.Contains(p.scan.Table.PartitionedBy, p.scan.Base.Columns[col].Name)
	})
	return reads && !other
}
