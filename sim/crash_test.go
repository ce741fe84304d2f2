package sim

import (
	"flag"
	"testing"

	"fsql/planner/physical"
)

var crashSeeds = flag.Uint64("crash-seeds", 300, "how many seeds to run with crashes")

// crash runs a scenario with crashes under a seed.
func (c checked) crash(seed uint64, broken string) (*Outcome, error) {
	var check func(*Outcome) error
	out, err := Crash(seed, Scenario{
		Plan: func(w *World) *physical.Plan {
			p, f := c.plan(w)
			check = f
			return p
		},
		Wrap: c.wrap, Fault: c.fault, Broken: broken,
	})
	if err != nil {
		return out, err
	}
	if err := check(out); err != nil {
		return out, crashed(seed, err)
	}
	return out, nil
}

// TestCrash kills every resumable scenario under many seeds.
func TestCrash(t *testing.T) {
	for _, s := range resumable() {
		t.Run(s.name, func(t *testing.T) {
			first, last := uint64(1), *crashSeeds
			if *oneSeed != 0 {
				first, last = *oneSeed, *oneSeed
			}
			steps, crashes, resumed := 0, 0, 0
			for seed := first; seed <= last; seed++ {
				out, err := s.crash(seed, "")
				if err != nil {
					t.Fatal(err)
				}
				steps += out.Steps
				crashes += out.Crashes
				resumed += out.Resumed
			}
			t.Logf("%d seeds, %d crashes, %d times resumed", last-first+1, crashes, resumed)
			if last-first > 100 && resumed*3 < crashes {
				t.Errorf("of %d crashes only %d were after a checkpoint", crashes, resumed)
			}
		})
	}
}
