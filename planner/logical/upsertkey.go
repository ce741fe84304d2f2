package logical

import (
	"fsql/expr"
	"fsql/types"
)

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
				if Carries(e, k) {
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
	case *Normalize:
		return n.Key
	case *FromChangelog:
		var out []int
		for _, k := range UpsertKey(n.Input) {
			switch {
			case k == n.Code:
				return nil
			case k > n.Code:
				k--
			}
			out = append(out, k)
		}
		return out
	case *Rank:
		return rankUpsertKey(n)
	case *Join:
		return joinUpsertKey(n)
	}
	return nil
}

// rankUpsertKey: a rank of a partition has one row; without the rank rows are
// told apart as in the input.
func rankUpsertKey(r *Rank) []int {
	switch {
	case r.First():
		return append([]int{}, r.Partition...)
	case r.WithRank:
		return append(append([]int{}, r.Partition...), len(r.Input.Schema().Columns))
	}
	return UpsertKey(r.Input)
}

// Carries tells that e has another value for every other value of column k: the
// column itself, or a cast of it that loses nothing (flink-sql 6.3).
func Carries(e expr.Node, k int) bool {
	if AsRef(e) == k {
		return true
	}
	c, ok := e.(*expr.Call)
	if !ok || c.Fn.Name != "CAST" || len(c.Args) != 1 {
		return false
	}
	return injective(c.Args[0].Type(), c.T) && Carries(c.Args[0], k)
}

// injective tells a cast that gives different values for different values, as far
// as Flink says so: to longer texts, bytes and whole numbers, and to texts that
// have room for every value. Decimals and times of more digits are not among them.
func injective(from, to types.Type) bool {
	switch {
	case from.IsString() && to.Kind == types.VarChar, from.IsBinary() && to.Kind == types.VarBinary:
		return to.Length >= from.Length
	case from.IsInteger() && to.IsInteger():
		return to.Kind >= from.Kind
	case to.Kind != types.VarChar:
		return false
	}
	switch from.Kind {
	case types.Boolean:
		return to.Length >= 5
	case types.TinyInt:
		return to.Length >= 4
	case types.SmallInt:
		return to.Length >= 6
	case types.Int:
		return to.Length >= 11
	case types.BigInt:
		return to.Length >= 20
	case types.Date, types.TimeOfDay, types.Timestamp, types.TimestampLTZ, types.Float, types.Double:
		return to.Length == types.MaxLength
	}
	return false
}

// joinUpsertKey: a side's key must hold the join key, else the join puts the
// changes of one row to several places. One side's key is enough where a row of
// that side meets no more than one of the other.
func joinUpsertKey(j *Join) []int {
	var keys [2][]int
	var single [2]bool // the join key holds a key of the side
	left := len(j.L.Schema().Columns)
	for side, in := range j.Inputs() {
		var on []int
		for _, k := range j.Keys {
			on = append(on, [2]int{k.L, k.R}[side])
		}
		key := UpsertKey(in)
		single[side] = key != nil && within(key, on)
		if key != nil && within(on, key) {
			keys[side] = key
		}
	}
	var both []int
	switch {
	case j.Kind.LeftOnly():
		both = keys[0]
	case keys[0] != nil && single[1] && !j.Kind.Pads(1):
		both = keys[0]
	case keys[1] != nil && single[0] && !j.Kind.Pads(0):
		both = shiftedBy(keys[1], left)
	case keys[0] != nil && keys[1] != nil:
		both = append(append([]int{}, keys[0]...), shiftedBy(keys[1], left)...)
	}
	if both == nil {
		return nil
	}
	out := []int{}
	for _, k := range both {
		at := -1
		for i, c := range j.Cols {
			if c == k {
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
}

func within(cols, of []int) bool {
	for _, c := range cols {
		if !hasInt(of, c) {
			return false
		}
	}
	return true
}

func shiftedBy(cols []int, by int) []int {
	out := make([]int, len(cols))
	for i, c := range cols {
		out[i] = c + by
	}
	return out
}

func first(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
