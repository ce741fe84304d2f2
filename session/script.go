package session

import (
	"context"
	"errors"
	"io"

	"fsql/internal/diag"
	"fsql/sql"
	"fsql/sql/ast"
)

// Run runs the statements of a script one after another, as the command fsql
// does: an INSERT whose input ends is awaited before the next statement, an
// endless one goes on in the background (see Jobs). each is called with the
// result of every statement that gives rows; a query runs when it is read, and
// need not be read. The first error ends the script. Errors have their places
// in the text.
func (s *Session) Run(ctx context.Context, script string, each func(*Result) error) error {
	return s.run(ctx, script, func(_ ast.Statement, r *Result) error { return each(r) })
}

// Exec is Run for statements that give no rows: CREATE, SET, INSERT and the
// like. A query is an error; the statements before it have been run.
func (s *Session) Exec(ctx context.Context, script string) error {
	return s.run(ctx, script, func(stmt ast.Statement, r *Result) error {
		if !r.Query {
			return nil
		}
		return diag.New(diag.Usage, stmt.Span(), "Exec does not read the rows of a query").
			WithHint("Query gives them, and Run those of a whole script")
	})
}

func (s *Session) run(ctx context.Context, script string, each func(ast.Statement, *Result) error) error {
	in := sql.NewReader(script)
	for {
		stmt, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		res, err := s.Execute(ctx, stmt)
		switch {
		case err != nil:
		case res.Quit:
			return nil
		case res.Job != nil && res.Bounded:
			err = res.Job.Wait()
		case res.Schema != nil:
			err = each(stmt, res)
		}
		if err != nil {
			return err
		}
	}
}

// Query takes one statement that gives rows: a query, SHOW, DESCRIBE, EXPLAIN.
// A query is planned now and runs when the result is read.
func (s *Session) Query(ctx context.Context, text string) (*Result, error) {
	stmt, err := single(text)
	if err != nil {
		return nil, err
	}
	switch st := stmt.(type) {
	case *ast.QueryStatement, *ast.Show, *ast.Describe, *ast.Explain:
		return s.Execute(ctx, stmt)
	case *ast.Set:
		if st.Key == "" {
			return s.Execute(ctx, stmt)
		}
	}
	return nil, diag.New(diag.Usage, stmt.Span(), "Query takes a statement that gives rows").
		WithHint("Exec runs the others, Start an INSERT in the background")
}

// Start takes one INSERT or statement set and returns its job as soon as it
// runs, whether its input ends or not. The job ends with ctx.
func (s *Session) Start(ctx context.Context, text string) (*Job, error) {
	stmt, err := single(text)
	if err != nil {
		return nil, err
	}
	switch stmt.(type) {
	case *ast.Insert, *ast.StatementSet:
		r, err := s.Execute(ctx, stmt)
		if err != nil {
			return nil, err
		}
		return r.Job, nil
	}
	return nil, diag.New(diag.Usage, stmt.Span(), "Start takes an INSERT or a statement set").
		WithHint("Query gives the rows of a query, Exec runs everything else")
}

// single is the one statement of a text.
func single(text string) (ast.Statement, error) {
	in := sql.NewReader(text)
	stmt, err := in.Next()
	if errors.Is(err, io.EOF) {
		return nil, diag.New(diag.Usage, diag.Span{}, "the text holds no statement")
	}
	if err != nil {
		return nil, err
	}
	second, err := in.Next()
	switch {
	case errors.Is(err, io.EOF):
		return stmt, nil
	case err != nil:
		return nil, err
	}
	return nil, diag.New(diag.Usage, second.Span(), "a second statement, where one is taken").
		WithHint("Run and Exec take whole scripts")
}
