package print

import (
	"strconv"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// appendJava appends value i of v as Flink's print sink does, which shows the
// Java object: other spellings than a CAST to STRING for booleans, times,
// bytes and rows.
func appendJava(out []byte, v *row.Vec, i int) []byte {
	if v.IsNull(i) {
		return append(out, "null"...)
	}
	switch v.Type.Kind {
	case types.Boolean:
		return strconv.AppendBool(out, v.Bool[i])
	case types.Binary, types.VarBinary:
		out = append(out, '[')
		for k := 0; k < len(v.Str[i]); k++ {
			if k > 0 {
				out = append(out, ", "...)
			}
			out = strconv.AppendInt(out, int64(int8(v.Str[i][k])), 10)
		}
		return append(out, ']')
	case types.TimeOfDay:
		return appendClock(out, int64(v.I32[i])*1_000_000, false)
	case types.Timestamp, types.TimestampLTZ:
		return appendInstant(out, v, i)
	case types.Array:
		return append(appendList(append(out, '['), v, i), ']')
	case types.Map, types.Multiset:
		out = append(out, '{')
		for k := v.Off[i]; k < v.Off[i]+v.Size[i]; k++ {
			if k > v.Off[i] {
				out = append(out, ", "...)
			}
			out = append(appendJava(out, v.Kids[0], int(k)), '=')
			out = appendJava(out, v.Kids[1], int(k))
		}
		return append(out, '}')
	case types.Row:
		out = append(out, "+I["...)
		for k, kid := range v.Kids {
			if k > 0 {
				out = append(out, ", "...)
			}
			out = appendJava(out, kid, i)
		}
		return append(out, ']')
	}
	return value.AppendText(out, v, i, value.UTC())
}

func appendList(out []byte, v *row.Vec, i int) []byte {
	for k := v.Off[i]; k < v.Off[i]+v.Size[i]; k++ {
		if k > v.Off[i] {
			out = append(out, ", "...)
		}
		out = appendJava(out, v.Kids[0], int(k))
	}
	return out
}

// appendInstant spells a timestamp as java.time does: a T between date and
// time, Z behind an instant.
func appendInstant(out []byte, v *row.Vec, i int) []byte {
	const dayNanos = 86_400_000_000_000
	millis, nano := v.I64[i], int64(0)
	if v.Type.Layout() == types.LayoutNano {
		nano = int64(v.Nano[i])
	} else {
		micros := millis
		millis = floorDiv(micros, 1000)
		nano = (micros - millis*1000) * 1000
	}
	day := floorDiv(millis, 86_400_000)
	ofDay := (millis-day*86_400_000)*1_000_000 + nano
	out = append(value.AppendDate(out, int32(day)), 'T')
	instant := v.Type.Kind == types.TimestampLTZ
	out = appendClock(out, ofDay%dayNanos, instant)
	if instant {
		out = append(out, 'Z')
	}
	return out
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// appendClock spells nanoseconds of the day: seconds are left out when they
// are zero (but for instants), the fraction has 0, 3, 6 or 9 digits.
func appendClock(out []byte, nanos int64, seconds bool) []byte {
	two := func(n int64) { out = append(out, byte('0'+n/10), byte('0'+n%10)) }
	sec, frac := nanos/1_000_000_000, nanos%1_000_000_000
	two(sec / 3600)
	out = append(out, ':')
	two(sec / 60 % 60)
	if sec%60 == 0 && frac == 0 && !seconds {
		return out
	}
	out = append(out, ':')
	two(sec % 60)
	if frac == 0 {
		return out
	}
	digits := strconv.FormatInt(1_000_000_000+frac, 10)[1:]
	switch {
	case frac%1_000_000 == 0:
		digits = digits[:3]
	case frac%1000 == 0:
		digits = digits[:6]
	}
	return append(append(out, '.'), digits...)
}
