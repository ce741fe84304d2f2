package json

import (
	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Ogg returns the format ogg-json: {"before":..,"after":..,"op_type":..}.
func Ogg() *format.Format {
	return change{
		name:   "ogg-json",
		fields: []string{"before", "after", "op_type"},
		read:   ogg,
		encoder: func(s *types.Schema, o *option.Values) (format.Encoder, error) {
			return newImages(s, o, "op_type", "I", "D")
		},
	}.format()
}

func ogg(c *changes, b []byte) bool {
	op, ok := c.word(b, "op_type")
	switch {
	case !ok:
		return false
	case op == "I":
		return c.rowOf(b, "after", row.Insert, `an insert ("I")`)
	case op == "U":
		return c.images(b, `an update ("U")`)
	case op == "D":
		return c.rowOf(b, "before", row.Delete, `a delete ("D")`)
	}
	return c.corrupt(`unknown "op_type" value "` + op + `"`)
}
