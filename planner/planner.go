// Package planner turns a query or INSERT into a physical plan: it binds names
// and types (bind*.go), rewrites the logical plan (rules), infers which changes
// every step sends, and lowers the steps to operator specs with exchanges
// between them (lower*.go).
package planner

import (
	"io"
	"strings"

	"fsql/connector"
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/planner/logical"
	"fsql/planner/physical"
	"fsql/planner/rules"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// Env is what planning knows of a session. It is read only.
type Env struct {
	Catalog    *catalog.Catalog
	Funcs      *expr.Registry
	Aggs       *agg.Registry
	Connectors *connector.Registry
	Settings   *option.Values // session keys
	Dir        string         // base of relative paths
	Out, Err   io.Writer      // for the print connector
	// Clock is processing time for connectors; nil: the system's.
	Clock func() types.Time
}

// Plan is a planned statement.
type Plan struct {
	Physical *physical.Plan
	// Schema, Kinds are of a query's result.
	Schema *types.Schema
	Kinds  row.Kinds
	// Key are the columns by which the changes of a query's result can be told
	// apart; nil: none are known.
	Key []int
	// Bounded tells that every source ends.
	Bounded bool
	// Ordered tells that the outermost ORDER BY decides the order of rows.
	Ordered bool
	// Name of the job: insert-into_catalog.db.table, or pipeline.name.
	Name string
	// fired are the rules that changed the plan.
	fired []string
}

// PlanQuery plans a query whose rows go to sink.
func PlanQuery(e *Env, q ast.Query, sink connector.Sink) (*Plan, error) {
	if err := e.checkSettings(q.Span()); err != nil {
		return nil, err
	}
	b := newBinder(e)
	r, err := b.topQuery(q)
	if err != nil {
		return nil, err
	}
	names := logical.UniqueNames(r.names)
	root := &logical.Sink{Input: r.node, Name: "collect", Pos: q.Span(), To: sink, Columns: names}
	p, err := plan(e, []logical.Node{root})
	if err != nil {
		return nil, err
	}
	p.Schema = schemaOf(names, typesOf(r.node.Schema()))
	p.Kinds = p.Physical.Nodes[len(p.Physical.Nodes)-1].Kinds
	p.Key = logical.UpsertKey(r.node)
	p.Ordered = sorted(r.node)
	p.Name = e.jobName("collect")
	return p, nil
}

// sorted tells that the rows of a node come in the order of an ORDER BY.
func sorted(n logical.Node) bool {
	if c, ok := n.(*logical.Calc); ok {
		n = c.Input
	}
	_, ok := n.(*logical.Sort)
	return ok
}

// PlanInserts plans one INSERT, or the INSERTs of a statement set as one job.
func PlanInserts(e *Env, ins []*ast.Insert) (*Plan, error) {
	var roots []logical.Node
	var names []string
	for _, i := range ins {
		if err := e.checkSettings(i.Pos); err != nil {
			return nil, err
		}
		sink, err := newBinder(e).insert(i)
		if err != nil {
			return nil, err
		}
		roots, names = append(roots, sink), append(names, sink.Name)
	}
	p, err := plan(e, roots)
	if err != nil {
		return nil, err
	}
	p.Name = e.jobName("insert-into_" + strings.Join(names, ","))
	return p, nil
}

func (e *Env) jobName(or string) string {
	if n := e.Settings.String(keyJobName); n != "" {
		return n
	}
	return or
}

func plan(e *Env, roots []logical.Node) (*Plan, error) {
	zone, err := e.zone()
	if err != nil {
		return nil, place(err, diag.Span{})
	}
	at := roots[0].(*logical.Sink).Pos
	roots, fired, err := rules.Apply(roots, rules.Context{Funcs: e.Funcs, Zone: zone})
	if err != nil {
		return nil, place(err, at)
	}
	phys, err := lower(e, roots)
	if err != nil {
		return nil, place(err, at)
	}
	return &Plan{Physical: phys, Bounded: phys.Bounded, fired: fired}, nil
}
