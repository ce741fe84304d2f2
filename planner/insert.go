package planner

import (
	"fmt"

	"fsql/expr"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// insert binds INSERT INTO t [(columns)] query to a sink over rows in the
// layout of the table.
func (b *binder) insert(ins *ast.Insert) (*logical.Sink, error) {
	if ins.Overwrite {
		return nil, diag.New(diag.NotSupported, ins.Pos, "INSERT OVERWRITE is not supported in streaming mode").
			WithHint("write INSERT INTO")
	}
	path, o, err := b.lookup(&ins.Table)
	if err != nil {
		return nil, err
	}
	t, ok := o.(*catalog.Table)
	if !ok {
		return nil, diag.New(diag.NotSupported, ins.Table.Pos, "'%s' is a view: only tables can be written to with INSERT", path.Name)
	}
	target := writable(t)
	order, err := b.insertColumns(ins, t, target)
	if err != nil {
		return nil, err
	}
	fixed, err := b.staticValues(ins, t, target, order)
	if err != nil {
		return nil, err
	}
	r, err := b.topQuery(ins.Query)
	if err != nil {
		return nil, err
	}
	node, err := b.store(ins, t, target, order, fixed, r)
	if err != nil {
		return nil, err
	}
	if err := b.checkRowtimes(r.node.Schema(), ins); err != nil {
		return nil, err
	}
	options, err := hintedOptions(t.Options, ins.Hints)
	if err != nil {
		return nil, err
	}
	sink := &logical.Sink{Input: node, Name: path.String(), Pos: ins.Table.Pos, Table: t, Options: options, Conflict: ins.OnConflict}
	for _, c := range target {
		sink.Columns = append(sink.Columns, c.Name)
	}
	return sink, nil
}

// writable are the columns that INSERT fills: stored ones and metadata columns
// that are not VIRTUAL.
func writable(t *catalog.Table) []catalog.Column {
	var out []catalog.Column
	for _, c := range t.Columns {
		if c.As == nil && !c.Virtual {
			out = append(out, c)
		}
	}
	return out
}

// insertColumns maps each target column to a column of the query, -1 for one
// that is left out.
func (b *binder) insertColumns(ins *ast.Insert, t *catalog.Table, target []catalog.Column) ([]int, error) {
	order := make([]int, len(target))
	if len(ins.Columns) == 0 {
		for i := range order {
			order[i] = i
		}
		return order, nil
	}
	for i := range order {
		order[i] = -1
	}
	var names []string
	for _, c := range target {
		names = append(names, c.Name)
	}
	for n, p := range ins.Columns {
		name := p.Parts[0].Text
		at := -1
		for i := range names {
			if names[i] == name {
				at = i
			}
		}
		if at < 0 {
			return nil, unknownTarget(p, t, names)
		}
		if len(p.Parts) > 1 {
			return nil, notYet(nestedInsert, p.Pos)
		}
		if order[at] >= 0 {
			return nil, diag.New(diag.DuplicateName, p.Pos, "column '%s' stands twice in the column list", name)
		}
		order[at] = n
	}
	for i, c := range target {
		if order[i] < 0 && !c.Type.Nullable {
			return nil, diag.New(diag.NullViolation, ins.Columns[0].Pos.Join(ins.Columns[len(ins.Columns)-1].Pos),
				"column '%s' of %s is NOT NULL and has no default value, but INSERT leaves it out", c.Name, t.Path.Name).
				WithHint("add it to the column list: all columns are %s", join(names))
		}
	}
	return order, nil
}

func unknownTarget(p ast.Path, t *catalog.Table, names []string) error {
	name := p.Parts[0].Text
	c, _ := t.Column(name)
	switch {
	case c != nil && c.As != nil:
		return diag.New(diag.UnknownColumn, p.Pos, "column '%s' of %s is computed: it cannot be written, nothing is stored for it", name, t.Path.Name).
			WithHint("leave it out; columns that can be written: %s", join(names))
	case c != nil:
		return diag.New(diag.UnknownColumn, p.Pos, "column '%s' of %s is VIRTUAL metadata: it can be read, not written", name, t.Path.Name)
	}
	e := diag.New(diag.UnknownColumn, p.Pos, "target column '%s' does not exist in %s", name, t.Path.Name)
	if near := diag.Nearest(name, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e.WithHint("columns of %s: %s", t.Path.Name, join(names))
}

// staticValues binds PARTITION (k = 'v', ..): the columns with a value are not
// in the query, the partition columns without one come last in it.
func (b *binder) staticValues(ins *ast.Insert, t *catalog.Table, target []catalog.Column, order []int) (map[int]expr.Node, error) {
	if len(ins.Partition) == 0 {
		return nil, nil
	}
	fixed := map[int]expr.Node{}
	for _, p := range ins.Partition {
		if !contains(t.PartitionedBy, p.Column.Text) {
			return nil, diag.New(diag.UnknownColumn, p.Column.Pos, "'%s' is not a partition column of %s", p.Column.Text, t.Path.Name).
				WithHint("declare it in PARTITIONED BY (..)")
		}
		if p.Value == nil {
			continue
		}
		x := &exprs{binder: b, sc: &scope{schema: &types.Schema{}}, clause: "PARTITION"}
		n, err := x.value(p.Value)
		if err != nil {
			return nil, err
		}
		for i, c := range target {
			if c.Name == p.Column.Text {
				if fixed[i], err = storeCast(n, c, t, p.Value.Span()); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(ins.Columns) > 0 {
		return fixed, nil
	}
	next := 0
	for _, partition := range []bool{false, true} {
		for i, c := range target {
			if fixed[i] != nil {
				order[i] = -1
			} else if contains(t.PartitionedBy, c.Name) == partition {
				order[i] = next
				next++
			}
		}
	}
	return fixed, nil
}

// storeCast converts a value for a column of a sink.
func storeCast(n expr.Node, c catalog.Column, t *catalog.Table, at diag.Span) (expr.Node, error) {
	if !expr.CanStore(n.Type(), c.Type) {
		return nil, diag.New(diag.TypeMismatch, at, "column '%s' of %s is %s, the query gives %s: one does not convert to the other by itself",
			c.Name, t.Path.Name, c.Type.Plain().Short(), n.Type().Plain().Short()).
			WithHint("convert it: CAST(.. AS %s)", c.Type.Plain().Short())
	}
	if n.Type().Same(c.Type) {
		return n, nil
	}
	cast, err := expr.StoreCast(n, c.Type.Plain())
	return cast, place(err, at)
}

// store casts the query's columns to the table's, in the table's order.
func (b *binder) store(ins *ast.Insert, t *catalog.Table, target []catalog.Column, order []int, fixed map[int]expr.Node, r *result) (logical.Node, error) {
	given := 0
	for _, o := range order {
		if o >= 0 {
			given++
		}
	}
	in := r.node.Schema()
	if len(in.Columns) != given {
		return nil, diag.New(diag.ColumnCount, ins.Query.Span(), "%s takes %s, the query gives %s", t.Path.Name, columnsCount(given), columnsCount(len(in.Columns))).
			WithHint("columns of %s: %s", t.Path.Name, describeColumns(target))
	}
	exprs, names := make([]expr.Node, len(target)), make([]string, len(target))
	for i, c := range target {
		names[i] = c.Name
		if fixed[i] != nil {
			exprs[i] = fixed[i]
			continue
		}
		if order[i] < 0 {
			exprs[i] = expr.NullLiteral(c.Type.Plain())
			continue
		}
		n, err := storeCast(logical.Ref(in, order[i]), c, t, columnPlace(ins.Query, order[i]))
		if err != nil {
			return nil, err
		}
		exprs[i] = n
	}
	if logical.Identity(exprs, in) {
		return renameTo(r.node, names), nil
	}
	return logical.NewCalc(r.node, nil, exprs, names), nil
}

// renameTo gives the columns other names without computing anything.
func renameTo(n logical.Node, names []string) logical.Node {
	return logical.NewCalc(n, nil, logical.Refs(n.Schema()), names)
}

func columnsCount(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

func describeColumns(cols []catalog.Column) string {
	var out []string
	for _, c := range cols {
		out = append(out, c.Name+" "+c.Type.Plain().Short())
	}
	return join(out)
}

// columnPlace is where column i of a query is written, or the query.
func columnPlace(q ast.Query, i int) diag.Span {
	switch q := q.(type) {
	case *ast.Select:
		for _, it := range q.Items {
			if _, star := it.X.(*ast.Star); star {
				return q.Pos
			}
		}
		if i < len(q.Items) {
			return q.Items[i].X.Span()
		}
	case *ast.Values:
		if len(q.Rows) > 0 && i < len(q.Rows[0]) {
			return q.Rows[0][i].Span()
		}
	case *ast.With:
		return columnPlace(q.Body, i)
	case *ast.Ordered:
		return columnPlace(q.Body, i)
	case *ast.SetOp:
		return columnPlace(q.L, i)
	}
	return q.Span()
}

// checkRowtimes: a sink takes one rowtime column at most (flink-sql 3.4).
func (b *binder) checkRowtimes(s *types.Schema, ins *ast.Insert) error {
	var names []string
	for _, c := range s.Columns {
		if c.Type.Attr == types.Rowtime {
			names = append(names, c.Name)
		}
	}
	if len(names) > 1 && b.env.Settings.String(keyRowtimeInserter) != "DISABLED" {
		return diag.New(diag.BadTimeColumn, ins.Query.Span(), "the query gives more than one event-time (rowtime) column to %s: %s", dotted(ins.Table), join(names)).
			WithHint("CAST all but one to TIMESTAMP(3), or SET '%s' = 'DISABLED'", keyRowtimeInserter)
	}
	return nil
}
