package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/types"
)

// groupingSets are the sets of GROUPING SETS, ROLLUP and CUBE. The input is
// repeated once per set with the absent keys NULL; extra key columns hold the
// set's number and the values of the GROUPING functions, which are constant
// within a set.
type groupingSets struct {
	sets [][]int // keys present, by number
	// funcs are the GROUPING functions asked for.
	funcs  []groupingFunc
	funcAt map[string]int
}

// groupingFunc is GROUPING(keys) or, with no keys, GROUP_ID().
type groupingFunc struct {
	keys []int
	id   bool
}

// extra is the number of key columns that sets add.
func (s *groupingSets) extra() int {
	if s == nil {
		return 0
	}
	return 1 + len(s.funcs)
}

// value of function f in set number i.
func (s *groupingSets) value(f groupingFunc, i int) int64 {
	if f.id {
		// GROUP_ID numbers the repetitions of one set.
		var n int64
		for _, earlier := range s.sets[:i] {
			if sameSet(earlier, s.sets[i]) {
				n++
			}
		}
		return n
	}
	var v int64
	for _, k := range f.keys {
		v <<= 1
		if !has(s.sets[i], k) {
			v |= 1
		}
	}
	return v
}

func has(set []int, k int) bool {
	for _, s := range set {
		if s == k {
			return true
		}
	}
	return false
}

func sameSet(a, b []int) bool {
	for _, k := range a {
		if !has(b, k) {
			return false
		}
	}
	for _, k := range b {
		if !has(a, k) {
			return false
		}
	}
	return true
}

// groupingFunction binds GROUPING, GROUPING_ID and GROUP_ID.
func (x *exprs) groupingFunction(name string, c *ast.Call) (expr.Node, error) {
	g := x.group
	if g == nil || !g.grouped && g.sets == nil {
		return nil, diag.New(diag.MisplacedAggregate, c.Pos, "%s needs a GROUP BY", name)
	}
	f := groupingFunc{id: name == "GROUP_ID"}
	text := name + "("
	if f.id != (len(c.Args) == 0) {
		return nil, diag.New(diag.WrongArguments, c.Pos, "%s takes %s", name, map[bool]string{true: "no arguments", false: "grouped columns"}[f.id])
	}
	inner := *x
	inner.group, inner.clause = nil, name
	for i, a := range c.Args {
		n, err := inner.bind(a)
		if err != nil {
			return nil, err
		}
		k, ok := g.keyAt[n.String()]
		if !ok {
			return nil, diag.New(diag.NotGrouped, a.Span(), "the argument %s of %s is not in GROUP BY", n, name)
		}
		if i > 0 {
			text += ", "
		}
		text += n.String()
		f.keys = append(f.keys, k)
	}
	text += ")"
	if g.sets == nil {
		// GROUP BY a, b is one set that holds every key.
		return expr.NewLiteral(types.Of(types.BigInt).NotNull(), "0")
	}
	i, ok := g.sets.funcAt[text]
	if !ok {
		i = len(g.sets.funcs)
		g.sets.funcAt[text] = i
		g.sets.funcs = append(g.sets.funcs, f)
	}
	return &later{kind: laterGrouping, i: i, t: types.Of(types.BigInt).NotNull(), text: text}, nil
}

// groupBy binds GROUP BY into g: its keys, the sets, a legacy window.
func (x *exprs) groupBy(s *ast.Select, g *grouping) error {
	total := [][]int{{}}
	plain := true
	for _, item := range s.GroupBy {
		sets, err := x.groupItem(item, g)
		if err != nil {
			return err
		}
		plain = plain && item.Kind == ast.GroupExpr
		total = cross(total, sets)
		if len(total) > maxSets {
			return diag.New(diag.NotSupported, item.Pos, "GROUP BY makes more than %d grouping sets", maxSets)
		}
	}
	g.grouped = len(g.keys) > 0 || g.legacy != nil
	if plain || len(total) == 1 && g.legacy == nil {
		return nil // one set groups by all keys
	}
	if g.legacy != nil {
		return diag.New(diag.NotSupported, g.legacy.by.Pos, "%s in GROUP BY cannot be combined with GROUPING SETS, ROLLUP or CUBE", g.legacy.by.Kind).
			WithHint("use the table function in FROM instead")
	}
	g.sets = &groupingSets{sets: total, funcAt: map[string]int{}}
	return nil
}

// maxSets bounds CUBE: every set repeats the input once.
const maxSets = 256

// groupItem returns the sets of one item of GROUP BY.
func (x *exprs) groupItem(item ast.GroupItem, g *grouping) ([][]int, error) {
	lists := make([][]int, 0, len(item.Sets))
	for _, set := range item.Sets {
		keys, err := x.groupKeys(set, g, item)
		if err != nil {
			return nil, err
		}
		lists = append(lists, keys)
	}
	switch item.Kind {
	case ast.GroupExpr:
		if len(lists) == 0 {
			lists = [][]int{{}}
		}
		return lists, nil
	case ast.Rollup:
		var out [][]int
		for n := len(lists); n >= 0; n-- {
			out = append(out, union(lists[:n]))
		}
		return out, nil
	case ast.Cube:
		if len(lists) > 12 {
			return nil, diag.New(diag.NotSupported, item.Pos, "CUBE takes at most 12 columns")
		}
		var out [][]int
		for m := 1<<len(lists) - 1; m >= 0; m-- {
			var pick [][]int
			for i := range lists {
				if m&(1<<(len(lists)-1-i)) != 0 {
					pick = append(pick, lists[i])
				}
			}
			out = append(out, union(pick))
		}
		return out, nil
	}
	for _, n := range item.Nested {
		sets, err := x.groupItem(n, g)
		if err != nil {
			return nil, err
		}
		lists = append(lists, sets...)
	}
	return lists, nil
}

// groupKeys binds the expressions of one set.
func (x *exprs) groupKeys(set []ast.Expr, g *grouping, item ast.GroupItem) ([]int, error) {
	keys := []int{}
	for _, e := range set {
		if r, ok := e.(*ast.Row); ok && !r.Explicit {
			more, err := x.groupKeys(r.Elems, g, item)
			if err != nil {
				return nil, err
			}
			keys = append(keys, more...)
			continue
		}
		if isLegacyWindow(e) {
			if err := x.legacyItem(e.(*ast.Call), g, item); err != nil {
				return nil, err
			}
			continue
		}
		n, err := x.value(e)
		if err != nil {
			return nil, err
		}
		keys = append(keys, g.addKey(n))
	}
	return keys, nil
}

func (x *exprs) legacyItem(c *ast.Call, g *grouping, item ast.GroupItem) error {
	if item.Kind != ast.GroupExpr {
		return diag.New(diag.NotSupported, c.Pos, "%s in GROUP BY cannot be combined with GROUPING SETS, ROLLUP or CUBE", functionName(c)).
			WithHint("use the table function in FROM instead")
	}
	w, err := x.bindLegacy(c, x.sc)
	if err != nil {
		return err
	}
	if g.legacy != nil {
		return diag.New(diag.BadWindow, c.Pos, "GROUP BY takes a single window, this is the second one")
	}
	g.legacy = w
	return nil
}

func cross(a, b [][]int) [][]int {
	var out [][]int
	for _, x := range a {
		for _, y := range b {
			out = append(out, union([][]int{x, y}))
		}
	}
	return out
}

func union(lists [][]int) []int {
	out := []int{}
	for _, l := range lists {
		for _, k := range l {
			if !has(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}
