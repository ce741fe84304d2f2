package checkpoint

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fsql/types"
)

// TestTranscripts feeds events and compares the decisions, as a transcript:
// "event -> actions".
func TestTranscripts(t *testing.T) {
	timed := Config{Interval: 100, MinPause: 30, Timeout: 500, Tolerable: 1}
	cases := []struct {
		name           string
		cfg            Config
		sources, tasks int
		last           uint64
		want           string
	}{
		{"bounded job ends with one epoch", Config{}, 1, 2, 0, `
drained 0   -> inject 1 last
ack 0 1     ->
ack 1 1     -> persist 1
ack 1 1     ->
persisted 1 -> publish 1
published 1 -> finish
published 1 ->
request     ->`},
		{"the last source decides", Config{}, 2, 2, 0, `
drained 0   ->
drained 0   ->
drained 1   -> inject 1 last
ack 1 1     ->
ack 0 1     -> persist 1
persisted 1 -> publish 1
published 1 -> finish`},
		{"one epoch at a time; a request meanwhile is kept", Config{}, 1, 2, 6, `
request     -> inject 7
request     ->
request     ->
ack 0 7     ->
ack 0 7     ->
ack 1 7     -> persist 7
persisted 6 ->
persisted 7 -> publish 7
published 7 -> inject 8
ack 1 8     ->
ack 0 8     -> persist 8
persisted 8 -> publish 8
published 8 ->`},
		{"drained during an epoch: that epoch is not the last", Config{}, 1, 2, 0, `
request     -> inject 1
ack 0 1     ->
drained 0   ->
ack 1 1     -> persist 1
persisted 1 -> publish 1
published 1 -> inject 2 last
ack 1 2     ->
ack 0 2     -> persist 2
persisted 2 -> publish 2
published 2 -> finish`},
		{"drained while an epoch is written", Config{}, 1, 1, 0, `
request     -> inject 1
ack 0 1     -> persist 1
drained 0   ->
persisted 1 -> publish 1
published 1 -> inject 2 last`},
		{"acks of other epochs are nothing", Config{}, 1, 1, 0, `
ack 0 1     ->
request     -> inject 1
ack 0 2     ->
ack 0 1     ->`},
		{"every 100 ms, 30 ms apart", timed, 1, 1, 0, `
tick 1000   ->
tick 1099   ->
tick 1100   -> inject 1
ack 0 1     -> persist 1
tick 1150   ->
persisted 1 -> publish 1
tick 1190   ->
published 1 ->
tick 1200   ->
tick 1219   ->
tick 1220   -> inject 2
ack 0 2     -> persist 2
persisted 2 -> publish 2
tick 1225   ->
published 2 ->
tick 1319   ->
tick 1320   -> inject 3`},
		{"the end does not wait for its time", timed, 1, 1, 0, `
tick 1000   ->
drained 0   -> inject 1 last`},
		{"one that takes too long is given up, the second in a row fails the job", timed, 1, 2, 0, `
tick 1000   ->
tick 1100   -> inject 1
ack 0 1     ->
tick 1599   ->
tick 1600   ->
ack 1 1     ->
tick 1630   -> inject 2
ack 0 2     ->
tick 2130   -> fail
ack 1 2     ->`},
		{"a success between failures", timed, 1, 1, 0, `
tick 1000   ->
tick 1100   -> inject 1
ack 0 1     -> persist 1
failed 1    ->
tick 1200   -> inject 2
ack 0 2     -> persist 2
persisted 2 -> publish 2
published 2 ->
tick 1300   -> inject 3
ack 0 3     -> persist 3
failed 3    ->
tick 1400   -> inject 4
ack 0 4     -> persist 4
failed 4    -> fail`},
		{"the last one is tried again", timed, 1, 1, 0, `
tick 1000   ->
drained 0   -> inject 1 last
ack 0 1     -> persist 1
failed 1    -> inject 2 last`},
		{"acks of one that was given up come late", timed, 1, 2, 0, `
tick 1000   ->
tick 1100   -> inject 1
ack 0 1     ->
tick 1600   ->
tick 1630   -> inject 2
ack 1 1     ->
ack 1 2     ->
ack 0 2     -> persist 2`},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := NewCoordinator(tc.cfg, tc.sources, tc.tasks, types.Epoch(tc.last))
			for _, line := range strings.Split(strings.TrimSpace(tc.want), "\n") {
				event, want, _ := strings.Cut(line, "->")
				var got []string
				for _, a := range c.Step(parse(event)) {
					switch a := a.(type) {
					case Inject:
						got = append(got, fmt.Sprint("inject ", a.Epoch))
						if a.Last {
							got[len(got)-1] += " last"
						}
					case Persist:
						got = append(got, fmt.Sprint("persist ", a.Epoch))
					case Publish:
						got = append(got, fmt.Sprint("publish ", a.Epoch))
					case Finish:
						got = append(got, "finish")
					case Fail:
						got = append(got, "fail")
					}
				}
				if g := strings.Join(got, ", "); g != strings.TrimSpace(want) {
					t.Fatalf("%s: got %q", line, g)
				}
			}
		})
	}
}

func parse(s string) Event {
	var word string
	var a int
	var e uint64
	fmt.Sscan(s, &word, &a, &e)
	switch word {
	case "drained":
		return Drained{Source: a}
	case "ack":
		return Ack{Task: a, Epoch: types.Epoch(e)}
	case "tick":
		return Tick{Now: types.Time(a)}
	case "persisted":
		return Persisted{Epoch: types.Epoch(a)}
	case "published":
		return Published{Epoch: types.Epoch(a)}
	case "failed":
		return Failed{Epoch: types.Epoch(a), Err: errors.New("disk full")}
	}
	return Request{}
}

// NextTick is when a tick makes a difference.
func TestNextTick(t *testing.T) {
	c := NewCoordinator(Config{Interval: 100, Timeout: 50}, 1, 1, 0)
	expect := func(want types.Time) {
		t.Helper()
		if got := c.NextTick(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	expect(types.MinTime)
	c.Step(Tick{1000})
	expect(1100)
	c.Step(Tick{1105})
	expect(1155)
	c.Step(Ack{Task: 0, Epoch: 1})
	expect(types.MaxTime)
	c.Step(Persisted{1})
	c.Step(Published{1})
	expect(1205)
	if c := NewCoordinator(Config{}, 1, 1, 0); c.NextTick() != types.MaxTime {
		t.Error("a job without checkpoints waits for a time")
	}
}
