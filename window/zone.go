package window

import "fsql/diag"

// newClock is the clock of a session time zone, "" for the clock of TIMESTAMP
// columns.
func newClock(zone string) (*clock, error) {
	if zone == "" {
		return &clock{}, nil
	}
	return nil, diag.New(diag.NotImplemented, diag.Span{}, "zones")
}
