package exec

import (
	"fmt"
	"strings"
	"testing"

	"fsql/connector"
	"fsql/row"
	"fsql/types"
)

// scripted is a reader of which only the splits matter.
type scripted struct {
	parts []connector.PartState
	at    int
}

func (s *scripted) Part() int                    { return s.at }
func (s *scripted) Parts() []connector.PartState { return s.parts }

// TestParts: event time of a source is the least of its splits that have not
// ended, a split without rows holds it back, and it never falls.
func TestParts(t *testing.T) {
	reader := &scripted{parts: []connector.PartState{{ID: "a"}, {ID: "b"}}}
	p := &parts{reader: reader}
	of := newEventTime(types.MinTime, 0)
	give := func(at int, ms ...int64) string {
		t.Helper()
		reader.at = at
		v := row.NewVec(types.TimestampOf(3), len(ms))
		for i, m := range ms {
			v.I64[i] = m * 1000
		}
		p.polled(len(ms), 0)
		var out []string
		for _, m := range p.marks(of, v, len(ms)) {
			out = append(out, fmt.Sprintf("%d@%d", m.Time, m.Row))
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		at   int
		ms   []int64
		want string
	}{
		{0, []int64{10, 20}, ""},           // b has said nothing
		{1, []int64{5, 3, 30}, "5@1 20@3"}, // no further than a
		{0, []int64{25, 40}, "25@1 30@2"},  // no further than b
		{0, []int64{35}, ""},
	} {
		if got := give(c.at, c.ms...); got != c.want {
			t.Errorf("split %d, %v: %s, want %s", c.at, c.ms, got, c.want)
		}
	}
	again := &parts{reader: reader}
	if err := again.recall(p.remembered()); err != nil {
		t.Fatal(err)
	}
	again.polled(0, 0)
	if again.least(-1) != 30 || again.least(1) != 40 {
		t.Errorf("after a restart: %d, %d", again.least(-1), again.least(1))
	}
	reader.parts = append(reader.parts, connector.PartState{ID: "c"})
	if p.polled(0, 0); p.least(-1) != types.MinTime {
		t.Error("a new split does not hold event time back")
	}
	reader.parts[2].Ended, reader.parts[1].Ended = true, true
	if !p.polled(0, 0) || p.least(-1) != 40 {
		t.Errorf("after the end of the others: %d", p.least(-1))
	}
}

// TestPartsAcrossBatches: rows of several splits in one batch, and of one in
// several.
func TestPartsAcrossBatches(t *testing.T) {
	reader := &scripted{parts: []connector.PartState{{ID: "a"}, {ID: "b"}}}
	p := &parts{reader: reader}
	p.polled(2, 0)
	reader.at = 1
	p.polled(2, 0)
	v := row.NewVec(types.TimestampOf(3), 4)
	copy(v.I64, []int64{10_000, 20_000, 15_000, 16_000})
	of := newEventTime(types.MinTime, 0)
	first := p.marks(of, v.Slice(0, 3), 3)
	rest := p.marks(of, v.Slice(3, 4), 1)
	if got := fmt.Sprint(first, rest); got != "[{3 15}] [{1 16}]" {
		t.Error(got)
	}
}
