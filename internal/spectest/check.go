package spectest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/ftest"
	"fsql/planner"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// checkName is how a check is called in messages.
func checkName(rec ftest.Record) string {
	switch rec := rec.(type) {
	case *ftest.Changes:
		if rec.Mode != ftest.Unordered {
			return "changes " + rec.Name + " " + rec.Mode
		}
		return "changes " + rec.Name
	case *ftest.Table:
		return "table " + rec.Name
	case *ftest.Silent:
		return "silent " + rec.Name
	case *ftest.Metrics:
		return "metrics " + rec.Name
	case *ftest.Late:
		return "late " + rec.Name
	case *ftest.Once:
		return "query-once"
	case *ftest.Plan:
		return "explain"
	}
	return "check"
}

// check does a record that compares. The error is of what cannot be compared.
func (r *run) check(ctx context.Context, rec ftest.Record) error {
	switch rec := rec.(type) {
	case *ftest.Changes:
		return r.changes(rec)
	case *ftest.Table:
		return r.table(rec)
	case *ftest.Silent:
		o, err := r.output(rec.Name)
		if err != nil {
			return err
		}
		news, err := o.take()
		if err != nil {
			return err
		}
		r.compare(rec, rec.Line, nil, sides{actual: lines(news, o.updates())}, o, nil)
		return nil
	case *ftest.Metrics:
		return r.metrics(rec)
	case *ftest.Late:
		return r.lateRows(rec)
	case *ftest.Once:
		return r.queryOnce(ctx, rec)
	case *ftest.Plan:
		return r.explain(rec)
	}
	return fmt.Errorf("%T is not known", rec)
}

// sides are the two sides of a comparison, as lines.
type sides struct {
	expected, actual []string
	ordered          bool
	head             string // of both
}

func lines(changes []change, op bool) []string {
	out := make([]string, len(changes))
	for i, c := range changes {
		if out[i] = c.line(); op {
			out[i] = c.withOp()
		}
	}
	return out
}

// changes compares what has changed since the last look.
func (r *run) changes(rec *ftest.Changes) error {
	o, err := r.output(rec.Name)
	if err != nil {
		return err
	}
	key, err := o.columns(rec.Key)
	if err != nil {
		return err
	}
	if key == nil {
		key = o.key
	}
	news, err := o.take()
	if err != nil {
		return err
	}
	if rec.Mode == ftest.Compact {
		news = compact(news, key)
	}
	for _, c := range news {
		r.tracef("%s: %s", rec.Name, c.withOp())
	}
	op := o.updates() || rec.Op
	s := sides{ordered: rec.Mode == ftest.InOrder}
	if r.answer == nil || len(rec.Expected.Lines) > 0 {
		if s.expected, s.head, op, err = r.expected(rec.Expected, o.schema, op); err != nil && r.answer == nil {
			return err
		}
	}
	s.actual = lines(news, op)
	if !op {
		for i, c := range news {
			if c.kind != row.Insert {
				s.actual[i] = c.withOp()
			}
		}
	}
	if _, bad := o.content(nil); bad != "" && rec.Mode != ftest.Compact && o.kinds.Has(row.UpdateBefore) {
		return fmt.Errorf("%s takes back a row that is not there", bad)
	}
	written := s.actual
	if !op && !s.ordered {
		written = sorted(written)
	}
	r.compare(rec, rec.Line, &rec.Expected, s, o, append([]string{header(o.schema, op)}, written...))
	return nil
}

// table compares the rows that are there now.
func (r *run) table(rec *ftest.Table) error {
	o, err := r.output(rec.Name)
	if err != nil {
		return err
	}
	key, err := o.columns(rec.Key)
	if err != nil {
		return err
	}
	rows, bad := o.content(key)
	if bad != "" {
		return fmt.Errorf("%s takes back a row that is not there", bad)
	}
	return r.compareRows(rec, rec.Line, &rec.Expected, rows, o, o.job.plan.Ordered && !rec.Sort)
}

// compareRows compares rows without their kinds.
func (r *run) compareRows(rec ftest.Record, line int, e *ftest.Expected, rows []change, o *output, ordered bool) error {
	s := sides{actual: lines(rows, false), ordered: ordered}
	var err error
	if r.answer == nil || len(e.Lines) > 0 {
		if s.expected, s.head, _, err = r.expected(*e, o.schema, false); err != nil && r.answer == nil {
			return err
		}
	}
	written := s.actual
	if !ordered {
		written = sorted(written)
	}
	r.compare(rec, line, e, s, o, append([]string{header(o.schema, false)}, written...))
	return nil
}

// header is the first line of a block.
func header(s *types.Schema, op bool) string {
	var names []string
	if op {
		names = append(names, "op")
	}
	for _, c := range s.Columns {
		names = append(names, ftest.FormatCell(c.Name, false))
	}
	return strings.Join(names, " | ")
}

// expected reads a block: its header, and the cells as the columns' types. op
// tells whether the row kind may be the first column, and then whether it is.
func (r *run) expected(e ftest.Expected, s *types.Schema, op bool) (out []string, head string, withOp bool, err error) {
	if len(e.Lines) == 0 {
		return nil, "", op, errors.New("the block is empty: it needs a header with the names of the columns (fsql test --update writes it)")
	}
	names, err := ftest.Cells(e.Lines[0])
	if err != nil {
		return nil, "", op, fmt.Errorf("line %d: %w", e.From, err)
	}
	withOp = len(names) == len(s.Columns)+1 && names[0].Text == "op"
	if withOp {
		names = names[1:]
	}
	if err := sameHeader(names, s); err != nil {
		return nil, "", withOp, fmt.Errorf("line %d: %w", e.From, err)
	}
	for i, l := range e.Lines[1:] {
		line, err := r.expectedLine(l, s, withOp)
		if err != nil {
			return nil, "", withOp, fmt.Errorf("line %d: %w", e.From+1+i, err)
		}
		out = append(out, line)
	}
	return out, e.Lines[0], withOp, nil
}

func sameHeader(names []ftest.Cell, s *types.Schema) error {
	var have []string
	for _, c := range s.Columns {
		have = append(have, c.Name)
	}
	if len(names) != len(have) {
		return fmt.Errorf("the header has %d columns, the result %d: %s", len(names), len(have), strings.Join(have, " | "))
	}
	for i, n := range names {
		if n.Text == have[i] {
			continue
		}
		name, typ, _ := strings.Cut(n.Text, " ")
		if name != have[i] {
			return fmt.Errorf("column %d is called %s, not %s", i+1, have[i], n.Text)
		}
		is := s.Columns[i].Type.Plain().AsNullable().Short()
		if !strings.EqualFold(strings.ReplaceAll(typ, " ", ""), strings.ReplaceAll(is, " ", "")) {
			return fmt.Errorf("column %s is of the type %s, not %s", name, is, typ)
		}
	}
	return nil
}

func (r *run) expectedLine(l string, s *types.Schema, op bool) (string, error) {
	cells, err := ftest.Cells(l)
	if err != nil {
		return "", err
	}
	var parts []string
	if op {
		if !slices.Contains([]string{"+I", "-U", "+U", "-D"}, cells[0].Text) {
			return "", fmt.Errorf("%s is no row kind: +I, -U, +U or -D", cells[0].Text)
		}
		parts, cells = append(parts, cells[0].Text), cells[1:]
	}
	if len(cells) != len(s.Columns) {
		return "", fmt.Errorf("%d values for %d columns", len(cells), len(s.Columns))
	}
	for i, c := range cells {
		text, err := r.spell.expected(c, s.Columns[i].Type.Plain())
		if err != nil {
			return "", fmt.Errorf("column %s: %w", s.Columns[i].Name, err)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " | "), nil
}

// once runs a query to its end.
func (r *run) once(ctx context.Context, stmt ast.Statement) (*output, error) {
	o := &output{name: "query-once", spell: r.spell}
	j, err := r.start(ctx, o.name, stmt, o)
	if err != nil {
		return nil, err
	}
	if err := r.quiesce(ctx, 0); err != nil {
		return nil, err
	}
	if !j.done {
		return nil, diag.New(diag.NotSupported, stmt.Span(), "the query does not end: a table that it reads has not ended").
			WithHint("end its tables first (end all), or start it with query NAME and look at it")
	}
	return o, nil
}

func (r *run) queryOnce(ctx context.Context, rec *ftest.Once) error {
	var o *output
	err := r.statements(ctx, rec.SQL, func(stmt ast.Statement) error {
		q, ok := stmt.(*ast.QueryStatement)
		if !ok || o != nil {
			return diag.New(diag.NotSupported, stmt.Span(), "query-once takes one SELECT; other statements belong into exec")
		}
		var err error
		o, err = r.once(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	if o == nil {
		return errors.New("query-once has no SELECT")
	}
	rows, bad := o.content(nil)
	if bad != "" {
		return fmt.Errorf("%s takes back a row that is not there", bad)
	}
	return r.compareRows(rec, rec.Line, &rec.Expected, rows, o, o.job.plan.Ordered && !rec.Sort)
}

// explain compares a plan.
func (r *run) explain(rec *ftest.Plan) error {
	var text string
	err := r.statements(context.Background(), rec.SQL, func(stmt ast.Statement) error {
		plan, err := r.sess.Prepare(context.Background(), stmt, discard{})
		if err != nil {
			return err
		}
		if plan == nil {
			return diag.New(diag.NotSupported, stmt.Span(), "only queries and INSERTs have a plan")
		}
		var details []string
		if rec.Changelog {
			details = []string{"CHANGELOG_MODE"}
		}
		text = planner.Explain(plan, details)
		return nil
	})
	if err != nil {
		return err
	}
	actual := strings.Split(strings.Trim(text, "\n"), "\n")
	r.compare(rec, rec.Line, &rec.Expected, sides{expected: rec.Expected.Lines, actual: actual, ordered: true}, nil, actual)
	return nil
}
