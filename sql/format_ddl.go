package sql

import (
	"strconv"

	"fsql/sql/ast"
)

func (f *formatter) createTable(t *ast.CreateTable) {
	f.put(when(!t.Replace, "CREATE "), when(t.OrReplace, "OR "), when(t.Replace || t.OrReplace, "REPLACE "),
		when(t.Temporary, "TEMPORARY "), "TABLE ", when(t.IfNotExists, "IF NOT EXISTS "))
	f.path(t.Name)
	if t.NameList != nil {
		f.put(" ")
		f.names(t.NameList)
	} else {
		f.tableItems(t)
	}
	f.comment(t.Comment)
	if t.Distribution != nil {
		f.put(" DISTRIBUTED")
		f.distribution(t.Distribution)
	}
	if t.PartitionedBy != nil {
		f.put(" PARTITIONED BY ")
		f.names(t.PartitionedBy)
	}
	f.with(t.Options)
	if l := t.Like; l != nil {
		f.put(" LIKE ")
		f.path(l.Table)
		if l.Options != nil {
			f.put(" (")
			each(f, l.Options, " ", func(o ast.LikeOption) { f.put(o.Mode, " ", o.Feature) })
			f.put(")")
		}
	}
	if t.As != nil {
		f.put(" AS ")
		f.query(t.As)
	}
}

func (f *formatter) tableItems(t *ast.CreateTable) {
	sep := " ("
	next := func() {
		f.put(sep)
		sep = ", "
	}
	inColumn := false
	for i := range t.Columns {
		next()
		f.columnDef(&t.Columns[i])
		inColumn = inColumn || t.Columns[i].Primary != nil
	}
	if t.PrimaryKey != nil && !inColumn {
		next()
		f.primaryKey(t.PrimaryKey, true)
	}
	if t.Watermark != nil {
		next()
		f.watermark(t.Watermark)
	}
	f.put(when(sep == ", ", ")"))
}

func (f *formatter) watermark(w *ast.Watermark) {
	f.put("WATERMARK FOR ")
	f.path(w.Column)
	f.put(" AS ")
	f.expr(w.As)
}

func (f *formatter) columnDef(c *ast.ColumnDef) {
	f.name(c.Name)
	if c.As != nil {
		f.put(" AS ")
		f.expr(c.As)
		f.comment(c.Comment)
		return
	}
	f.put(" ")
	f.dataType(c.Type.Type)
	if c.Metadata {
		f.put(" METADATA")
		if c.From != "" {
			f.put(" FROM ")
			f.quote(c.From)
		}
		f.put(when(c.Virtual, " VIRTUAL"))
	}
	if c.Primary != nil {
		f.put(" ")
		f.primaryKey(c.Primary, false)
	}
	f.comment(c.Comment)
}

func (f *formatter) primaryKey(k *ast.PrimaryKey, columns bool) {
	if k.Name != "" {
		f.put("CONSTRAINT ")
		f.ident(k.Name)
		f.put(" ")
	}
	f.put("PRIMARY KEY")
	if columns {
		f.put(" ")
		f.names(k.Columns)
	}
	f.put(when(!k.Enforced, " NOT ENFORCED"))
}

func (f *formatter) distribution(d *ast.Distribution) {
	if d.Columns != nil {
		f.put(" BY ", d.Kind)
		f.names(d.Columns)
	}
	if d.Buckets > 0 {
		f.put(" INTO ", strconv.Itoa(d.Buckets), " BUCKETS")
	}
}

func (f *formatter) alterAction(a *ast.AlterAction) {
	switch a.Kind {
	case "ADD PARTITION":
		f.put("ADD", when(a.IfExists, " IF NOT EXISTS"))
		for _, p := range a.Partitions {
			f.put(" ")
			f.partition(p)
		}
		f.with(a.Options)
	case "DROP PARTITION":
		f.put("DROP ", when(a.IfExists, "IF EXISTS "))
		each(f, a.Partitions, ", ", f.partition)
	case "SET":
		f.put("SET ")
		f.properties(a.Options)
	case "RESET":
		f.put("RESET (")
		each(f, a.Keys, ", ", f.quote)
		f.put(")")
	case "RENAME TABLE":
		f.put("RENAME TO ")
		f.path(a.NewTable)
	case "RENAME COLUMN":
		f.put("RENAME ")
		f.name(a.From)
		f.put(" TO ")
		f.name(a.To)
	case "DROP":
		f.put("DROP ", a.DropWhat)
		if a.DropWhat == "CONSTRAINT" {
			f.put(" ")
			f.name(a.Constraint)
		}
		if a.DropColumns != nil {
			f.names(a.DropColumns)
		}
	default: // ADD, MODIFY
		f.put(a.Kind, " ")
		if a.Distribution != nil {
			f.put("DISTRIBUTION")
			f.distribution(a.Distribution)
			return
		}
		f.schemaChanges(a)
	}
}

func (f *formatter) schemaChanges(a *ast.AlterAction) {
	sep := "("
	next := func() {
		f.put(sep)
		sep = ", "
	}
	inColumn := false
	for i := range a.Columns {
		c := &a.Columns[i]
		next()
		f.columnDef(&c.ColumnDef)
		inColumn = inColumn || c.Primary != nil
		f.put(when(c.First, " FIRST"))
		if c.After.Text != "" {
			f.put(" AFTER ")
			f.name(c.After)
		}
	}
	if a.PrimaryKey != nil && !inColumn {
		next()
		f.primaryKey(a.PrimaryKey, true)
	}
	if a.Watermark != nil {
		next()
		f.watermark(a.Watermark)
	}
	f.put(")")
}

func (f *formatter) alter(a *ast.Alter) {
	f.put("ALTER ", when(a.Temporary, "TEMPORARY "), when(a.System, "SYSTEM "), a.Object, " ", when(a.IfExists, "IF EXISTS "))
	f.path(a.Name)
	switch {
	case a.RenameTo.Parts != nil:
		f.put(" RENAME TO ")
		f.path(a.RenameTo)
	case a.Query != nil:
		f.put(" AS ")
		f.query(a.Query)
	case a.Set != nil:
		f.put(" SET ")
		f.properties(a.Set)
	case a.Reset != nil:
		f.put(" RESET (")
		each(f, a.Reset, ", ", f.quote)
		f.put(")")
	case a.Object == "FUNCTION":
		f.functionClass(a.Identifier, a.Language)
	default:
		f.put(" COMMENT ")
		f.quote(a.Comment)
	}
}
