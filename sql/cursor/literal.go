package cursor

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/sql/ast"
	"fsql/types"
)

// Number types the number a token holds, as Flink does: whole numbers are INT
// or BIGINT, a point makes a DECIMAL with the digits written, an exponent a
// DOUBLE. The sign belongs to the literal: 2147483648 is a BIGINT,
// -2147483648 an INT.
func Number(span diag.Span, digits string, negative bool) (*ast.Literal, error) {
	text := digits
	if negative {
		text = "-" + digits
	}
	lit := &ast.Literal{At: ast.At{Pos: span}, Text: text}
	tooBig := func(hint string, args ...any) error {
		return diag.New(diag.BadLiteral, span, "the number %s is out of range", text).WithHint(hint, args...)
	}
	if strings.ContainsAny(digits, "eE") {
		if f, _ := strconv.ParseFloat(digits, 64); math.IsInf(f, 0) {
			return nil, tooBig("a DOUBLE reaches 1.7976931348623157E308")
		}
		lit.Type = types.Of(types.Double).NotNull()
		return lit, nil
	}
	whole, fraction, point := strings.Cut(digits, ".")
	if !point || fraction == "" {
		text = strings.TrimLeft(whole, "0")
		if text == "" {
			text = "0"
		} else if negative {
			text = "-" + text
		}
		lit.Text = text
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, tooBig("a whole number reaches 9223372036854775807; larger ones come from CAST('%s' AS DECIMAL(38, 0))", text)
		}
		lit.Type = types.Of(types.Int).NotNull()
		if int64(int32(v)) != v {
			lit.Type = types.Of(types.BigInt).NotNull()
		}
		return lit, nil
	}
	// Calcite: the unscaled value of a DECIMAL literal has to fit 64 bits.
	n, ok := new(big.Int).SetString(whole+fraction, 10)
	if negative && ok {
		n.Neg(n)
	}
	if !ok || !n.IsInt64() {
		return nil, tooBig("all digits together reach 9223372036854775807; larger numbers come from CAST('%s' AS DECIMAL(38, %d))",
			text, min(len(fraction), 38))
	}
	if len(fraction) > 38 {
		return nil, tooBig("a DECIMAL has at most 38 digits behind the point")
	}
	lit.Type = types.DecimalOf(int32(min(len(whole)+len(fraction), 38)), int32(len(fraction))).NotNull()
	return lit, nil
}

// Negate turns the sign of a number literal.
func Negate(lit *ast.Literal, span diag.Span) (*ast.Literal, error) {
	digits, negative := strings.CutPrefix(lit.Text, "-")
	return Number(span, digits, !negative)
}

// String types a text: CHAR with its length, which Flink counts in UTF-16
// units.
func String(span diag.Span, text string) *ast.Literal {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return &ast.Literal{At: ast.At{Pos: span}, Type: types.CharOf(int32(n)).NotNull(), Text: text}
}

// Binary types the hex digits of x'..'.
func Binary(span diag.Span, hex string) *ast.Literal {
	b := make([]byte, len(hex)/2)
	for i := range b {
		v, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		b[i] = byte(v)
	}
	t := types.Of(types.Binary).NotNull()
	t.Length = int32(len(b))
	return &ast.Literal{At: ast.At{Pos: span}, Type: t, Text: string(b)}
}

// DateTime reads the text of DATE '..', TIME '..', TIMESTAMP '..' and
// TIMESTAMP WITH LOCAL TIME ZONE '..' and writes it in full:
// yyyy-MM-dd HH:mm:ss[.digits]. Parts may lack leading zeros and have blanks
// before them, as in Flink.
func DateTime(span diag.Span, kind types.Kind, text string) (*ast.Literal, error) {
	lit := &ast.Literal{At: ast.At{Pos: span}, Type: types.Of(kind).NotNull()}
	p := timeText{rest: text}
	var full strings.Builder
	if kind != types.TimeOfDay {
		p.date(&full)
	}
	digits := ""
	switch {
	case kind == types.TimeOfDay:
		digits = p.clock(&full, 3)
	case kind == types.Date:
	case p.rest == "" && !p.bad: // a TIMESTAMP without time is midnight
		full.WriteString(" 00:00:00")
	default:
		p.take(" ")
		full.WriteByte(' ')
		digits = p.clock(&full, 9)
	}
	if p.bad || p.rest != "" {
		name, form := "TIMESTAMP", "yyyy-MM-dd HH:mm:ss"
		switch kind {
		case types.Date:
			name, form = "DATE", "yyyy-MM-dd"
		case types.TimeOfDay:
			name, form = "TIME", "HH:mm:ss"
		}
		e := diag.New(diag.BadLiteral, span, "'%s' is no valid %s of the form %s", text, name, form)
		if p.why != "" {
			e.WithHint("%s", p.why)
		} else if kind != types.Date && strings.Contains(text, "T") {
			e.WithHint("put a blank between date and time")
		}
		return nil, e
	}
	if kind != types.Date {
		lit.Type.Precision = int32(len(digits))
	}
	lit.Text = full.String()
	return lit, nil
}

// timeText reads the parts of a date or time. Bad sticks.
type timeText struct {
	rest string
	bad  bool
	why  string
}

func (p *timeText) take(sep string) {
	var ok bool
	if p.rest, ok = strings.CutPrefix(p.rest, sep); !ok {
		p.bad = true
	}
}

// part takes a number between low and high; blanks may stand before it.
func (p *timeText) part(low, high int64) int64 {
	p.rest = strings.TrimLeft(p.rest, " ")
	n := 0
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	v, err := strconv.ParseInt(p.rest[:n], 10, 32)
	p.rest = p.rest[n:]
	if err != nil || v < low || v > high {
		p.bad = true
	}
	return v
}

func (p *timeText) date(full *strings.Builder) {
	year := p.part(1, 9999)
	p.take("-")
	month := p.part(1, 12)
	p.take("-")
	day := p.part(1, 31)
	if !p.bad && day > value.MonthDays(year, month) {
		p.bad = true
		p.why = "this month has " + strconv.FormatInt(value.MonthDays(year, month), 10) + " days"
	}
	pad(full, year, 4)
	full.WriteByte('-')
	pad(full, month, 2)
	full.WriteByte('-')
	pad(full, day, 2)
}

// clock takes HH:mm:ss[.digits], of which it keeps at most keep, and returns
// them.
func (p *timeText) clock(full *strings.Builder, keep int) string {
	hour := p.part(0, 23)
	p.take(":")
	minute := p.part(0, 59)
	p.take(":")
	second := p.part(0, 59)
	pad(full, hour, 2)
	full.WriteByte(':')
	pad(full, minute, 2)
	full.WriteByte(':')
	pad(full, second, 2)
	frac, ok := strings.CutPrefix(p.rest, ".")
	if !ok || strings.Trim(frac, "0123456789") != "" {
		return ""
	}
	p.rest = ""
	frac = frac[:min(len(frac), keep)]
	if frac != "" {
		full.WriteString("." + frac)
	}
	return frac
}

func pad(b *strings.Builder, v int64, width int) {
	s := strconv.FormatInt(v, 10)
	for n := len(s); n < width; n++ {
		b.WriteByte('0')
	}
	b.WriteString(s)
}
