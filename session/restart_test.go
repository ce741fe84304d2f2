package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/types"
)

// TestRestartStrategies: failures at times in ms, and what follows: the pause in
// ms, or "no".
func TestRestartStrategies(t *testing.T) {
	passingError := diag.New(diag.InputOutput, diag.Span{}, "disk full")
	dataError := diag.New(diag.BadRow, diag.Span{}, "no number")
	for _, c := range []struct {
		settings    string
		checkpoints bool
		err         error
		at          []types.Time
		want        string
	}{
		{"", false, passingError, []types.Time{0}, "no"},
		{"", true, passingError, []types.Time{0, 1000, 2000, 3000}, "1000 1500 2250 3375"},
		{"", true, dataError, []types.Time{0}, "no"},
		{"type=none", true, passingError, []types.Time{0}, "no"},
		{"type=disable", true, passingError, []types.Time{0}, "no"},
		{"type=fixed-delay", true, dataError, []types.Time{0, 0}, "1000 no"},
		{"type=fixed-delay fixed-delay.attempts=3 fixed-delay.delay=20ms", false, dataError, []types.Time{0, 0, 0, 0}, "20 20 20 no"},
		{"type=failure-rate failure-rate.max-failures-per-interval=2 failure-rate.failure-rate-interval=1s failure-rate.delay=5ms", true, dataError,
			[]types.Time{0, 500, 1001, 1400}, "5 5 5 no"},
		{"type=exponential-delay exponential-delay.initial-backoff=10ms exponential-delay.max-backoff=25ms exponential-delay.backoff-multiplier=2", true, dataError,
			[]types.Time{0, 10, 30, 60}, "10 20 25 25"},
		{"type=exponential-delay exponential-delay.reset-backoff-threshold=1s", true, dataError, []types.Time{0, 1500, 5000}, "1000 1500 1000"},
		{"type=exponential-delay exponential-delay.attempts-before-reset-backoff=2", true, dataError, []types.Time{0, 0, 0}, "1000 1500 no"},
	} {
		settings := newSettings()
		for _, s := range append(strings.Fields(c.settings), "exponential-delay.jitter-factor=0") {
			key, val, _ := strings.Cut(s, "=")
			if err := settings.put(option.Entry{Key: "restart-strategy." + key, Value: val}); err != nil {
				t.Fatal(err)
			}
		}
		v, err := settings.values()
		if err != nil {
			t.Fatal(err)
		}
		r := newRestart(v)
		var got []string
		for _, at := range c.at {
			if d, again := r.next(at, c.err, c.checkpoints); again {
				got = append(got, fmt.Sprint(d.Milliseconds()))
			} else {
				got = append(got, "no")
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.settings, got, c.want)
		}
	}
	// The jitter is part of the pause either way.
	r := restart{kind: "exponential-delay", initial: 1000, longest: 1000, grows: 1, jitter: 0.5, attempts: 1 << 30}
	low, high := time.Hour, time.Duration(0)
	for range 200 {
		d, _ := r.next(0, dataError, true)
		low, high = min(low, d), max(high, d)
	}
	if low < 500*time.Millisecond || low > 700*time.Millisecond || high > 1500*time.Millisecond || high < 1300*time.Millisecond {
		t.Errorf("between %v and %v", low, high)
	}
}
