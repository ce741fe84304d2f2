// Package rowtext is the text form of batches that golden files use:
//
//	+I | 1 | 'a' | 12:00:05
//	-- 12:00:00.000
//	-D | 1 | 'a' | NULL
//
// A line is a row (kind and values) or a mark (the event time reached). Format
// and Parse are inverse to each other. Instants on 1970-01-01 are written
// without their date.
package rowtext

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Format writes a batch, one line for each row and mark.
func Format(b *row.Batch) string {
	var out strings.Builder
	marks := b.Marks
	for r := 0; r <= b.Rows; r++ {
		for len(marks) > 0 && int(marks[0].Row) == r {
			out.WriteString("-- " + Time(marks[0].Time) + "\n")
			marks = marks[1:]
		}
		if r < b.Rows {
			out.WriteString(Row(b, r) + "\n")
		}
	}
	return out.String()
}

// Row writes row r of a batch.
func Row(b *row.Batch, r int) string {
	line := b.Kind(r).String()
	for _, c := range b.Cols {
		line += " | " + Value(c, r)
	}
	return line
}

// Time writes the event time of a mark.
func Time(t types.Time) string {
	if t == types.MaxTime {
		return "max"
	}
	return instant(int64(t), 0, true)
}

// Value writes value i of a column.
func Value(v *row.Vec, i int) string {
	if v.IsNull(i) {
		return "NULL"
	}
	switch v.Type.Layout() {
	case types.LayoutBool:
		return strings.ToUpper(strconv.FormatBool(v.Bool[i]))
	case types.LayoutI32:
		switch v.Type.Kind {
		case types.Date:
			return time.Unix(int64(v.I32[i])*86400, 0).UTC().Format(time.DateOnly)
		case types.TimeOfDay:
			return instant(int64(v.I32[i]), 0, false)
		}
		return strconv.Itoa(int(v.I32[i]))
	case types.LayoutI64:
		if v.Type.IsTimestamp() {
			ms := v.I64[i] / 1000
			if v.I64[i]%1000 < 0 {
				ms--
			}
			return instant(ms, int32(v.I64[i]-ms*1000)*1000, false)
		}
		return strconv.FormatInt(v.I64[i], 10)
	case types.LayoutF32:
		return float(float64(v.F32[i]), 32)
	case types.LayoutF64:
		return float(v.F64[i], 64)
	case types.LayoutDec:
		return decimal(v.Dec[i], int(v.Type.Scale))
	case types.LayoutNano:
		return instant(v.I64[i], v.Nano[i], false)
	case types.LayoutStr:
		return text(v.Type, v.Str[i])
	case types.LayoutRow:
		parts := make([]string, len(v.Kids))
		for k, kid := range v.Kids {
			parts[k] = Value(kid, i)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return list(v, i)
}

func list(v *row.Vec, i int) string {
	parts := make([]string, v.Size[i])
	for e := range parts {
		at := int(v.Off[i]) + e
		parts[e] = Value(v.Kids[0], at)
		if len(v.Kids) == 2 {
			parts[e] += "=" + Value(v.Kids[1], at)
		}
	}
	if v.Type.Kind == types.Array {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// text quotes a string as SQL does, or as Go does where a line break or another
// unprintable character would spoil the file.
func text(t types.Type, s string) string {
	if t.Kind == types.Bitmap {
		return string(value.AppendBitmapText(nil, s))
	}
	if t.IsBinary() || !t.IsString() {
		return fmt.Sprintf("x'%x'", s)
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return strconv.Quote(s)
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

func float(f float64, bits int) string {
	switch s := strconv.FormatFloat(f, 'g', -1, bits); s {
	case "+Inf":
		return "Infinity"
	case "-Inf":
		return "-Infinity"
	default:
		return s
	}
}

// big128 is the unscaled value of a decimal as a big number.
func big128(d types.Dec) *big.Int {
	n := big.NewInt(d.Hi)
	n.Lsh(n, 64)
	return n.Add(n, new(big.Int).SetUint64(d.Lo))
}

func decimal(d types.Dec, scale int) string {
	s := big128(d).String()
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if scale == 0 {
		return sign + s
	}
	if len(s) <= scale {
		s = strings.Repeat("0", scale-len(s)+1) + s
	}
	return sign + s[:len(s)-scale] + "." + s[len(s)-scale:]
}

// instant writes milliseconds and nanoseconds within; a fraction as long as it
// has to be, or at least milliseconds.
func instant(ms int64, nano int32, millis bool) string {
	t := time.UnixMilli(ms).UTC().Add(time.Duration(nano))
	layout := "15:04:05"
	if millis {
		layout = "15:04:05.000"
	} else if t.Nanosecond() != 0 {
		layout = "15:04:05.999999999"
	}
	if t.Format(time.DateOnly) != "1970-01-01" {
		layout = time.DateOnly + " " + layout
	}
	return t.Format(layout)
}
