package planner

import (
	"fsql/expr"
	"fsql/internal/diag"
	joinop "fsql/join"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
)

// versioned takes FOR SYSTEM_TIME AS OF off the right item of a join: the table
// with it, nil if there is none, and the item without it.
func versioned(r ast.TableRef) (*ast.Table, ast.TableRef) {
	t, ok := r.(*ast.Table)
	if !ok || t.AsOf == nil {
		return nil, r
	}
	plain := *t
	plain.AsOf = nil
	return t, &plain
}

// temporal binds the time of a join with versions: a time attribute of the left
// side (flink-sql 4.9). What else such a join needs is seen when views are
// resolved and the condition is taken apart: rules.Context.splitJoin.
func (b *binder) temporal(j *ast.Join, t *ast.Table, l logical.Node, both *scope) (*logical.Temporal, error) {
	if k := joinKinds[j.Kind]; k != joinop.Inner && k != joinop.LeftOuter {
		return nil, diag.New(diag.NotSupported, j.Pos, "%s JOIN with a versioned table (FOR SYSTEM_TIME AS OF) is not possible: it must be INNER or LEFT", k).
			WithHint("versions without a left row have no time at which they would come out")
	}
	if err := timeTravel(t); isConstant(t.AsOf) {
		return nil, err
	}
	n, err := (&exprs{binder: b, sc: both, clause: "FOR SYSTEM_TIME AS OF"}).value(t.AsOf)
	if err != nil {
		return nil, err
	}
	at := t.AsOf.Span()
	c := logical.AsRef(n)
	out := &logical.Temporal{L: c, R: -1, Table: tableName(t)}
	switch typ := n.Type(); {
	case !typ.IsTimestamp():
		return nil, diag.New(diag.TypeMismatch, at, "FOR SYSTEM_TIME AS OF needs a time, this is %s", typ.Short())
	case c < 0:
		return nil, diag.New(diag.NotSupported, at, "FOR SYSTEM_TIME AS OF takes a time attribute of the left table, not an expression").
			WithHint("name the event-time column itself")
	case c >= len(l.Schema().Columns):
		return nil, diag.New(diag.NotSupported, at, "FOR SYSTEM_TIME AS OF takes a time attribute of the left table, but '%s' is of the versioned one", n.(*expr.Column).Name)
	case typ.Attr == types.Proctime:
		out.Proctime = true
	case !logical.IsEventTime(l, c):
		return nil, diag.New(diag.NotSupported, at, "FOR SYSTEM_TIME AS OF takes a time attribute of the left table, but '%s' is a plain %s", n.(*expr.Column).Name, typ.Short()).
			WithHint("declare a WATERMARK for the column; a CAST makes a plain time of it")
	}
	return out, nil
}

func isConstant(e ast.Expr) bool { _, ok := e.(*ast.Literal); return ok }

func tableName(t *ast.Table) string { return t.Path.Parts[len(t.Path.Parts)-1].Text }
