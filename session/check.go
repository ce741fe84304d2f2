package session

import (
	"context"

	"fsql/sql/ast"
)

// Check does what Execute does but starts no job and gives no rows: DDL changes
// the catalog, settings are made, queries and INSERTs are planned. So the
// statements of a script can be checked one after another.
func (s *Session) Check(ctx context.Context, stmt ast.Statement) error {
	s.dry = true
	defer func() { s.dry = false }()
	_, err := s.Execute(ctx, stmt)
	return err
}
