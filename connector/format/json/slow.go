package json

import (
	"strings"

	"fsql/connector/format"
	"fsql/internal/value"
)

// token tells what kind of JSON value a text was taken from.
type token uint8

const (
	tokenString token = iota
	tokenWhole        // a number without point and exponent
	tokenFraction
	tokenWord // true, false
	tokenObject
	tokenArray
)

// slow appends the value at p, in whatever spelling, to the column of n.
func (d *decoder) slow(n *node, b []byte, p, depth int) int {
	var text []byte
	var tok token
	next := p
	switch c := b[p]; {
	case c == '"':
		text, next = d.text(b, p)
	case c == '{' || c == '[':
		return d.nested(n, b, p, depth)
	case c == '-' || c-'0' <= 9:
		var fraction bool
		tok = tokenWhole
		if next, fraction = d.number(b, p); fraction {
			tok = tokenFraction
		}
	default:
		next, tok = d.word(b, p), tokenWord
		if c == 'n' && next > 0 {
			n.col.Null()
			return next
		}
	}
	if next < 0 {
		return next
	}
	if tok != tokenString {
		text = b[p:next]
	}
	if !d.convert(n, text, tok) {
		return d.refuse(n, text, next)
	}
	return next
}

// refuse handles a value that its column cannot hold: it is NULL when errors
// are ignored, else it fails the record.
func (d *decoder) refuse(n *node, text []byte, next int) int {
	if d.ignore {
		d.skipped++
		n.col.Null()
		return next
	}
	d.bad = &format.Bad{Column: n.name, Value: format.Cut(text), Reason: d.expected(n)}
	return malformed
}

// expected says what a column takes.
func (d *decoder) expected(n *node) string {
	t := n.typ.Short()
	article := "a "
	if strings.ContainsAny(t[:1], "AI") {
		article = "an "
	}
	s := "not " + article + t
	switch n.kind {
	case kindBytes:
		s = "not " + t + " in base64"
	case kindDate:
		s += " of the form yyyy-MM-dd"
	case kindTime:
		s += " of the form HH:mm:ss[.fraction]"
	case kindMoment, kindNano:
		sep, zone := " ", ""
		if n.zone.Style.Sep == 'T' {
			sep = "T"
		}
		if n.zone.Style.Zone {
			zone = "Z (UTC)"
		}
		s += " of the form yyyy-MM-dd" + sep + "HH:mm:ss[.fraction]" + zone
	}
	return s
}

// convert appends a scalar by Flink's rules, which take numbers from texts and
// texts from numbers.
func (d *decoder) convert(n *node, text []byte, tok token) bool {
	v := n.col.Vec
	switch n.kind {
	case kindBool:
		// Any text but true is FALSE, a number as well.
		v.Bool = append(v.Bool, strings.EqualFold(string(format.Trim(text)), "true"))
		return true
	case kindTiny, kindSmall, kindInt, kindBig:
		x, ok := integer(n.kind, text, tok)
		if ok && n.kind == kindBig {
			v.I64 = append(v.I64, x)
		} else if ok {
			v.I32 = append(v.I32, int32(x))
		}
		return ok
	case kindFloat:
		x, err := value.ParseFloat(text)
		if err == nil {
			v.F32 = append(v.F32, x)
		}
		return err == nil
	case kindDouble:
		x, err := value.ParseDouble(text)
		if err == nil {
			v.F64 = append(v.F64, x)
		}
		return err == nil
	case kindDecimal:
		x, err := value.ParseDec(text, int(n.typ.Precision), int(n.typ.Scale))
		switch err {
		case nil:
			v.Dec = append(v.Dec, x)
		case value.ErrRange:
			n.col.Null() // Flink: too many digits are NULL, no error
			return true
		}
		return err == nil
	case kindString:
		if d.respell && tok != tokenString && tok != tokenWord {
			d.tree = d.appendNumber(d.tree[:0], text, tok == tokenFraction)
			text = d.tree
		}
		v.Str = append(v.Str, d.arena.String(text))
		return true
	case kindBytes:
		ok := tok == tokenString
		s := d.arena.Append(len(text), func(dst []byte) []byte {
			if ok {
				dst, ok = format.AppendBase64(dst, text)
			}
			return dst
		})
		if ok {
			v.Str = append(v.Str, s)
		}
		return ok
	case kindDate:
		x, ok := format.ISODate(text)
		if ok {
			v.I32 = append(v.I32, x)
		}
		return ok
	case kindTime:
		x, ok := format.SQLTime(text)
		if ok {
			v.I32 = append(v.I32, format.CutMillis(x, n.typ.Precision))
		}
		return ok
	case kindMoment, kindNano:
		ms, nano, ok := n.zone.Parse(text)
		switch {
		case !ok:
		case n.kind == kindMoment:
			v.I64 = append(v.I64, format.CutMicros(ms, nano, n.typ.Precision))
		default:
			v.I64, v.Nano = append(v.I64, ms), append(v.Nano, format.CutNanos(nano, n.typ.Precision))
		}
		return ok
	}
	return false // a scalar for an array, map or row
}

// integer converts to the width of k. INT and BIGINT cut a JSON number with a
// fraction, by way of a double; texts have to be whole numbers.
func integer(k kind, text []byte, tok token) (int64, bool) {
	bits := [...]int{kindTiny: 8, kindSmall: 16, kindInt: 32, kindBig: 64}[k]
	if tok == tokenFraction && bits >= 32 {
		f, err := value.ParseDouble(text)
		limit := float64(1 << 31)
		low, high := -limit, limit-1
		if bits == 64 {
			limit = 1 << 63
			low, high = -limit, limit
		}
		switch {
		case err != nil || f < low || f > high:
			return 0, false
		case f >= 1<<63:
			return 1<<63 - 1, true
		}
		return int64(f), true
	}
	return format.ParseInt(format.Trim(text), bits)
}
