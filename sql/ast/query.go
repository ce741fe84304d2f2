package ast

// Query is anything that gives rows: Select, SetOp, Values, With.
type Query interface {
	Node
	query()
}

type (
	// Select is one SELECT block.
	Select struct {
		At
		Hints    []Hint
		Distinct bool
		Items    []SelectItem
		From     TableRef // nil: no FROM
		Where    Expr
		GroupBy  []GroupItem // nil: none; GROUP BY () is one item with an empty set
		Grouped  bool        // GROUP BY was written
		Having   Expr
		Windows  []NamedWindow
		Qualify  Expr
		// OrderBy, Limit, ... belong to the outermost query of a chain of set
		// operations; see Ordered.
	}
	// SetOp is left UNION|INTERSECT|EXCEPT [ALL] right.
	SetOp struct {
		At
		Op   SetKind
		All  bool
		L, R Query
	}
	// Values is VALUES (..), (..).
	Values struct {
		At
		Rows [][]Expr
	}
	// With is WITH name [(cols)] AS (query), ... body.
	With struct {
		At
		CTEs []CTE
		Body Query
	}
	// Ordered is a query with ORDER BY, LIMIT, OFFSET, FETCH.
	Ordered struct {
		At
		Body    Query
		OrderBy []OrderItem
		Limit   Expr // LIMIT or FETCH; nil: none
		Offset  Expr
	}
)

// SetKind is a set operation.
type SetKind uint8

// The set operations.
const (
	Union SetKind = iota
	Intersect
	Except
)

// CTE is one common table expression.
type CTE struct {
	At
	Name    Name
	Columns []Name
	Query   Query
}

// SelectItem is an expression or star of the select list.
type SelectItem struct {
	At
	X     Expr
	Alias Name // Text "" when there is none
}

// GroupItem is one element of GROUP BY: a plain expression (one set with one
// expression, Kind GroupExpr; (a, b) is one set with both, () an empty one), or
// GROUPING SETS, ROLLUP, CUBE with their lists.
type GroupItem struct {
	At
	Kind GroupKind
	Sets [][]Expr // GroupExpr: {{x}}; the others: one list per set or element
	// Nested grouping elements of GROUPING SETS ((..), ROLLUP(..)).
	Nested []GroupItem
}

// GroupKind is the form of a GroupItem.
type GroupKind uint8

// The forms of GROUP BY items.
const (
	GroupExpr GroupKind = iota
	GroupingSets
	Rollup
	Cube
)

// NamedWindow is name AS (..) of a WINDOW clause.
type NamedWindow struct {
	Name Name
	Over Over
}

// Hint is one hint of a hint comment: NAME(args) with key-value or list args.
type Hint struct {
	At
	Name string
	Args []HintArg
}

// HintArg is a word, or 'key'='value'.
type HintArg struct {
	At
	Key   string
	Value string
	Pair  bool
}

// TableRef is an item of FROM.
type TableRef interface {
	Node
	tableRef()
}

type (
	// Table is a named table with hints, time travel and alias.
	Table struct {
		At
		Path  Path
		Hints []Hint
		AsOf  Expr // FOR SYSTEM_TIME AS OF
		Alias Alias
	}
	// Derived is a subquery in FROM, VALUES included.
	Derived struct {
		At
		Query   Query
		Lateral bool
		Alias   Alias
	}
	// TableFunc is TABLE(f(..)), f(..) or LATERAL TABLE(f(..)).
	TableFunc struct {
		At
		Call    *Call
		Lateral bool
		Wrapped bool // TABLE( ) was written
		AsOf    Expr
		Alias   Alias
	}
	// Unnest is UNNEST(x) [WITH ORDINALITY].
	Unnest struct {
		At
		X          Expr
		Ordinality bool
		Alias      Alias
	}
	// Join of two items. The comma is a Cross join.
	Join struct {
		At
		Kind    JoinKind
		Natural bool
		L, R    TableRef
		On      Expr
		Using   []Name
	}
	// Match is a table with MATCH_RECOGNIZE (..).
	Match struct {
		At
		Input TableRef
		Spec  MatchSpec
		Alias Alias
	}
)

// JoinKind is the kind of a join.
type JoinKind uint8

// The kinds of joins.
const (
	Inner JoinKind = iota
	Left
	Right
	Full
	Cross
)

// Alias is AS name (columns); Name.Text "" when there is none.
type Alias struct {
	At
	Name    Name
	Columns []Name
}

// MatchSpec is the inside of MATCH_RECOGNIZE. Of SUBSET only the names are kept:
// Flink 2.3.0 accepts it and gives NULL.
type MatchSpec struct {
	At
	PartitionBy []Expr
	OrderBy     []OrderItem
	Measures    []SelectItem
	AllRows     bool
	AfterMatch  string // "", "PAST LAST ROW", "TO NEXT ROW", "TO FIRST", "TO LAST"
	AfterVar    Name
	Pattern     []PatternTerm
	// FromStart and ToEnd tell the anchors ^ and $ around the pattern, which
	// Flink 2.3.0 accepts and ignores.
	FromStart, ToEnd bool
	Within           Expr
	Subsets          []Name
	Define           []SelectItem // Alias is the variable
}

// PatternTerm is one variable of PATTERN with its quantifier.
type PatternTerm struct {
	At
	Var       Name
	Min, Max  int // Max -1: no bound
	Reluctant bool
}

func (*Select) query()  {}
func (*SetOp) query()   {}
func (*Values) query()  {}
func (*With) query()    {}
func (*Ordered) query() {}

func (*Table) tableRef()     {}
func (*Derived) tableRef()   {}
func (*TableFunc) tableRef() {}
func (*Unnest) tableRef()    {}
func (*Join) tableRef()      {}
func (*Match) tableRef()     {}
