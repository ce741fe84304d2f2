package session

import (
	"context"

	"fsql/exec"
	"fsql/internal/diag"
	"fsql/planner"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// query plans a query; it runs when the result is read.
func (s *Session) query(q ast.Query) (*Result, error) {
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	sink := &exec.Collect{}
	p, err := planner.PlanQuery(e, q, sink)
	if err != nil {
		return nil, err
	}
	l := &live{plan: p, zone: s.Zone().String(), clock: s.cfg.Clock}
	r := &Result{Schema: p.Schema, Kinds: p.Kinds, Bounded: p.Bounded, Query: true, session: s, live: l, until: types.MaxTime}
	r.run = func(ctx context.Context, each func(*row.Batch) error) error {
		sink.Marks = r.until != types.MaxTime
		sink.Into = func(_ context.Context, b *row.Batch) error {
			b, reached := r.before(b)
			if b.Rows > 0 {
				if err := each(b); err != nil {
					return err
				}
			}
			if reached {
				return ErrReached
			}
			return nil
		}
		return s.runPlan(ctx, l)
	}
	return r, nil
}

// runPlan runs a job to its end and keeps its metrics.
func (s *Session) runPlan(ctx context.Context, l *live) error {
	p := l.plan
	job, err := exec.Build(ctx, p.Physical, exec.Env{Clock: s.cfg.Clock, Log: s.cfg.Log, Zone: l.zone, Seed: s.cfg.Seed})
	if err != nil {
		return err
	}
	l.job.Store(job)
	err = exec.Run(ctx, job)
	s.finished(l, job)
	return err
}

// insert plans one INSERT or a statement set and starts it as one job.
func (s *Session) insert(ctx context.Context, ins []*ast.Insert) (*Result, error) {
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	p, err := planner.PlanInserts(e, ins)
	if s.planned = p; err != nil || s.dry {
		return &Result{}, err
	}
	r, err := s.recovery()
	if err != nil {
		return nil, err
	}
	j := s.start(ctx, p, r)
	return &Result{Job: j, Bounded: p.Bounded}, nil
}

func (s *Session) explain(st *ast.Explain) (*Result, error) {
	e, err := s.env()
	if err != nil {
		return nil, err
	}
	var p *planner.Plan
	switch in := st.Statement.(type) {
	case *ast.QueryStatement:
		p, err = planner.PlanQuery(e, in.Query, &exec.Collect{})
	case *ast.Insert:
		p, err = planner.PlanInserts(e, []*ast.Insert{in})
	case *ast.StatementSet:
		p, err = planner.PlanInserts(e, in.Inserts)
	default:
		return nil, diag.New(diag.NotSupported, st.Statement.Span(), "EXPLAIN takes a query, an INSERT or a statement set").
			WithHint("DESCRIBE shows what a table is")
	}
	if err != nil {
		return nil, err
	}
	return column("result", []string{planner.Explain(p, st.Details)}), nil
}
