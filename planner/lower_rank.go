package planner

import (
	"fsql/internal/diag"
	"fsql/op"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
	"fsql/window"
)

// rank chooses the operator of a ranking (flink-sql 4.15, 4.16): deduplication
// for the first row by a time attribute, else a Top-N by how its input changes.
func (l *lowering) rank(n *logical.Rank, in *physical.Node) (op.Spec, error) {
	first := n.Input.Schema().Columns[n.Keys[0].Col].Type.Attr
	switch {
	case n.Time >= 0:
		return l.windowRank(n, in)
	case in.Kinds != row.InsertOnly:
		return l.topN(&topN{name: "Rank", partition: n.Partition, keys: n.Keys, start: n.Start, end: n.End, endCol: n.EndCol, withRank: n.WithRank, node: n}, in), nil
	case n.First() && len(n.Keys) == 1 && first != types.NoAttr:
		return l.deduplicate(n, in, first)
	case len(n.Keys) == 1 && first == types.Proctime && !n.Keys[0].Desc && n.EndCol < 0:
		return &relop.FirstSpec{In: in.Schema, Partition: n.Partition, Start: n.Start, End: n.End, WithRank: n.WithRank, Out: n.Schema()}, nil
	}
	return l.topN(&topN{name: "Rank", partition: n.Partition, keys: n.Keys, start: n.Start, end: n.End, endCol: n.EndCol, withRank: n.WithRank, node: n}, in), nil
}

// deduplicate keeps the first or the last row by a time attribute.
func (l *lowering) deduplicate(n *logical.Rank, in *physical.Node, by types.Attr) (op.Spec, error) {
	desc := n.Keys[0].Desc
	switch {
	case by == types.Proctime && !desc:
		return &relop.FirstSpec{In: in.Schema, Partition: n.Partition, Start: 1, End: 1, Dedup: true, Out: n.Schema()}, nil
	case by == types.Rowtime && !desc:
		return &relop.FirstRowSpec{In: in.Schema, Partition: n.Partition, Time: n.Keys[0].Col}, nil
	}
	s := &relop.KeepSpec{In: in.Schema, Partition: n.Partition, Last: true, UpdateBefore: l.old[n], TTL: types.Time(l.env.Settings.Duration(keyStateTTL))}
	if by == types.Rowtime {
		s.OrderBy = n.Keys
	} else {
		s.Quiet = true
	}
	return s, nil
}

// windowRank chooses the operator of a ranking per window.
func (l *lowering) windowRank(n *logical.Rank, in *physical.Node) (op.Spec, error) {
	if over := in.Kinds &^ row.InsertOnly; over != 0 {
		return nil, diag.New(diag.ChangelogMode, n.Pos, "a ranking per window (ROW_NUMBER) takes only inserts, but %s sends %s as well", l.origin(in.ID, over), words(over))
	}
	s := &relop.RankWindowSpec{
		In: in.Schema, Partition: n.Partition, Start: n.Start, End: n.End, Time: n.Time, WithRank: n.WithRank, Out: n.Schema(),
	}
	if n.EndCol >= 0 {
		return nil, diag.New(diag.NotSupported, n.Pos, "a ranking per window needs a constant as its last rank")
	}
	s.OrderBy, s.Newest = arrivals(in.Schema, n.Keys)
	if n.First() && len(n.Keys) == 1 && in.Schema.Columns[n.Keys[0].Col].Type.Attr == types.Rowtime {
		s.Dedup, s.Newest = true, n.Keys[0].Desc
	}
	if b := logical.BoundsOf(n.Input); b != nil {
		s.Hold = l.uses.hold(n, b.By, func(i int) bool {
			p, ok := b.Prop(i)
			return ok && p == window.WindowTime
		})
	}
	return s, nil
}

// topN is a ranking by whatever node.
type topN struct {
	name       string
	partition  []int
	keys       []logical.SortKey
	start, end int64
	endCol     int
	withRank   bool
	node       logical.Node
}

// topN chooses how rows are kept.
func (l *lowering) topN(t *topN, in *physical.Node) op.Spec {
	keys, newest := arrivals(in.Schema, t.keys)
	s := &relop.RankSpec{
		In: in.Schema, Name: t.name, Partition: t.partition, OrderBy: keys, Newest: newest, Start: t.start, End: t.end, EndCol: t.endCol,
		WithRank: t.withRank, UpdateBefore: l.old[t.node], Out: t.node.Schema(),
	}
	switch {
	case in.Kinds == row.InsertOnly:
	case in.Kinds.Has(row.UpdateBefore) || in.Kinds.Has(row.Delete):
		s.Strategy = relop.RankRetract
	default:
		s.Strategy, s.Key = relop.RankUpdate, logical.UpsertKey(t.node.Inputs()[0])
	}
	if t.start == 1 && t.end == 1 && t.endCol < 0 && !t.withRank && s.Strategy != relop.RankRetract && !newest {
		return &relop.KeepSpec{In: in.Schema, Partition: t.partition, OrderBy: keys, UpdateBefore: l.old[t.node], Strategy: &s.Strategy}
	}
	return s
}

// arrivals leaves processing time out of an order: it rises with every row, so
// that what stands behind it does not count. newest tells that it descends.
func arrivals(s *types.Schema, keys []logical.SortKey) (out []logical.SortKey, newest bool) {
	for _, k := range keys {
		if s.Columns[k.Col].Type.Attr == types.Proctime {
			return out, k.Desc
		}
		out = append(out, k)
	}
	return out, false
}

// sort chooses the operator of ORDER BY.
func (l *lowering) sort(n *logical.Sort, in *physical.Node) (op.Spec, error) {
	if n.Count >= 0 {
		return l.topN(&topN{name: "SortLimit", keys: n.Keys, start: n.Offset + 1, end: n.Offset + n.Count, endCol: -1, node: n}, in), nil
	}
	first := n.Keys[0]
	attr := in.Schema.Columns[first.Col].Type.Attr
	switch over := in.Kinds &^ row.InsertOnly; {
	case l.env.Settings.Bool(keySortAtEnd) && (attr == types.NoAttr || first.Desc || over != 0):
		return &relop.SortEndSpec{In: in.Schema, OrderBy: n.Keys}, nil
	case over != 0:
		return nil, diag.New(diag.ChangelogMode, n.Pos, "ORDER BY takes only inserts, but %s sends %s as well", l.origin(in.ID, over), words(in.Kinds))
	}
	return &relop.SortSpec{In: in.Schema, Time: first.Col, Proctime: attr == types.Proctime, OrderBy: n.Keys[1:]}, nil
}

// byArrival tells an order by processing time alone: that of arrival.
func byArrival(n logical.Node) bool {
	s, ok := n.(*logical.Sort)
	return ok && s.Count < 0 && len(s.Keys) == 1 && !s.Keys[0].Desc && s.Input.Schema().Columns[s.Keys[0].Col].Type.Attr == types.Proctime
}

// limit chooses the operator of LIMIT: over changes every row must be kept, in
// the order in which they came.
func (l *lowering) limit(n *logical.Limit, in *physical.Node) op.Spec {
	if in.Kinds == row.InsertOnly {
		return &relop.LimitSpec{In: in.Schema, Limit: n.Count, Offset: n.Offset}
	}
	return l.topN(&topN{name: "Limit", start: n.Offset + 1, end: n.Offset + n.Count, endCol: -1, node: n}, in)
}
