package sql

import (
	"strconv"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// match reads MATCH_RECOGNIZE (..) [AS alias] behind a table if it follows.
func (p *parser) match(start int, input ast.TableRef) (ast.TableRef, error) {
	if !p.Looks("MATCH_RECOGNIZE") {
		return input, nil
	}
	at := p.Next().Start
	m := &ast.Match{Input: input}
	if err := p.WantSymbol("("); err != nil {
		return nil, err
	}
	err := p.matchSpec(&m.Spec)
	if err != nil {
		return nil, err
	}
	if err := p.WantSymbol(")"); err != nil {
		return nil, err
	}
	m.Spec.At = p.at(at)
	if m.Alias, err = p.tableAlias(); err != nil {
		return nil, err
	}
	m.At = p.at(start)
	return m, nil
}

func (p *parser) matchSpec(s *ast.MatchSpec) (err error) {
	if p.Take("PARTITION") {
		if err := p.Want("BY"); err != nil {
			return err
		}
		if s.PartitionBy, err = p.door.Exprs(); err != nil {
			return err
		}
	}
	if p.Take("ORDER") {
		if err := p.Want("BY"); err != nil {
			return err
		}
		if s.OrderBy, err = p.door.OrderItems(); err != nil {
			return err
		}
	}
	if p.Take("MEASURES") {
		if s.Measures, err = list(p, p.measure); err != nil {
			return err
		}
	}
	switch {
	case p.Take("ONE"):
		err = p.Want("ROW", "PER", "MATCH")
	case p.Take("ALL"):
		s.AllRows = true
		err = p.Want("ROWS", "PER", "MATCH")
	}
	if err != nil {
		return err
	}
	if p.Take("AFTER") {
		if err := p.afterMatch(s); err != nil {
			return err
		}
	}
	if !p.Take("PATTERN") {
		return p.Unexpected("PATTERN")
	}
	if err := p.pattern(s); err != nil {
		return err
	}
	if p.Take("WITHIN") {
		if !p.Looks("INTERVAL") {
			return p.Unexpected("INTERVAL")
		}
		if s.Within, err = p.door.Operand(); err != nil {
			return err
		}
	}
	if p.Take("SUBSET") {
		if s.Subsets, err = list(p, p.subset); err != nil {
			return err
		}
	}
	if !p.Take("DEFINE") {
		return p.Unexpected("DEFINE")
	}
	s.Define, err = list(p, p.define)
	return err
}

// measure reads x AS name.
func (p *parser) measure() (ast.SelectItem, error) {
	start := p.Tok().Start
	var m ast.SelectItem
	var err error
	if m.X, err = p.door.Expr(); err != nil {
		return m, err
	}
	if err := p.Want("AS"); err != nil {
		return m, err
	}
	m.Alias, err = p.Name("the name of a measure")
	m.At = p.at(start)
	return m, err
}

// define reads variable AS condition.
func (p *parser) define() (ast.SelectItem, error) {
	start := p.Tok().Start
	var d ast.SelectItem
	var err error
	if d.Alias, err = p.Name("a variable of the pattern"); err != nil {
		return d, err
	}
	if err := p.Want("AS"); err != nil {
		return d, err
	}
	d.X, err = p.door.Expr()
	d.At = p.at(start)
	return d, err
}

// subset reads S = (A, B), of which the tree keeps the name.
func (p *parser) subset() (ast.Name, error) {
	n, err := p.Name("the name of a subset")
	if err != nil {
		return n, err
	}
	if err := p.WantSymbol("="); err != nil {
		return n, err
	}
	_, err = p.Names("a variable of the pattern")
	return n, err
}

func (p *parser) afterMatch(s *ast.MatchSpec) (err error) {
	if err := p.Want("MATCH", "SKIP"); err != nil {
		return err
	}
	switch {
	case p.Take("PAST"):
		s.AfterMatch = "PAST LAST ROW"
		return p.Want("LAST", "ROW")
	case p.Take("TO", "NEXT"):
		s.AfterMatch = "TO NEXT ROW"
		return p.Want("ROW")
	case p.Take("TO"):
		s.AfterMatch = "TO LAST"
		// FIRST and LAST are names too: they are words here when a variable
		// follows.
		if p.Looks("FIRST") && p.Peek(1).Kind == lex.Word || p.Looks("FIRST") && p.Peek(1).Kind == lex.Quoted {
			p.Next()
			s.AfterMatch = "TO FIRST"
		} else if p.Looks("LAST") && (p.Peek(1).Kind == lex.Word || p.Peek(1).Kind == lex.Quoted) && p.Peek(1).Key != "PATTERN" {
			p.Next()
		}
		s.AfterVar, err = p.Name("a variable of the pattern")
		return err
	}
	return p.Unexpected("PAST LAST ROW", "TO NEXT ROW", "TO FIRST", "TO LAST")
}

// pattern reads (A B+ C{2,3}?). Flink knows a sequence of variables with
// quantifiers; what its grammar has beyond that it refuses, and fsql refuses it
// by name.
func (p *parser) pattern(s *ast.MatchSpec) (err error) {
	if err := p.WantSymbol("("); err != nil {
		return err
	}
	if p.TakeSymbol("^") {
		s.FromStart = true
	}
	if s.Pattern, err = p.terms(); err != nil {
		return err
	}
	if p.Tok().Text == "$" {
		p.Next()
		s.ToEnd = true
	}
	return p.WantSymbol(")")
}

// terms reads variables up to the end of the pattern or of a group. A group
// without a quantifier means what it holds.
func (p *parser) terms() (terms []ast.PatternTerm, err error) {
	refuse := func(what string) error {
		return notSupported(p.Tok().Span(), "a pattern of MATCH_RECOGNIZE cannot hold %s", what).
			WithHint("a pattern is a sequence of variables with quantifiers, such as (A B+ C?)")
	}
	for {
		t := p.Tok()
		switch {
		case (t.Is(")") || t.Text == "$") && terms != nil:
			return terms, nil
		case t.Is("("):
			group, err := p.group()
			if err != nil {
				return nil, err
			}
			terms = append(terms, group...)
			continue
		case t.Is("|"), t.Is("||"):
			return nil, refuse("the alternative |")
		case t.Is("{"):
			return nil, refuse("the exclusion {- -}")
		case t.Key == "PERMUTE" && p.Peek(1).Is("("):
			return nil, refuse("PERMUTE")
		}
		term := ast.PatternTerm{Min: 1, Max: 1}
		if term.Var, err = p.Name("a variable of the pattern"); err != nil {
			return nil, err
		}
		if err := p.quantifier(&term); err != nil {
			return nil, err
		}
		term.At = p.at(t.Start)
		terms = append(terms, term)
	}
}

// group reads (A B). One of a single variable may have a quantifier.
func (p *parser) group() ([]ast.PatternTerm, error) {
	start := p.Next()
	if err := p.Enter(); err != nil {
		return nil, err
	}
	terms, err := p.terms()
	p.Leave()
	if err != nil {
		return nil, err
	}
	if err := p.WantSymbol(")"); err != nil {
		return nil, err
	}
	of := ast.PatternTerm{Min: 1, Max: 1}
	if err := p.quantifier(&of); err != nil {
		return nil, err
	}
	if of.Min == 1 && of.Max == 1 {
		return terms, nil
	}
	if len(terms) > 1 || terms[0].Min != 1 || terms[0].Max != 1 {
		return nil, notSupported(p.From(start.Start), "a pattern of MATCH_RECOGNIZE cannot hold a quantifier on a group").
			WithHint("put the quantifier on a single variable, such as (A B+)")
	}
	of.Var, of.At = terms[0].Var, p.at(start.Start)
	return []ast.PatternTerm{of}, nil
}

// quantifier reads * + ? {n} {n,} {n,m} {,m}, and ? behind it.
func (p *parser) quantifier(t *ast.PatternTerm) (err error) {
	start := p.Tok()
	switch {
	case p.TakeSymbol("*"):
		t.Min, t.Max = 0, -1
	case p.TakeSymbol("+"):
		t.Min, t.Max = 1, -1
	case p.TakeSymbol("?"):
		t.Min, t.Max = 0, 1
	case p.TakeSymbol("{"):
		if err := p.repetition(start, t); err != nil {
			return err
		}
	default:
		return nil
	}
	if mark := p.Tok(); p.TakeSymbol("?") {
		if start.Is("?") {
			return notSupported(start.Span().Join(mark.Span()), "Flink refuses the quantifier ??").WithHint("write ? for an optional variable")
		}
		t.Reluctant = true
	}
	return nil
}

func (p *parser) repetition(start lex.Token, t *ast.PatternTerm) error {
	if p.Tok().Is("-") {
		return notSupported(start.Span(), "a pattern of MATCH_RECOGNIZE cannot hold the exclusion {- -}")
	}
	bound := func() (int, bool) {
		n, err := strconv.ParseInt(p.Tok().Text, 10, 32)
		if p.Tok().Kind != lex.Number || err != nil {
			return 0, false
		}
		p.Next()
		return int(n), true
	}
	lo, ok := bound()
	if !ok && p.Tok().Is(",") {
		return notSupported(p.From(start.Start), "the quantifier has no lower bound, which Flink refuses").WithHint("write {0,m}")
	}
	if !ok {
		return p.Unexpected("a number of rows")
	}
	t.Min, t.Max = lo, lo
	if p.TakeSymbol(",") {
		t.Max = -1
		if hi, ok := bound(); ok {
			t.Max = hi
		}
	}
	if err := p.WantSymbol("}"); err != nil {
		return err
	}
	if t.Max == 0 || t.Max > 0 && t.Max < t.Min {
		return diag.New(diag.Syntax, p.From(start.Start), "the quantifier allows no row").WithHint("the second number is at least the first, and above 0")
	}
	return nil
}
