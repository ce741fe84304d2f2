package connector

// Live is an optional part of a bounded Source whose rows come when somebody
// gives them: a pipe, the clock of a generator, a test. The order in which they
// come is all there is to go by, and nobody waits for them longer than for rows
// that are there.
type Live interface{ Live() bool }

// Replays tells that a source gives the same rows in the same order whenever it
// is read, as fast as they are asked for. Operators with several such inputs
// take them in an order that does not depend on speed (ADR 0008).
func Replays(s Source) bool {
	if l, ok := s.(Live); ok && l.Live() {
		return false
	}
	return s.Bounded()
}
