package sql

import (
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// hints reads /*+ NAME(..), .. */ if it follows.
func (p *parser) hints() ([]ast.Hint, error) {
	if p.Tok().Kind != lex.HintBegin {
		return nil, nil
	}
	p.Next()
	hints, err := list(p, p.hint)
	if err != nil {
		return nil, err
	}
	if p.Tok().Kind != lex.HintEnd {
		return nil, p.Unexpected("','", "'*/'")
	}
	p.Next()
	return hints, nil
}

// hint reads NAME, NAME(a, b) or NAME('k' = 'v', ..).
func (p *parser) hint() (ast.Hint, error) {
	start := p.Tok().Start
	name, err := p.Name("the name of a hint")
	if err != nil {
		return ast.Hint{}, err
	}
	h := ast.Hint{Name: name.Text}
	if p.Tok().Is("(") && p.Peek(1).Is(")") {
		p.At += 2
	} else if p.Tok().Is("(") {
		if h.Args, err = listed(p, p.hintArg); err != nil {
			return h, err
		}
		for _, a := range h.Args {
			if a.Pair != h.Args[0].Pair {
				return h, notSupported(a.Span(), "a hint has either names or 'key' = 'value' pairs")
			}
		}
	}
	h.At = p.at(start)
	return h, nil
}

func (p *parser) hintArg() (ast.HintArg, error) {
	t := p.Tok()
	switch {
	case t.Kind == lex.String, t.Kind == lex.Number, p.LooksName():
		p.Next()
	default:
		return ast.HintArg{}, p.Unexpected("a name", "'key' = 'value'")
	}
	a := ast.HintArg{Value: t.Text}
	if p.TakeSymbol("=") {
		v, err := p.Text("a value in single quotes")
		if err != nil {
			return a, err
		}
		a = ast.HintArg{Key: t.Text, Value: v.Text, Pair: true}
	}
	a.At = p.at(t.Start)
	return a, nil
}
