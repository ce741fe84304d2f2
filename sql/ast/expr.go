package ast

import "fsql/types"

// Expr is a scalar expression.
type Expr interface {
	Node
	expr()
}

type (
	// Column is a reference: a, t.a, cat.db.t.a, r.f; which part is table,
	// column or field is decided when names are bound. PI without parentheses
	// is one too: it means the function where there is no such column.
	Column struct {
		At
		Parts []Name
	}
	// Star is * or t.* in a select list (or COUNT's argument: Call.Star).
	Star struct {
		At
		Qualifier []Name
	}
	// Literal is a typed constant. Text is the value's text, decoded
	// (quotes, U& and e'' escapes resolved): digits of a number, characters
	// of a string, the inside of DATE '..'. Binary literals (x'..') hold the
	// bytes themselves. Intervals hold months or milliseconds in decimal.
	// NULL has Kind types.Null.
	Literal struct {
		At
		Type types.Type
		Text string
	}
	// Unary is -x, +x, NOT x.
	Unary struct {
		At
		Op UnaryOp
		X  Expr
	}
	// Binary is an infix operator of arithmetic, comparison or logic.
	Binary struct {
		At
		Op    BinaryOp
		L, R  Expr
		OpPos At
	}
	// Is is x IS [NOT] NULL / TRUE / FALSE / UNKNOWN / JSON ...
	Is struct {
		At
		X    Expr
		Not  bool
		What string // "NULL", "TRUE", "FALSE", "UNKNOWN", "JSON", "JSON VALUE", "JSON SCALAR", "JSON ARRAY", "JSON OBJECT"
	}
	// Between is x [NOT] BETWEEN [SYMMETRIC] lo AND hi.
	Between struct {
		At
		X, Lo, Hi Expr
		Not       bool
		Symmetric bool
	}
	// Like is x [NOT] LIKE p [ESCAPE e], or SIMILAR TO.
	Like struct {
		At
		X, Pattern, Escape Expr
		Not, Similar       bool
	}
	// In is x [NOT] IN (list) or (query); exactly one of List, Query is set.
	In struct {
		At
		X     Expr
		List  []Expr
		Query Query
		Not   bool
	}
	// Quantified is x op ANY|SOME|ALL (query or list).
	Quantified struct {
		At
		X     Expr
		Op    BinaryOp
		All   bool
		Query Query
		List  []Expr
	}
	// Exists is EXISTS (query).
	Exists struct {
		At
		Query Query
	}
	// Subquery is a query used as a value.
	Subquery struct {
		At
		Query Query
	}
	// Case is CASE [x] WHEN .. THEN .. ELSE .. END. A WHEN of the simple form
	// may hold several values.
	Case struct {
		At
		X     Expr // nil: searched form
		Whens []When
		Else  Expr // nil: NULL
	}
	// Cast is CAST(x AS type) or TRY_CAST.
	Cast struct {
		At
		X   Expr
		To  TypeName
		Try bool
	}
	// Call is any function call that looks like one: f(a, b), with the extras
	// of aggregates and window functions.
	Call struct {
		At
		Func     Path
		Args     []Expr
		ArgNames []string // named arguments (f(a => 1)), "" where positional; nil if none is named
		NoParens bool     // CURRENT_DATE
		Star     bool     // COUNT(*)
		Distinct bool
		Filter   Expr // FILTER (WHERE ..)
		OrderBy  []OrderItem
		Nulls    string // "IGNORE" or "RESPECT", else ""
		Within   []OrderItem
		Over     *Over
		// Words are the key words of functions with a grammar of their own,
		// in order: EXTRACT, FLOOR, CEIL, TIMESTAMPADD and TIMESTAMPDIFF the
		// unit ("MONTH"); TRIM "BOTH", "LEADING", "TRAILING"; JSON functions
		// their clauses; FIRST and LAST the FINAL or RUNNING in front. Such a
		// call's Args hold only the operands; TRIM's characters come first.
		Words []string
		// JSON holds the clauses of JSON_* functions.
		JSON *JSONClauses
	}
	// Interval is INTERVAL x UNIT with x an expression, not a literal; or
	// (a - b) UNIT, where Minus is set and X is the Binary.
	Interval struct {
		At
		X    Expr
		Type types.Type
		Diff bool
	}
	// Array is ARRAY[..]; Map MAP[k, v, ..] (pairs flattened); Row ROW(..) or
	// (a, b).
	Array struct {
		At
		Elems []Expr
	}
	// Map is a map constructor.
	Map struct {
		At
		Elems []Expr
	}
	// Row is a row constructor.
	Row struct {
		At
		Elems    []Expr
		Explicit bool // ROW was written
	}
	// Index is x[i]; FieldOf is (x).f or x[i].f.
	Index struct {
		At
		X, I Expr
	}
	// FieldOf is a field access on an expression that is not a plain path.
	FieldOf struct {
		At
		X     Expr
		Field Name
	}
	// Overlaps is (a, b) OVERLAPS (c, d).
	Overlaps struct {
		At
		L, R Expr
	}
	// Descriptor is DESCRIPTOR(a, b), TableArg TABLE t [PARTITION BY ..]
	// [ORDER BY ..]: arguments of table functions.
	Descriptor struct {
		At
		Columns []Path
	}
	// TableArg is a table (or query) as argument of a table function. A query
	// in parentheses is one where the function stands in FROM, a Subquery in
	// other calls.
	TableArg struct {
		At
		Table       Path  // empty when Query is set
		Query       Query // TABLE (query) or (query)
		PartitionBy []Expr
		OrderBy     []OrderItem
	}
	// Default is the word DEFAULT as an argument.
	Default struct{ At }
)

// When is one branch of a Case.
type When struct {
	Conds []Expr
	Then  Expr
}

// JSONClauses are the clauses of JSON_EXISTS, JSON_VALUE, JSON_QUERY,
// JSON_OBJECT, JSON_ARRAY and their aggregates; "" is "not written".
type JSONClauses struct {
	Returning *TypeName
	Wrapper   string // "WITHOUT", "CONDITIONAL", "UNCONDITIONAL"
	OnEmpty   string // "NULL", "ERROR", "DEFAULT", "EMPTY ARRAY", "EMPTY OBJECT"
	OnError   string // as OnEmpty; JSON_EXISTS: "TRUE", "FALSE", "UNKNOWN", "ERROR"
	EmptyDef  Expr
	ErrorDef  Expr
	OnNull    string // "NULL", "ABSENT"
	// Pairs tells that Args are key, value, key, value, ... (JSON_OBJECT).
	Pairs bool
}

// Over is OVER name or OVER (..).
type Over struct {
	At
	Name        string // of a WINDOW clause
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame
}

// Frame is ROWS|RANGE BETWEEN lo AND hi.
type Frame struct {
	At
	Rows   bool
	Lo, Hi Bound
}

// Bound of a frame.
type Bound struct {
	Kind BoundKind
	X    Expr // of Preceding and Following
}

// BoundKind is the kind of a frame bound.
type BoundKind uint8

// The bounds of frames.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// OrderItem is one key of ORDER BY.
type OrderItem struct {
	X     Expr
	Desc  bool
	Nulls string // "FIRST", "LAST" or ""
}

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The prefix operators.
const (
	Neg UnaryOp = iota
	Plus
	Not
)

// BinaryOp is an infix operator.
type BinaryOp uint8

// The infix operators.
const (
	Add BinaryOp = iota
	Sub
	Mul
	Div
	Mod
	Concat
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	And
	Or
	IsDistinct
	IsNotDistinct
)

// String returns the operator as written in SQL.
func (o BinaryOp) String() string {
	return [...]string{"+", "-", "*", "/", "%", "||", "=", "<>", "<", "<=", ">", ">=", "AND", "OR",
		"IS DISTINCT FROM", "IS NOT DISTINCT FROM"}[o]
}

func (*Column) expr()     {}
func (*Star) expr()       {}
func (*Literal) expr()    {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*Is) expr()         {}
func (*Between) expr()    {}
func (*Like) expr()       {}
func (*In) expr()         {}
func (*Quantified) expr() {}
func (*Exists) expr()     {}
func (*Subquery) expr()   {}
func (*Case) expr()       {}
func (*Cast) expr()       {}
func (*Call) expr()       {}
func (*Interval) expr()   {}
func (*Array) expr()      {}
func (*Map) expr()        {}
func (*Row) expr()        {}
func (*Index) expr()      {}
func (*FieldOf) expr()    {}
func (*Overlaps) expr()   {}
func (*Descriptor) expr() {}
func (*TableArg) expr()   {}
func (*Default) expr()    {}
