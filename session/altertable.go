package session

import (
	"slices"
	"strings"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/planner"
	"fsql/sql/ast"
)

// alterTable changes a declaration. Jobs that run are not affected. Every change
// but SET and RESET is made on the statement that declares the table, which is
// then resolved anew, so that nothing can be altered into what CREATE refuses.
func (s *Session) alterTable(st *ast.AlterTable) (*Result, error) {
	p, err := s.path(st.Name)
	if err != nil {
		return nil, err
	}
	t, isTable := s.catalog.Lookup(p).(*catalog.Table)
	if !isTable {
		if s.catalog.Lookup(p) != nil {
			return nil, diag.New(diag.UnknownTable, st.Name.Span(), "'%s' is a view, not a table", p).WithHint("write ALTER VIEW")
		}
		if st.IfExists {
			return &Result{}, nil
		}
		return nil, s.catalog.Missing(p).At(st.Name.Span())
	}
	a := &st.Action
	switch a.Kind {
	case "SET":
		changed := *t
		changed.Options = catalog.MergeOptions(t.Options, entries(a.Options))
		return ok(s.catalog.Replace(&changed))
	case "RESET":
		changed := *t
		if changed.Options, err = resetOptions(t.Options, a.Keys); err != nil {
			return nil, err
		}
		return ok(s.catalog.Replace(&changed))
	case "RENAME TABLE":
		return s.renameTable(t, a)
	case "ADD PARTITION", "DROP PARTITION":
		return nil, diag.New(diag.NotSupported, a.Span(), "partitions of table '%s' are folders: they come and go with their files", t.Path.Name)
	}
	ct := definition(t)
	switch a.Kind {
	case "ADD":
		err = addItems(ct, a)
	case "MODIFY":
		err = modifyItems(ct, a)
	case "DROP":
		err = dropItems(ct, t, a)
	case "RENAME COLUMN":
		err = renameColumn(ct, t, a)
	}
	if err != nil {
		return nil, err
	}
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	changed, err := planner.ResolveTable(e, ct)
	if err != nil {
		// The span points into the statement that declared the table.
		return nil, &diag.Error{Code: diag.Of(err).Code, Msg: diag.Of(err).Msg, Hint: diag.Of(err).Hint, Span: a.Span()}
	}
	if slices.Equal(changed.PrimaryKey, t.PrimaryKey) || a.Kind == "RENAME COLUMN" {
		changed.KeyName = t.KeyName
	}
	return ok(s.catalog.Replace(changed))
}

func (s *Session) renameTable(t *catalog.Table, a *ast.AlterAction) (*Result, error) {
	to, err := s.path(a.NewTable)
	if err != nil {
		return nil, err
	}
	changed := *t
	changed.Path = to
	if _, err := s.catalog.Create(&changed, false); err != nil {
		return nil, diag.Of(err).At(a.NewTable.Span())
	}
	return ok(s.catalog.Drop(t.Path, false, t.Temporary, false))
}

func find(ct *ast.CreateTable, name string) int {
	return slices.IndexFunc(ct.Columns, func(c ast.ColumnDef) bool { return c.Name.Text == name })
}

func noColumn(ct *ast.CreateTable, n ast.Name) error {
	var all []string
	for _, c := range ct.Columns {
		all = append(all, c.Name.Text)
	}
	e := diag.New(diag.UnknownColumn, n.Span(), "column '%s' does not exist", n.Text).WithHint("columns: %s", strings.Join(all, ", "))
	if near := diag.Nearest(n.Text, all); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e
}

// place puts a column where FIRST or AFTER says, else at position at.
func place(ct *ast.CreateTable, c ast.AlterColumn, at int) error {
	switch {
	case c.First:
		at = 0
	case c.After.Text != "":
		i := find(ct, c.After.Text)
		if i < 0 {
			return noColumn(ct, c.After)
		}
		at = i + 1
	}
	ct.Columns = slices.Insert(ct.Columns, at, c.ColumnDef)
	return nil
}

func addItems(ct *ast.CreateTable, a *ast.AlterAction) error {
	for _, c := range a.Columns {
		if find(ct, c.Name.Text) >= 0 {
			return diag.New(diag.DuplicateName, c.Name.Span(), "a column named '%s' already exists in the table", c.Name.Text).
				WithHint("ALTER TABLE ... MODIFY changes it")
		}
		c.Primary = nil
		if err := place(ct, c, len(ct.Columns)); err != nil {
			return err
		}
	}
	if a.PrimaryKey != nil {
		if ct.PrimaryKey != nil {
			return diag.New(diag.BadConstraint, a.PrimaryKey.Span(), "the table already has a primary key").
				WithHint("ALTER TABLE ... MODIFY PRIMARY KEY changes it")
		}
		ct.PrimaryKey = a.PrimaryKey
	}
	if a.Watermark != nil {
		if ct.Watermark != nil {
			return diag.New(diag.BadWatermark, a.Watermark.Span(), "the table already has a watermark").
				WithHint("ALTER TABLE ... MODIFY WATERMARK changes it")
		}
		ct.Watermark = a.Watermark
	}
	if a.Distribution != nil {
		if ct.Distribution != nil {
			return diag.New(diag.AlreadyExists, a.Distribution.Span(), "the table is already distributed")
		}
		ct.Distribution = a.Distribution
	}
	return nil
}

func modifyItems(ct *ast.CreateTable, a *ast.AlterAction) error {
	for _, c := range a.Columns {
		i := find(ct, c.Name.Text)
		if i < 0 {
			return noColumn(ct, c.Name)
		}
		if c.Comment == "" {
			c.Comment = ct.Columns[i].Comment
		}
		c.Primary = nil
		ct.Columns = slices.Delete(ct.Columns, i, i+1)
		if err := place(ct, c, i); err != nil {
			return err
		}
	}
	if a.PrimaryKey != nil {
		if ct.PrimaryKey == nil {
			return diag.New(diag.BadConstraint, a.PrimaryKey.Span(), "the table does not have a primary key").WithHint("write ADD")
		}
		ct.PrimaryKey = a.PrimaryKey
	}
	if a.Watermark != nil {
		if ct.Watermark == nil {
			return diag.New(diag.BadWatermark, a.Watermark.Span(), "the table does not have a watermark").WithHint("write ADD WATERMARK")
		}
		ct.Watermark = a.Watermark
	}
	if a.Distribution != nil {
		ct.Distribution = a.Distribution
	}
	return nil
}

func dropItems(ct *ast.CreateTable, t *catalog.Table, a *ast.AlterAction) error {
	switch a.DropWhat {
	case "PRIMARY KEY", "CONSTRAINT":
		if ct.PrimaryKey == nil || a.DropWhat == "CONSTRAINT" && t.KeyName != a.Constraint.Text {
			return diag.New(diag.BadConstraint, a.Span(), "the table has no such constraint to drop")
		}
		ct.PrimaryKey = nil
	case "WATERMARK":
		if ct.Watermark == nil {
			return diag.New(diag.BadWatermark, a.Span(), "the table does not have a watermark")
		}
		ct.Watermark = nil
	case "DISTRIBUTION":
		if ct.Distribution == nil {
			return diag.New(diag.UnknownObject, a.Span(), "the table is not distributed")
		}
		ct.Distribution = nil
	}
	gone := map[string]bool{}
	for _, n := range a.DropColumns {
		gone[n.Text] = true
	}
	for _, n := range a.DropColumns {
		if find(ct, n.Text) < 0 {
			return noColumn(ct, n)
		}
		if err := held(t, n, "dropped", gone); err != nil {
			return err
		}
		if slices.Contains(t.PrimaryKey, n.Text) {
			return diag.New(diag.BadConstraint, n.Span(), "column '%s' cannot be dropped: it is part of the primary key", n.Text).
				WithHint("DROP PRIMARY KEY first")
		}
	}
	ct.Columns = slices.DeleteFunc(ct.Columns, func(c ast.ColumnDef) bool { return gone[c.Name.Text] })
	return nil
}

func renameColumn(ct *ast.CreateTable, t *catalog.Table, a *ast.AlterAction) error {
	i := find(ct, a.From.Text)
	if i < 0 {
		return noColumn(ct, a.From)
	}
	if err := held(t, a.From, "renamed", nil); err != nil {
		return err
	}
	if find(ct, a.To.Text) >= 0 {
		return diag.New(diag.DuplicateName, a.To.Span(), "a column named '%s' already exists in the table", a.To.Text)
	}
	ct.Columns[i].Name = a.To
	if ct.PrimaryKey != nil {
		for k, n := range ct.PrimaryKey.Columns {
			if n.Text == a.From.Text {
				ct.PrimaryKey.Columns[k] = a.To
			}
		}
	}
	return nil
}

// held refuses to change a column that the watermark, a partition or a computed
// column (but those that go, too) needs.
func held(t *catalog.Table, n ast.Name, what string, gone map[string]bool) error {
	if t.Watermark != nil && (t.Watermark.Column == n.Text || planner.Mentions(t.Watermark.As, n.Text)) {
		return diag.New(diag.BadWatermark, n.Span(), "column '%s' cannot be %s: the watermark uses it", n.Text, what).
			WithHint("DROP WATERMARK first")
	}
	if slices.Contains(t.PartitionedBy, n.Text) {
		return diag.New(diag.BadConstraint, n.Span(), "column '%s' cannot be %s: the table is partitioned by it", n.Text, what)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.As != nil && !gone[c.Name] && planner.Mentions(c.As, n.Text) {
			return diag.New(diag.UnknownColumn, n.Span(), "column '%s' cannot be %s: the computed column '%s' uses it", n.Text, what, c.Name)
		}
	}
	return nil
}
