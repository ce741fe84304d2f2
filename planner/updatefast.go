package planner

import "fsql/planner/logical"

// updateFast tells a ranking whose rows only ever move up: what they are sorted
// by falls or rises with every update, and updates are told apart by a key that
// holds the partition. It then needs neither the old rows of updates nor the
// rows behind the last rank (flink-sql 4.15: update-fast).
func (l *lowering) updateFast(in logical.Node, partition []int, keys []logical.SortKey) bool {
	key := logical.UpsertKey(in)
	if key == nil || len(keys) == 0 || !covered(partition, key) {
		return false
	}
	l.lowerScans(in)
	ts := l.trends(in)
	if ts == nil {
		return false
	}
	for _, k := range keys {
		if t := ts[k.Col]; t != constant && !(t == rising && k.Desc) && !(t == falling && !k.Desc) {
			return false
		}
	}
	return true
}

// lowerScans lowers the tables below a node: which changes they send decides
// what can be said about the steps above. Their faults come again when the rest
// is lowered.
func (l *lowering) lowerScans(n logical.Node) {
	if s, ok := n.(*logical.Scan); ok {
		_, _ = l.node(s)
	}
	for _, in := range n.Inputs() {
		l.lowerScans(in)
	}
}
