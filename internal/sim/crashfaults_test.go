package sim

import (
	"encoding/binary"
	"strings"
	"testing"

	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/state"
)

// TestCrashFaults plants defects of checkpoints and recovery, one at a time.
// Each must be caught by one of the seeds that TestCrash runs anyway.
func TestCrashFaults(t *testing.T) {
	cases := []struct {
		name     string
		scenario string
		point    exec.FaultPoint // with often
		often    float64
		broken   string
		wrap     func(o op.Operator, n *physical.Node) op.Operator
	}{
		{name: "no flush at the barrier", scenario: "tumble", point: exec.NoFlush, often: 1},
		{name: "input taken after its barrier", scenario: "groups", point: exec.SkipAlign, often: 1},
		{name: "offsets not restored", scenario: "groups", point: exec.LoseOffset, often: 1},
		{name: "publication not repeated", scenario: "two sinks", point: exec.NoRepublish, often: 1},
		{name: "no abort", scenario: "tumble", broken: brokenAbort},
		{name: "repeat not idempotent", scenario: "two sinks", broken: brokenRepeat},
		{name: "timers not restored", scenario: "session", wrap: remembering("WindowAggregate", func(f *forgetting) { f.untimed = true })},
		{name: "marks not restored", scenario: "rare marks", point: exec.LoseTime, often: 1},
		{name: "fired windows not deleted", scenario: "tumble", wrap: remembering("WindowAggregate", func(f *forgetting) { f.keep = func(w state.Write) bool { return !w.Delete } })},
		{name: "early finish", scenario: "two sinks", point: exec.EarlyFinish, often: 1},
		{name: "a change not stored", scenario: "accumulators", wrap: remembering("GroupAggregate", func(f *forgetting) { f.keep = func(w state.Write) bool { return len(w.Val)%3 > 0 || w.Delete } })},
		{name: "event time of an operator not restored", scenario: "hop", wrap: remembering("WindowAggregate", func(f *forgetting) { f.timeless = true })},
		{name: "state of other key groups taken", scenario: "session", broken: brokenScope},
		{name: "rows on their way to a gate forgotten", scenario: "late union", point: exec.LoseFlying, often: 1},
		{name: "files in progress forgotten", scenario: "two sinks", broken: brokenCarry},
	}
	const most = 300
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var s checked
			for _, s = range resumable(t) {
				if s.name == tc.scenario {
					break
				}
			}
			s.wrap = tc.wrap
			if tc.often > 0 {
				s.fault = func(w *World) exec.Fault { return strike{w, tc.point, tc.often} }
			}
			for seed := uint64(1); seed <= most; seed++ {
				if _, err := s.crash(seed, tc.broken); err != nil {
					first, _, _ := strings.Cut(err.Error(), "\n")
					t.Logf("caught by seed %d: %s", seed, first)
					return
				}
			}
			t.Errorf("not caught by %d seeds", most)
		})
	}
}

// remembering wraps the operators of that name in one with a bad memory.
func remembering(name string, defect func(*forgetting)) func(op.Operator, *physical.Node) op.Operator {
	return func(o op.Operator, n *physical.Node) op.Operator {
		if n.Spec.Describe().Name != name {
			return o
		}
		f := &forgetting{Operator: o, stateful: op.StatefulOf(o)}
		defect(f)
		return f
	}
}

// forgetting is an operator that loses something on its way through a
// checkpoint.
type forgetting struct {
	op.Operator
	stateful op.Stateful
	keep     func(w state.Write) bool // nil: all changes are stored
	untimed  bool                     // after a restart nothing is due before the next row
	timeless bool                     // after a restart the event time is unknown
	waits    bool
}

func (f *forgetting) Unwrap() any { return f.Operator }
func (f *forgetting) Track()      { f.stateful.Track() }

func (f *forgetting) Snapshot(s *state.Snapshot) {
	f.stateful.Snapshot(s)
	if f.keep == nil {
		return
	}
	for s.Copy(100) {
	}
	all := s.Changes.Delta(state.Scope{}, 1)
	s.Changes = state.Changes{}
	for w := range all.Writes {
		group, space, key := int(binary.BigEndian.Uint16(w.Key)), w.Key[2], w.Key[3:]
		switch {
		case !f.keep(w):
		case w.Delete:
			s.Changes.Delete(group, space, key)
		default:
			s.Changes.Put(group, space, key, func(dst []byte) []byte { return append(dst, w.Val...) })
		}
	}
}

func (f *forgetting) Restore(r *state.Restored) error {
	f.waits = f.untimed
	if f.timeless {
		// The form of an operator that has seen nothing.
		blank := &state.Snapshot{}
		f.stateful.Snapshot(blank)
		blank.Copy(1)
		r.Locals = [][]byte{blank.Local}
	}
	return f.stateful.Restore(r)
}

func (f *forgetting) OnBatch(in int, b *row.Batch, out op.Emitter) (bool, error) {
	if f.waits && b.Rows == 0 {
		return false, out.Emit(row.Watermark(sums, b.Marks[len(b.Marks)-1].Time))
	}
	f.waits = false
	return f.Operator.OnBatch(in, b, out)
}
