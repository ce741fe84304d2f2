package spectest

import (
	"encoding/hex"
	"fmt"
	"strings"

	"fsql/expr"
	"fsql/internal/ftest"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// appendCell appends a written cell to a column, read as the column's type.
func appendCell(v *row.Vec, c ftest.Cell, zone expr.Zone) error {
	if c.Null {
		v.AppendNull(1)
		return nil
	}
	p := valueText{rest: c.Text, zone: zone}
	if !v.Type.IsNested() {
		return p.scalar(v, c.Text)
	}
	if err := p.value(v); err != nil {
		return err
	}
	if p.skip(); p.rest != "" {
		return fmt.Errorf("%s is too much in %s", p.rest, c.Text)
	}
	return nil
}

// valueText reads nested values as fsql prints them: [1, 2], {a=1}, (1, a).
type valueText struct {
	rest string
	zone expr.Zone
}

func (p *valueText) skip() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *valueText) accept(s string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *valueText) value(v *row.Vec) error {
	p.skip()
	if v.Type.IsNested() {
		if word := p.peek(); word == "NULL" {
			p.rest = p.rest[len(word):]
			v.AppendNull(1)
			return nil
		}
		if v.Type.Kind == types.Row {
			return p.row(v)
		}
		return p.list(v)
	}
	if strings.HasPrefix(p.rest, "'") && v.Type.IsString() {
		var b strings.Builder
		s := p.rest[1:]
		for i := 0; i < len(s); i++ {
			if s[i] == '\'' {
				if i+1 == len(s) || s[i+1] != '\'' {
					p.rest = s[i+1:]
					return p.scalar(v, b.String())
				}
				i++
			}
			b.WriteByte(s[i])
		}
		return fmt.Errorf("no closing quote: %s", p.rest)
	}
	word := p.peek()
	p.rest = p.rest[len(word):]
	word = strings.TrimSpace(word)
	if word == "NULL" {
		v.AppendNull(1)
		return nil
	}
	return p.scalar(v, word)
}

// peek is what stands before the next separator.
func (p *valueText) peek() string {
	end := strings.IndexAny(p.rest, ",=])}")
	if end < 0 {
		end = len(p.rest)
	}
	return p.rest[:end]
}

func (p *valueText) row(v *row.Vec) error {
	one := row.NewVec(v.Type, 0)
	one.Len = 1
	for i, kid := range one.Kids {
		if open := map[bool]string{true: "(", false: ","}[i == 0]; !p.accept(open) {
			return fmt.Errorf("%s expected at %q", open, p.rest)
		}
		if err := p.value(kid); err != nil {
			return err
		}
	}
	if !p.accept(")") {
		return fmt.Errorf(") expected at %q", p.rest)
	}
	v.AppendRange(one, 0, 1)
	return nil
}

func (p *valueText) list(v *row.Vec) error {
	open, end := "{", "}"
	if v.Type.Kind == types.Array {
		open, end = "[", "]"
	}
	if !p.accept(open) {
		return fmt.Errorf("%s expected at %q", open, p.rest)
	}
	one := row.NewVec(v.Type, 1)
	for !p.accept(end) {
		if one.Size[0] > 0 && !p.accept(",") {
			return fmt.Errorf(", or %s expected at %q", end, p.rest)
		}
		for i, kid := range one.Kids {
			if i > 0 && !p.accept("=") {
				return fmt.Errorf("= expected at %q", p.rest)
			}
			if err := p.value(kid); err != nil {
				return err
			}
		}
		one.Size[0]++
	}
	v.AppendRange(one, 0, 1)
	return nil
}

// scalar appends a value that is not nested.
func (p *valueText) scalar(v *row.Vec, s string) error {
	one := row.NewVec(v.Type, 1)
	err, ok := error(nil), true
	switch t := v.Type; t.Kind {
	case types.Boolean:
		one.Bool[0], ok = value.ParseBool(s)
	case types.TinyInt, types.SmallInt, types.Int:
		var n int64
		n, err = value.ParseInt(s, map[types.Kind]int{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32}[t.Kind])
		one.I32[0] = int32(n)
	case types.BigInt:
		one.I64[0], err = value.ParseInt(s, 64)
	case types.Float:
		one.F32[0], err = value.ParseFloat(s)
	case types.Double:
		one.F64[0], err = value.ParseDouble(s)
	case types.Decimal:
		one.Dec[0], err = value.ParseDec(s, int(t.Precision), int(t.Scale))
	case types.Char, types.VarChar:
		one.Str[0] = s
	case types.Binary, types.VarBinary:
		var b []byte
		inside, found := strings.CutPrefix(s, "x'")
		if inside, ok = strings.CutSuffix(inside, "'"); found && ok {
			b, err = hex.DecodeString(inside)
		} else {
			return fmt.Errorf("bytes are written x'0aff', not %s", s)
		}
		one.Str[0] = string(b)
	case types.Date:
		one.I32[0], ok = value.ParseDate(s)
	case types.TimeOfDay:
		one.I32[0], ok = value.ParseTime(s)
	case types.Timestamp, types.TimestampLTZ:
		var ms int64
		var nano int32
		if ms, nano, ok = value.ParseTimestamp(s); ok {
			setTime(one, ms, nano, p.zone)
		}
	default:
		return fmt.Errorf("values of the type %s cannot be written in a test", t.Short())
	}
	if err != nil || !ok {
		return fmt.Errorf("%s is no %s", s, v.Type.Short())
	}
	v.AppendRange(one, 0, 1)
	return nil
}

// setTime sets a moment; that of a TIMESTAMP_LTZ is written in the zone.
func setTime(v *row.Vec, ms int64, nano int32, zone expr.Zone) {
	if v.Type.Kind == types.TimestampLTZ {
		ms = zone.UTC(ms)
	}
	if v.Type.Layout() == types.LayoutNano {
		v.I64[0], v.Nano[0] = ms, nano
		return
	}
	v.I64[0] = ms*1000 + int64(nano)/1000
}

// moment reads a time of a directive, as milliseconds of the local time.
func moment(s string) (types.Time, error) {
	ms, _, ok := value.ParseTimestamp(s)
	if !ok {
		return 0, fmt.Errorf("%s is no time such as 2026-03-01 10:00:00", s)
	}
	return types.Time(ms), nil
}
