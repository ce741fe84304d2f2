package value

import (
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"fsql/row"
	"fsql/types"
)

// AppendText writes value i of a column as Flink's client prints it: NULL,
// TRUE, TIMESTAMP_LTZ in the zone z, bytes as x'6162', arrays [a, NULL], maps
// {k=v}, rows (a, b). Strings come as they are.
func AppendText(dst []byte, v *row.Vec, i int, z Zone) []byte { return appendText(dst, v, i, z, true) }

// AppendString writes value i as CAST to STRING does: like AppendText, but
// bytes are read as UTF-8, with U+FFFD for what is none.
func AppendString(dst []byte, v *row.Vec, i int, z Zone) []byte {
	return appendText(dst, v, i, z, false)
}

func appendText(dst []byte, v *row.Vec, i int, z Zone, print bool) []byte {
	if v.IsNull(i) {
		return append(dst, "NULL"...)
	}
	switch t := v.Type; t.Kind {
	case types.Boolean:
		if v.Bool[i] {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case types.TinyInt, types.SmallInt, types.Int:
		return strconv.AppendInt(dst, int64(v.I32[i]), 10)
	case types.BigInt:
		return strconv.AppendInt(dst, v.I64[i], 10)
	case types.Float:
		return AppendFloat(dst, v.F32[i])
	case types.Double:
		return AppendDouble(dst, v.F64[i])
	case types.Decimal:
		return AppendDec(dst, v.Dec[i], int(t.Scale))
	case types.Binary, types.VarBinary:
		if print {
			dst = append(dst, "x'"...)
			dst = hex.AppendEncode(dst, []byte(v.Str[i]))
			return append(dst, '\'')
		}
		return AppendUTF8(dst, v.Str[i])
	case types.Date:
		return AppendDate(dst, v.I32[i])
	case types.TimeOfDay:
		return AppendTime(dst, v.I32[i], t.Precision)
	case types.Timestamp, types.TimestampLTZ:
		local := t.Kind == types.TimestampLTZ
		if t.Precision > 6 {
			ms := v.I64[i]
			if local {
				ms = z.Local(ms)
			}
			return AppendTimestampNano(dst, ms, v.Nano[i], t.Precision)
		}
		us := v.I64[i]
		if local {
			ms := FloorDiv(us, 1000)
			us += (z.Local(ms) - ms) * 1000
		}
		return AppendTimestamp(dst, us, t.Precision)
	case types.IntervalMonths:
		return AppendIntervalMonths(dst, v.I32[i])
	case types.IntervalMillis:
		return AppendIntervalMillis(dst, v.I64[i])
	case types.Array:
		dst = append(dst, '[')
		for j := 0; j < int(v.Size[i]); j++ {
			if j > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendText(dst, v.Kids[0], int(v.Off[i])+j, z, print)
		}
		return append(dst, ']')
	case types.Map, types.Multiset:
		dst = append(dst, '{')
		for j := 0; j < int(v.Size[i]); j++ {
			if j > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendText(dst, v.Kids[0], int(v.Off[i])+j, z, print)
			dst = append(dst, '=')
			dst = appendText(dst, v.Kids[1], int(v.Off[i])+j, z, print)
		}
		return append(dst, '}')
	case types.Row:
		dst = append(dst, '(')
		for j, k := range v.Kids {
			if j > 0 {
				dst = append(dst, ", "...)
			}
			if v.Type.Class != "" {
				dst = append(append(dst, v.Type.Fields[j].Name...), '=')
			}
			dst = appendText(dst, k, i, z, print)
		}
		return append(dst, ')')
	case types.Variant:
		return append(dst, VariantText(v.Str[i])...)
	case types.Bitmap:
		return AppendBitmapText(dst, v.Str[i])
	}
	return append(dst, v.Str[i]...)
}

// AppendUTF8 appends the text of bytes. Each longest start of a character that
// is cut off or wrong becomes one U+FFFD, as in Java.
func AppendUTF8(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return append(dst, s...)
	}
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			dst = append(dst, s[i])
			i++
			continue
		}
		if r, n := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || n == 3 {
			dst = append(dst, s[i:i+n]...)
			i += n
			continue
		}
		dst = append(dst, "\ufffd"...)
		i += brokenLength(s[i:])
	}
	return dst
}

// brokenLength is how many bytes of a malformed character belong together.
func brokenLength(s string) int {
	c := s[0]
	lo, hi, n := byte(0x80), byte(0xbf), 0
	switch {
	case c >= 0xc2 && c <= 0xdf:
		n = 1
	case c >= 0xe0 && c <= 0xef:
		n = 2
	case c >= 0xf0 && c <= 0xf4:
		n = 3
	}
	switch c {
	case 0xe0:
		lo = 0xa0
	case 0xed:
		hi = 0x9f
	case 0xf0:
		lo = 0x90
	case 0xf4:
		hi = 0x8f
	}
	i := 1
	for ; i < len(s) && i <= n && s[i] >= lo && s[i] <= hi; i++ {
		lo, hi = 0x80, 0xbf
	}
	return i
}
