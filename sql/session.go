package sql

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// set reads SET or SET 'key' = 'value'.
func (p *parser) set(start int) (ast.Statement, error) {
	p.Next()
	s := &ast.Set{}
	if p.AtEnd() {
		s.At = p.at(start)
		return s, nil
	}
	key, err := p.settingKey("SET '%s' = 'value'")
	if err != nil {
		return nil, err
	}
	s.Key, s.KeyPos = key.Text, ast.At{Pos: key.Span()}
	if err := p.WantSymbol("="); err != nil {
		return nil, err
	}
	value, err := p.Text("a value in single quotes")
	if err != nil {
		return nil, err
	}
	s.Value, s.ValuePos = value.Text, ast.At{Pos: value.Span()}
	s.At = p.at(start)
	return s, nil
}

// settingKey takes the key of an option; one without quotes is refused whole.
func (p *parser) settingKey(form string) (lex.Token, error) {
	t := p.Tok()
	if t.Kind == lex.String {
		return p.Next(), nil
	}
	if t.Kind != lex.Word {
		return t, p.Unexpected("the key of an option in single quotes")
	}
	at := p.At
	for !p.AtEnd() && !p.Tok().Is("=") {
		p.Next()
	}
	span := p.From(t.Start)
	value := "value"
	if v := p.Peek(1); v.Kind == lex.String || v.Kind == lex.Number || v.Kind == lex.Word {
		value = v.Text
	}
	p.At = at
	key := strings.Join(strings.Fields(p.Src.Text[span.Start:span.End]), "")
	form = strings.Replace(form, "'value'", "'"+strings.ReplaceAll(value, "%", "%%")+"'", 1)
	return t, diag.New(diag.Syntax, span, "the key of an option stands in single quotes").WithHint("write "+form, key)
}

// reset reads RESET or RESET 'key'.
func (p *parser) reset(start int) (ast.Statement, error) {
	p.Next()
	s := &ast.Reset{}
	if !p.AtEnd() {
		key, err := p.settingKey("RESET '%s'")
		if err != nil {
			return nil, err
		}
		s.Key, s.KeyPos = key.Text, ast.At{Pos: key.Span()}
	}
	s.At = p.at(start)
	return s, nil
}

// use reads USE CATALOG c, USE MODULES a, b and USE [c.]d.
func (p *parser) use(start int) (ast.Statement, error) {
	p.Next()
	u := &ast.Use{What: "DATABASE"}
	var err error
	switch {
	case p.Looks("CATALOG") && !p.nameEnds(1):
		p.Next()
		u.What = "CATALOG"
		var n ast.Name
		n, err = p.Name("the name of a catalog")
		u.Name = ast.Path{At: n.At, Parts: []ast.Name{n}}
	case p.Take("MODULES"):
		u.What = "MODULES"
		u.Names, err = list(p, func() (ast.Name, error) { return p.Name("the name of a module") })
	default:
		t := p.Tok()
		if u.Name, err = p.Path("the name of a database"); err == nil && t.Key == "DATABASE" && p.LooksName() {
			return nil, p.Unexpected("';'").WithHint("write USE %s", p.Tok().Text)
		}
	}
	u.At = p.at(start)
	return u, err
}

// module reads LOAD MODULE m [WITH (..)] and UNLOAD MODULE m.
func (p *parser) module(start int) (ast.Statement, error) {
	m := &ast.Module{Unload: p.Next().Key == "UNLOAD"}
	if err := p.Want("MODULE"); err != nil {
		return nil, err
	}
	var err error
	if m.Name, err = p.Name("the name of a module"); err != nil {
		return nil, err
	}
	if !m.Unload {
		if m.Options, err = p.options(); err != nil {
			return nil, err
		}
	}
	m.At = p.at(start)
	return m, nil
}

// jar reads ADD JAR 'path' and REMOVE JAR 'path'.
func (p *parser) jar(start int) (ast.Statement, error) {
	j := &ast.Jar{Remove: p.Next().Key == "REMOVE"}
	if err := p.Want("JAR"); err != nil {
		return nil, err
	}
	t, err := p.Text("a path in single quotes")
	j.Path = t.Text
	j.At = p.at(start)
	return j, err
}

// stopJob reads STOP JOB 'id' [WITH SAVEPOINT [WITH DRAIN]].
func (p *parser) stopJob(start int) (ast.Statement, error) {
	p.Next()
	if err := p.Want("JOB"); err != nil {
		return nil, err
	}
	t, err := p.Text("the id of a job in single quotes")
	if err != nil {
		return nil, err
	}
	s := &ast.StopJob{ID: t.Text, Savepoint: p.Take("WITH", "SAVEPOINT")}
	if d := p.Tok(); p.Take("WITH", "DRAIN") {
		if !s.Savepoint {
			return nil, diag.New(diag.Syntax, p.From(d.Start), "WITH DRAIN stands behind WITH SAVEPOINT only")
		}
		s.Drain = true
	}
	s.At = p.at(start)
	return s, nil
}
