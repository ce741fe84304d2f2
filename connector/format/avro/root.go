package avro

import (
	"fsql/connector/format"
	"fsql/row"
	"fsql/types"
)

// root reads records into the wanted columns of a table.
type root struct {
	columns []types.Field // that are wanted
	at      []int         // their places in the table
	cols    []*format.Column
	arena   format.Arena
	read    step
	cur     cursor
}

// newRoot checks that the wanted columns have a form in Avro.
func newRoot(s *types.Schema, wanted []bool, m mapping) (*root, error) {
	r := &root{}
	checked := &types.Schema{}
	for i, c := range s.Columns {
		if wanted != nil && !wanted[i] {
			continue
		}
		checked.Columns = append(checked.Columns, c)
		r.columns = append(r.columns, types.Field{Name: c.Name, Type: c.Type})
		r.at = append(r.at, i)
		r.cols = append(r.cols, format.NewColumn(c.Type))
	}
	_, err := derive(checked, m)
	return r, err
}

// resolve makes the step that reads a record of schema w.
func (r *root) resolve(w *schema) { r.read = r.branch(w) }

func (r *root) branch(w *schema) step {
	switch w.kind {
	case unionKind:
		steps := make([]step, len(w.branches))
		for i, b := range w.branches {
			steps[i] = r.branch(b)
		}
		return branch(steps)
	case recordKind:
		fields := (&resolver{arena: &r.arena}).fields(w, r.columns, r.cols)
		return func(c *cursor) {
			for _, f := range fields {
				f(c)
			}
		}
	}
	return misfit("the input has the Avro type " + string(w.kind) + " where a record is needed")
}

func (r *root) attach(out *row.Builder) {
	for i, c := range r.cols {
		c.Attach(out.Cols[r.at[i]])
	}
}

func (r *root) finish() {
	for _, c := range r.cols {
		c.Finish()
	}
}

// record appends a record, the one after rows others since attach. When it
// fails, nothing of it is left.
func (r *root) record(rows int) bool {
	if r.read(&r.cur); !r.cur.failed() {
		return true
	}
	for _, c := range r.cols {
		c.Truncate(c.Vec.Len + rows)
	}
	return false
}

// reason is what is wrong with the record.
func (r *root) reason() string {
	if r.cur.short {
		return "it ends too early"
	}
	return r.cur.bad
}
