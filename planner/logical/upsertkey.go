package logical

// UpsertKey is a set of columns by which the changes of a node can be told
// apart: changes of one key concern one row. nil: none is known
// (flink-sql 6.3).
func UpsertKey(n Node) []int {
	switch n := n.(type) {
	case *Aggregate:
		return first(len(n.Keys))
	case *Scan:
		var out []int
		for _, k := range n.Table.PrimaryKey {
			i := n.schema.Index(k)
			if i < 0 {
				return nil
			}
			out = append(out, i)
		}
		return out
	case *Calc:
		var out []int
		for _, k := range UpsertKey(n.Input) {
			at := -1
			for i, e := range n.Exprs {
				if AsRef(e) == k {
					at = i
					break
				}
			}
			if at < 0 {
				return nil
			}
			out = append(out, at)
		}
		return out
	case *Sink:
		return UpsertKey(n.Input)
	case *Limit:
		return UpsertKey(n.Input)
	case *Sort:
		return UpsertKey(n.Input)
	}
	return nil
}

func first(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
