package json

import (
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Debezium returns the format debezium-json: {"before":..,"after":..,"op":..}.
func Debezium() *format.Format {
	return change{
		name:   "debezium-json",
		fields: []string{"before", "after", "op", "payload"},
		options: []option.Def{
			{Key: "schema-include", Type: option.Bool, Default: "false", Doc: "Messages are wrapped in 'schema' and 'payload'."},
		},
		prepare: func(c *changes, o *option.Values) error {
			if o.Bool("schema-include") {
				c.read = unwrapped
			}
			return nil
		},
		read: debezium,
		encoder: func(s *types.Schema, o *option.Values) (format.Encoder, error) {
			if o.Bool("schema-include") {
				return nil, diag.New(diag.NotSupported, diag.Span{}, "debezium-json cannot write with 'debezium-json.schema-include' = 'true'")
			}
			return newImages(s, o, "op", "c", "d")
		},
	}.format()
}

// unwrapped reads the message within the payload.
func unwrapped(c *changes, b []byte) bool {
	if !c.present(b, "payload") {
		return c.corrupt(`the field "payload" is missing or null`)
	}
	at := c.fields["payload"].at
	if b[at] != '{' {
		return c.corrupt("the payload has to be a JSON object")
	}
	return c.object(c.envelope, b, at+1, 2) >= 0 && debezium(c, b)
}

func debezium(c *changes, b []byte) bool {
	op, ok := c.word(b, "op")
	switch {
	case !ok:
		return false
	case op == "c" || op == "r":
		return c.rowOf(b, "after", row.Insert, `an insert ("`+op+`")`)
	case op == "u":
		return c.images(b, `an update ("u")`)
	case op == "d":
		return c.rowOf(b, "before", row.Delete, `a delete ("d")`)
	}
	return c.corrupt(`unknown "op" value "` + op + `"`)
}

// images gives the rows before and after an update. Both have to be there: the
// rows of a table are told apart by all their values.
func (c *changes) images(b []byte, what string) bool {
	if !c.present(b, "before") {
		return c.corrupt(`the field "before" of ` + what + ` is missing or null; PostgreSQL writes it with REPLICA IDENTITY FULL`)
	}
	if !c.present(b, "after") {
		return c.corrupt(`the field "after" of ` + what + ` is missing or null`)
	}
	return c.row(b, c.fields["before"].at, row.UpdateBefore) && c.row(b, c.fields["after"].at, row.UpdateAfter)
}
