package json

import (
	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Maxwell returns the format maxwell-json: {"data":{..},"old":{..},"type":..}.
func Maxwell() *format.Format {
	return change{
		name:   "maxwell-json",
		fields: []string{"data", "old", "type"},
		prepare: func(c *changes, _ *option.Values) error {
			m := c.newMerge()
			c.read = func(c *changes, b []byte) bool { return maxwell(c, m, b) }
			return nil
		},
		encoder: func(s *types.Schema, o *option.Values) (format.Encoder, error) {
			return newTyped(s, o, `"data":`, `,"type":"`, "insert", "delete")
		},
	}.format()
}

func maxwell(c *changes, m *merge, b []byte) bool {
	kind, ok := c.word(b, "type")
	switch {
	case !ok:
		return false
	case kind == "insert":
		return c.rowOf(b, "data", row.Insert, "an insert")
	case kind == "delete":
		return c.rowOf(b, "data", row.Delete, "a delete")
	case kind != "update":
		return c.corrupt(`unknown "type" value "` + kind + `"`)
	}
	for _, field := range []string{"data", "old"} {
		if !c.present(b, field) {
			return c.corrupt(`the field "` + field + `" of an update is missing or null`)
		}
	}
	m.forget()
	return m.row(c, b, c.fields["old"].at, c.fields["data"].at, row.UpdateBefore) && c.row(b, c.fields["data"].at, row.UpdateAfter)
}
