package planner

import (
	"fmt"
	"sort"
	"testing"

	"fsql/internal/diag"
	"fsql/internal/ftest"
	"fsql/internal/ftest/corpus"
)

// refused are scripts that use what fsql refuses on purpose (docs/differences.md).
var refused = map[string]bool{
	"hints/options_unknown_format_option": true, // a misspelt format option
	"hints/ptf_unknown_argument":          true, // a misspelt argument of TO_CHANGELOG
}

// TestSweep plans every script of the corpus that Flink answered. Each must
// plan, or be refused as not-implemented: any other error is a defect. With -v
// it prints how often each missing construct was met.
func TestSweep(t *testing.T) {
	cases, err := corpus.Load("../testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	world := newShipped()
	missing := map[string][]string{}
	planned := 0
	for _, c := range cases {
		checks, err := c.File.Checks()
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range checks {
			_, err := world.script().run(check.Script)
			switch {
			case err == nil:
				planned++
			case diag.Of(err).Code == diag.NotImplemented:
				msg := diag.Of(err).Msg
				missing[msg] = append(missing[msg], c.Name)
			case check.Mode == ftest.Error || refused[c.Name]:
				planned++
			default:
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
	if testing.Verbose() {
		report(missing, planned)
	}
}

func report(missing map[string][]string, planned int) {
	var msgs []string
	for m := range missing {
		msgs = append(msgs, m)
	}
	sort.Slice(msgs, func(i, j int) bool {
		if len(missing[msgs[i]]) != len(missing[msgs[j]]) {
			return len(missing[msgs[i]]) > len(missing[msgs[j]])
		}
		return msgs[i] < msgs[j]
	})
	fmt.Printf("%d scripts planned or refused as Flink does\n", planned)
	for _, m := range msgs {
		fmt.Printf("%5d  %s  (%s)\n", len(missing[m]), m, missing[m][0])
	}
}
