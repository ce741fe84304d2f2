package planner

import (
	"strconv"

	"fsql/diag"
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
	keys, err := b.orderKeys(o, r)
	if err != nil {
		return nil, err
	}
	at := o.OrderBy[0].X.Span()
	if count < 0 {
		if !top {
			return r, nil
		}
		if err := checkTemporal(o, r, keys); err != nil {
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
// means that a key is none of them, which needs columns of the input.
func (b *binder) orderKeys(o *ast.Ordered, r *result) ([]logical.SortKey, error) {
	var keys []logical.SortKey
	sc := scopeOf(r.node, nil, r.names)
	hidden := false
	for _, item := range o.OrderBy {
		col := -1
		if l, ok := item.X.(*ast.Literal); ok && l.Type.IsInteger() {
			n, err := strconv.Atoi(l.Text)
			if err != nil || n < 1 || n > len(r.names) {
				return nil, diag.New(diag.UnknownColumn, l.Pos, "ORDER BY %s: the query has %d columns", l.Text, len(r.names))
			}
			col = n - 1
		} else {
			x := &exprs{binder: b, sc: sc, clause: "ORDER BY"}
			n, err := x.bind(item.X)
			switch {
			case err != nil && r.from != nil:
				// Columns of FROM that are not selected may be sorted by.
				y := &exprs{binder: b, sc: r.from, clause: "ORDER BY", group: &grouping{keyAt: map[string]int{}, callAt: map[string]int{}}}
				if _, again := y.bind(item.X); again != nil {
					return nil, err
				}
				hidden = true
				continue
			case err != nil:
				return nil, err
			default:
				if col = logical.AsRef(n); col < 0 {
					hidden = true
					continue
				}
			}
		}
		keys = append(keys, logical.SortKey{Col: col, Desc: item.Desc, NullsLast: nullsLast(item)})
	}
	if hidden {
		return nil, nil
	}
	return keys, nil
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
func checkTemporal(o *ast.Ordered, r *result, keys []logical.SortKey) error {
	first := o.OrderBy[0]
	if keys != nil && r.node.Schema().Columns[keys[0].Col].Type.Attr != types.NoAttr && !first.Desc {
		return nil
	}
	if keys == nil && !first.Desc {
		return nil
	}
	at := first.X.Span()
	e := diag.New(diag.NotSupported, at, "ORDER BY without LIMIT must begin with a time attribute, ascending")
	if first.Desc {
		e.Msg = "ORDER BY .. DESC without LIMIT does not work in streaming: it must begin with a time attribute, ascending (ASC)"
	}
	return e.WithHint("add LIMIT, or sort the result outside")
}
