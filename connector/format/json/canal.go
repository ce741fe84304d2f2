package json

import (
	"regexp"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Canal returns the format canal-json: {"data":[..],"old":[..],"type":..}.
func Canal() *format.Format {
	return change{
		name:   "canal-json",
		fields: []string{"data", "old", "type", "database", "table"},
		options: []option.Def{
			{Key: "database.include", Type: option.String, Doc: "A regular expression for the databases that are read."},
			{Key: "table.include", Type: option.String, Doc: "A regular expression for the tables that are read."},
		},
		prepare: func(c *changes, o *option.Values) error {
			var include [2]*regexp.Regexp
			for i, key := range []string{"database.include", "table.include"} {
				if !o.Has(key) {
					continue
				}
				re, err := regexp.Compile(`\A(?:` + o.String(key) + `)\z`)
				if err != nil {
					return diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'canal-json.%s', which is a regular expression", o.String(key), key)
				}
				include[i] = re
			}
			m := c.newMerge()
			c.read = func(c *changes, b []byte) bool {
				if !c.included(b, "database", include[0]) || !c.included(b, "table", include[1]) {
					return true
				}
				return canal(c, m, b)
			}
			return nil
		},
		encoder: func(s *types.Schema, o *option.Values) (format.Encoder, error) {
			return newTyped(s, o, `"data":[`, `],"type":"`, "INSERT", "DELETE")
		},
	}.format()
}

// included tells whether the whole of a field matches.
func (c *changes) included(b []byte, field string, re *regexp.Regexp) bool {
	if re == nil {
		return true
	}
	if !c.present(b, field) || b[c.fields[field].at] != '"' {
		return false
	}
	text, _ := c.text(b, c.fields[field].at)
	return re.Match(text)
}

func canal(c *changes, m *merge, b []byte) bool {
	kind, ok := c.word(b, "type")
	if !ok {
		return false
	}
	switch kind {
	case "INSERT", "DELETE":
		if !c.present(b, "data") {
			return c.corrupt(`the field "data" of ` + kind + ` is missing or null`)
		}
		k := row.Insert
		if kind == "DELETE" {
			k = row.Delete
		}
		return c.elements(b, c.fields["data"].at, func(at int) bool { return c.row(b, at, k) })
	case "UPDATE":
		for _, field := range []string{"data", "old"} {
			if !c.present(b, field) {
				return c.corrupt(`the field "` + field + `" of UPDATE is missing or null`)
			}
		}
		return canalUpdate(c, m, b)
	case "CREATE":
		return true
	}
	return c.corrupt(`unknown "type" value "` + kind + `"`)
}

func canalUpdate(c *changes, m *merge, b []byte) bool {
	m.forget()
	var old []int
	ok := c.elements(b, c.fields["old"].at, func(at int) bool {
		old = append(old, at)
		return m.note(c, b, at)
	})
	i := 0
	return ok && c.elements(b, c.fields["data"].at, func(at int) bool {
		if i == len(old) {
			return c.corrupt(`"old" of UPDATE has fewer rows than "data"`)
		}
		i++
		return m.row(c, b, old[i-1], at, row.UpdateBefore) && c.row(b, at, row.UpdateAfter)
	})
}
