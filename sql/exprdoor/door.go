// Package exprdoor reads scalar expressions. It is the only place that uses
// TiDB's parser, and lets nothing of it out.
//
// TiDB reads MySQL, so nothing the user wrote reaches it. A cutter walks over
// operands and operators and renders the expression anew: every name, literal,
// call, cast, subquery and so on becomes a placeholder p7, or p7(..) around
// the expressions inside it; operators keep their place, those that bind
// otherwise in MySQL under a borrowed name of the right level. TiDB then says
// how the operators bind, and a builder puts the pieces back:
//
//	a - INTERVAL '1' DAY * 2 || b LIKE 'x%'
//	p0 - p1 * p2 DIV p3 BETWEEN p4 AND p5
//
// Four guards make a silent misreading impossible: only Flink's tokens exist
// (package lex), only text of the closed list in render.go is rendered, the
// builder takes only the node types of that list, and it checks that pieces
// and operators come back exactly once and in the order of the script.
package exprdoor

import (
	"github.com/pingcap/tidb/pkg/parser"

	"fsql/sql/ast"
	"fsql/sql/cursor"
)

// Queries reads the queries inside expressions.
type Queries interface {
	// Query reads a query at the cursor and stops behind it.
	Query() (ast.Query, error)
}

// Door reads expressions at a cursor. It is used by one reader at a time.
type Door struct {
	c    *cursor.Cursor
	q    Queries
	tidb *parser.Parser
	free []*cutter // of expressions that are done, to be used again
}

// New returns a door at a cursor. Queries inside expressions are read by q,
// which shares the cursor.
func New(c *cursor.Cursor, q Queries) *Door { return &Door{c: c, q: q} }

// Expr reads an expression and stops at the first token that does not go on
// with it.
func (d *Door) Expr() (ast.Expr, error) { return d.read(anyOperator) }

// Exprs reads a, b, ...
func (d *Door) Exprs() ([]ast.Expr, error) {
	var list []ast.Expr
	for {
		x, err := d.Expr()
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		if !d.c.TakeSymbol(",") {
			return list, nil
		}
	}
}

// Operand reads one operand: no operator outside parentheses.
func (d *Door) Operand() (ast.Expr, error) { return d.read(noOperator) }

// limit says which operators belong to an expression that is read.
type limit uint8

const (
	anyOperator limit = iota
	noLogic           // not AND and OR: the rest of a NOT that stands behind an operator
	arithmetic        // + - * / % || only
	noOperator        // a single operand
)

func (d *Door) read(most limit) (ast.Expr, error) {
	k := d.cutter()
	defer d.done(k)
	if err := k.expr(most); err != nil {
		return nil, err
	}
	return d.build(k)
}

// cutter returns an empty cutter: expressions nest, and each has its own.
func (d *Door) cutter() *cutter {
	if n := len(d.free); n > 0 {
		k := d.free[n-1]
		d.free = d.free[:n-1]
		return k
	}
	return &cutter{Cursor: d.c, door: d}
}

func (d *Door) done(k *cutter) {
	clear(k.pieces) // the trees belong to the caller
	k.out, k.places, k.pieces, k.ops = k.out[:0], k.places[:0], k.pieces[:0], k.ops[:0]
	d.free = append(d.free, k)
}
