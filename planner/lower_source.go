package planner

import (
	"fsql/connector"
	"fsql/connector/memory"
	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

func (e *Env) resolve(name string, options []option.Entry) (*connector.Resolved, error) {
	return connector.Resolve(e.Connectors, name, options)
}

// table fills what every connector is told.
func (e *Env) table(name string, r *connector.Resolved) *connector.Table {
	return &connector.Table{
		Name: name, Options: r.Options, Format: r.Format, FormatOpts: r.FormatOptions, KeyFormat: r.KeyFormat, KeyFormatOpts: r.KeyFormatOptions,
		Dir: e.Dir, Zone: e.zoneName(), Parallel: 1, Limit: -1, Clock: e.Clock, Out: e.Out, Err: e.Err,
	}
}

// scan lowers the reading of a table.
func (l *lowering) scan(s *logical.Scan) (int, error) {
	name := s.Table.Path.String()
	r, err := l.env.resolve(name, s.Options)
	if err != nil {
		return 0, place(err, s.Pos)
	}
	if r.Connector.Source == nil {
		return 0, diag.New(diag.NotSupported, s.Pos, "table '%s' cannot be read: the connector '%s' is a sink only", name, r.Connector.Name)
	}
	t := l.env.table(name, r)
	t.Partitions = s.Table.PartitionedBy
	source := &physical.Source{Name: name, Table: t}
	l.layout(s, source)
	src, err := r.Connector.Source(t)
	if err != nil {
		return 0, place(err, s.Pos)
	}
	kinds := src.Kinds()
	if err := l.checkKinds(s, kinds); err != nil {
		return 0, err
	}
	if s.Limit >= 0 && kinds == row.InsertOnly {
		// The connector reads Limit when it opens: rebuilt so that it sees it.
		t.Limit = s.Limit
		if src, err = r.Connector.Source(t); err != nil {
			return 0, place(err, s.Pos)
		}
	}
	if err := l.prune(s, source, src); err != nil {
		return 0, place(err, s.Pos)
	}
	source.Source = src
	if s.Watermark != nil {
		source.Interval = l.env.watermarkStep()
		if t, ok := src.(connector.Timed); ok && t.PerSplit() {
			source.WatermarkFrom = types.MinTime
		}
		source.IdleAfter = l.idle(s)
	} else if p, ok := src.(connector.Parallel); ok && kinds == row.InsertOnly && !l.one {
		t.Parallel = min(max(1, p.Readers(l.env.parallelism())), l.env.parallelism())
	}
	l.plan.Bounded = l.plan.Bounded && src.Bounded()
	n := &physical.Node{ID: len(l.plan.Nodes), Source: source, Schema: s.Schema(), Kinds: kinds, Parallel: t.Parallel}
	l.plan.Nodes = append(l.plan.Nodes, n)
	return n.ID, nil
}

// layout says what the reader gives: all stored columns, of which only the
// wanted ones are decoded, and the metadata columns that somebody reads.
func (l *lowering) layout(s *logical.Scan, source *physical.Source) {
	read := s.Read()
	to := make([]int, len(read))
	schema := &types.Schema{}
	t := source.Table
	for i, c := range s.Base.Columns {
		if s.Meta[i] != "" && !read[i] {
			continue
		}
		to[i] = len(schema.Columns)
		schema.Columns = append(schema.Columns, c)
		t.Metadata, t.Wanted = append(t.Metadata, s.Meta[i]), append(t.Wanted, read[i])
	}
	t.Schema = schema
	t.PrimaryKey = keyOf(s.Table.PrimaryKey, schema)
	move := func(e expr.Node) expr.Node { return logical.Remap(e, to, schema) }
	if s.Partitions != nil {
		source.Partitions = move(s.Partitions)
	}
	for _, e := range s.Exprs {
		source.Project = append(source.Project, move(e))
	}
	if s.Watermark != nil {
		source.Rowtime, source.Watermark = move(s.Rowtime), move(s.Watermark)
	}
}

// prune drops the splits whose partition the query does not want. With a
// condition that fails for one of them all are read: its rows will say so.
func (l *lowering) prune(s *logical.Scan, source *physical.Source, src connector.Source) error {
	p, ok := src.(connector.Pruned)
	if s.Partitions == nil || !ok {
		source.Partitions = nil
		return nil
	}
	zone, err := value.LoadZone(l.env.zoneName())
	if err != nil {
		return err
	}
	cond, err := expr.Compile([]expr.Node{source.Partitions}, source.Table.Schema)
	if err != nil {
		return err
	}
	return p.Prune(func(parts *row.Batch) ([]bool, error) {
		keep := make([]bool, parts.Rows)
		wanted, err := cond.Select(&expr.Ctx{Zone: zone, Watermark: types.MinTime}, parts, nil)
		for _, r := range wanted {
			keep[r] = true
		}
		for r := range keep {
			keep[r] = keep[r] || err != nil
		}
		return keep, nil
	})
}

func keyOf(names []string, s *types.Schema) []int {
	var out []int
	for _, n := range names {
		if i := s.Index(n); i >= 0 {
			out = append(out, i)
		}
	}
	return out
}

// idle is the idle timeout: the table's, else the session's.
func (l *lowering) idle(s *logical.Scan) types.Time {
	if v := optionValue(s.Options, "scan.watermark.idle-timeout"); v != "" {
		if ms, ok := option.ParseDuration(v); ok {
			return types.Time(ms)
		}
	}
	return types.Time(l.env.Settings.Duration(keyIdle))
}

// values lowers constant rows: a source over one batch.
func (l *lowering) values(v *logical.Values) (int, error) {
	s := v.Schema()
	cols := make([]*row.Vec, len(s.Columns))
	for c := range cols {
		cols[c] = row.NewVec(s.Columns[c].Type, 0)
		for _, r := range v.Rows {
			cols[c].AppendRange(r[c].Value, 0, 1)
		}
	}
	var batches []*row.Batch
	if len(v.Rows) > 0 {
		batches = append(batches, row.New(s, len(v.Rows), cols, nil))
	}
	wanted := make([]bool, len(s.Columns))
	for i := range wanted {
		wanted[i] = true
	}
	source := &physical.Source{
		Name: "VALUES", Source: memory.New(row.InsertOnly, batches...), Project: logical.Refs(s),
		Table: &connector.Table{Name: "VALUES", Schema: s, Metadata: make([]string, len(s.Columns)), Wanted: wanted, Parallel: 1, Limit: -1},
	}
	n := &physical.Node{ID: len(l.plan.Nodes), Source: source, Schema: s, Kinds: row.InsertOnly, Parallel: 1}
	l.plan.Nodes = append(l.plan.Nodes, n)
	return n.ID, nil
}
