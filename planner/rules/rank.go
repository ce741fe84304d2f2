package rules

import (
	"math"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/row"
	"fsql/types"
)

// rank makes a ranking of ROW_NUMBER() with a condition on it: rn <= 3, rn = 1,
// rn BETWEEN 2 AND 4 (flink-sql 4.15). Only the parts of the condition that are
// joined by AND count; the others stay a filter above.
func (c Context) rank(n logical.Node) (logical.Node, error) {
	calc, ok := n.(*logical.Calc)
	if !ok || calc.Cond == nil {
		return n, nil
	}
	over, ok := calc.Input.(*logical.Over)
	if !ok || len(over.Calls) != 1 || over.Calls[0].Rank == "" {
		return n, nil
	}
	rn := len(over.Schema().Columns) - 1
	r := rankRange{start: 1, end: math.MaxInt64, col: -1}
	var rest []expr.Node
	for _, p := range logical.Conjuncts(calc.Cond) {
		if r.take(p, rn) {
			continue
		}
		if rankAlone(p, rn) {
			return n, nil // Flink takes such a condition for none of a Top-N
		}
		rest = append(rest, p)
	}
	if !r.bounded {
		return n, nil
	}
	if err := r.check(&over.Calls[0]); err != nil {
		return nil, err
	}
	if r.end < r.start && r.col < 0 {
		return logical.NewValues(nil, calc.Schema()), nil
	}
	rank := logical.Rank{
		Partition: over.Partition, Keys: over.Keys, Start: r.start, End: r.end, EndCol: r.col, WithRank: true, Time: -1, Pos: over.Pos,
	}
	in, err := c.windowed(&rank, over.Input)
	if err != nil {
		return nil, err
	}
	number := expr.Node(nil)
	if r.start == r.end && r.col < 0 {
		// The rank is a constant: nobody needs to compute it.
		rank.WithRank, number = false, constant(r.start)
	}
	top := logical.NewRank(in, rank, over.Schema().Columns[rn].Name)
	if number == nil {
		number = logical.Ref(top.Schema(), len(in.Schema().Columns))
	}
	put := func(m expr.Node) expr.Node {
		if logical.AsRef(m) == rn {
			return number
		}
		return nil
	}
	exprs := make([]expr.Node, len(calc.Exprs))
	for i, e := range calc.Exprs {
		exprs[i] = logical.Rewrite(e, put)
	}
	for i, e := range rest {
		rest[i] = logical.Rewrite(e, put)
	}
	cond, err := logical.And(c.Funcs, rest)
	if err != nil {
		return nil, err
	}
	return calc.Recast(top, cond, exprs), nil
}

// windowed finds out whether the partition holds the bounds of a window, whose
// end then makes the ranking final; it adds the time of that to the input.
func (c Context) windowed(r *logical.Rank, in logical.Node) (logical.Node, error) {
	b := logical.BoundsOf(in)
	if !b.Windowed(r.Partition) {
		return in, nil
	}
	if b.By.Proctime {
		return nil, diag.New(diag.NotSupported, r.Pos, "a ranking per window does not work over windows by processing time")
	}
	s := in.Schema()
	time, err := c.windowTime(s, b)
	if err != nil {
		return nil, err
	}
	r.Time = len(s.Columns)
	return logical.NewCalc(in, nil, append(logical.Refs(s), time), logical.UniqueNames(append(logical.Names(s), "$time"))), nil
}

func constant(v int64) expr.Node {
	t := types.Of(types.BigInt).NotNull()
	return &expr.Literal{T: t, Value: &row.Vec{Type: t, Len: 1, I64: []int64{v}}}
}

// rankRange is what a condition says about the rank.
type rankRange struct {
	start, end int64
	col        int // column that is the end; -1: none
	bounded    bool
}

// take reads a part of a condition, a comparison of the rank with a constant or,
// as an upper bound, with a column.
func (r *rankRange) take(n expr.Node, rn int) bool {
	call, ok := n.(*expr.Call)
	if !ok || len(call.Args) != 2 {
		return false
	}
	op, a, b := call.Fn.Name, call.Args[0], call.Args[1]
	if asRank(a, rn) < 0 {
		op, a, b = mirrored[op], b, a
	}
	if asRank(a, rn) < 0 {
		return false
	}
	if v, ok := wholeNumber(b); ok {
		return r.constant(op, v)
	}
	col := asRank(b, -1)
	if col < 0 || col == rn || !b.Type().IsInteger() || r.col >= 0 || op != "<=" {
		return false
	}
	r.col, r.bounded = col, true
	return true
}

func (r *rankRange) constant(op string, v int64) bool {
	switch op {
	case "=":
		r.start, r.end = max(r.start, v), min(r.end, v)
	case "<":
		r.end = min(r.end, v-1)
	case "<=":
		r.end = min(r.end, v)
	case ">":
		r.start = max(r.start, v+1)
	case ">=":
		r.start = max(r.start, v)
	default:
		return false
	}
	r.bounded = true
	return true
}

// rankAlone tells a condition on the rank and nothing else, such as rn <> 2.
func rankAlone(n expr.Node, rn int) bool {
	found, others := false, false
	logical.Any(n, func(m expr.Node) bool {
		if c := logical.AsRef(m); c >= 0 {
			found, others = found || c == rn, others || c != rn
		}
		return false
	})
	return found && !others
}

// asRank is the column that a reference, with or without a cast between whole
// numbers, names; -1 if it is not column want (want -1: any).
func asRank(n expr.Node, want int) int {
	for {
		c, ok := n.(*expr.Call)
		if !ok || c.Fn.Name != "CAST" || len(c.Args) != 1 || !c.T.IsInteger() || !c.Args[0].Type().IsInteger() {
			break
		}
		n = c.Args[0]
	}
	if col := logical.AsRef(n); want < 0 || col == want {
		return col
	}
	return -1
}

// wholeNumber is a constant whole number.
func wholeNumber(n expr.Node) (int64, bool) {
	l, ok := expr.IsConst(n)
	if !ok || l.IsNull() || !l.T.IsInteger() {
		return 0, false
	}
	if l.T.Layout() == types.LayoutI32 {
		return int64(l.Value.I32[0]), true
	}
	return l.Value.I64[0], true
}

// check refuses what Flink does not run.
func (r *rankRange) check(c *logical.OverCall) error {
	switch {
	case c.Rank != "ROW_NUMBER":
		return diag.New(diag.NotSupported, c.Pos, "a Top-N by %s() is not supported in streaming, only ROW_NUMBER() is", c.Rank).
			WithHint("write ROW_NUMBER() OVER (..): rows with equal values get different ranks")
	case r.col < 0 && r.end == math.MaxInt64:
		return diag.New(diag.NotSupported, c.Pos, "the condition on ROW_NUMBER() has no upper bound: a Top-N needs one").
			WithHint("write rn <= 10, or rn BETWEEN 2 AND 10")
	case r.col < 0 && r.end < 1:
		return diag.New(diag.NotSupported, c.Pos, "the last rank that is asked for is %d: ranks begin at 1, no row would ever come", r.end)
	}
	return nil
}
