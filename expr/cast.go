package expr

import (
	"math/big"

	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// castFunc is CAST, tryCastFunc TRY_CAST; the target is the call's type.
var (
	castFunc = &Func{
		Name:    "CAST",
		Doc:     "Converts a value to a type; a value that the type cannot hold fails the job.",
		Syntax:  "CAST(x AS type)",
		Example: "CAST(' 12.9' AS INT) = 12",
		Resolve: func([]Node) (*Call, error) { return nil, ErrArguments },
	}
	tryCastFunc = &Func{
		Name:    "TRY_CAST",
		Doc:     "Converts a value to a type; a value that the type cannot hold becomes NULL.",
		Syntax:  "TRY_CAST(x AS type)",
		Example: "TRY_CAST('x' AS INT) IS NULL",
		Resolve: func([]Node) (*Call, error) { return nil, ErrArguments },
	}
)

// CastFuncs describes CAST and TRY_CAST for documents and tests; calls are
// made by NewCast.
func CastFuncs() []*Func { return []*Func{castFunc, tryCastFunc} }

// NewCast converts x to a type by the matrix of flink-sql 2.2. The result is
// nullable if x is, or for TRY_CAST.
func NewCast(x Node, to types.Type, try bool) (Node, error) {
	from := x.Type()
	to.Nullable = from.Nullable || try
	to.Attr = types.NoAttr
	if from.Kind == types.Null {
		return NullLiteral(to), nil
	}
	if from.Plain().Same(to) && from.Nullable == to.Nullable && from.Attr == types.NoAttr {
		return x, nil
	}
	k := caster{from: from, to: to, try: try}
	conv, ok := k.conversion()
	if !ok {
		return nil, badCast(from, to)
	}
	fn, name := castFunc, "CAST({} AS "
	if try {
		fn, name = tryCastFunc, "TRY_CAST({} AS "
	}
	call := &Call{Fn: fn, Args: []Node{x}, T: to, Eval: conv.eval, Safe: conv.safe || conv.eval == nil, Text: name + to.Short() + ")"}
	if lit, isLit := x.(*Literal); isLit && conv.safe && !lit.IsNull() && !conv.zone {
		return foldCast(call, lit), nil
	}
	return call, nil
}

// foldCast converts a constant at once where that cannot fail.
func foldCast(call *Call, lit *Literal) Node {
	out := row.NewVec(call.T, 1)
	if call.Eval == nil {
		out = alias(lit.Value, call.T)
	} else if bounded(func() {}, func() error { return call.Eval(&Ctx{}, call, []*row.Vec{lit.Value}, nil, out) }) != nil || out.IsNull(0) {
		return call
	}
	return &Literal{T: call.T, Value: out}
}

func badCast(from, to types.Type) error {
	e := diag.New(diag.BadCast, diag.Span{}, "cannot cast a value of type %s to type %s", from.Short(), to.Short())
	switch {
	case from.IsNumeric() && to.IsTimestamp():
		e.WithHint("use TO_TIMESTAMP_LTZ(n, 3) for milliseconds or TO_TIMESTAMP_LTZ(n, 0) for seconds")
	case from.IsTimestamp() && to.IsNumeric():
		e.WithHint("use UNIX_TIMESTAMP(CAST(x AS STRING)) or EXTRACT(EPOCH FROM x)")
	case from.IsInterval() && to.IsNumeric():
		e.WithHint("use EXTRACT(unit FROM x)")
	}
	return e
}

// Coerce converts x to a type as the dialect does by itself.
func Coerce(x Node, to types.Type) (Node, error) { return NewCast(x, to, false) }

// StoreCast converts a query's column to a sink's column where CanStore
// allows it.
func StoreCast(x Node, to types.Type) (Node, error) {
	if !CanStore(x.Type(), to) {
		return nil, diag.New(diag.TypeMismatch, diag.Span{}, "a value of type %s cannot be stored as %s", x.Type().Short(), to.Short()).
			WithHint("convert it: CAST(x AS %s)", to.Short())
	}
	return NewCast(x, to, false)
}

// caster chooses the conversion between two types.
type caster struct {
	from, to types.Type
	try      bool
}

type conversion struct {
	eval Kernel // nil: the same values
	safe bool
	zone bool // depends on the session zone
}

func (k caster) conversion() (conversion, bool) {
	f, t := k.from.Kind, k.to.Kind
	switch {
	case k.to.IsString():
		return k.toString()
	case f == types.Bitmap && t == types.VarBinary && k.to.Length == types.MaxLength:
		return conversion{safe: true}, true // its bytes are what it is kept as
	case k.to.IsBinary():
		return k.toBinary()
	case k.from.IsString():
		return k.fromString()
	case k.from.IsNumeric() && k.to.IsNumeric():
		return k.numbers()
	case f == types.Boolean && k.to.IsNumeric():
		return k.fromBool(), true
	case k.from.IsNumeric() && t == types.Boolean:
		return k.toBool(), true
	case k.from.IsTemporal() && k.to.IsTemporal():
		return k.times()
	case f == t && (f == types.Boolean || k.from.IsInterval() || f == types.Variant || f == types.Bitmap):
		return conversion{safe: true}, true
	case t == types.IntervalMonths && k.from.IsInteger() && simpleUnit(k.to.Unit):
		k.to.Kind = types.Int
		return k.numbers()
	case t == types.IntervalMillis && k.from.IsInteger() && simpleUnit(k.to.Unit):
		k.to.Kind = types.BigInt
		return k.numbers()
	case f == t && k.from.IsNested():
		return k.nested()
	}
	return conversion{}, false
}

// NewUnits is CAST(x AS INTERVAL unit) of a number that is written there: so
// many units. Of every other number CAST makes months or milliseconds.
func NewUnits(lit *Literal, to types.Type) (Node, error) {
	to.Nullable = false
	n, ok := new(big.Rat).SetString(lit.String())
	unit, ok2 := new(big.Rat).SetString(unitLength(to))
	if !ok || !ok2 {
		return nil, badCast(lit.T, to)
	}
	n.Mul(n, unit)
	return NewLiteral(to, new(big.Int).Quo(n.Num(), n.Denom()).String())
}

// simpleUnit refuses intervals of several fields ("DAY TO SECOND").
func simpleUnit(unit string) bool {
	for i := range unit {
		if unit[i] == ' ' {
			return false
		}
	}
	return true
}

// bad answers a value that the target type cannot hold: NULL for TRY_CAST.
func (k caster) bad(out *row.Vec, i int32, text, why string) error {
	if k.try {
		out.SetNull(int(i))
		return nil
	}
	if len(text) > 100 {
		text = text[:100] + "..."
	}
	return diag.New(diag.BadValue, diag.Span{}, "cannot cast '%s' to %s: %s", text, k.to.Short(), why).
		WithHint("TRY_CAST(x AS %s) gives NULL instead", k.to.Short())
}

// tooLarge answers a DECIMAL with more digits than its type: NULL, but an
// error where the type allows none (flink-sql 2.3).
func tooLarge(call *Call, out *row.Vec, i int32) error {
	if call.T.Nullable {
		out.SetNull(int(i))
		return nil
	}
	return diag.New(diag.Overflow, diag.Span{}, "the value of %s does not fit %s, and the column is NOT NULL", call, call.T.Short())
}
