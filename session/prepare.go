package session

import (
	"context"

	"fsql/connector"
	"fsql/planner"
	"fsql/sql/ast"
)

// Prepare is for clients that run jobs themselves, step by step, as fsql test
// does. It does what Execute does but starts nothing: of a query, whose rows go
// to sink, of an INSERT, a statement set or CREATE TABLE .. AS it returns the
// plan, of other statements nil when they are done.
func (s *Session) Prepare(ctx context.Context, stmt ast.Statement, sink connector.Sink) (*planner.Plan, error) {
	if q, ok := stmt.(*ast.QueryStatement); ok {
		e, err := s.env()
		if err != nil {
			return nil, err
		}
		return planner.PlanQuery(e, q.Query, sink)
	}
	s.planned = nil
	err := s.Check(ctx, stmt)
	return s.planned, err
}
