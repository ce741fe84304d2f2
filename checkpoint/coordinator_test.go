package checkpoint

import (
	"fmt"
	"strings"
	"testing"

	"fsql/types"
)

// TestTranscripts feeds events and compares the decisions, as a transcript:
// "event -> actions".
func TestTranscripts(t *testing.T) {
	cases := []struct {
		name           string
		sources, tasks int
		last           uint64
		want           string
	}{
		{"bounded job ends with one epoch", 1, 2, 0, `
drained 0 -> inject 1
ack 0 1   ->
ack 1 1   -> complete 1, finish
ack 1 1   ->
request   ->`},
		{"the last source decides", 2, 2, 0, `
drained 0 ->
drained 0 ->
drained 1 -> inject 1
ack 1 1   ->
ack 0 1   -> complete 1, finish`},
		{"one epoch at a time; a request meanwhile is kept", 1, 2, 6, `
request   -> inject 7
request   ->
request   ->
ack 0 7   ->
ack 0 7   ->
ack 1 7   -> complete 7, inject 8
ack 1 8   ->
ack 0 8   -> complete 8`},
		{"drained during an epoch: that epoch is not the last", 1, 2, 0, `
request   -> inject 1
ack 0 1   ->
drained 0 ->
ack 1 1   -> complete 1, inject 2
ack 1 1   ->
ack 0 2   ->
ack 1 2   -> complete 2, finish`},
		{"acks of other epochs are nothing", 1, 1, 0, `
ack 0 1   ->
request   -> inject 1
ack 0 2   ->
ack 0 1   -> complete 1`},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			c := NewCoordinator(tc.sources, tc.tasks, types.Epoch(tc.last))
			for _, line := range strings.Split(strings.TrimSpace(tc.want), "\n") {
				event, want, _ := strings.Cut(line, "->")
				var got []string
				for _, a := range c.Step(parse(event)) {
					switch a := a.(type) {
					case Inject:
						got = append(got, fmt.Sprint("inject ", a.Epoch))
					case Complete:
						got = append(got, fmt.Sprint("complete ", a.Epoch))
					case Finish:
						got = append(got, "finish")
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
	}
	return Request{}
}
