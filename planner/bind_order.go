package planner

import (
	"strconv"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
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
	keys, first, err := b.orderKeys(o, r)
	if err != nil {
		return nil, err
	}
	at := o.OrderBy[0].X.Span()
	if count < 0 {
		if !top {
			return r, nil
		}
		if err := checkTemporal(o.OrderBy[0], first); err != nil && !b.env.Settings.Bool(keySortAtEnd) {
			return nil, err
		}
	}
	if keys == nil {
		if count < 0 {
			return nil, notYet(orderBy, at)
		}
		return nil, notYet(topN, at)
	}
	return &result{node: &logical.Sort{Input: r.node, Keys: keys, Count: count, Offset: offset, Pos: at}, names: r.names}, nil
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

// orderKeys resolves the keys to output columns: a number is a position, a
// name an output column, else an expression equal to an output column. nil
// means that a key is none of them, which needs columns of the input. first is
// the type of the first key.
func (b *binder) orderKeys(o *ast.Ordered, r *result) (keys []logical.SortKey, first types.Type, err error) {
	hidden := false
	for i, item := range o.OrderBy {
		n, err := b.orderKey(item.X, r)
		if err != nil {
			return nil, first, err
		}
		if i == 0 {
			first = n.node.Type()
		}
		hidden = hidden || n.col < 0
		keys = append(keys, logical.SortKey{Col: n.col, Desc: item.Desc, NullsLast: nullsLast(item)})
	}
	if hidden {
		keys = nil
	}
	return keys, first, nil
}

// sortKey is a key of ORDER BY: an output column, or col -1.
type sortKey struct {
	col  int
	node expr.Node
}

func (b *binder) orderKey(e ast.Expr, r *result) (sortKey, error) {
	s := r.node.Schema()
	if l, ok := e.(*ast.Literal); ok && l.Type.IsInteger() {
		n, err := strconv.Atoi(l.Text)
		if err != nil || n < 1 || n > len(r.names) {
			return sortKey{}, diag.New(diag.UnknownColumn, l.Pos, "ORDER BY %s: the query has %d columns", l.Text, len(r.names))
		}
		return sortKey{n - 1, logical.Ref(s, n-1)}, nil
	}
	x := &exprs{binder: b, sc: scopeOf(r.node, nil, r.names), clause: "ORDER BY"}
	n, err := x.bind(e)
	if err != nil && r.from != nil {
		// Columns of FROM that are not selected may be sorted by.
		y := &exprs{binder: b, sc: r.from, clause: "ORDER BY", group: &grouping{keyAt: map[string]int{}, callAt: map[string]int{}}}
		if m, again := y.bind(e); again == nil {
			return sortKey{-1, m}, nil
		}
	}
	if err != nil {
		return sortKey{}, err
	}
	return sortKey{logical.AsRef(n), n}, nil
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
