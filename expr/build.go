package expr

import (
	"errors"
	"strings"

	"fsql/internal/diag"
	"fsql/types"
)

// NewColumn is a reference to a column of the input.
func NewColumn(index int, name string, t types.Type) Node {
	return &Column{Index: index, Name: name, T: t}
}

// NewField is field i of a ROW: NULL where the row is.
func NewField(x Node, i int) Node {
	f := x.Type().Fields[i]
	t := f.Type.OrNull(x.Type().Nullable).Plain()
	return &Call{Fn: fieldFunc, Args: []Node{x}, T: t, Safe: true, Extra: i, Text: "{}." + f.Name}
}

// ErrArguments is what Resolve returns when no signature takes the operands;
// NewCall turns it into a message with the name, the types and the syntax.
var ErrArguments = errors.New("no signature takes these operands")

// NewCall applies a function, or an operator by its symbol ("+", "AND",
// "IS NULL", "IS NOT TRUE", "IS DISTINCT FROM", "||", "BETWEEN", "LIKE"; "NEG"
// and "POS" are the signs, "ITEM" the subscript, "IN" takes x and the list,
// "CASE" conditions and values in turn and last the ELSE value).
func NewCall(reg *Registry, name string, args []Node) (Node, error) {
	f := reg.Lookup(name)
	if f == nil {
		return nil, unknownFunction(reg, name)
	}
	return resolve(f, args)
}

func unknownFunction(reg *Registry, name string) error {
	up := strings.ToUpper(name)
	if notYet(up) {
		return diag.New(diag.NotImplemented, diag.Span{}, "the function %s is not implemented yet", up)
	}
	e := diag.New(diag.UnknownFunction, diag.Span{}, "function '%s' does not exist", name)
	if near := diag.Nearest(up, reg.Names()); near != "" {
		e.WithHint("did you mean %s?", near).WithLabel("did you mean %s?", near)
	}
	return e
}

// IllegalNull is the error of a NULL without a type that f does not take.
func IllegalNull(f *Func) error {
	return diag.New(diag.TypeMismatch, diag.Span{}, "illegal use of NULL: %s needs operands with a type", f.Name).
		WithHint("give it one: CAST(NULL AS STRING)")
}

func resolve(f *Func, args []Node) (Node, error) {
	if !f.BareNull {
		for _, a := range args {
			if a.Type().Kind == types.Null {
				return nil, IllegalNull(f)
			}
		}
	}
	call, err := f.Resolve(args)
	if err == nil {
		if call.Fn == nil {
			call.Fn = f
		}
		return call, nil
	}
	if !errors.Is(err, ErrArguments) {
		return nil, err
	}
	list := make([]string, 0, len(args))
	for _, a := range args {
		list = append(list, a.Type().Short())
	}
	if f.operator() {
		return nil, diag.New(diag.TypeMismatch, diag.Span{}, "operator %s does not accept operands of type %s",
			f.Name, strings.Join(list, " and type ")).WithHint("write %s; CAST(x AS type) converts an operand", f.Syntax)
	}
	name := f.Name
	if name == "ITEM" {
		name = f.Syntax // written a[i]
	}
	e := diag.New(diag.WrongArguments, diag.Span{}, "%s does not accept arguments of type (%s)", name, strings.Join(list, ", "))
	if text, wrong := countText(f, len(args)); wrong {
		e.Msg = text
	}
	return nil, e.WithHint("write %s%s", f.Syntax, legend(f.Syntax))
}

// operator tells functions written between or beside their operands.
func (f *Func) operator() bool {
	c := f.Name[0]
	return c < 'A' || c > 'Z' || strings.HasPrefix(f.Name, "IS ") || f.Name == "AND" || f.Name == "OR" || f.Name == "NOT" ||
		f.Name == "LIKE" || f.Name == "IN" || strings.HasPrefix(f.Name, "BETWEEN")
}

// NewUnitCall applies a function whose first operand is a key word: the unit
// of EXTRACT, FLOOR, CEIL, TIMESTAMPADD and TIMESTAMPDIFF, the side of TRIM
// ("BOTH", "LEADING", "TRAILING").
func NewUnitCall(reg *Registry, name, unit string, args []Node) (Node, error) {
	switch strings.ToUpper(name) {
	case "FLOOR":
		name = "FLOOR TO"
	case "CEIL", "CEILING":
		name = "CEIL TO"
	case "TRIM":
		name = "TRIM FROM"
	}
	word, err := NewLiteral(types.CharOf(int32(len(unit))).NotNull(), strings.ToUpper(unit))
	if err != nil {
		return nil, err
	}
	return NewCall(reg, name, append([]Node{word}, args...))
}

// NewInterval is INTERVAL x UNIT for an expression x: x times the unit of the
// interval type t.
func NewInterval(reg *Registry, x Node, t types.Type) (Node, error) {
	one, err := NewLiteral(t.NotNull(), unitLength(t))
	if err != nil {
		return nil, err
	}
	return NewCall(reg, "*", []Node{one, x})
}

// unitLength is one unit of an interval type in months or milliseconds.
func unitLength(t types.Type) string {
	unit := t.Unit
	if i := strings.IndexByte(unit, ' '); i > 0 {
		unit = unit[:i]
	}
	switch unit {
	case "YEAR":
		return "12"
	case "QUARTER":
		return "3"
	case "MONTH":
		return "1"
	case "WEEK":
		return "604800000"
	case "DAY":
		return "86400000"
	case "HOUR":
		return "3600000"
	case "MINUTE":
		return "60000"
	}
	return "1000"
}

// NewTimeDiff is (a - b) UNIT: whole months for the year-month family, all
// milliseconds for the day-time family whatever the unit.
func NewTimeDiff(reg *Registry, a, b Node, t types.Type) (Node, error) {
	family := "SECOND"
	if t.Kind == types.IntervalMonths {
		family = "MONTH"
	}
	return NewUnitCall(reg, "TIME DIFF", family, []Node{a, b})
}

// JSONClauses are the clauses of JSON functions; "" and nil are "not written".
type JSONClauses struct {
	Returning types.Type // Kind Invalid: not written
	Wrapper   string     // "WITHOUT", "CONDITIONAL", "UNCONDITIONAL"
	OnEmpty   string     // "NULL", "ERROR", "DEFAULT", "EMPTY ARRAY", "EMPTY OBJECT"
	OnError   string     // as OnEmpty; JSON_EXISTS: "TRUE", "FALSE", "UNKNOWN", "ERROR"
	EmptyDef  Node
	ErrorDef  Node
	OnNull    string // "NULL", "ABSENT"
	Pairs     bool   // the operands are key, value, key, value, ...
}

// NewJSONCall applies a JSON function with its clauses.
func NewJSONCall(reg *Registry, name string, args []Node, c JSONClauses) (Node, error) {
	f := reg.Lookup(name)
	if f == nil {
		return nil, unknownFunction(reg, name)
	}
	if f.ResolveJSON == nil {
		return resolve(f, args)
	}
	g := *f
	g.Resolve = func(args []Node) (*Call, error) { return f.ResolveJSON(args, c) }
	n, err := resolve(&g, args)
	if call, ok := n.(*Call); ok {
		call.Fn = f
	}
	return n, err
}
