// Package govalue is the border between columns and single Go values, for
// programs that embed fsql: a value of a column as Go has it, a Go value into a
// column, and a value into a variable that a program gave. It is for row-wise
// work; what must be fast takes whole columns.
//
//	BOOLEAN                  bool
//	TINYINT .. BIGINT        int8, int16, int32, int64
//	FLOAT, DOUBLE            float32, float64
//	DECIMAL                  string, with all digits of the scale
//	CHAR, VARCHAR            string
//	BINARY, VARBINARY        []byte
//	DATE                     time.Time, midnight UTC
//	TIME                     time.Duration since midnight
//	TIMESTAMP                time.Time, the wall clock as if it were UTC
//	TIMESTAMP_LTZ            time.Time, the instant, in UTC
//	INTERVAL of months       int32
//	INTERVAL of milliseconds time.Duration
//	ARRAY                    []any
//	MAP, MULTISET            map[any]any (the count is an int32)
//	ROW                      []any
//	VARIANT, BITMAP          string, as they print
//	NULL                     nil
package govalue

import (
	"time"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Get returns value i of a column.
func Get(v *row.Vec, i int) any {
	if v.IsNull(i) {
		return nil
	}
	switch t := v.Type; t.Kind {
	case types.Null:
		return nil
	case types.Boolean:
		return v.Bool[i]
	case types.TinyInt:
		return int8(v.I32[i])
	case types.SmallInt:
		return int16(v.I32[i])
	case types.Int, types.IntervalMonths:
		return v.I32[i]
	case types.BigInt:
		return v.I64[i]
	case types.Float:
		return v.F32[i]
	case types.Double:
		return v.F64[i]
	case types.Decimal:
		return string(value.AppendDec(nil, v.Dec[i], int(t.Scale)))
	case types.Binary, types.VarBinary:
		return []byte(v.Str[i])
	case types.Date:
		return time.Unix(int64(v.I32[i])*86400, 0).UTC()
	case types.TimeOfDay:
		return time.Duration(v.I32[i]) * time.Millisecond
	case types.IntervalMillis:
		return time.Duration(v.I64[i]) * time.Millisecond
	case types.Timestamp, types.TimestampLTZ:
		if t.Layout() == types.LayoutNano {
			return time.UnixMilli(v.I64[i]).Add(time.Duration(v.Nano[i])).UTC()
		}
		return time.UnixMicro(v.I64[i]).UTC()
	case types.Array:
		out := make([]any, v.Size[i])
		for j := range out {
			out[j] = Get(v.Kids[0], int(v.Off[i])+j)
		}
		return out
	case types.Map, types.Multiset:
		out := make(map[any]any, v.Size[i])
		for j := int(v.Off[i]); j < int(v.Off[i]+v.Size[i]); j++ {
			out[key(v.Kids[0], j)] = Get(v.Kids[1], j)
		}
		return out
	case types.Row:
		out := make([]any, len(v.Kids))
		for j, k := range v.Kids {
			out[j] = Get(k, i)
		}
		return out
	case types.Variant, types.Bitmap:
		return string(value.AppendText(nil, v, i, value.UTC()))
	}
	return v.Str[i]
}

// key is a value as the key of a Go map: what Go cannot compare is its text.
func key(v *row.Vec, i int) any {
	switch k := Get(v, i).(type) {
	case []byte:
		return string(k)
	case []any, map[any]any:
		return string(value.AppendText(nil, v, i, value.UTC()))
	default:
		return k
	}
}
