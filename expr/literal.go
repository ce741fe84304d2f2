package expr

import (
	"strconv"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// NewLiteral reads the text of a constant as the parser leaves it
// (ast.Literal.Text): digits, characters, the inside of DATE '..', months or
// milliseconds of an interval. No constant is NULL but UNKNOWN: see NullLiteral.
func NewLiteral(t types.Type, text string) (Node, error) {
	if t.Kind == types.Boolean && text == "UNKNOWN" {
		return NullLiteral(types.Of(types.Boolean)), nil
	}
	t = t.NotNull()
	v := row.NewVec(t, 1)
	ok := true
	switch t.Kind {
	case types.Boolean:
		v.Bool[0], ok = value.ParseBool(text)
	case types.TinyInt, types.SmallInt, types.Int, types.Date, types.TimeOfDay, types.IntervalMonths:
		v.I32[0], ok = parseI32(t, text)
	case types.BigInt, types.IntervalMillis:
		n, err := strconv.ParseInt(text, 10, 64)
		v.I64[0], ok = n, err == nil
	case types.Float:
		f, err := value.ParseFloat(text)
		v.F32[0], ok = f, err == nil
	case types.Double:
		f, err := value.ParseDouble(text)
		v.F64[0], ok = f+0, err == nil // constants have no negative zero
	case types.Decimal:
		d, err := value.ParseDec(text, int(t.Precision), int(t.Scale))
		v.Dec[0], ok = d, err == nil
	case types.Timestamp, types.TimestampLTZ:
		var ms int64
		var nano int32
		if ms, nano, ok = value.ParseTimestamp(text); ok {
			if t.Precision > 6 {
				v.I64[0], v.Nano[0] = ms, nano
			} else {
				v.I64[0] = ms*1000 + int64(nano)/1000
			}
		}
	case types.Char, types.VarChar, types.Binary, types.VarBinary:
		v.Str[0] = text
	default:
		ok = false
	}
	if !ok {
		return nil, diag.New(diag.BadLiteral, diag.Span{}, "'%s' is no %s", text, t.Short())
	}
	return &Literal{T: t, Value: v}, nil
}

func parseI32(t types.Type, text string) (int32, bool) {
	switch t.Kind {
	case types.Date:
		return value.ParseDate(text)
	case types.TimeOfDay:
		return value.ParseTime(text)
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int32(n), err == nil
}

// Int is an INT constant.
func Int(n int32) *Literal {
	t := types.Of(types.Int).NotNull()
	v := row.NewVec(t, 1)
	v.I32[0] = n
	return &Literal{T: t, Value: v}
}

// Bool is a BOOLEAN constant.
func Bool(b bool) *Literal {
	t := types.Of(types.Boolean).NotNull()
	v := row.NewVec(t, 1)
	v.Bool[0] = b
	return &Literal{T: t, Value: v}
}

// ConstString returns the text of a string constant.
func ConstString(n Node) (string, bool) {
	l, ok := n.(*Literal)
	if !ok || l.IsNull() || !l.T.IsString() {
		return "", false
	}
	return l.Value.Str[0], true
}

// ConstInt returns the value of a whole constant.
func ConstInt(n Node) (int64, bool) {
	l, ok := n.(*Literal)
	if !ok || l.IsNull() {
		return 0, false
	}
	switch l.T.Kind {
	case types.TinyInt, types.SmallInt, types.Int:
		return int64(l.Value.I32[0]), true
	case types.BigInt:
		return l.Value.I64[0], true
	}
	return 0, false
}

// constBool returns the value of a BOOLEAN constant that is not NULL.
func constBool(n Node) (v, ok bool) {
	l, isLit := n.(*Literal)
	if !isLit || l.T.Kind != types.Boolean || l.IsNull() {
		return false, false
	}
	return l.Value.Bool[0], true
}
