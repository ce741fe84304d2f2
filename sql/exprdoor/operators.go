package exprdoor

import (
	tidb "github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/types"
)

// opcodeOf is how TiDB calls an operator that was rendered.
func opcodeOf(op ast.BinaryOp) opcode.Op {
	switch op {
	case ast.Add:
		return opcode.Plus
	case ast.Sub:
		return opcode.Minus
	case ast.Mul:
		return opcode.Mul
	case ast.Div:
		return opcode.Div
	case ast.Mod:
		return opcode.Mod
	case ast.Concat:
		return opcode.IntDiv
	case ast.Eq:
		return opcode.EQ
	case ast.Ne:
		return opcode.NE
	case ast.Lt:
		return opcode.LT
	case ast.Le:
		return opcode.LE
	case ast.Gt:
		return opcode.GT
	case ast.Ge:
		return opcode.GE
	case ast.And:
		return opcode.LogicAnd
	case ast.Or:
		return opcode.LogicOr
	default:
		return opcode.NullEQ
	}
}

func (b *builder) binary(n *tidb.BinaryOperationExpr) (ast.Expr, diag.Span, error) {
	l, from, err := b.expr(n.L)
	if err != nil {
		return nil, from, err
	}
	c := class(binary)
	if n.Op == opcode.NullEQ {
		c = distinct
		if b.nextOp < len(b.k.ops) && b.k.ops[b.nextOp].class == overlaps {
			c = overlaps
		}
	}
	o, err := b.take(c)
	if err != nil {
		return nil, from, err
	}
	if c != overlaps && opcodeOf(o.op) != n.Op {
		return b.none("another operator")
	}
	r, to, err := b.expr(n.R)
	if err != nil {
		return nil, to, err
	}
	span := from.Join(to)
	at := ast.At{Pos: span}
	if c == overlaps {
		return &ast.Overlaps{At: at, L: l, R: r}, span, nil
	}
	if some, ok := r.(*ast.Quantified); ok && some.X == nil {
		some.At, some.X, some.Op = at, l, o.op
		return some, span, nil
	}
	return &ast.Binary{At: at, Op: o.op, L: l, R: r, OpPos: ast.At{Pos: b.k.Src.Tokens[o.token].Span()}}, span, nil
}

func (b *builder) unary(n *tidb.UnaryOperationExpr) (ast.Expr, diag.Span, error) {
	var c class
	op := ast.Not
	switch n.Op {
	case opcode.Minus:
		c, op = negative, ast.Neg
	case opcode.Plus:
		c, op = positive, ast.Plus
	case opcode.Not:
		c = not
	default:
		return b.none("another operator")
	}
	o, err := b.take(c)
	if err != nil {
		return nil, diag.Span{}, err
	}
	x, span, err := b.expr(n.V)
	if err != nil {
		return nil, span, err
	}
	span = b.k.Src.Tokens[o.token].Span().Join(span)
	// A sign in front of a number belongs to it, also through parentheses: the
	// type of a literal depends on it (Calcite).
	if lit, ok := x.(*ast.Literal); ok && op != ast.Not && (lit.Type.IsNumeric() || lit.Type.Kind == types.Invalid) {
		if op == ast.Plus {
			lit.Pos = span
			return lit, span, nil
		}
		if b.unsigned == lit {
			b.unsigned = nil
		}
		neg, err := cursor.Negate(lit, span)
		return neg, span, err
	}
	return &ast.Unary{At: ast.At{Pos: span}, Op: op, X: x}, span, nil
}

func (b *builder) is(n *tidb.IsNullExpr) (ast.Expr, diag.Span, error) {
	x, span, err := b.expr(n.Expr)
	if err != nil {
		return nil, span, err
	}
	o, err := b.take(is)
	if err != nil || n.Not {
		return b.none("another IS")
	}
	last := o.token + 1 // the words behind IS
	if o.not {
		last++
	}
	if len(o.what) > 4 && o.what[:4] == "JSON" {
		last++
	}
	span = span.Join(b.k.Src.Tokens[last].Span())
	return &ast.Is{At: ast.At{Pos: span}, X: x, Not: o.not, What: o.what}, span, nil
}

// between builds BETWEEN, and LIKE and SIMILAR TO, which are spelled so.
func (b *builder) between(n *tidb.BetweenExpr) (ast.Expr, diag.Span, error) {
	x, from, err := b.expr(n.Expr)
	if err != nil {
		return nil, from, err
	}
	// TiDB would take a predicate behind BETWEEN .. AND from the right, Flink
	// takes it from the left. The cutter refuses it before; this is the lock.
	switch n.Right.(type) {
	case *tidb.BetweenExpr, *tidb.PatternInExpr:
		return b.none("a predicate behind a predicate")
	}
	if b.nextOp < len(b.k.ops) && b.k.ops[b.nextOp].class == like {
		return b.like(n, x, from)
	}
	o, err := b.take(between)
	if err != nil {
		return nil, from, err
	}
	if o.not != n.Not {
		return b.none("another BETWEEN")
	}
	lo, _, err := b.expr(n.Left)
	if err != nil {
		return nil, from, err
	}
	if _, err := b.take(betweenAnd); err != nil {
		return nil, from, err
	}
	hi, to, err := b.expr(n.Right)
	if err != nil {
		return nil, to, err
	}
	span := from.Join(to)
	return &ast.Between{At: ast.At{Pos: span}, X: x, Lo: lo, Hi: hi, Not: o.not, Symmetric: o.symm}, span, nil
}

func (b *builder) like(n *tidb.BetweenExpr, x ast.Expr, from diag.Span) (ast.Expr, diag.Span, error) {
	if _, err := b.take(like); err != nil || n.Not {
		return b.none("another LIKE")
	}
	name, ok := n.Left.(*tidb.ColumnNameExpr)
	if !ok || name.Name.Table.L != "" {
		return b.none("LIKE without its mark")
	}
	i, err := b.placeholder(name.Name.Name.L)
	if err != nil {
		return nil, from, err
	}
	mark := b.k.pieces[i].like
	if mark == nil {
		return b.none("LIKE without its mark")
	}
	if _, err := b.take(likeAnd); err != nil {
		return nil, from, err
	}
	pattern, to, err := b.expr(n.Right)
	if err != nil {
		return nil, to, err
	}
	span := from.Join(to)
	if mark.escape != nil {
		span = span.Join(mark.end)
	}
	return &ast.Like{At: ast.At{Pos: span}, X: x, Pattern: pattern, Escape: mark.escape, Not: mark.not, Similar: mark.similar}, span, nil
}

func (b *builder) in(n *tidb.PatternInExpr) (ast.Expr, diag.Span, error) {
	x, from, err := b.expr(n.Expr)
	if err != nil {
		return nil, from, err
	}
	o, err := b.take(in)
	if err != nil {
		return nil, from, err
	}
	if o.not != n.Not || n.Sel != nil {
		return b.none("another IN")
	}
	e := &ast.In{X: x, Not: o.not, Query: o.query}
	for _, item := range n.List {
		y, _, err := b.expr(item)
		if err != nil {
			return nil, from, err
		}
		if o.query == nil {
			e.List = append(e.List, y)
		}
	}
	e.Pos = from.Join(diag.Span{Start: from.Start, End: b.k.Src.Tokens[o.last].End})
	return e, e.Pos, nil
}

func (b *builder) caseOf(n *tidb.CaseExpr) (ast.Expr, diag.Span, error) {
	first, err := b.take(caseWord)
	if err != nil {
		return nil, diag.Span{}, err
	}
	e := &ast.Case{}
	part := func(c class, n tidb.ExprNode) (x ast.Expr, err error) {
		if c != caseWord {
			if _, err = b.take(c); err != nil {
				return nil, err
			}
		}
		x, _, err = b.expr(n)
		return x, err
	}
	if n.Value != nil {
		if e.X, err = part(caseWord, n.Value); err != nil {
			return nil, diag.Span{}, err
		}
	}
	for _, w := range n.WhenClauses {
		cond, err := part(when, w.Expr)
		if err != nil {
			return nil, diag.Span{}, err
		}
		result, err := part(then, w.Result)
		if err != nil {
			return nil, diag.Span{}, err
		}
		conds := []ast.Expr{cond}
		if list, ok := cond.(several); ok {
			conds = list.Elems
		}
		e.Whens = append(e.Whens, ast.When{Conds: conds, Then: result})
	}
	if n.ElseClause != nil {
		if e.Else, err = part(elseWord, n.ElseClause); err != nil {
			return nil, diag.Span{}, err
		}
	}
	last, err := b.take(end)
	if err != nil {
		return nil, diag.Span{}, err
	}
	e.Pos = b.k.Src.Tokens[first.token].Span().Join(b.k.Src.Tokens[last.token].Span())
	return e, e.Pos, nil
}
