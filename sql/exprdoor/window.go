package exprdoor

import "fsql/sql/ast"

// OrderItems reads the keys of an ORDER BY.
func (d *Door) OrderItems() ([]ast.OrderItem, error) {
	var items []ast.OrderItem
	for {
		item, err := d.orderItem()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if !d.c.TakeSymbol(",") {
			return items, nil
		}
	}
}

func (d *Door) orderItem() (ast.OrderItem, error) {
	var item ast.OrderItem
	var err error
	if item.X, err = d.Expr(); err != nil {
		return item, err
	}
	if !d.c.Take("ASC") {
		item.Desc = d.c.Take("DESC")
	}
	if d.c.Take("NULLS") {
		if !d.c.LooksAny("FIRST", "LAST") {
			return item, d.c.Unexpected("FIRST", "LAST")
		}
		item.Nulls = d.c.Next().Key
	}
	return item, nil
}

// over reads what follows OVER: the name of a window, or its definition.
func (d *Door) over() (*ast.Over, error) {
	if d.c.Tok().Is("(") {
		w, err := d.Window()
		return &w, err
	}
	if d.c.LooksAny("PARTITION", "ORDER") {
		return nil, d.c.Unexpected("'('").WithHint("the definition of a window stands in parentheses: OVER (%s BY ..)", d.c.Tok().Key)
	}
	start := d.c.Tok().Start
	name, err := d.c.Name("the name or definition of a window")
	return &ast.Over{At: ast.At{Pos: d.c.From(start)}, Name: name.Text}, err
}

// Window reads ([name] [PARTITION BY ..] [ORDER BY ..] [ROWS|RANGE ..]).
func (d *Door) Window() (ast.Over, error) {
	c := d.c
	var w ast.Over
	start := c.Tok().Start
	err := c.WantSymbol("(")
	if err != nil {
		return w, err
	}
	if c.LooksName() {
		w.Name = c.Next().Text
	}
	if c.Take("PARTITION") {
		if err := c.Want("BY"); err != nil {
			return w, err
		}
		if w.PartitionBy, err = d.Exprs(); err != nil {
			return w, err
		}
	}
	if c.Take("ORDER") {
		if err := c.Want("BY"); err != nil {
			return w, err
		}
		if w.OrderBy, err = d.OrderItems(); err != nil {
			return w, err
		}
	}
	if c.LooksAny("ROWS", "RANGE") {
		if w.Frame, err = d.frame(); err != nil {
			return w, err
		}
	}
	if !c.TakeSymbol(")") {
		var may []string
		switch {
		case w.Frame != nil:
		case w.OrderBy != nil:
			may = []string{"','", "ROWS", "RANGE"}
		case w.PartitionBy != nil:
			may = []string{"','", "ORDER BY", "ROWS", "RANGE"}
		default:
			may = []string{"PARTITION BY", "ORDER BY", "ROWS", "RANGE"}
		}
		return w, c.Unexpected(append(may, "')'")...)
	}
	w.Pos = c.From(start)
	return w, nil
}

// frame reads ROWS|RANGE lo, or ROWS|RANGE BETWEEN lo AND hi.
func (d *Door) frame() (*ast.Frame, error) {
	c := d.c
	start := c.Tok().Start
	f := &ast.Frame{Rows: c.Next().Key == "ROWS", Hi: ast.Bound{Kind: ast.CurrentRow}}
	between := c.Take("BETWEEN")
	var err error
	if f.Lo, err = d.bound(); err != nil {
		return nil, err
	}
	if between {
		if err := c.Want("AND"); err != nil {
			return nil, err
		}
		if f.Hi, err = d.bound(); err != nil {
			return nil, err
		}
	}
	f.Pos = c.From(start)
	return f, nil
}

func (d *Door) bound() (ast.Bound, error) {
	c := d.c
	switch {
	case c.Take("UNBOUNDED", "PRECEDING"):
		return ast.Bound{Kind: ast.UnboundedPreceding}, nil
	case c.Take("UNBOUNDED", "FOLLOWING"):
		return ast.Bound{Kind: ast.UnboundedFollowing}, nil
	case c.Take("CURRENT", "ROW"):
		return ast.Bound{Kind: ast.CurrentRow}, nil
	}
	x, err := d.Expr()
	if err != nil {
		return ast.Bound{}, err
	}
	switch {
	case c.Take("PRECEDING"):
		return ast.Bound{Kind: ast.Preceding, X: x}, nil
	case c.Take("FOLLOWING"):
		return ast.Bound{Kind: ast.Following, X: x}, nil
	}
	return ast.Bound{}, c.Unexpected("PRECEDING", "FOLLOWING")
}
