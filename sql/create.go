package sql

import (
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// create reads CREATE of any object.
func (p *parser) create(start int) (ast.Statement, error) {
	p.Next()
	or := p.Looks("OR")
	replace := p.Take("OR", "REPLACE")
	if or && !replace && !p.Looks("OR", "ALTER", "MATERIALIZED") {
		p.Next()
		return nil, p.Unexpected("REPLACE")
	}
	temporary := p.Take("TEMPORARY")
	t := p.Tok()
	if replace && t.Key != "TABLE" {
		return nil, p.Unexpected("TABLE").WithHint("only a table with AS and a query can be replaced; drop the object first")
	}
	switch t.Key {
	case "TABLE":
		p.Next()
		return p.createTable(start, &ast.CreateTable{Temporary: temporary, OrReplace: replace})
	case "VIEW":
		p.Next()
		return p.createView(start, temporary)
	case "FUNCTION", "SYSTEM":
		return p.createFunction(start, temporary)
	case "MODEL":
		return p.unsupported(start, "CREATE MODEL", true), nil
	}
	if !temporary {
		switch t.Key {
		case "CATALOG":
			p.Next()
			return p.createCatalog(start)
		case "DATABASE":
			p.Next()
			return p.createDatabase(start)
		case "MATERIALIZED", "OR":
			if v := p.Peek(1); v.Key == "VIEW" {
				return nil, diag.New(diag.OtherDialect, t.Span().Join(v.Span()), "Flink SQL has no MATERIALIZED VIEW").
					WithHint("write CREATE VIEW; a result that is kept is a table that INSERT INTO fills")
			}
			return p.unsupported(start, "CREATE MATERIALIZED TABLE", true), nil
		case "CONNECTION":
			return p.unsupported(start, "CREATE CONNECTION", true), nil
		}
	}
	e := p.Unexpected("TABLE", "VIEW", "FUNCTION", "TEMPORARY", "CATALOG", "DATABASE")
	if temporary {
		e = p.Unexpected("TABLE", "VIEW", "FUNCTION", "SYSTEM FUNCTION")
	}
	if hint := foreignObject(t.Text); hint != "" {
		e.WithHint("%s", hint).Label = ""
	}
	return nil, e
}

// foreignObject says what to write for objects that other systems create.
func foreignObject(word string) string {
	switch lex.Upper(word) {
	case "TEMP":
		return "write TEMPORARY"
	case "SCHEMA":
		return "write DATABASE"
	case "INDEX", "UNIQUE":
		return "Flink has no indexes: PRIMARY KEY (column) NOT ENFORCED in CREATE TABLE declares a key"
	case "STREAM", "SOURCE", "SINK", "EXTERNAL", "FOREIGN":
		return "write CREATE TABLE: every table can be a stream, and its connector says where it is"
	case "TYPE":
		return "Flink declares no types: write ROW<a INT, b STRING> where the type is used"
	case "SEQUENCE":
		return "Flink has no sequences: the connector datagen makes numbers"
	}
	return ""
}

// replace reads REPLACE [TEMPORARY] TABLE t ... AS query.
func (p *parser) replace(start int) (ast.Statement, error) {
	p.Next()
	temporary := p.Take("TEMPORARY")
	into := p.Looks("INTO")
	if err := p.Want("TABLE"); err != nil {
		if into {
			diag.Of(err).WithHint("write INSERT INTO: in a table with a PRIMARY KEY rows replace those of the same key")
		}
		return nil, err
	}
	return p.createTable(start, &ast.CreateTable{Temporary: temporary, Replace: true})
}

// createTable reads what follows CREATE TABLE.
func (p *parser) createTable(start int, t *ast.CreateTable) (ast.Statement, error) {
	t.IfNotExists = p.ifNotExists()
	var err error
	if t.Name, err = p.Path("the name of a table"); err != nil {
		return nil, err
	}
	if p.TakeSymbol("(") {
		if err := p.tableItems(t); err != nil {
			return nil, err
		}
	}
	if t.Comment, err = p.comment(); err != nil {
		return nil, err
	}
	if p.Looks("DISTRIBUTED") {
		at := p.Next().Start
		if t.Distribution, err = p.distribution(at); err != nil {
			return nil, err
		}
	}
	if p.Take("PARTITIONED") {
		if err := p.Want("BY"); err != nil {
			return nil, err
		}
		if t.PartitionedBy, err = p.Names("the name of a column"); err != nil {
			return nil, err
		}
	}
	if t.Options, err = p.options(); err != nil {
		return nil, err
	}
	switch {
	case p.Take("AS"):
		if !p.LooksQuery() {
			return nil, p.Unexpected("a query")
		}
		if t.As, err = p.Query(); err != nil {
			return nil, err
		}
	case t.Replace || t.OrReplace:
		if !p.AtEnd() {
			return nil, p.Unexpected("WITH", "AS")
		}
		if t.Replace {
			return nil, p.Unexpected("AS").WithHint("REPLACE TABLE takes its rows from a query: REPLACE TABLE t AS SELECT ..")
		}
	case p.Looks("LIKE"):
		if t.Like, err = p.likeClause(); err != nil {
			return nil, err
		}
	}
	if t.NameList != nil && t.As == nil {
		return nil, diag.New(diag.Syntax, t.NameList[0].Span(), "the column %s has no type", t.NameList[0].Text).
			WithHint("columns without types are for CREATE TABLE .. AS SELECT only")
	}
	if !p.AtEnd() {
		return nil, p.tableEnds(t)
	}
	t.At = p.at(start)
	return t, nil
}

// tableEnds is the error for what follows a CREATE TABLE that is complete.
func (p *parser) tableEnds(t *ast.CreateTable) error {
	var may []string
	switch {
	case t.As != nil || t.Like != nil:
	case t.Options != nil:
		may = []string{"AS", "LIKE"}
	case t.PartitionedBy != nil:
		may = []string{"WITH", "AS", "LIKE"}
	default:
		may = []string{"COMMENT", "DISTRIBUTED BY", "PARTITIONED BY", "WITH", "AS", "LIKE"}
	}
	e := p.Unexpected(append(may, "';'")...)
	if p.LooksAny("COMMENT", "DISTRIBUTED", "PARTITIONED", "WITH") {
		e.WithHint("the order is COMMENT, DISTRIBUTED BY, PARTITIONED BY, WITH, then AS or LIKE")
	}
	return e
}

// distribution reads BY [HASH|RANGE] (a, b) [INTO n BUCKETS], or INTO n BUCKETS.
func (p *parser) distribution(start int) (*ast.Distribution, error) {
	d := &ast.Distribution{}
	var err error
	if p.Take("BY") {
		if p.LooksAny("HASH", "RANGE") {
			d.Kind = p.Next().Key
		} else if !p.Tok().Is("(") {
			return nil, p.Unexpected("HASH", "RANGE", "'('")
		}
		if d.Columns, err = p.Names("the name of a column"); err != nil {
			return nil, err
		}
	} else if !p.Looks("INTO") {
		return nil, p.Unexpected("BY", "INTO")
	}
	if p.Take("INTO") {
		n, err := p.Count("the number of buckets")
		if err != nil {
			return nil, err
		}
		d.Buckets = int(n)
		if err := p.Want("BUCKETS"); err != nil {
			return nil, err
		}
	}
	d.At = p.at(start)
	return d, nil
}

// likeClause reads LIKE t [(INCLUDING ALL ..)].
func (p *parser) likeClause() (*ast.LikeClause, error) {
	start := p.Next().Start
	l := &ast.LikeClause{}
	var err error
	if l.Table, err = p.Path("the name of a table"); err != nil {
		return nil, err
	}
	if p.TakeSymbol("(") {
		for l.Options == nil || !p.Tok().Is(")") {
			o, err := p.likeOption()
			if err != nil {
				return nil, err
			}
			l.Options = append(l.Options, o)
		}
		p.Next()
	}
	l.At = p.at(start)
	return l, nil
}

func (p *parser) likeOption() (ast.LikeOption, error) {
	start := p.Tok().Start
	if !p.LooksAny("INCLUDING", "EXCLUDING", "OVERWRITING") {
		e := p.Unexpected("INCLUDING", "EXCLUDING", "OVERWRITING")
		if p.Tok().Is(",") {
			e.WithHint("the options of LIKE are not parted by commas")
		}
		return ast.LikeOption{}, e
	}
	o := ast.LikeOption{Mode: p.Next().Key}
	if !p.LooksAny("ALL", "CONSTRAINTS", "DISTRIBUTION", "PARTITIONS", "METADATA", "GENERATED", "OPTIONS", "WATERMARKS") {
		return o, p.Unexpected("ALL", "CONSTRAINTS", "DISTRIBUTION", "PARTITIONS", "METADATA", "GENERATED", "OPTIONS", "WATERMARKS")
	}
	o.Feature = p.Next().Key
	o.At = p.at(start)
	return o, nil
}

func (p *parser) createView(start int, temporary bool) (ast.Statement, error) {
	v := &ast.CreateView{Temporary: temporary, IfNotExists: p.ifNotExists()}
	var err error
	if v.Name, err = p.Path("the name of a view"); err != nil {
		return nil, err
	}
	if p.Tok().Is("(") {
		if v.Columns, err = p.Names("the name of a column"); err != nil {
			return nil, err
		}
	}
	if v.Comment, err = p.comment(); err != nil {
		return nil, err
	}
	if err := p.Want("AS"); err != nil {
		return nil, err
	}
	if v.Query, v.Text, err = p.queryText(); err != nil {
		return nil, err
	}
	v.At = p.at(start)
	return v, nil
}

// queryText reads a query and gives its text as well.
func (p *parser) queryText() (ast.Query, string, error) {
	if !p.LooksQuery() {
		return nil, "", p.Unexpected("a query")
	}
	start := p.Tok().Start
	q, err := p.Query()
	return q, p.text(start), err
}

func (p *parser) createCatalog(start int) (ast.Statement, error) {
	c := &ast.CreateCatalog{IfNotExists: p.ifNotExists()}
	var err error
	if c.Name, err = p.Name("the name of a catalog"); err != nil {
		return nil, err
	}
	if c.Comment, err = p.comment(); err != nil {
		return nil, err
	}
	if c.Options, err = p.options(); err != nil {
		return nil, err
	}
	c.At = p.at(start)
	return c, nil
}

func (p *parser) createDatabase(start int) (ast.Statement, error) {
	d := &ast.CreateDatabase{IfNotExists: p.ifNotExists()}
	var err error
	if d.Name, err = p.Path("the name of a database"); err != nil {
		return nil, err
	}
	if d.Comment, err = p.comment(); err != nil {
		return nil, err
	}
	if d.Options, err = p.options(); err != nil {
		return nil, err
	}
	d.At = p.at(start)
	return d, nil
}

// createFunction reads [SYSTEM] FUNCTION ... behind CREATE [TEMPORARY].
func (p *parser) createFunction(start int, temporary bool) (ast.Statement, error) {
	f := &ast.CreateFunction{Temporary: temporary}
	if t := p.Tok(); p.Take("SYSTEM") {
		if !temporary {
			return nil, notSupported(t.Span(), "a system function can only be temporary").WithHint("write CREATE TEMPORARY SYSTEM FUNCTION")
		}
		f.System = true
	}
	if err := p.Want("FUNCTION"); err != nil {
		return nil, err
	}
	f.IfNotExists = p.ifNotExists()
	var err error
	if f.Name, err = p.Path("the name of a function"); err != nil {
		return nil, err
	}
	if f.Identifier, f.Language, err = p.functionClass(); err != nil {
		return nil, err
	}
	if using := p.Tok(); p.Take("USING") {
		if f.Using, err = list(p, p.resource); err != nil {
			return nil, err
		}
		if f.Language == "PYTHON" {
			return nil, notSupported(p.From(using.Start), "a Python function has no USING")
		}
	}
	if f.Options, err = p.options(); err != nil {
		return nil, err
	}
	f.At = p.at(start)
	return f, nil
}

// functionClass reads AS 'id' [LANGUAGE JAVA|SCALA|PYTHON|SQL].
func (p *parser) functionClass() (identifier, language string, err error) {
	if err := p.Want("AS"); err != nil {
		return "", "", err
	}
	t, err := p.Text("the class of the function in single quotes")
	if err != nil {
		return "", "", err
	}
	if p.Take("LANGUAGE") {
		if !p.LooksAny("JAVA", "SCALA", "PYTHON", "SQL") {
			return "", "", p.Unexpected("JAVA", "SCALA", "PYTHON")
		}
		language = p.Next().Key
	}
	return t.Text, language, nil
}

// resource reads JAR 'path' or ARTIFACT 'path'.
func (p *parser) resource() (string, error) {
	if !p.Take("JAR") && !p.Take("ARTIFACT") {
		return "", p.Unexpected("JAR", "ARTIFACT")
	}
	t, err := p.Text("a path in single quotes")
	return t.Text, err
}
