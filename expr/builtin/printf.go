package builtin

import (
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// printf is PRINTF: java.util.Formatter over the values as Flink holds them. A
// format that does not fit its operands gives NULL.
func printf() *expr.Func {
	return &expr.Func{Name: "PRINTF", Doc: "The values in the places of a format, as String.format of Java does it; NULL where the format does not fit the values.",
		Example: "PRINTF('%s has %05.1f', 'a', CAST(2.25 AS DOUBLE)) = 'a has 002.3'", Syntax: "PRINTF(format [, x, ...])", BareNull: true, Nulls: expr.NullSeen,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, true, isText, isPrintable); err != nil {
				return nil, err
			}
			args = typed(args, stringType)
			return &expr.Call{Args: args, T: str(true), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				f := formatter{c: c, args: args[1:]}
				for i := range expr.Rows(sel, out.Len) {
					if args[0].IsNull(int(i)) {
						out.SetNull(int(i))
						continue
					}
					b, ok := f.format(c.Scratch(), args[0].Str[i], int(i))
					switch {
					case ok:
						out.Str[i] = c.Keep(b)
					case f.lacks != 0:
						return diag.New(diag.NotImplemented, diag.Span{}, "PRINTF with %%%c is not implemented", f.lacks)
					default:
						out.SetNull(int(i))
					}
				}
				return nil
			}}, nil
		}}
}

// isPrintable leaves out the types that Flink prints by the address of their
// object.
func isPrintable(t types.Type) bool { return !t.IsNested() && !t.IsBinary() }

// formatter fills one format after the other.
type formatter struct {
	c    *expr.Ctx
	args []*row.Vec
	row  int
	next int // ordinary operand
	last int // operand used last, for %<s
	// lacks is a conversion that Java has and this formatter has not.
	lacks byte
}

func (f *formatter) format(dst []byte, s string, i int) (_ []byte, ok bool) {
	f.row, f.next, f.last = i, 0, -1
	for s != "" {
		at := strings.IndexByte(s, '%')
		if at < 0 {
			return append(dst, s...), true
		}
		dst = append(dst, s[:at]...)
		var p spec
		if s, ok = p.read(s[at+1:]); !ok {
			if p.verb == 'a' || p.verb == 'h' {
				f.lacks = p.verb
			}
			return dst, false
		}
		made := max(p.width, 0)
		if p.verb == 'e' || p.verb == 'f' || p.verb == 'g' {
			made = max(made, p.precision) // of others it cuts
		}
		f.c.Room(len(dst) + made)
		if dst, ok = f.one(dst, &p); !ok {
			return dst, false
		}
	}
	return dst, true
}

// one fills one place.
func (f *formatter) one(dst []byte, p *spec) (_ []byte, ok bool) {
	switch p.verb {
	case 'n':
		return append(dst, '\n'), true
	case '%':
		return p.justify(dst, "%"), true
	}
	switch {
	case p.index > 0:
		f.last = p.index - 1
	case p.index < 0:
		f.last = f.next
		f.next++
	}
	if f.last < 0 || f.last >= len(f.args) {
		return dst, false
	}
	v, i := f.args[f.last], f.row
	if v.IsNull(i) {
		if p.verb == 'b' {
			return p.text(dst, "false"), true
		}
		return p.text(dst, "null"), true
	}
	switch p.verb {
	case 'b':
		if v.Type.Kind == types.Boolean && !v.Bool[i] {
			return p.text(dst, "false"), true
		}
		return p.text(dst, "true"), true
	case 's':
		return p.text(dst, javaText(v, i)), true
	case 'c':
		if v.Type.Layout() != types.LayoutI32 || v.I32[i] < 0 || v.I32[i] > 0x10ffff {
			return dst, false
		}
		return p.text(dst, string(rune(v.I32[i]))), true
	case 'd', 'x', 'o':
		return p.whole(dst, v, i)
	}
	switch v.Type.Kind {
	case types.Double:
		return p.float(dst, v.F64[i]), true
	case types.Float:
		return p.float(dst, float64(v.F32[i])), true
	}
	return dst, false
}

// javaText is toString of what Flink holds for a value: days for a DATE,
// milliseconds for a TIME, the ISO form of a TIMESTAMP.
func javaText(v *row.Vec, i int) string {
	switch v.Type.Kind {
	case types.Boolean:
		return strconv.FormatBool(v.Bool[i])
	case types.Date, types.TimeOfDay, types.IntervalMonths:
		return strconv.Itoa(int(v.I32[i]))
	case types.IntervalMillis:
		return strconv.FormatInt(v.I64[i], 10)
	case types.Timestamp, types.TimestampLTZ:
		return javaTime(v, i)
	}
	return string(value.AppendText(nil, v, i, value.UTC()))
}

// javaTime is LocalDateTime.toString: no seconds where they are zero, the
// fraction in groups of three digits.
func javaTime(v *row.Vec, i int) string {
	var b []byte
	if v.Type.Precision > 6 {
		b = value.AppendTimestampNano(nil, v.I64[i], v.Nano[i], 9)
	} else {
		b = value.AppendTimestamp(nil, v.I64[i], 6)
		b = append(b, "000"...)
	}
	s := strings.Replace(string(b), " ", "T", 1)
	for strings.HasSuffix(s, "000") {
		s = s[:len(s)-3]
	}
	s = strings.TrimSuffix(s, ".")
	if len(s) >= 3 && strings.Count(s, ":") == 2 {
		s = strings.TrimSuffix(s, ":00")
	}
	return s
}

// text writes a text cut to the precision.
func (p *spec) text(dst []byte, s string) []byte {
	if r := []rune(s); p.precision >= 0 && p.precision < len(r) {
		s = string(r[:p.precision])
	}
	return p.justify(dst, s)
}

// justify fills a text up to the width.
func (p *spec) justify(dst []byte, s string) []byte {
	if p.upper {
		s = strings.ToUpper(s)
	}
	fill := p.width - len([]rune(s))
	if fill < 0 {
		fill = 0
	}
	if p.minus {
		return append(append(dst, s...), strings.Repeat(" ", fill)...)
	}
	return append(append(dst, strings.Repeat(" ", fill)...), s...)
}

// whole writes an integer: with %x and %o its bits, as many as its type has.
func (p *spec) whole(dst []byte, v *row.Vec, i int) ([]byte, bool) {
	var n int64
	bits := 32
	switch v.Type.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.Date, types.TimeOfDay, types.IntervalMonths:
		n = int64(v.I32[i])
		if v.Type.Kind == types.TinyInt {
			bits = 8
		} else if v.Type.Kind == types.SmallInt {
			bits = 16
		}
	case types.BigInt, types.IntervalMillis:
		n, bits = v.I64[i], 64
	default:
		return dst, false
	}
	if p.verb == 'd' {
		u := uint64(n)
		if n < 0 {
			u = -u
		}
		return p.signed(dst, n < 0, strconv.FormatUint(u, 10)), true
	}
	u := uint64(n) & (1<<(bits-1)<<1 - 1)
	base, prefix := 16, "0x"
	if p.verb == 'o' {
		base, prefix = 8, "0"
	}
	s := strconv.FormatUint(u, base)
	if !p.hash {
		prefix = ""
	}
	if fill := p.width - len(prefix) - len(s); p.zero && fill > 0 {
		s = strings.Repeat("0", fill) + s
	}
	return p.justify(dst, prefix+s), true
}

// signed writes the digits of a number with sign, groups and zeros.
func (p *spec) signed(dst []byte, negative bool, digits string) []byte {
	before, after := "", ""
	switch {
	case negative && p.paren:
		before, after = "(", ")"
	case negative:
		before = "-"
	case p.plus:
		before = "+"
	case p.blank:
		before = " "
	}
	if p.comma {
		digits = grouped(digits)
	}
	if fill := p.width - len(before) - len(digits) - len(after); p.zero && fill > 0 {
		digits = strings.Repeat("0", fill) + digits
	}
	return p.justify(dst, before+digits+after)
}

func grouped(digits string) string {
	whole, rest := digits, ""
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		whole, rest = digits[:i], digits[i:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return whole + rest
}

// float writes %f, %e and %g. Java rounds the digits of the decimal text half
// up, not the binary value.
func (p *spec) float(dst []byte, f float64) []byte {
	if f-f != 0 {
		q := *p
		q.zero, q.comma = false, false
		text := string(value.AppendDouble(nil, f))
		if text == "NaN" {
			return p.justify(dst, text)
		}
		return q.signed(dst, f < 0, "Infinity")
	}
	text := string(value.AppendDouble(nil, f))
	text, negative := strings.CutPrefix(text, "-")
	b, _ := value.ParseBigDecimal(text)
	precision := p.precision
	if precision < 0 {
		precision = 6
	}
	verb := p.verb
	if verb == 'g' {
		precision = max(precision, 1)
		// The rounded value decides the form: 0.0001 to below 10^precision.
		r := b.Round(int64(precision) - 1 - b.Exponent())
		switch exp := r.Exponent(); {
		case r.Digits == "0":
			verb, precision = 'f', precision-1
		case exp >= -4 && exp < int64(precision):
			verb, precision = 'f', precision-1-int(exp)
		default:
			verb, precision = 'e', precision-1
		}
	}
	if verb == 'f' {
		r := b.Round(int64(precision))
		s := string(r.AppendPlain(nil))
		if precision == 0 && p.hash {
			s += "."
		}
		return p.signed(dst, negative, s)
	}
	return p.signed(dst, negative, scientific(b, precision, p.hash))
}

// scientific writes one digit, the fraction and an exponent of two digits.
func scientific(b value.BigDecimal, precision int, point bool) string {
	exp := int64(0)
	digits := strings.Repeat("0", precision+1)
	if b.Digits != "0" {
		r := b.Round(int64(precision) - b.Exponent())
		exp = r.Exponent()
		digits = r.Digits[:precision+1]
	}
	s := digits[:1]
	if precision > 0 || point {
		s += "."
	}
	sign := "+"
	if exp < 0 {
		sign, exp = "-", -exp
	}
	e := strconv.FormatInt(exp, 10)
	if len(e) < 2 {
		e = "0" + e
	}
	return s + digits[1:] + "e" + sign + e
}
