package spectest

import (
	"context"
	"strings"
	"testing"

	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/state"
)

// always is a defect that strikes wherever it can.
type always exec.FaultPoint

func (a always) Strikes(at exec.FaultPoint) bool { return at == exec.FaultPoint(a) }

// forgetful is a window operator that does not take its windows over after a
// restart.
type forgetful struct{ op.Operator }

func (f forgetful) Track()                     { op.StatefulOf(f.Operator).Track() }
func (f forgetful) Snapshot(s *state.Snapshot) { op.StatefulOf(f.Operator).Snapshot(s) }
func (f forgetful) Restore(*state.Restored) error {
	return nil
}

// TestPlantedBugsAreFound plants window bugs with which a test passes as it is
// written; its variants find them, each with a command that shows it again.
func TestPlantedBugsAreFound(t *testing.T) {
	windows := func(o op.Operator, n *physical.Node) op.Operator {
		if strings.Contains(n.Spec.Describe().Name, "Window") && op.StatefulOf(o) != nil {
			return forgetful{o}
		}
		return o
	}
	for name, c := range map[string]struct {
		file    string
		options Options
		variant string // that finds it
	}{
		"event time is the maximum over the inputs": {"testdata/hunt/twolevel.ftest", Options{Fault: always(exec.MaxMark)}, "parallelism=4"},
		"a source begins anew after a restart":      {"testdata/hunt/restarts.ftest", Options{Fault: always(exec.LoseOffset)}, "restart=feed#"},
		"windows are lost in a restart":             {"testdata/hunt/restarts.ftest", Options{Wrap: windows}, "restart=feed#"},
	} {
		t.Run(name, func(t *testing.T) {
			sound := Options{Paths: []string{c.file}}
			if s := results(t, &sound); len(s) == 0 || failures(s) != nil {
				t.Fatalf("without the bug: %v", failures(s))
			}
			c.options.Paths = []string{c.file}
			plain := c.options
			plain.Parallelism, plain.Restart, plain.BatchRows = []string{"1"}, []string{"none"}, []string{"0"}
			if f := failures(results(t, &plain)); f != nil {
				t.Fatalf("the plain form finds it already: %s", f[0].Text(nil))
			}
			found := failures(results(t, &c.options))
			if found == nil {
				t.Fatal("not found")
			}
			if !strings.Contains(found[0].Variant.String(), c.variant) {
				t.Errorf("found by %s, not %s", found[0].Variant, c.variant)
			}
			again := c.options
			v := found[0].Variant
			again.Parallelism, again.Restart = []string{strings.TrimPrefix(strings.Fields(v.String())[0], "parallelism=")}, []string{v.Restart}
			if failures(results(t, &again)) == nil {
				t.Errorf("does not fail again: %s", found[0].Repeat())
			}
		})
	}
}

func results(t *testing.T, o *Options) []*Result {
	t.Helper()
	s, err := Run(context.Background(), o, func([]*Result) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Broken {
		t.Error(err)
	}
	return s.Results
}

func failures(rs []*Result) []*Failure {
	var all []*Failure
	for _, r := range rs {
		all = append(all, r.Failures...)
	}
	return all
}
