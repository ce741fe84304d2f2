package exprdoor

import (
	"fmt"
	"strconv"

	"github.com/pingcap/tidb/pkg/parser"
	tidb "github.com/pingcap/tidb/pkg/parser/ast"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
	"fsql/types"
)

// build lets TiDB read the rendered text and puts the pieces back. A lone
// placeholder, which most expressions are, leaves nothing to read.
func (d *Door) build(k *cutter) (ast.Expr, error) {
	b := &builder{k: k}
	if len(k.pieces) == 1 && len(k.ops) == 0 && k.pieces[0].make == nil {
		b.nextPiece = 1
		x, _, err := b.put(0, nil)
		if err == nil {
			err = b.finished()
		}
		return x, err
	}
	if d.tidb == nil {
		installDriver()
		d.tidb = parser.New()
	}
	text := "SELECT " + string(k.out)
	stmt, err := d.tidb.ParseOneStmt(text, "", "")
	if err != nil {
		return nil, b.refused(text, err)
	}
	sel, ok := stmt.(*tidb.SelectStmt)
	if !ok || sel.Fields == nil || len(sel.Fields.Fields) != 1 || sel.From != nil || sel.Fields.Fields[0].AsName.L != "" {
		return nil, b.defect("a statement of another shape")
	}
	x, _, err := b.expr(sel.Fields.Fields[0].Expr)
	if err == nil {
		err = b.finished()
	}
	return x, err
}

// builder turns TiDB's tree into ours. Next counts the pieces and operators
// that came back: they come in the order of the text, or the tree is refused.
type builder struct {
	k         *cutter
	nextPiece int
	nextOp    int
	unsigned  *ast.Literal // such as 9223372036854775808, which has a type only behind a minus
}

// expr builds one node; the span is that of all its tokens, parentheses
// included.
func (b *builder) expr(n tidb.ExprNode) (ast.Expr, diag.Span, error) {
	switch n := n.(type) {
	case *tidb.ColumnNameExpr:
		if n.Name.Schema.L != "" || n.Name.Table.L != "" {
			return b.none("a qualified name")
		}
		i, err := b.placeholder(n.Name.Name.L)
		if err != nil {
			return nil, diag.Span{}, err
		}
		return b.put(i, nil)
	case *tidb.FuncCallExpr:
		return b.call(n)
	case *tidb.BinaryOperationExpr:
		return b.binary(n)
	case *tidb.UnaryOperationExpr:
		return b.unary(n)
	case *tidb.IsNullExpr:
		return b.is(n)
	case *tidb.BetweenExpr:
		return b.between(n)
	case *tidb.PatternInExpr:
		return b.in(n)
	case *tidb.CaseExpr:
		return b.caseOf(n)
	}
	return b.none(fmt.Sprintf("a node %T", n))
}

func (b *builder) none(what string) (ast.Expr, diag.Span, error) {
	return nil, diag.Span{}, b.defect(what)
}

// defect is the error that TiDB's tree is not the text that was rendered. It
// is a fault of this package, never of the script.
func (b *builder) defect(what string) error {
	return diag.New(diag.Internal, b.whole(), "the expression came back as %s", what).WithHint("use parentheses, and please report this")
}

// whole is the span of the expression.
func (b *builder) whole() diag.Span {
	tokens := b.k.Src.Tokens
	return diag.Span{Start: tokens[b.k.places[0].token].Start, End: b.k.Prev().End}
}

// refused words the error for text that TiDB does not take. The cutter finds
// nearly all mistakes; what is left are operators that need parentheses.
func (b *builder) refused(text string, err error) error {
	token := b.k.places[0].token
	if left, ok := restOf(err.Error()); ok {
		at := len(text) - left - len("SELECT ")
		for _, p := range b.k.places {
			if p.offset <= at {
				token = p.token
			}
		}
	}
	t := b.k.Src.Tokens[token]
	return diag.New(diag.Syntax, t.Span(), "%s cannot stand here without parentheses", cursor.Describe(t)).
		WithHint("put the part before or behind it into parentheses")
}

// take checks that the next operator is of a class and returns it.
func (b *builder) take(c class) (operator, error) {
	if b.nextOp >= len(b.k.ops) || b.k.ops[b.nextOp].class != c {
		return operator{}, b.defect("operators in another order")
	}
	b.nextOp++
	return b.k.ops[b.nextOp-1], nil
}

// placeholder is the number of the piece a name stands for.
func (b *builder) placeholder(name string) (int, error) {
	if len(name) > 1 && name[0] == 'p' {
		if i, err := strconv.Atoi(name[1:]); err == nil && i == b.nextPiece && i < len(b.k.pieces) {
			b.nextPiece++
			return i, nil
		}
	}
	return 0, b.defect("names in another order")
}

func (b *builder) call(n *tidb.FuncCallExpr) (ast.Expr, diag.Span, error) {
	if n.Schema.L != "" {
		return b.none("a qualified call")
	}
	i, err := b.placeholder(n.FnName.L)
	if err != nil {
		return nil, diag.Span{}, err
	}
	if b.k.pieces[i].make == nil {
		return b.none("a call that was none")
	}
	args := make([]ast.Expr, len(n.Args))
	for j, a := range n.Args {
		if args[j], _, err = b.expr(a); err != nil {
			return nil, diag.Span{}, err
		}
	}
	return b.put(i, args)
}

// put builds piece i.
func (b *builder) put(i int, args []ast.Expr) (ast.Expr, diag.Span, error) {
	p := &b.k.pieces[i]
	if len(args) != p.args || p.like != nil || p.leaf == nil && p.make == nil {
		return b.none("a piece out of place")
	}
	x := p.leaf
	var err error
	if p.make != nil {
		if len(args) == 0 {
			args = nil
		}
		if x, err = p.make(args, p.span); err != nil {
			return nil, diag.Span{}, err
		}
	}
	if lit, ok := x.(*ast.Literal); ok && lit.Type.Kind == types.Invalid {
		typed, err := cursor.Number(lit.Pos, lit.Text, false)
		if err == nil {
			x = typed
		} else if _, negative := cursor.Number(lit.Pos, lit.Text, true); negative == nil {
			b.unsigned = lit
		} else {
			return nil, diag.Span{}, err
		}
	}
	span := p.span
	for _, s := range p.post {
		span.End = s.end
		if s.index != nil {
			x = &ast.Index{At: ast.At{Pos: span}, X: x, I: s.index}
		} else {
			x = &ast.FieldOf{At: ast.At{Pos: span}, X: x, Field: s.field}
		}
	}
	return x, span, nil
}

// finished checks that every piece and operator came back.
func (b *builder) finished() error {
	if b.unsigned != nil {
		_, err := cursor.Number(b.unsigned.Pos, b.unsigned.Text, false)
		return err
	}
	if b.nextPiece != len(b.k.pieces) || b.nextOp != len(b.k.ops) {
		return b.defect("less than was written")
	}
	return nil
}
