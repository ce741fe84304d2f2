package exprdoor

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// call cuts the arguments of an ordinary call and what may follow it. The name
// is taken, the parenthesis comes next.
func (k *cutter) call(at int, name ast.Path) error {
	c := &ast.Call{Func: name}
	if len(name.Parts) == 1 && !name.Parts[0].Quoted && k.Src.Tokens[at].Key == "DESCRIPTOR" {
		return k.descriptor(at)
	}
	if err := k.unitFirst(at, name); err != nil {
		return err
	}
	k.Next()
	gathers := len(name.Parts) == 1 && k.Src.Tokens[at].Key == "ARRAY_AGG"
	n := len(k.pieces)
	err := k.around(at, func() (int, error) {
		switch {
		case k.Tok().Is(")"):
			return 0, nil
		case k.Tok().Is("*"):
			k.Next()
			c.Star = true
			return 0, nil
		case k.Take("DISTINCT"):
			c.Distinct = true
		case k.Looks("ALL"):
			k.Next()
		}
		args, err := k.arguments(c)
		if err != nil {
			return 0, err
		}
		if gathers {
			c.Nulls = k.nulls()
		}
		if k.Looks("ORDER", "BY") {
			if !gathers {
				return 0, diag.New(diag.NotSupported, k.Tok().Span(), "Flink takes ORDER BY inside a call in ARRAY_AGG only")
			}
			k.At += 2
			if c.OrderBy, err = k.door.OrderItems(); err != nil {
				return 0, err
			}
		}
		return args, nil
	}, func(args []ast.Expr, span diag.Span) (ast.Expr, error) {
		c.At, c.Args = ast.At{Pos: span}, args
		return c, nil
	})
	if err != nil {
		return err
	}
	if err := k.extras(n, c); err != nil {
		return err
	}
	return k.behind(n)
}

// arguments cuts the arguments of a call: expressions, queries, tables,
// DEFAULT and t.*, each with a name or without.
func (k *cutter) arguments(c *ast.Call) (int, error) {
	for n := 1; ; n++ {
		name := ""
		if k.LooksName() && k.Peek(1).Is("=>") {
			name = k.Next().Text
			k.Next()
			if c.ArgNames == nil {
				c.ArgNames = make([]string, n-1, n+3)
			}
		} else if t := k.Tok(); t.Kind == lex.Word && k.Peek(1).Is("=>") {
			return n, cursor.Reserved(t)
		}
		if c.ArgNames != nil {
			c.ArgNames = append(c.ArgNames, name)
		}
		if err := k.argument(); err != nil {
			return n, err
		}
		if !k.TakeSymbol(",") {
			return n, nil
		}
		k.raw(",")
	}
}

func (k *cutter) argument() error {
	at, t := k.At, k.Tok()
	switch {
	case t.Key == "DEFAULT":
		k.Next()
		k.leaf(at, &ast.Default{At: ast.At{Pos: t.Span()}})
		return nil
	case t.Key == "TABLE", t.Is("(") && k.LooksQuery() && k.tableClauseBehind():
		x, err := k.door.tableArg()
		if err == nil {
			k.leaf(at, x)
		}
		return err
	case t.Key == "MODEL" && cursor.IsName(k.Peek(1)):
		return diag.New(diag.NotImplemented, t.Span(), "models are not there yet")
	case !t.Is("(") && k.LooksQuery():
		q, err := k.door.q.Query()
		if err == nil {
			k.leaf(at, &ast.Subquery{At: ast.At{Pos: q.Span()}, Query: q})
		}
		return err
	case cursor.IsName(t):
		if star := k.door.star(); star != nil {
			k.leaf(at, star)
			return nil
		}
	}
	return k.expr(anyOperator)
}

// tableClauseBehind tells whether the parenthesis that comes next is a table
// argument with PARTITION BY or ORDER BY.
func (k *cutter) tableClauseBehind() bool {
	end := k.Src.Match(k.At)
	if end == 0 {
		return false
	}
	key := k.Src.Tokens[end+1].Key
	return key == "PARTITION" || key == "ORDER"
}

// star takes t.* if it comes next.
func (d *Door) star() *ast.Star {
	c := d.c
	n := 0
	for cursor.IsName(c.Peek(n)) && c.Peek(n+1).Is(".") {
		n += 2
	}
	if n == 0 || !c.Peek(n).Is("*") {
		return nil
	}
	start := c.Tok().Start
	s := &ast.Star{}
	for i := 0; i < n; i += 2 {
		s.Qualifier = append(s.Qualifier, cursor.NameOf(c.Peek(i)))
	}
	c.At += n + 1
	s.Pos = c.From(start)
	return s
}

// Star takes * or t.* if it comes next.
func (d *Door) Star() *ast.Star {
	if t := d.c.Tok(); d.c.TakeSymbol("*") {
		return &ast.Star{At: ast.At{Pos: t.Span()}}
	}
	return d.star()
}

// tableArg reads TABLE t or (query), with PARTITION BY and ORDER BY.
func (d *Door) tableArg() (*ast.TableArg, error) {
	c := d.c
	start := c.Tok().Start
	arg := &ast.TableArg{}
	var err error
	switch {
	case c.Take("TABLE"):
		if c.Tok().Is("(") {
			return nil, c.Unexpected("the name of a table").WithHint("a query stands here without TABLE in front: (SELECT ..)")
		}
		if arg.Table, err = c.Path("the name of a table"); err != nil {
			return nil, err
		}
		if c.Tok().Is("(") {
			return nil, c.Unexpected("','", "')'").WithHint("the result of a function is put into a view or a query first: (SELECT * FROM f(..))")
		}
	default:
		c.Next()
		if arg.Query, err = d.q.Query(); err != nil {
			return nil, err
		}
		if err := c.WantSymbol(")"); err != nil {
			return nil, err
		}
	}
	if c.Take("PARTITION") {
		if err := c.Want("BY"); err != nil {
			return nil, err
		}
		if arg.PartitionBy, err = d.oneOrList(); err != nil {
			return nil, err
		}
	}
	if c.Take("ORDER") {
		if err := c.Want("BY"); err != nil {
			return nil, err
		}
		if c.TakeSymbol("(") {
			if arg.OrderBy, err = d.OrderItems(); err == nil {
				err = c.WantSymbol(")")
			}
		} else {
			var item ast.OrderItem
			item, err = d.orderItem()
			arg.OrderBy = []ast.OrderItem{item}
		}
		if err != nil {
			return nil, err
		}
	}
	arg.Pos = c.From(start)
	return arg, nil
}

// oneOrList reads x or (x, y): behind a table argument a comma begins the next
// argument.
func (d *Door) oneOrList() ([]ast.Expr, error) {
	if d.c.TakeSymbol("(") {
		list, err := d.Exprs()
		if err == nil && !d.c.TakeSymbol(")") {
			err = d.c.Unexpected("','", "')'")
		}
		return list, err
	}
	x, err := d.Expr()
	return []ast.Expr{x}, err
}

// descriptor cuts DESCRIPTOR(a, b.c).
func (k *cutter) descriptor(at int) error {
	k.Next()
	d := &ast.Descriptor{}
	for !k.Tok().Is(")") {
		p, err := k.Path("the name of a column")
		if err != nil {
			return err
		}
		d.Columns = append(d.Columns, p)
		if !k.TakeSymbol(",") {
			break
		}
	}
	if err := k.close(); err != nil {
		return err
	}
	d.Pos = k.span(at)
	k.leaf(at, d)
	return nil
}

// nulls takes IGNORE NULLS or RESPECT NULLS and returns its first word.
func (k *cutter) nulls() string {
	if (k.Looks("IGNORE", "NULLS")) || k.Looks("RESPECT", "NULLS") {
		word := k.Next().Key
		k.Next()
		return word
	}
	return ""
}

// extras cuts what aggregates and window functions have behind their
// arguments.
func (k *cutter) extras(n int, c *ast.Call) error {
	if word := k.nulls(); word != "" {
		c.Nulls = word
	}
	var err error
	if k.Looks("WITHIN") {
		if k.Looks("WITHIN", "DISTINCT") {
			return diag.New(diag.NotImplemented, k.Tok().Span().Join(k.Peek(1).Span()), "WITHIN DISTINCT is not there yet")
		}
		if c.Within, err = k.door.within(); err != nil {
			return err
		}
	}
	if k.Take("FILTER") {
		if err = k.WantSymbol("("); err == nil {
			err = k.Want("WHERE")
		}
		if err == nil {
			c.Filter, err = k.door.Expr()
		}
		if err == nil {
			err = k.WantSymbol(")")
		}
		if err != nil {
			return err
		}
	}
	if k.Take("OVER") {
		if c.Over, err = k.door.over(); err != nil {
			return err
		}
	}
	k.pieces[n].span.End = k.Prev().End
	return nil
}

// within reads WITHIN GROUP (ORDER BY ..).
func (d *Door) within() ([]ast.OrderItem, error) {
	c := d.c
	if err := c.Want("WITHIN", "GROUP"); err != nil {
		return nil, err
	}
	if err := c.WantSymbol("("); err != nil {
		return nil, err
	}
	if err := c.Want("ORDER", "BY"); err != nil {
		return nil, err
	}
	items, err := d.OrderItems()
	if err == nil {
		err = c.WantSymbol(")")
	}
	return items, err
}

// unitFirst refuses functions of other dialects whose first operand is the bare
// word of a unit, which could not be read.
func (k *cutter) unitFirst(at int, name ast.Path) error {
	here := ""
	switch lex.Upper(name.Parts[0].Text) {
	case "DATEADD", "DATE_ADD":
		here = "TIMESTAMPADD({unit}, {1}, {2})"
	case "DATEDIFF", "DATE_DIFF":
		here = "TIMESTAMPDIFF({unit}, {1}, {2})"
	case "DATEPART", "DATE_PART":
		here = "EXTRACT({unit} FROM {1})"
	}
	if here == "" || len(name.Parts) > 1 || !cursor.LooksUnit(k.Peek(1)) || !k.Peek(2).Is(",") {
		return nil
	}
	args := append(k.texts(k.At), "", "", "")
	here = strings.NewReplacer("{unit}", unitText(k.Peek(1).Text), "{1}", args[1], "{2}", args[2]).Replace(here)
	return diag.New(diag.OtherDialect, name.Pos, "function '%s' does not exist", name.Parts[0].Text).WithHint("write %s", here)
}
