package sql

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
)

// alter reads ALTER of any object.
func (p *parser) alter(start int) (ast.Statement, error) {
	p.Next()
	a := &ast.Alter{}
	switch {
	case p.Take("TABLE"):
		return p.alterTable(start)
	case p.Take("VIEW"):
		a.Object = "VIEW"
		return p.alterView(start, a)
	case p.Take("DATABASE"):
		a.Object = "DATABASE"
		return p.alterDatabase(start, a)
	case p.Take("CATALOG"):
		a.Object = "CATALOG"
		return p.alterCatalog(start, a)
	case p.Looks("FUNCTION"), p.Looks("TEMPORARY"):
		a.Object = "FUNCTION"
		return p.alterFunction(start, a)
	case p.LooksAny("MODEL", "CONNECTION", "MATERIALIZED"):
		return p.unsupported(start, "ALTER "+p.objectWords(), true), nil
	}
	return nil, p.Unexpected("TABLE", "VIEW", "DATABASE", "CATALOG", "FUNCTION", "TEMPORARY FUNCTION")
}

// objectWords are the words of an object that is known by name only.
func (p *parser) objectWords() string {
	if p.Looks("MATERIALIZED") {
		return "MATERIALIZED TABLE"
	}
	return p.Tok().Key
}

func (p *parser) alterTable(start int) (ast.Statement, error) {
	t := &ast.AlterTable{IfExists: p.ifExists()}
	var err error
	if t.Name, err = p.Path("the name of a table"); err != nil {
		return nil, err
	}
	at := p.Tok().Start
	a := &t.Action
	switch {
	case p.Take("ADD"):
		err = p.alterAdd(a)
	case p.Take("MODIFY"):
		a.Kind = "MODIFY"
		if p.Take("DISTRIBUTION") {
			a.Distribution, err = p.distribution(at)
		} else {
			err = p.schemaChanges(a)
		}
	case p.Take("DROP"):
		err = p.alterDrop(a)
	case p.Take("RENAME"):
		err = p.alterRename(a)
	case p.Take("SET"):
		a.Kind = "SET"
		a.Options, err = p.properties()
	case p.Take("RESET"):
		a.Kind = "RESET"
		a.Keys, err = p.keys()
	default:
		return nil, p.Unexpected("ADD", "MODIFY", "DROP", "RENAME", "SET", "RESET")
	}
	if err != nil {
		return nil, err
	}
	a.At = p.at(at)
	t.At = p.at(start)
	return t, nil
}

// alterAdd reads what follows ADD.
func (p *parser) alterAdd(a *ast.AlterAction) (err error) {
	a.Kind = "ADD"
	switch {
	case p.Looks("PARTITION"), p.Looks("IF", "NOT", "EXISTS", "PARTITION"):
		a.Kind = "ADD PARTITION"
		a.IfExists = p.ifNotExists()
		for p.Take("PARTITION") {
			v, err := listed(p, p.partitionValue)
			if err != nil {
				return err
			}
			a.Partitions = append(a.Partitions, v)
			o, err := p.options()
			if err != nil {
				return err
			}
			a.Options = append(a.Options, o...)
		}
		return nil
	case p.Looks("DISTRIBUTION"):
		at := p.Next().Start
		a.Distribution, err = p.distribution(at)
		return err
	}
	return p.schemaChanges(a)
}

// schemaChanges reads one item of ADD or MODIFY, or a list in parentheses.
func (p *parser) schemaChanges(a *ast.AlterAction) error {
	one := func() (struct{}, error) { return struct{}{}, p.schemaChange(a) }
	if p.Tok().Is("(") {
		_, err := listed(p, one)
		return err
	}
	_, err := one()
	return err
}

func (p *parser) schemaChange(a *ast.AlterAction) (err error) {
	t := p.Tok()
	switch {
	case p.looksConstraint():
		if a.PrimaryKey != nil {
			return twoKeys(t)
		}
		a.PrimaryKey, err = p.tableConstraint()
		return err
	case p.Looks("WATERMARK"):
		if a.Watermark != nil {
			return twoWatermarks(t)
		}
		a.Watermark, err = p.watermark()
		return err
	case t.Key == "COLUMN":
		return p.Unexpected("the name of a column").WithHint("leave out COLUMN")
	case p.Peek(1).Is("."):
		return notSupported(t.Span().Join(p.Peek(2).Span()), "a nested field is not changed by itself").WithHint("change the whole column")
	}
	var c ast.AlterColumn
	if c.ColumnDef, err = p.columnDef(); err != nil {
		return err
	}
	if c.Primary != nil {
		if a.PrimaryKey != nil {
			return twoKeys(t)
		}
		a.PrimaryKey = c.Primary
	}
	switch {
	case p.Take("FIRST"):
		c.First = true
	case p.Take("AFTER"):
		if c.After, err = p.Name("the name of a column"); err != nil {
			return err
		}
	}
	c.At = p.at(t.Start)
	a.Columns = append(a.Columns, c)
	return nil
}

// alterDrop reads what follows DROP.
func (p *parser) alterDrop(a *ast.AlterAction) (err error) {
	a.Kind = "DROP"
	switch {
	case p.Take("PRIMARY", "KEY"):
		a.DropWhat = "PRIMARY KEY"
	case p.Take("CONSTRAINT"):
		a.DropWhat = "CONSTRAINT"
		a.Constraint, err = p.Name("the name of the constraint")
	case p.Take("WATERMARK"):
		a.DropWhat = "WATERMARK"
	case p.Take("DISTRIBUTION"):
		a.DropWhat = "DISTRIBUTION"
	case p.Looks("PARTITION"), p.Looks("IF", "EXISTS"):
		a.Kind = "DROP PARTITION"
		a.IfExists = p.ifExists()
		a.Partitions, err = list(p, func() ([]ast.PartitionValue, error) {
			if err := p.Want("PARTITION"); err != nil {
				return nil, err
			}
			return listed(p, p.partitionValue)
		})
	case p.Tok().Is("("):
		a.DropColumns, err = p.Names("the name of a column")
	case p.Looks("COLUMN"):
		return p.Unexpected("the name of a column").WithHint("leave out COLUMN")
	default:
		var n ast.Name
		if n, err = p.topColumn(); err == nil {
			a.DropColumns = []ast.Name{n}
		}
	}
	return err
}

// topColumn reads the name of a column that is no field of another.
func (p *parser) topColumn() (ast.Name, error) {
	n, err := p.Name("the name of a column")
	if err == nil && p.Tok().Is(".") {
		return n, notSupported(n.Span().Join(p.Peek(1).Span()), "a nested field is not changed by itself").WithHint("change the whole column")
	}
	return n, err
}

func (p *parser) alterRename(a *ast.AlterAction) (err error) {
	if p.Take("TO") {
		a.Kind = "RENAME TABLE"
		a.NewTable, err = p.Path("the new name")
		return err
	}
	a.Kind = "RENAME COLUMN"
	if a.From, err = p.topColumn(); err != nil {
		return err
	}
	if err := p.Want("TO"); err != nil {
		return err
	}
	a.To, err = p.Name("the new name")
	return err
}

func (p *parser) alterView(start int, a *ast.Alter) (ast.Statement, error) {
	var err error
	if a.Name, err = p.Path("the name of a view"); err != nil {
		return nil, err
	}
	switch {
	case p.Take("RENAME"):
		if err := p.Want("TO"); err != nil {
			return nil, err
		}
		a.RenameTo, err = p.Path("the new name")
	case p.Take("AS"):
		a.Query, a.Text, err = p.queryText()
	default:
		return nil, p.Unexpected("RENAME TO", "AS")
	}
	a.At = p.at(start)
	return a, err
}

func (p *parser) alterDatabase(start int, a *ast.Alter) (ast.Statement, error) {
	var err error
	if a.Name, err = p.Path("the name of a database"); err != nil {
		return nil, err
	}
	if err := p.Want("SET"); err != nil {
		return nil, err
	}
	a.Set, err = p.properties()
	a.At = p.at(start)
	return a, err
}

func (p *parser) alterCatalog(start int, a *ast.Alter) (ast.Statement, error) {
	name, err := p.Name("the name of a catalog")
	if err != nil {
		return nil, err
	}
	a.Name = ast.Path{At: name.At, Parts: []ast.Name{name}}
	switch {
	case p.Take("SET"):
		a.Set, err = p.properties()
	case p.Take("RESET"):
		a.Reset, err = p.keys()
	case p.Looks("COMMENT"):
		a.Comment, err = p.comment()
	default:
		return nil, p.Unexpected("SET", "RESET", "COMMENT")
	}
	a.At = p.at(start)
	return a, err
}

func (p *parser) alterFunction(start int, a *ast.Alter) (ast.Statement, error) {
	if p.Take("TEMPORARY") {
		a.Temporary = true
		a.System = p.Take("SYSTEM")
	}
	if err := p.Want("FUNCTION"); err != nil {
		return nil, err
	}
	a.IfExists = p.ifExists()
	var err error
	if a.Name, err = p.Path("the name of a function"); err != nil {
		return nil, err
	}
	a.Identifier, a.Language, err = p.functionClass()
	a.At = p.at(start)
	return a, err
}

// drop reads DROP of any object.
func (p *parser) drop(start int) (ast.Statement, error) {
	p.Next()
	d := &ast.Drop{Temporary: p.Take("TEMPORARY")}
	if d.System = p.Take("SYSTEM"); d.System && !p.Looks("FUNCTION") {
		return nil, p.Unexpected("FUNCTION")
	}
	may := []string{"TABLE", "VIEW", "FUNCTION", "MODEL", "DATABASE", "CATALOG"}
	if d.Temporary {
		may = may[:4]
	}
	if p.Looks("MATERIALIZED") || p.Looks("CONNECTION") {
		return p.unsupported(start, "DROP "+p.objectWords(), true), nil
	}
	if !p.LooksAny(may...) {
		e := p.Unexpected(may...)
		if p.Tok().Key == "SCHEMA" {
			e.WithHint("write DATABASE")
		}
		return nil, e
	}
	d.Object = p.Next().Key
	d.IfExists = p.ifExists()
	var err error
	if d.Name, err = p.Path("the name to drop"); err != nil {
		return nil, err
	}
	if d.Object == "DATABASE" && !p.Take("RESTRICT") {
		d.Cascade = p.Take("CASCADE")
	}
	if t := p.Tok(); t.Is(",") {
		return nil, diag.New(diag.Syntax, t.Span(), "found ',', expected ';'").WithHint("one DROP drops one object")
	}
	d.At = p.at(start)
	return d, nil
}
