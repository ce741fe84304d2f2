package sql

import (
	"slices"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// tableItems reads the columns and constraints of CREATE TABLE behind the
// opening parenthesis; a bare list of names is that of a CTAS.
func (p *parser) tableItems(t *ast.CreateTable) error {
	if p.LooksName() && (p.Peek(1).Is(",") || p.Peek(1).Is(")")) {
		p.At--
		names, err := p.Names("the name of a column")
		if err != nil && cursor.IsName(p.Prev()) && !p.Prev().Is(",") {
			return p.Unexpected("','", "')'").WithHint("either all columns have types, or none has")
		}
		t.NameList = names
		return err
	}
	for {
		if err := p.tableItem(t); err != nil {
			return err
		}
		if p.TakeSymbol(")") {
			return nil
		}
		if !p.TakeSymbol(",") {
			return p.Unexpected("','", "')'")
		}
	}
}

func (p *parser) tableItem(t *ast.CreateTable) error {
	switch {
	case p.Looks("FOREIGN", "KEY"), p.Looks("CHECK") && p.Peek(1).Is("("):
		what := "CHECK"
		if p.Looks("FOREIGN") {
			what = "FOREIGN KEY"
		}
		return notSupported(p.Tok().Span(), "Flink has no %s", what).WithHint("PRIMARY KEY (..) NOT ENFORCED is the only one")
	case p.looksIndex():
		return notSupported(p.Tok().Span(), "Flink has no indexes").WithHint("PRIMARY KEY (..) NOT ENFORCED declares a key")
	case p.looksConstraint():
		at := p.Tok()
		key, err := p.tableConstraint()
		if err != nil {
			return err
		}
		if t.PrimaryKey != nil {
			return twoKeys(at)
		}
		t.PrimaryKey = key
	case p.Looks("WATERMARK"):
		at := p.Tok()
		w, err := p.watermark()
		if err != nil {
			return err
		}
		if t.Watermark != nil {
			return twoWatermarks(at)
		}
		t.Watermark = w
	default:
		at := p.Tok()
		c, err := p.columnDef()
		if err != nil {
			return err
		}
		if c.Primary != nil {
			if t.PrimaryKey != nil {
				return twoKeys(at)
			}
			t.PrimaryKey = c.Primary
		}
		t.Columns = append(t.Columns, c)
	}
	return nil
}

func twoKeys(t lex.Token) error {
	return diag.New(diag.BadConstraint, t.Span(), "a table has only one PRIMARY KEY, this is the second").
		WithHint("write one PRIMARY KEY (a, b) NOT ENFORCED with all its columns")
}

func twoWatermarks(t lex.Token) error {
	return diag.New(diag.BadWatermark, t.Span(), "a table has only one WATERMARK, this is the second")
}

// looksIndex: INDEX name (a) or KEY name (a), which declare an index in MySQL.
func (p *parser) looksIndex() bool {
	t := p.Tok()
	return (lex.Upper(t.Text) == "INDEX" || t.Key == "KEY") && t.Kind == lex.Word && p.Peek(1).Kind == lex.Word && p.Peek(2).Is("(") && p.Peek(3).Kind != lex.Number &&
		!slices.Contains([]string{"CHAR", "VARCHAR", "ROW", "DECIMAL"}, p.Peek(1).Key)
}

func (p *parser) looksConstraint() bool {
	return p.Looks("PRIMARY", "KEY") || p.Looks("CONSTRAINT") || p.Looks("UNIQUE")
}

// constraint takes [CONSTRAINT c] PRIMARY KEY.
func (p *parser) constraint(k *ast.PrimaryKey) error {
	if p.Take("CONSTRAINT") {
		n, err := p.Name("the name of the constraint")
		if err != nil {
			return err
		}
		k.Name = n.Text
	}
	if t := p.Tok(); t.Key == "UNIQUE" {
		return notSupported(t.Span(), "Flink has no UNIQUE constraint").WithHint("PRIMARY KEY (..) NOT ENFORCED is the only one")
	}
	return p.Want("PRIMARY", "KEY")
}

// enforced takes NOT ENFORCED or ENFORCED.
func (p *parser) enforced(k *ast.PrimaryKey) error {
	k.Enforced = true
	if p.Take("NOT") {
		k.Enforced = false
		return p.Want("ENFORCED")
	}
	p.Take("ENFORCED")
	return nil
}

// tableConstraint reads [CONSTRAINT c] PRIMARY KEY (a, b) [NOT ENFORCED].
func (p *parser) tableConstraint() (*ast.PrimaryKey, error) {
	k := &ast.PrimaryKey{}
	start := p.Tok().Start
	if err := p.constraint(k); err != nil {
		return nil, err
	}
	var err error
	if k.Columns, err = p.Names("the name of a column"); err != nil {
		return nil, err
	}
	err = p.enforced(k)
	k.At = p.at(start)
	return k, err
}

// watermark reads WATERMARK FOR column AS expression.
func (p *parser) watermark() (*ast.Watermark, error) {
	start := p.Next().Start
	w := &ast.Watermark{}
	if column := p.Tok(); !p.Looks("FOR") {
		e := p.Unexpected("FOR")
		if column.Kind == lex.Word {
			e.WithHint("write WATERMARK FOR %s AS %s - INTERVAL '5' SECOND", column.Text, column.Text)
		}
		return nil, e
	}
	p.Next()
	var err error
	if w.Column, err = p.Path("the time column"); err != nil {
		return nil, err
	}
	if err := p.Want("AS"); err != nil {
		return nil, err
	}
	if w.As, w.AsText, err = p.exprText(); err != nil {
		return nil, err
	}
	w.At = p.at(start)
	return w, nil
}

// exprText reads an expression that is no query, and gives its text as well.
func (p *parser) exprText() (ast.Expr, string, error) {
	start := p.Tok().Start
	x, err := p.door.Expr()
	if err != nil {
		return nil, "", err
	}
	if _, ok := x.(*ast.Subquery); ok {
		return nil, "", notSupported(x.Span(), "an expression of CREATE TABLE cannot be a query")
	}
	return x, p.text(start), nil
}

// columnDef reads a physical, metadata or computed column.
func (p *parser) columnDef() (ast.ColumnDef, error) {
	var c ast.ColumnDef
	var err error
	start, t := p.Tok().Start, p.Tok()
	if name := p.Peek(1); cursor.LooksTypeName(t) && lex.IsReserved(t.Key) && name.Kind == lex.Word && !lex.IsReserved(name.Text) {
		return c, p.Unexpected("the name of a column").WithHint("the name stands first: write %s %s", name.Text, t.Text)
	}
	if c.Name, err = p.Name("the name of a column"); err != nil {
		return c, err
	}
	if p.Take("AS") {
		if c.As, c.AsText, err = p.exprText(); err != nil {
			return c, err
		}
		c.Comment, err = p.comment()
		c.At = p.at(start)
		return c, err
	}
	if p.Tok().Is(",") || p.Tok().Is(")") {
		return c, p.Unexpected("the type of column " + c.Name.Text)
	}
	if c.Type, err = p.Type(); err != nil {
		return c, p.misreadColumn(t, err)
	}
	c.NotNull = !c.Type.Type.Nullable
	switch {
	case p.Take("METADATA"):
		c.Metadata = true
		if p.Take("FROM") {
			k, err := p.Text("the key of the metadata in single quotes")
			if err != nil {
				return c, err
			}
			c.From = k.Text
		}
		c.Virtual = p.Take("VIRTUAL")
	case p.looksConstraint():
		at := p.Tok().Start
		k := &ast.PrimaryKey{Columns: []ast.Name{c.Name}}
		if err := p.constraint(k); err != nil {
			return c, err
		}
		if err := p.enforced(k); err != nil {
			return c, err
		}
		k.At = p.at(at)
		c.Primary = k
	case p.Looks("DEFAULT"):
		return c, notSupported(p.Tok().Span(), "a column has no DEFAULT in Flink").WithHint("write COALESCE(x, value) in the query that fills the table")
	}
	if c.Comment, err = p.comment(); err != nil {
		return c, err
	}
	c.At = p.at(start)
	switch {
	case p.Looks("AS"):
		return c, p.Unexpected("','", "')'").WithHint("a computed column has no type: %s AS expression", c.Name.Text)
	case p.Looks("NOT", "NULL"), p.looksConstraint():
		return c, p.Unexpected("','", "')'").WithHint("the order is type, NOT NULL, constraint, COMMENT")
	}
	return c, nil
}

// misreadColumn finds the misspelt keyword that was read as a column's name:
// WATERMRK FOR, PRIMRY KEY.
func (p *parser) misreadColumn(name lex.Token, err error) error {
	next := p.Tok()
	for _, w := range [...][2]string{{"WATERMARK", "FOR"}, {"PRIMARY", "KEY"}, {"CONSTRAINT", ""}} {
		if next.Key == w[1] && name.Kind == lex.Word && diag.Nearest(name.Text, []string{w[0]}) != "" {
			return diag.New(diag.Syntax, name.Span(), "'%s' is no keyword", name.Text).WithLabel("did you mean %s?", w[0])
		}
	}
	return err
}
