package csv

import (
	"fmt"

	"fsql/format"
	"fsql/types"
)

func (d *decoder) fail(column string, value []byte, reason string, args ...any) error {
	return &format.Bad{Line: d.line, Column: column, Value: format.Cut(value), Reason: fmt.Sprintf(reason, args...)}
}

// why says what a field of type t should have been.
func why(t types.Type, b []byte) string {
	want := t.Short()
	switch t.Kind {
	case types.TinyInt, types.SmallInt, types.Int, types.BigInt:
		want = "a whole number for " + want
	case types.Float, types.Double, types.Decimal:
		want = "a number for " + want
	case types.Date:
		want += ", which is written yyyy-mm-dd"
	case types.TimeOfDay:
		want += ", which is written hh:mm:ss"
	case types.Timestamp:
		want += ", which is written yyyy-mm-dd hh:mm:ss[.fraction]"
	case types.TimestampLTZ:
		want += ", which is written yyyy-mm-dd hh:mm:ss[.fraction]Z"
	case types.Binary, types.VarBinary:
		want += ", which is written in base64"
	}
	if len(b) == 0 {
		return "not " + want + " but empty; 'csv.null-literal' = '' reads empty fields as NULL"
	}
	return "not " + want
}
