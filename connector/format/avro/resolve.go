package avro

import (
	"fmt"

	"fsql/connector/format"
	"fsql/types"
)

// step reads one value where the cursor is, or passes over it.
type step func(c *cursor)

// resolver makes the steps that read values of a written schema into columns of
// a table, by the rules of Avro for a reader's schema. What does not go together
// fails when a value is met, as in Flink: an empty file fits every table.
type resolver struct{ arena *format.Arena }

// value reads a value of schema w into a column.
func (r *resolver) value(w *schema, t types.Type, col *format.Column) step {
	switch w.kind {
	case unionKind:
		return r.union(w, t, col)
	case nullKind:
		if t.Nullable {
			return func(*cursor) { col.Null() }
		}
	case arrayKind:
		if t.Kind == types.Array {
			return list(r.value(w.items, t.Elem(), col.Kids[0]), nil, col)
		}
	case mapKind:
		if t.Kind == types.Map && t.Elem().IsString() || t.Kind == types.Multiset && t.Elem().IsString() {
			return list(r.value(w.items, mapValue(t), col.Kids[1]), r.text(col.Kids[0]), col)
		}
	case recordKind:
		if t.Kind == types.Row {
			return r.row(w, t, col)
		}
	default:
		if s := r.scalar(w, t, col); s != nil {
			return s
		}
	}
	return misfit(fmt.Sprintf("the file has the Avro type %s, which is no %s", w.kind, t.Short()))
}

// misfit fails when it is reached.
func misfit(reason string) step { return func(c *cursor) { c.fail(reason) } }

func (r *resolver) union(w *schema, t types.Type, col *format.Column) step {
	steps := make([]step, len(w.branches))
	for i, b := range w.branches {
		if steps[i] = r.value(b, t, col); b.kind == nullKind && !t.Nullable {
			steps[i] = misfit("a NULL in the file, where the column is NOT NULL")
		}
	}
	return branch(steps)
}

// branch reads a union.
func branch(steps []step) step {
	return func(c *cursor) {
		if i := c.long(); i >= 0 && i < int64(len(steps)) {
			steps[i](c)
		} else {
			c.fail(fmt.Sprintf("a union has no branch %d", i))
		}
	}
}

// row reads a record into a ROW column.
func (r *resolver) row(w *schema, t types.Type, col *format.Column) step {
	fields := r.fields(w, t.Fields, col.Kids)
	return func(c *cursor) {
		for _, f := range fields {
			f(c)
		}
		col.Row()
	}
}

// fields reads the fields of a record in the order in which they were written.
// A column that the record lacks is NULL.
func (r *resolver) fields(w *schema, columns []types.Field, cols []*format.Column) []step {
	var steps []step
	found := make([]bool, len(columns))
next:
	for _, f := range w.fields {
		for i, c := range columns {
			if c.Name == f.name {
				found[i] = true
				steps = append(steps, r.value(f.typ, c.Type, cols[i]))
				continue next
			}
		}
		steps = append(steps, skip(f.typ))
	}
	for i, c := range columns {
		col := cols[i]
		switch {
		case found[i]:
		case c.Type.Nullable:
			steps = append(steps, func(*cursor) { col.Null() })
		default:
			steps = append(steps, misfit(fmt.Sprintf("the file has no field '%s', and the column is NOT NULL", c.Name)))
		}
	}
	return steps
}

// list reads an ARRAY, or with keys a MAP or MULTISET.
func list(value, key step, col *format.Column) step {
	return func(c *cursor) {
		off := col.Kids[0].Len()
		for !c.failed() {
			n, _ := c.count()
			if n == 0 {
				break
			}
			for ; n > 0 && !c.failed(); n-- {
				if key != nil {
					key(c)
				}
				value(c)
			}
		}
		col.List(off)
	}
}
