package exprdoor

import (
	"strconv"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/cursor"
)

// cutter cuts one expression and renders it for TiDB.
type cutter struct {
	*cursor.Cursor
	door   *Door
	out    []byte
	places []place
	pieces []piece
	ops    []operator
}

// place tells which token a byte of the rendered text comes from.
type place struct{ offset, token int }

// piece is what a placeholder stands for: a finished tree (args 0), or a tree
// that takes the expressions rendered inside p<n>( .. ).
type piece struct {
	span diag.Span
	leaf ast.Expr
	args int
	make func(args []ast.Expr, span diag.Span) (ast.Expr, error)
	post []step // [i] and .field behind it
	like *likeMark
}

// step is a subscript or a field behind an operand.
type step struct {
	index ast.Expr
	field ast.Name
	end   int // byte behind it
}

// likeMark is what LIKE and SIMILAR TO carry besides their operands.
type likeMark struct {
	not, similar bool
	escape       ast.Expr
	end          diag.Span // of the escape
}

// operator is an operator or word that was rendered as such, in the order of
// the text.
type operator struct {
	class class
	token int
	not   bool
	symm  bool   // BETWEEN SYMMETRIC
	what  string // of IS
	op    ast.BinaryOp
	query ast.Query // IN (query)
	last  int       // the last token of IN (..)
}

type class uint8

// The operators and words that reach TiDB, and nothing else does.
const (
	binary     class = iota // + - * / % || = <> < <= > >= AND OR
	distinct                // IS [NOT] DISTINCT FROM, spelled <=>
	overlaps                // OVERLAPS, spelled <=>
	negative                // unary -
	positive                // unary +
	not                     // NOT
	is                      // every IS form, spelled IS NULL
	between                 // [NOT] BETWEEN
	betweenAnd              // its AND
	like                    // LIKE and SIMILAR TO, spelled BETWEEN mark AND
	likeAnd                 // that AND
	in                      // [NOT] IN
	caseWord                // CASE
	when                    // WHEN
	then                    // THEN
	elseWord                // ELSE
	end                     // END
)

// piece appends a placeholder and returns its number.
func (k *cutter) piece(token int, p piece) int {
	n := len(k.pieces)
	k.pieces = append(k.pieces, p)
	k.at(token)
	k.out = append(k.out, 'p')
	k.out = strconv.AppendInt(k.out, int64(n), 10)
	k.out = append(k.out, ' ')
	return n
}

// leaf appends the placeholder of a finished tree.
func (k *cutter) leaf(token int, x ast.Expr) int {
	return k.piece(token, piece{span: x.Span(), leaf: x})
}

// operator appends an operator under the text TiDB is given for it.
func (k *cutter) operator(text string, o operator) {
	k.ops = append(k.ops, o)
	k.at(o.token)
	k.raw(text)
}

// raw appends text that needs no check of its own: parentheses and commas.
func (k *cutter) raw(text string) {
	k.out = append(k.out, text...)
	k.out = append(k.out, ' ')
}

func (k *cutter) at(token int) {
	k.places = append(k.places, place{len(k.out), token})
}

// span is the range from a token to the last one taken.
func (k *cutter) span(token int) diag.Span { return k.From(k.Src.Tokens[token].Start) }
