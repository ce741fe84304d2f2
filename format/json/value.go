package json

import (
	"fsql/format"
	"fsql/types"
)

// value appends the value at p to the column of n. The usual spelling of each
// type is read here; everything else goes through slow.
func (d *decoder) value(n *node, b []byte, p, depth int) int {
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
			v.F64 = append(v.F64, float64(x)/pow10(scale))
			return next
		}
	case kindDecimal:
		if x, scale, next := plain(b, p); next > 0 {
			if shift := int(n.typ.Scale) - scale; shift >= 0 && shift <= maxShift {
				x *= pow10int[shift]
				if n.typ.Precision >= int32(len(pow10int)) || abs(x) < pow10int[n.typ.Precision] {
					v.Dec = append(v.Dec, types.DecOf(x))
					return next
				}
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

// fastDigits is how many digits plain takes: they fit a float64.
const fastDigits = 15

// whole reads a JSON integer of up to 18 digits; next is 0 for anything else.
func whole(b []byte, p int) (x int64, next int) {
	neg := b[p] == '-'
	if neg {
		p++
	}
	start := p
	var v uint64
	for c := b[p] - '0'; c <= 9; c = b[p] - '0' {
		v = v*10 + uint64(c)
		p++
	}
	n := p - start
	if n == 0 || n > 18 || n > 1 && b[start] == '0' || b[p] == '.' || b[p]|0x20 == 'e' {
		return 0, 0
	}
	x = int64(v)
	if neg {
		x = -x
	}
	return x, p
}

// plain reads a JSON number of up to 15 digits without an exponent as
// x * 10^-scale; next is 0 for anything else.
func plain(b []byte, p int) (x int64, scale, next int) {
	neg := b[p] == '-'
	if neg {
		p++
	}
	start := p
	var v uint64
	for c := b[p] - '0'; c <= 9; c = b[p] - '0' {
		v = v*10 + uint64(c)
		p++
	}
	n := p - start
	if n == 0 || n > 1 && b[start] == '0' {
		return 0, 0, 0
	}
	if b[p] == '.' {
		p++
		point := p
		for c := b[p] - '0'; c <= 9; c = b[p] - '0' {
			v = v*10 + uint64(c)
			p++
		}
		scale = p - point
		if scale == 0 {
			return 0, 0, 0
		}
		n += scale
	}
	// -0 is a double of its own.
	if n > fastDigits || b[p]|0x20 == 'e' || neg && v == 0 {
		return 0, 0, 0
	}
	x = int64(v)
	if neg {
		x = -x
	}
	return x, scale, p
}

// maxShift keeps x * 10^shift within 64 bits.
const maxShift = 3

var pow10int = [fastDigits + maxShift + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

func pow10(n int) float64 { return float64(pow10int[n]) }

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
