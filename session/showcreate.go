package session

import (
	"fmt"
	"sort"
	"strings"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/sql/ast"
)

// showCreate answers SHOW CREATE TABLE, VIEW and CATALOG with the statement
// that makes the object, in Flink's layout.
func (s *Session) showCreate(st *ast.Show) (*Result, error) {
	if st.What == "CREATE CATALOG" {
		return s.showCreateCatalog(st)
	}
	o, err := s.object(st.Name)
	if err != nil {
		return nil, err
	}
	switch o := o.(type) {
	case *catalog.Table:
		if st.What == "CREATE VIEW" {
			return nil, diag.New(diag.UnknownObject, st.Name.Span(), "'%s' is a table, not a view", o.Path).WithHint("write SHOW CREATE TABLE")
		}
		return column("result", []string{createTableText(o)}), nil
	case *catalog.View:
		if st.What == "CREATE TABLE" {
			return nil, diag.New(diag.UnknownTable, st.Name.Span(), "'%s' is a view, not a table", o.Path).WithHint("write SHOW CREATE VIEW")
		}
		return column("result", []string{createViewText(o)}), nil
	}
	return nil, s.catalog.Missing(s.catalog.Qualify(text(st.Name)))
}

func quoteName(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func quoteNames(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = quoteName(n)
	}
	return strings.Join(out, ", ")
}

func createTableText(t *catalog.Table) string {
	var items []string
	for i := range t.Columns {
		items = append(items, columnText(&t.Columns[i]))
	}
	if w := t.Watermark; w != nil {
		items = append(items, "WATERMARK FOR "+quoteName(w.Column)+" AS "+w.Text)
	}
	if len(t.PrimaryKey) > 0 {
		items = append(items, fmt.Sprintf("CONSTRAINT %s PRIMARY KEY (%s) NOT ENFORCED", quoteName(t.KeyName), quoteNames(t.PrimaryKey)))
	}
	var b strings.Builder
	b.WriteString("CREATE " + temporary(t.Temporary) + "TABLE " + t.Path.Quoted() + " (\n  ")
	b.WriteString(strings.Join(items, ",\n  ") + "\n)\n")
	if t.Comment != "" {
		b.WriteString("COMMENT " + quoteText(t.Comment) + "\n")
	}
	if d := t.Distribution; d != nil {
		b.WriteString("DISTRIBUTED ")
		if len(d.Columns) > 0 {
			names := make([]string, len(d.Columns))
			for i, c := range d.Columns {
				names[i] = c.Text
			}
			b.WriteString("BY " + d.Kind + "(" + quoteNames(names) + ") ")
		}
		if d.Buckets > 0 {
			fmt.Fprintf(&b, "INTO %d BUCKETS", d.Buckets)
		}
		b.WriteByte('\n')
	}
	if len(t.PartitionedBy) > 0 {
		b.WriteString("PARTITIONED BY (" + quoteNames(t.PartitionedBy) + ")\n")
	}
	b.WriteString(optionsText(t.Options))
	return b.String()
}

func temporary(is bool) string {
	if is {
		return "TEMPORARY "
	}
	return ""
}

func columnText(c *catalog.Column) string {
	out := quoteName(c.Name)
	switch {
	case c.As != nil:
		out += " AS " + c.AsText
	default:
		out += " " + c.Type.DDL()
		if !c.Type.Nullable {
			out += " NOT NULL"
		}
		if c.Metadata != "" {
			out += " METADATA"
			if c.MetadataFrom {
				out += " FROM " + quoteText(c.Metadata)
			}
			if c.Virtual {
				out += " VIRTUAL"
			}
		}
	}
	if c.Comment != "" {
		out += " COMMENT " + quoteText(c.Comment)
	}
	return out
}

// optionsText spells WITH (...), sorted by key, secrets masked.
func optionsText(options []option.Entry) string {
	if len(options) == 0 {
		return ""
	}
	sorted := append([]option.Entry{}, options...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Key < sorted[j].Key })
	lines := make([]string, len(sorted))
	for i, o := range sorted {
		lines[i] = "  " + quoteText(o.Key) + " = " + quoteText(option.Mask(nil, o.Key, o.Value))
	}
	return "WITH (\n" + strings.Join(lines, ",\n") + "\n)\n"
}

func createViewText(v *catalog.View) string {
	names := make([]string, len(v.Schema.Columns))
	for i, c := range v.Schema.Columns {
		names[i] = "  " + quoteName(c.Name)
	}
	out := "CREATE " + temporary(v.Temporary) + "VIEW " + v.Path.Quoted() + " (\n" + strings.Join(names, ",\n") + "\n)\n"
	if v.Comment != "" {
		out += "COMMENT " + quoteText(v.Comment) + "\n"
	}
	return out + "AS " + v.Text + "\n"
}

func (s *Session) showCreateCatalog(st *ast.Show) (*Result, error) {
	name := text(st.Name)[0]
	comment, options, err := s.catalog.CatalogInfo(name)
	if err != nil {
		return nil, atName(err, st.Name)
	}
	out := "CREATE CATALOG " + quoteName(name) + "\n"
	if comment != "" {
		out += "COMMENT " + quoteText(comment) + "\n"
	}
	return column("result", []string{out + optionsText(options)}), nil
}
