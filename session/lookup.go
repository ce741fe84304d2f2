package session

import (
	"fsql/connector"
	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/catalog"
	"fsql/internal/option"
)

// What a client that helps its user to write statements may look up: names for
// completion, settings for how results are shown. All of it is read only and
// holds until the next statement.

// Catalog is the name space of the session.
func (s *Session) Catalog() *catalog.Catalog { return s.catalog }

// Functions are the scalar functions and operators.
func (s *Session) Functions() *expr.Registry { return s.funcs }

// Aggregates are the aggregate functions.
func (s *Session) Aggregates() *agg.Registry { return s.aggs }

// Connectors are the connectors and formats.
func (s *Session) Connectors() *connector.Registry { return s.conns }

// Settings are the declared session keys.
func (s *Session) Settings() *option.Set { return s.settings.set }

// Setting is the value of a session key as SET wrote it; set tells whether it
// was.
func (s *Session) Setting(key string) (value string, set bool) {
	value, set = s.settings.written[key]
	return value, set
}
