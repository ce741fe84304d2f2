package session

import (
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/types"
)

// restart is the strategy by which a job that failed is started again, with
// Flink's names and rules (flink-sql 8.3).
type restart struct {
	kind string // "": none was chosen

	// fixed-delay and failure-rate
	attempts int
	interval types.Time
	delay    types.Time

	// exponential-delay
	initial, longest types.Time
	grows, jitter    float64
	calm             types.Time // without a failure, after which the pause is short again

	failures []types.Time // of failure-rate
	count    int
	last     types.Time
	pause    float64
}

func newRestart(v *option.Values) restart {
	const key = "restart-strategy."
	ms := func(name string) types.Time { return types.Time(v.Duration(key + name)) }
	switch v.String(key + "type") {
	case "none", "off", "disable":
		return restart{kind: "none"}
	case "fixed-delay", "fixeddelay":
		return restart{kind: "fixed-delay", attempts: int(v.Int(key + "fixed-delay.attempts")), delay: ms("fixed-delay.delay")}
	case "failure-rate", "failurerate":
		return restart{
			kind: "failure-rate", attempts: int(v.Int(key + "failure-rate.max-failures-per-interval")),
			interval: ms("failure-rate.failure-rate-interval"), delay: ms("failure-rate.delay"),
		}
	}
	r := restart{
		initial: ms("exponential-delay.initial-backoff"), longest: ms("exponential-delay.max-backoff"),
		grows: v.Float(key + "exponential-delay.backoff-multiplier"), jitter: v.Float(key + "exponential-delay.jitter-factor"),
		calm: ms("exponential-delay.reset-backoff-threshold"), attempts: int(v.Int(key + "exponential-delay.attempts-before-reset-backoff")),
	}
	if v.Has(key + "type") {
		r.kind = "exponential-delay"
	}
	return r
}

// next decides about a failure: whether the job is started again and how long
// to wait before. checkpoints tells that it has some.
//
// When no strategy was chosen, a job with checkpoints has exponential-delay, as
// in Flink, but for failures that only come again: a row that cannot be read,
// a division by zero, a defect of fsql.
func (r *restart) next(now types.Time, err error, checkpoints bool) (time.Duration, bool) {
	switch r.kind {
	case "none":
		return 0, false
	case "fixed-delay":
		r.count++
		return ms(float64(r.delay)), r.count <= r.attempts
	case "failure-rate":
		return ms(float64(r.delay)), r.rare(now)
	case "":
		if !checkpoints || !passing(err) {
			return 0, false
		}
	}
	return r.backOff(now)
}

// rare tells that there were no more failures in the interval than allowed.
func (r *restart) rare(now types.Time) bool {
	r.failures = append(r.failures, now)
	if len(r.failures) <= r.attempts {
		return true
	}
	first := r.failures[0]
	r.failures = r.failures[1:]
	return now-first > r.interval
}

func (r *restart) backOff(now types.Time) (time.Duration, bool) {
	if r.count > 0 && now-r.last >= r.calm+types.Time(r.pause) {
		r.count = 0
	}
	if r.count == 0 {
		r.pause = float64(r.initial)
	} else {
		r.pause = math.Min(r.pause*r.grows, float64(r.longest))
	}
	r.count++
	r.last = now
	wait := r.pause * (1 + r.jitter*(2*rand.Float64()-1))
	return ms(wait), r.count <= r.attempts
}

// passing tells failures that another attempt may not meet.
func passing(err error) bool {
	var d *diag.Error
	return errors.As(err, &d) && (d.Code == diag.JobFailed || d.Code == diag.InputOutput)
}

func ms(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
