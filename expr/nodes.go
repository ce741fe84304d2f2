package expr

import (
	"strconv"
	"strings"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Type is the column's type with its time attribute.
func (c *Column) Type() types.Type { return c.T }

// String is the column's name.
func (c *Column) String() string { return c.Name }

// Children: none.
func (c *Column) Children() []Node { return nil }

// WithChildren returns the column itself.
func (c *Column) WithChildren([]Node) Node { return c }

// Type is the literal's type.
func (l *Literal) Type() types.Type { return l.T }

// IsNull tells the literal NULL.
func (l *Literal) IsNull() bool { return l.Value.IsNull(0) }

// Children: none.
func (l *Literal) Children() []Node { return nil }

// WithChildren returns the literal itself.
func (l *Literal) WithChildren([]Node) Node { return l }

// String prints the value as SQL, intervals and NULL with their type as
// Flink's EXPLAIN does: 60000:INTERVAL MINUTE, null:INT.
func (l *Literal) String() string {
	if l.IsNull() {
		return "null:" + l.T.Short()
	}
	switch l.T.Kind {
	case types.Char, types.VarChar:
		return "'" + strings.ReplaceAll(l.Value.Str[0], "'", "''") + "'"
	case types.IntervalMonths:
		return strconv.Itoa(int(l.Value.I32[0])) + ":INTERVAL " + l.T.Unit
	case types.IntervalMillis:
		return strconv.FormatInt(l.Value.I64[0], 10) + ":INTERVAL " + l.T.Unit
	case types.Boolean:
		if l.Value.Bool[0] {
			return "true"
		}
		return "false"
	}
	return string(value.AppendText(nil, l.Value, 0, value.UTC()))
}

// Type is the result type.
func (c *Call) Type() types.Type { return c.T }

// Children are the operands.
func (c *Call) Children() []Node { return c.Args }

// WithChildren is the call on other operands of the same types.
func (c *Call) WithChildren(kids []Node) Node {
	d := *c
	d.Args = kids
	return &d
}

// String fills the operands into Text, or prints NAME(a, b).
func (c *Call) String() string {
	var b strings.Builder
	if c.Text == "" {
		b.WriteString(c.Fn.Name)
		b.WriteByte('(')
		for i, a := range c.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(a.String())
		}
		b.WriteByte(')')
		return b.String()
	}
	rest := c.Text
	for _, a := range c.Args {
		i := strings.Index(rest, "{}")
		if i < 0 {
			break
		}
		b.WriteString(rest[:i])
		b.WriteString(a.String())
		rest = rest[i+2:]
	}
	b.WriteString(rest)
	return b.String()
}

// IsConst returns the literal that n is.
func IsConst(n Node) (lit *Literal, ok bool) {
	lit, ok = n.(*Literal)
	return lit, ok
}

// NullLiteral is NULL of a type.
func NullLiteral(t types.Type) Node {
	t = t.AsNullable()
	return &Literal{T: t, Value: row.AllNull(t, 1)}
}
