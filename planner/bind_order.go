package planner

import (
	"strconv"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// ordered binds ORDER BY, LIMIT, OFFSET and FETCH. top tells the outermost
// query: inside, ORDER BY without a limit means nothing and is dropped
// (flink-sql 4.14).
func (b *binder) ordered(o *ast.Ordered, outer *scope, top bool) (*result, error) {
	r, err := b.query(o.Body, outer)
	if err != nil {
		return nil, err
	}
	count, offset := int64(-1), int64(0)
	if o.Limit != nil {
		if count, err = rowCount("LIMIT", o.Limit); err != nil {
			return nil, err
		}
	}
	if o.Offset != nil {
		if offset, err = rowCount("OFFSET", o.Offset); err != nil {
			return nil, err
		}
		if count < 0 && offset > 0 {
			return nil, diag.New(diag.NotSupported, o.Offset.Span(), "OFFSET needs a LIMIT or FETCH in streaming")
		}
	}
	if len(o.OrderBy) == 0 {
		if count < 0 {
			return r, nil
		}
		return &result{node: &logical.Limit{Input: r.node, Count: count, Offset: offset, Pos: o.Limit.Span()}, names: r.names}, nil
	}
	found, err := b.orderKeys(o, r)
	if err != nil {
		return nil, err
	}
	at := o.OrderBy[0].X.Span()
	if count < 0 {
		if !top {
			return r, nil
		}
		if err := checkTemporal(o.OrderBy[0], found[0].node.Type()); err != nil && !b.env.Settings.Bool(keySortAtEnd) {
			return nil, err
		}
	}
	node, keys, err := b.sortColumns(o, r, found, outer)
	if err != nil {
		return nil, err
	}
	node = &logical.Sort{Input: node, Keys: keys, Count: count, Offset: offset, Pos: at}
	if n := len(r.names); len(node.Schema().Columns) > n {
		s := node.Schema()
		node = logical.NewCalc(node, nil, logical.Refs(s)[:n], logical.Names(s)[:n])
	}
	return &result{node: node, names: r.names}, nil
}

// rowCount is a number of rows.
func rowCount(what string, e ast.Expr) (int64, error) {
	if l, ok := e.(*ast.Literal); ok && l.Type.IsInteger() {
		if n, err := strconv.ParseInt(l.Text, 10, 64); err == nil && n >= 0 {
			return n, nil
		}
	}
	return 0, diag.New(diag.NotSupported, e.Span(), "%s needs a whole number that is not negative", what)
}

// orderKeys resolves the keys of ORDER BY: a number is a position, a name an
// output column; any other expression is one over the output or, if it is none,
// over what the SELECT reads.
func (b *binder) orderKeys(o *ast.Ordered, r *result) ([]sortKey, error) {
	keys := make([]sortKey, len(o.OrderBy))
	for i, item := range o.OrderBy {
		var err error
		if keys[i], err = b.orderKey(item.X, r); err != nil {
			return nil, err
		}
		if t := keys[i].node.Type(); !row.Orderable(t) {
			return nil, diag.New(diag.NotSupported, item.X.Span(), "rows cannot be ordered by a value of type %s", t.Short())
		}
	}
	return keys, nil
}

// sortKey is a key of ORDER BY: an output column, or col -1 and an expression,
// over the output unless it is hidden.
type sortKey struct {
	col    int
	node   expr.Node
	hidden bool
}

// sortColumns makes columns of all keys, behind those of the output. Hidden ones
// are bound by adding them to the select list.
func (b *binder) sortColumns(o *ast.Ordered, r *result, found []sortKey, outer *scope) (logical.Node, []logical.SortKey, error) {
	node, width := r.node, len(r.names)
	var added []ast.SelectItem
	for i := range found {
		if found[i].hidden {
			found[i].col = width + len(added)
			x := o.OrderBy[i].X
			added = append(added, ast.SelectItem{At: ast.At{Pos: x.Span()}, X: x, Alias: ast.Name{Text: "$sort" + strconv.Itoa(len(added)), Quoted: true}})
		}
	}
	if len(added) > 0 {
		s, ok := o.Body.(*ast.Select)
		if !ok || s.Distinct {
			return nil, nil, diag.New(diag.NotSupported, added[0].X.Span(), "ORDER BY of SELECT DISTINCT takes selected columns only")
		}
		more := *s
		more.Items = append(append([]ast.SelectItem(nil), s.Items...), added...)
		wide, err := b.selectBlock(&more, outer)
		if err != nil {
			return nil, nil, err
		}
		node = wide.node
	}
	exprs, names := logical.Refs(node.Schema()), logical.Names(node.Schema())
	plain := len(exprs)
	keys := make([]logical.SortKey, len(found))
	for i, f := range found {
		if f.col < 0 {
			f.col = len(exprs)
			exprs, names = append(exprs, f.node), append(names, "$key"+strconv.Itoa(i))
		}
		keys[i] = logical.SortKey{Col: f.col, Desc: o.OrderBy[i].Desc, NullsLast: nullsLast(o.OrderBy[i])}
	}
	if len(exprs) > plain {
		var err error
		if node, exprs, err = b.answered(node, exprs); err != nil {
			return nil, nil, err
		}
		node = logical.NewCalc(node, nil, exprs, names)
	}
	return node, keys, nil
}

func (b *binder) orderKey(e ast.Expr, r *result) (sortKey, error) {
	s := r.node.Schema()
	if l, ok := e.(*ast.Literal); ok && l.Type.IsInteger() {
		n, err := strconv.Atoi(l.Text)
		if err != nil || n < 1 || n > len(r.names) {
			return sortKey{}, diag.New(diag.UnknownColumn, l.Pos, "ORDER BY %s: the query has %d columns", l.Text, len(r.names))
		}
		return sortKey{col: n - 1, node: logical.Ref(s, n-1)}, nil
	}
	x := &exprs{binder: b, sc: scopeOf(r.node, nil, r.names), clause: "ORDER BY", asks: true}
	n, err := x.bind(e)
	if err != nil && r.from != nil {
		// Columns of FROM that are not selected may be sorted by.
		y := &exprs{binder: b, sc: r.from, clause: "ORDER BY", asks: true, group: &grouping{keyAt: map[string]int{}, callAt: map[string]int{}}}
		if m, again := y.bind(e); again == nil {
			return sortKey{col: -1, node: m, hidden: true}, nil
		}
	}
	if err != nil {
		return sortKey{}, err
	}
	return sortKey{col: logical.AsRef(n), node: n}, nil
}

// nullsLast: NULL is the smallest value unless written otherwise.
func nullsLast(o ast.OrderItem) bool {
	if o.Nulls == "" {
		return o.Desc
	}
	return o.Nulls == "LAST"
}

// checkTemporal refuses the orders without a limit that an endless stream
// cannot have.
func checkTemporal(first ast.OrderItem, t types.Type) error {
	if t.Attr != types.NoAttr && !first.Desc {
		return nil
	}
	at := first.X.Span()
	e := diag.New(diag.NotSupported, at, "ORDER BY without LIMIT must begin with a time attribute, ascending")
	if first.Desc {
		e.Msg = "ORDER BY .. DESC without LIMIT does not work in streaming: it must begin with a time attribute, ascending (ASC)"
	}
	return e.WithHint("add LIMIT, or sort the result outside")
}
