package planner

import (
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// ResolveTable turns CREATE TABLE into a table: column types (computed ones
// derived), the key, the watermark, the parts taken over from LIKE. It does
// not look at the options: they are checked when the table is used.
func ResolveTable(e *Env, ct *ast.CreateTable) (*catalog.Table, error) {
	b := newBinder(e)
	t := &catalog.Table{
		Path: e.Catalog.Qualify(partsOf(ct.Name)), Temporary: ct.Temporary, Comment: ct.Comment,
		Distribution: ct.Distribution, Options: entries(ct.Options),
	}
	for _, p := range ct.PartitionedBy {
		t.PartitionedBy = append(t.PartitionedBy, p.Text)
	}
	d := &tableDef{binder: b, t: t, pos: map[string]diag.Span{}}
	if ct.Like != nil {
		if err := d.like(ct.Like); err != nil {
			return nil, err
		}
	}
	for i := range ct.Columns {
		if err := d.column(&ct.Columns[i]); err != nil {
			return nil, err
		}
	}
	if err := d.keys(ct); err != nil {
		return nil, err
	}
	if ct.Watermark != nil {
		if err := d.watermark(ct.Watermark); err != nil {
			return nil, err
		}
	}
	return d.resolve(ct)
}

func partsOf(p ast.Path) []string {
	out := make([]string, len(p.Parts))
	for i, n := range p.Parts {
		out[i] = n.Text
	}
	return out
}

func entries(options []ast.Option) []option.Entry {
	var out []option.Entry
	for _, o := range options {
		out = append(out, option.Entry{Key: o.Key, Value: o.Value, KeyPos: o.KeyPos.Pos, ValuePos: o.ValuePos.Pos})
	}
	return out
}

// tableDef is a table while it is being declared.
type tableDef struct {
	*binder
	t *catalog.Table
	// pos are the places of the columns written here, not taken from LIKE.
	pos map[string]diag.Span
	// markPos is the place of the watermark expression, zero from LIKE.
	markPos diag.Span
	markCol diag.Span
	// overwrite tells which inherited parts a declaration may replace.
	overwrite map[string]bool
}

// column adds one column of the list.
func (d *tableDef) column(c *ast.ColumnDef) error {
	name := c.Name.Text
	col := catalog.Column{Name: name, Comment: c.Comment}
	switch {
	case c.As != nil:
		col.As, col.AsText = c.As, canonical(c.As, c.AsText)
	default:
		col.Type = c.Type.Type
		if c.NotNull {
			col.Type = col.Type.NotNull()
		}
		if c.Metadata {
			col.Metadata, col.MetadataFrom, col.Virtual = name, c.From != "", c.Virtual
			if c.From != "" {
				col.Metadata = c.From
			}
		}
	}
	if old, i := d.t.Column(name); old != nil {
		if _, here := d.pos[name]; here || !d.replaces(old, &col) {
			e := diag.New(diag.DuplicateName, c.Name.Pos, "a column named '%s' already exists in the table", name)
			if !here {
				e.WithHint("it comes from LIKE: leave it out here")
			}
			return e
		}
		d.t.Columns[i] = col
	} else {
		d.t.Columns = append(d.t.Columns, col)
	}
	d.pos[name] = c.Pos
	return nil
}

// replaces tells whether a column may take the place of one from LIKE.
func (d *tableDef) replaces(old, now *catalog.Column) bool {
	switch {
	case old.As != nil && now.As != nil:
		return d.overwrite["GENERATED"]
	case old.Metadata != "" && now.Metadata != "":
		return d.overwrite["METADATA"]
	}
	return false
}

// keys finds the one primary key: a constraint of the table or of a column,
// which the parser may also note as the table's.
func (d *tableDef) keys(ct *ast.CreateTable) error {
	var found []*ast.PrimaryKey
	if ct.PrimaryKey != nil {
		found = append(found, ct.PrimaryKey)
	}
	for i := range ct.Columns {
		if k := ct.Columns[i].Primary; k != nil && k != ct.PrimaryKey {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		return nil
	}
	if len(found) > 1 {
		return diag.New(diag.BadConstraint, found[1].Pos, "a second PRIMARY KEY: a table has at most one")
	}
	if d.t.PrimaryKey != nil {
		return diag.New(diag.BadConstraint, found[0].Pos, "the table already has a PRIMARY KEY from LIKE").
			WithHint("write LIKE .. (EXCLUDING CONSTRAINTS)")
	}
	return d.primaryKey(found[0])
}

func (d *tableDef) primaryKey(k *ast.PrimaryKey) error {
	if k.Enforced {
		return diag.New(diag.BadConstraint, k.Pos, "a PRIMARY KEY must be NOT ENFORCED: the data is not checked against it").
			WithHint("write NOT ENFORCED behind it")
	}
	for _, n := range k.Columns {
		c, _ := d.t.Column(n.Text)
		switch {
		case c == nil:
			return d.noColumn(n, "the PRIMARY KEY names the column '%s', which does not exist")
		case c.As != nil:
			return diag.New(diag.BadConstraint, n.Pos, "the PRIMARY KEY must consist of stored columns, '%s' is a computed column", n.Text)
		case c.Metadata != "":
			return diag.New(diag.BadConstraint, n.Pos, "the PRIMARY KEY must consist of stored columns, '%s' is a metadata column", n.Text)
		case contains(d.t.PrimaryKey, n.Text):
			return diag.New(diag.BadConstraint, n.Pos, "the PRIMARY KEY names the column '%s' twice", n.Text)
		}
		c.Type = c.Type.NotNull()
		d.t.PrimaryKey = append(d.t.PrimaryKey, n.Text)
	}
	d.t.KeyName = k.Name
	if k.Name == "" {
		d.t.KeyName = "PK_" + joinWith(d.t.PrimaryKey, "_")
	}
	return nil
}

func (d *tableDef) noColumn(n ast.Name, format string) error {
	var names []string
	for _, c := range d.t.Columns {
		names = append(names, c.Name)
	}
	e := diag.New(diag.UnknownColumn, n.Pos, format, n.Text)
	if near := diag.Nearest(n.Text, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e.WithHint("columns: %s", join(names))
}

// watermark notes the clause; resolve checks it when all types are known.
func (d *tableDef) watermark(w *ast.Watermark) error {
	if d.t.Watermark != nil && !d.overwrite["WATERMARKS"] {
		return diag.New(diag.BadWatermark, w.Pos, "the table already has a watermark from LIKE").
			WithHint("write LIKE .. (OVERWRITING WATERMARKS)")
	}
	if len(w.Column.Parts) > 1 {
		return diag.New(diag.BadWatermark, w.Column.Pos, "a watermark needs a top-level column, '%s' is a field inside a column", dotted(w.Column)).
			WithHint("lift it out with a computed column: %s AS %s", w.Column.Parts[len(w.Column.Parts)-1].Text, dotted(w.Column))
	}
	n := w.Column.Parts[0]
	if c, _ := d.t.Column(n.Text); c == nil {
		return d.noColumn(n, "WATERMARK FOR '%s': the table has no such column")
	}
	d.t.Watermark = &catalog.Watermark{Column: n.Text, As: w.As, Text: canonical(w.As, w.AsText)}
	d.markPos, d.markCol = w.As.Span(), n.Pos
	return nil
}

// resolve derives the types of computed columns and checks the watermark and
// the columns that other clauses name.
func (d *tableDef) resolve(ct *ast.CreateTable) (*catalog.Table, error) {
	stored := &types.Schema{}
	for _, c := range d.t.Columns {
		if c.As == nil {
			stored.Columns = append(stored.Columns, types.Column{Name: c.Name, Type: c.Type})
		}
	}
	sc := &scope{schema: stored, rels: []relation{{path: []string{d.t.Path.Name}, names: logical.Names(stored)}}}
	for i := range d.t.Columns {
		c := &d.t.Columns[i]
		if c.As == nil {
			continue
		}
		n, err := d.computed(d.t, i, sc)
		if err != nil {
			if _, here := d.pos[c.Name]; !here {
				return nil, inTable(err, ct.Like.Pos, d.t, "column "+c.Name)
			}
			return nil, err
		}
		c.Type = n.Type()
		if c.Type.Attr == types.Rowtime {
			c.Type = c.Type.Plain()
		}
	}
	if err := d.checkWatermark(ct); err != nil {
		return nil, err
	}
	for _, p := range ct.PartitionedBy {
		if c, _ := d.t.Column(p.Text); c == nil {
			return nil, d.noColumn(p, "PARTITIONED BY names the column '%s', which does not exist")
		}
	}
	if ct.Distribution != nil {
		for _, n := range ct.Distribution.Columns {
			if c, _ := d.t.Column(n.Text); c == nil {
				return nil, d.noColumn(n, "DISTRIBUTED BY names the column '%s', which does not exist")
			}
		}
	}
	return d.t, nil
}

// checkWatermark: column and expression are of the same kind, TIMESTAMP or
// TIMESTAMP_LTZ, with at most three digits.
func (d *tableDef) checkWatermark(ct *ast.CreateTable) error {
	w := d.t.Watermark
	if w == nil {
		return nil
	}
	at, mark := d.markCol, d.markPos
	if at == (diag.Span{}) && ct.Like != nil {
		at, mark = ct.Like.Pos, ct.Like.Pos
	}
	c, _ := d.t.Column(w.Column)
	if c == nil {
		return diag.New(diag.BadWatermark, at, "the watermark column '%s' does not exist in the new table", w.Column).
			WithHint("EXCLUDING WATERMARKS leaves the watermark out as well")
	}
	if err := watermarkType("the watermark column '"+c.Name+"'", c.Type, at); err != nil {
		return err.WithHint("%s", watermarkHint(c))
	}
	if !isSourceWatermark(w.As) {
		schema := d.t.Schema()
		sc := &scope{schema: schema, rels: []relation{{path: []string{d.t.Path.Name}, names: logical.Names(schema)}}}
		n, err := (&exprs{binder: d.binder, sc: sc, clause: "WATERMARK"}).value(w.As)
		if err != nil {
			return place(err, mark)
		}
		if err := watermarkType("the watermark expression", n.Type(), mark); err != nil {
			return err.WithHint("for instance %s - INTERVAL '5' SECOND", c.Name)
		}
		if n.Type().Kind != c.Type.Kind {
			return diag.New(diag.BadWatermark, mark, "the watermark expression is %s, the column '%s' is %s: they must be of the same kind", n.Type().Short(), c.Name, c.Type.Plain().Short())
		}
	}
	c.Type.Attr = types.Rowtime
	return nil
}

func watermarkType(what string, t types.Type, at diag.Span) *diag.Error {
	if t.IsTimestamp() && t.Precision <= 3 {
		return nil
	}
	return diag.New(diag.BadWatermark, at, "%s must be TIMESTAMP or TIMESTAMP_LTZ with at most 3 digits, it is %s", what, t.Plain().Short())
}

// watermarkHint says how to get a time column out of column c.
func watermarkHint(c *catalog.Column) string {
	switch {
	case c.Type.IsTimestamp():
		return "declare it TIMESTAMP(3)"
	case c.Type.IsNumeric():
		return "add a computed column, ts AS TO_TIMESTAMP_LTZ(" + c.Name + ", 3), and put the watermark on it"
	}
	return "add a computed column, ts AS TO_TIMESTAMP(" + c.Name + "), and put the watermark on it"
}

// ResolveView turns CREATE VIEW into a view: its query is bound once, so that
// it is known to be right and its columns have types, and its table names
// become fully qualified.
func ResolveView(e *Env, cv *ast.CreateView) (*catalog.View, error) {
	b := newBinder(e)
	b.qualify = true
	r, err := b.topQuery(cv.Query)
	if err != nil {
		return nil, err
	}
	v := &catalog.View{Path: e.Catalog.Qualify(partsOf(cv.Name)), Temporary: cv.Temporary, Query: cv.Query, Text: cv.Text, Comment: cv.Comment}
	names := r.names
	if len(cv.Columns) > 0 {
		named, err := b.renamed(r, cv.Columns, "view "+v.Path.Name)
		if err != nil {
			return nil, err
		}
		names, v.Columns = named.names, named.names
	}
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			return nil, diag.New(diag.DuplicateName, cv.Name.Pos, "the view would have two columns named '%s'", n).
				WithHint("rename one with AS, or give the view a list of column names")
		}
		seen[n] = true
	}
	v.Schema = schemaOf(names, typesOf(r.node.Schema()))
	return v, nil
}
