package json

import "fsql/connector/format"

// value appends the value at p to the column of n. The usual spelling of each
// type is read here; everything else goes through slow.
func (d *decoder) value(n *node, b []byte, p, depth int) int {
	if n.kind == kindRaw {
		n.at = p
		return d.skip(b, p, depth)
	}
	v := n.col.Vec
	switch n.kind {
	case kindString:
		if b[p] == '"' {
			if end, f := stringEnd(b, p+1); end >= 0 && f == 0 {
				v.Str = append(v.Str, d.arena.String(b[p+1:end]))
				return end + 1
			}
		}
	case kindBig:
		if x, next := whole(b, p); next > 0 {
			v.I64 = append(v.I64, x)
			return next
		}
	case kindInt:
		if x, next := whole(b, p); next > 0 && x == int64(int32(x)) {
			v.I32 = append(v.I32, int32(x))
			return next
		}
	case kindDouble:
		if x, scale, next := plain(b, p); next > 0 {
			// Both numbers are exact, so that the quotient is rounded once.
			v.F64 = append(v.F64, format.Quotient(x, scale))
			return next
		}
	case kindDecimal:
		if x, scale, next := plain(b, p); next > 0 {
			if dec, ok := format.Decimal(x, scale, n.typ); ok {
				v.Dec = append(v.Dec, dec)
				return next
			}
		}
	case kindMoment:
		if b[p] == '"' {
			if end, f := stringEnd(b, p+1); end >= 0 && f == 0 {
				if ms, nano, ok := n.zone.Parse(b[p+1 : end]); ok {
					v.I64 = append(v.I64, format.CutMicros(ms, nano, n.typ.Precision))
					return end + 1
				}
			}
		}
	case kindBool:
		switch {
		case b[p] == 't' && b[p+1] == 'r' && b[p+2] == 'u' && b[p+3] == 'e':
			v.Bool = append(v.Bool, true)
			return p + 4
		case b[p] == 'f' && b[p+1] == 'a' && b[p+2] == 'l' && b[p+3] == 's' && b[p+4] == 'e':
			v.Bool = append(v.Bool, false)
			return p + 5
		}
	case kindRow:
		if b[p] == '{' {
			if p = d.object(n.obj, b, p+1, depth); p > 0 {
				n.col.Row()
			}
			return p
		}
	}
	return d.slow(n, b, p, depth)
}

// whole is format.Whole for the spelling of JSON, which has no leading zeros.
func whole(b []byte, p int) (x int64, next int) {
	x, next = format.Whole(b, p)
	if b[next] == '.' || b[next]|0x20 == 'e' || leadingZero(b, p, next) {
		return 0, 0
	}
	return x, next
}

// plain is format.Plain for the spelling of JSON.
func plain(b []byte, p int) (x int64, scale, next int) {
	x, scale, next = format.Plain(b, p)
	if b[next]|0x20 == 'e' || leadingZero(b, p, next) {
		return 0, 0, 0
	}
	return x, scale, next
}

func leadingZero(b []byte, p, next int) bool {
	if b[p] == '-' {
		p++
	}
	return b[p] == '0' && next > p+1 && b[p+1] != '.'
}
