package relop

import "fsql/types"

// sweep plans when an operator looks at all it keeps, to let go what is older
// than its time to live: once per time to live, while there is something.
type sweep struct {
	ttl types.Time
	at  types.Time // types.MaxTime: there is nothing
}

// plan sets the next look. A time to live that is longer than time lasts is
// never over.
func (s *sweep) plan(now types.Time, kept int) {
	s.at = types.MaxTime
	if kept > 0 && s.ttl < types.MaxTime-now {
		s.at = now + s.ttl
	}
}

// NextClock implements op.ClockHandler.
func (s *sweep) NextClock() types.Time { return s.at }
