package planner

import (
	"fsql/expr"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// scan makes the node that reads a declared table.
func (b *binder) scan(t *catalog.Table, use *ast.Table) (logical.Node, error) {
	options, err := hintedOptions(t.Options, use.Hints)
	if err != nil {
		return nil, err
	}
	s := logical.Scan{Table: t, Options: options, Pos: use.Path.Pos, Limit: -1, Base: &types.Schema{}}
	declared, err := b.base(t, &s, use.Path.Pos)
	if err != nil {
		return nil, err
	}
	all := make([]expr.Node, len(t.Columns))
	at := 0
	for i, c := range t.Columns {
		if c.As == nil {
			all[i] = declared.exprs[at]
			at++
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.As == nil {
			continue
		}
		n, err := b.computed(t, i, declared.scope)
		if err != nil {
			return nil, inTable(err, use.Path.Pos, t, "column "+c.Name)
		}
		all[i] = logical.Substitute(n, declared.exprs)
	}
	s.Exprs = all
	if t.Watermark != nil {
		if err := b.watermark(t, &s, all); err != nil {
			return nil, inTable(err, use.Path.Pos, t, "the watermark")
		}
	}
	return b.normalized(logical.NewScan(s, t.Schema()), t), nil
}

// inTable moves an error inside a declaration to the place of its use.
func inTable(err error, at diag.Span, t *catalog.Table, what string) error {
	d, ok := err.(*diag.Error)
	if !ok {
		return err
	}
	moved := *d
	moved.Span, moved.Label = at, ""
	moved.Msg = what + " of table " + t.Path.Name + ": " + d.Msg
	return &moved
}

// declaredColumns are the stored and metadata columns of a table as its
// computed columns see them, and what they are over the reader's layout.
type declaredColumns struct {
	scope *scope
	exprs []expr.Node
}

// base lays out what the reader gives: stored columns as declared, metadata
// columns in the connector's type, which is then cast to the declared one.
func (b *binder) base(t *catalog.Table, s *logical.Scan, at diag.Span) (*declaredColumns, error) {
	d := &declaredColumns{}
	seen := &types.Schema{}
	keys := map[string]string{} // metadata key to column
	for _, c := range t.Columns {
		if c.As != nil {
			continue
		}
		from := c.Type.Plain()
		if c.Metadata != "" {
			mt, err := b.metadataType(t, s.Options, c, at)
			if err != nil {
				return nil, err
			}
			if other := keys[c.Metadata]; other != "" {
				return nil, diag.New(diag.DuplicateName, at, "columns '%s' and '%s' of table %s are both the metadata '%s'", other, c.Name, t.Path.Name, c.Metadata).
					WithHint("declare one of them as a computed column: %s AS %s", c.Name, other)
			}
			keys[c.Metadata], from = c.Name, mt
		}
		i := len(s.Base.Columns)
		s.Base.Columns = append(s.Base.Columns, types.Column{Name: c.Name, Type: from})
		s.Meta = append(s.Meta, c.Metadata)
		var n expr.Node = logical.Ref(s.Base, i)
		if !from.Same(c.Type) {
			var err error
			if n, err = expr.NewCast(n, c.Type.Plain(), false); err != nil {
				return nil, inTable(err, at, t, "column "+c.Name)
			}
		}
		d.exprs = append(d.exprs, n)
		seen.Columns = append(seen.Columns, types.Column{Name: c.Name, Type: c.Type})
	}
	d.scope = &scope{schema: seen, rels: []relation{{path: []string{t.Path.Name}, names: logical.Names(seen)}}}
	return d, nil
}

// metadataType is the type in which the connector gives a metadata column.
func (b *binder) metadataType(t *catalog.Table, options []option.Entry, c catalog.Column, at diag.Span) (types.Type, error) {
	conn := b.env.Connectors.Connector(optionValue(options, "connector"))
	if conn == nil {
		return c.Type, nil // resolving the connector will say so
	}
	var keys []string
	for _, m := range conn.Metadata {
		if m.Name == c.Metadata {
			return m.Type, nil
		}
		keys = append(keys, m.Name)
	}
	e := diag.New(diag.UnknownOption, at, "column '%s' of table %s: the connector %s offers no metadata key '%s'", c.Name, t.Path.Name, conn.Name, c.Metadata)
	if near := diag.Nearest(c.Metadata, keys); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	if len(keys) > 0 {
		return types.Type{}, e.WithHint("metadata keys of %s: %s", conn.Name, join(keys))
	}
	return types.Type{}, e.WithHint("%s offers no metadata at all", conn.Name)
}

// computed binds computed column i: it may use stored columns wherever they
// stand and metadata columns before it, never a computed one (flink-sql 1.1).
func (b *binder) computed(t *catalog.Table, i int, sc *scope) (expr.Node, error) {
	visible := &scope{schema: sc.schema, rels: []relation{{path: sc.rels[0].path, names: append([]string(nil), sc.rels[0].names...)}}}
	at := 0
	for j, c := range t.Columns {
		if c.As != nil {
			continue
		}
		if c.Metadata != "" && j > i {
			visible.rels[0].names[at] = ""
		}
		at++
	}
	x := &exprs{binder: b, sc: visible, clause: "a computed column"}
	n, err := x.value(t.Columns[i].As)
	if d, ok := err.(*diag.Error); ok && d.Code == diag.UnknownColumn {
		d.Hint = "a computed column may use stored columns, and metadata columns before it, but no computed column; " + d.Hint
	}
	return n, err
}

// watermark binds the watermark expression over all columns and expresses it,
// and the rowtime column, over the reader's layout.
func (b *binder) watermark(t *catalog.Table, s *logical.Scan, all []expr.Node) error {
	_, i := t.Column(t.Watermark.Column)
	if i < 0 {
		return diag.New(diag.BadWatermark, diag.Span{}, "the column '%s' does not exist", t.Watermark.Column)
	}
	schema := t.Schema()
	sc := &scope{schema: schema, rels: []relation{{path: []string{t.Path.Name}, names: logical.Names(schema)}}}
	if isSourceWatermark(t.Watermark.As) {
		return diag.New(diag.BadWatermark, diag.Span{}, "SOURCE_WATERMARK() leaves the watermark to the connector, and none of fsql's connectors supports that").
			WithHint("write the expression: WATERMARK FOR %s AS %s - INTERVAL '5' SECOND", t.Watermark.Column, t.Watermark.Column)
	}
	n, err := (&exprs{binder: b, sc: sc, clause: "WATERMARK"}).value(t.Watermark.As)
	if err != nil {
		return err
	}
	s.Watermark = logical.Substitute(n, all)
	s.Rowtime = all[i]
	return nil
}

func isSourceWatermark(e ast.Expr) bool {
	c, ok := e.(*ast.Call)
	return ok && functionName(c) == "SOURCE_WATERMARK"
}

func optionValue(options []option.Entry, key string) string {
	for i := len(options) - 1; i >= 0; i-- {
		if options[i].Key == key {
			return options[i].Value
		}
	}
	return ""
}
