package session

import (
	"strings"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

func (s *Session) describe(st *ast.Describe) (*Result, error) {
	switch st.Object {
	case "TABLE":
		return s.describeObject(st.Name)
	case "CATALOG":
		return s.describeCatalog(st)
	}
	return nil, diag.New(diag.NotImplemented, st.Span(), "DESCRIBE %s is not implemented yet", st.Object)
}

// described is one line of DESCRIBE.
type described struct {
	name, typ, key, extras, watermark, comment string
	nullable                                   bool
}

// describeObject lists the columns of a table or view as Flink does: the
// column comment appears when any column has a comment.
func (s *Session) describeObject(name ast.Path) (*Result, error) {
	o, err := s.object(name)
	if err != nil {
		return nil, err
	}
	var lines []described
	switch o := o.(type) {
	case *catalog.Table:
		lines = describeTable(o)
	case *catalog.View:
		for _, c := range o.Schema.Columns {
			lines = append(lines, described{name: c.Name, typ: c.Type.Short(), nullable: c.Type.Nullable})
		}
	}
	return describedRows(lines), nil
}

func describeTable(t *catalog.Table) []described {
	key := map[string]bool{}
	for _, k := range t.PrimaryKey {
		key[k] = true
	}
	var lines []described
	for i := range t.Columns {
		c := &t.Columns[i]
		d := described{name: c.Name, typ: c.Type.Short(), nullable: c.Type.Nullable, comment: c.Comment}
		if key[c.Name] {
			d.key = "PRI(" + strings.Join(t.PrimaryKey, ", ") + ")"
		}
		switch {
		case c.As != nil:
			d.extras = "AS " + c.AsText
		case c.Metadata != "":
			d.extras = "METADATA"
			if c.MetadataFrom {
				d.extras += " FROM '" + strings.ReplaceAll(c.Metadata, "'", "''") + "'"
			}
			if c.Virtual {
				d.extras += " VIRTUAL"
			}
		}
		if t.Watermark != nil && t.Watermark.Column == c.Name {
			d.watermark = t.Watermark.Text
		}
		lines = append(lines, d)
	}
	return lines
}

func describedRows(lines []described) *Result {
	names := []string{"name", "type", "null", "key", "extras", "watermark"}
	comments := false
	for _, l := range lines {
		comments = comments || l.comment != ""
	}
	if comments {
		names = append(names, "comment")
	}
	var rows [][]*string
	for _, l := range lines {
		// The third column is BOOLEAN; it gets its values below.
		cells := []*string{str(l.name), str(l.typ), nil, orNull(l.key), orNull(l.extras), orNull(l.watermark)}
		if comments {
			cells = append(cells, orNull(l.comment))
		}
		rows = append(rows, cells)
	}
	r := listing(names, rows)
	null := row.NewVec(types.Of(types.Boolean), len(lines))
	for i, l := range lines {
		null.Bool[i] = l.nullable
	}
	r.Schema.Columns[2].Type = null.Type
	r.rows.Cols[2] = null
	return r
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// only keeps the rows whose first cell passes.
func (r *Result) only(keep func(name string) bool) *Result {
	var sel []int32
	for i, n := range r.rows.Cols[0].Str {
		if keep(n) {
			sel = append(sel, int32(i))
		}
	}
	out := *r
	out.rows = r.rows.Gather(sel)
	return &out
}

func (s *Session) describeCatalog(st *ast.Describe) (*Result, error) {
	name := text(st.Name)[0]
	comment, options, err := s.catalog.CatalogInfo(name)
	if err != nil {
		return nil, atName(err, st.Name)
	}
	rows := [][]*string{{str("name"), str(name)}}
	for _, o := range options {
		if o.Key == "type" {
			rows = append(rows, []*string{str("type"), str(o.Value)})
		}
	}
	rows = append(rows, []*string{str("comment"), orNull(comment)})
	if st.Extended {
		for _, o := range options {
			if o.Key != "type" {
				rows = append(rows, []*string{str("option:" + o.Key), str(o.Value)})
			}
		}
	}
	return listing([]string{"info name", "info value"}, rows), nil
}
