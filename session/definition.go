package session

import (
	"fsql/internal/catalog"
	"fsql/internal/option"
	"fsql/sql/ast"
)

// definition turns a table back into the statement that declares it, so that
// ALTER TABLE is checked by the rules of CREATE TABLE.
func definition(t *catalog.Table) *ast.CreateTable {
	ct := &ast.CreateTable{Name: pathOf(t.Path), Temporary: t.Temporary, Comment: t.Comment, Distribution: t.Distribution}
	for i := range t.Columns {
		c := &t.Columns[i]
		d := ast.ColumnDef{Name: ast.Name{Text: c.Name}, As: c.As, AsText: c.AsText, Comment: c.Comment, Virtual: c.Virtual}
		if c.As == nil {
			d.Type = ast.TypeName{Type: c.Type.Plain().AsNullable()}
			d.NotNull = !c.Type.Nullable
		}
		if c.Metadata != "" {
			d.Metadata = true
			if c.MetadataFrom {
				d.From = c.Metadata
			}
		}
		ct.Columns = append(ct.Columns, d)
	}
	if len(t.PrimaryKey) > 0 {
		ct.PrimaryKey = &ast.PrimaryKey{Name: t.KeyName, Columns: names(t.PrimaryKey)}
	}
	if w := t.Watermark; w != nil {
		ct.Watermark = &ast.Watermark{Column: ast.Path{Parts: names([]string{w.Column})}, As: w.As, AsText: w.Text}
	}
	ct.PartitionedBy = names(t.PartitionedBy)
	ct.Options = optionsOf(t.Options)
	return ct
}

func pathOf(p catalog.Path) ast.Path {
	return ast.Path{Parts: names([]string{p.Catalog, p.Database, p.Name})}
}

func names(list []string) []ast.Name {
	out := make([]ast.Name, len(list))
	for i, n := range list {
		out[i] = ast.Name{Text: n}
	}
	return out
}

func optionsOf(entries []option.Entry) []ast.Option {
	out := make([]ast.Option, len(entries))
	for i, e := range entries {
		out[i] = ast.Option{Key: e.Key, Value: e.Value, KeyPos: ast.At{Pos: e.KeyPos}, ValuePos: ast.At{Pos: e.ValuePos}}
	}
	return out
}
