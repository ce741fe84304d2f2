package output

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func schema() *types.Schema {
	return &types.Schema{Columns: []types.Column{{Name: "k", Type: types.String()}, {Name: "n", Type: types.Of(types.BigInt)}}}
}

type change struct {
	kind row.Kind
	k    string
	n    int64
}

func batch(changes ...change) *row.Batch {
	s := schema()
	k, n := row.NewVec(s.Columns[0].Type, len(changes)), row.NewVec(s.Columns[1].Type, len(changes))
	var kinds []row.Kind
	for i, c := range changes {
		k.Str[i], n.I64[i] = c.k, c.n
		kinds = append(kinds, c.kind)
	}
	return row.New(s, len(changes), []*row.Vec{k, n}, kinds)
}

func drawn(l *Live, v View) []string {
	lines, _ := l.Frame(v)
	return lines
}

func frameText(lines []string) string {
	var out []string
	for _, l := range lines {
		if strings.HasPrefix(l, "|") {
			out = append(out, strings.ReplaceAll(strings.Trim(l, "| "), " ", ""))
		}
	}
	return strings.Join(out, " ")
}

// A row that is updated keeps its place; a new one goes to the end; equal rows
// are shown as often as they are there.
func TestLiveKeepsPlaces(t *testing.T) {
	l := NewLive(schema(), Options{Format: Table, Zone: value.UTC()})
	now := time.Unix(1000, 0)
	frame := func() string { return frameText(drawn(l, View{Height: 20, Width: 80, Selected: -1, Now: now})) }
	l.Add(batch(change{row.Insert, "a", 1}, change{row.Insert, "b", 1}, change{row.Insert, "c", 1}))
	if got := frame(); got != "k|n a|1 b|1 c|1" {
		t.Error(got)
	}
	l.Add(batch(change{row.UpdateBefore, "a", 1}, change{row.UpdateAfter, "a", 2},
		change{row.UpdateBefore, "b", 1}, change{row.UpdateAfter, "b", 2}))
	if got := frame(); got != "k|n a|2 b|2 c|1" {
		t.Error(got)
	}
	l.Add(batch(change{row.Delete, "b", 2}, change{row.Insert, "d", 1}, change{row.Insert, "c", 1}))
	if got := frame(); got != "k|n a|2 c|1 c|1 d|1" {
		t.Error(got)
	}
	if l.Rows() != 4 || l.Changes() != 10 {
		t.Errorf("%d rows, %d changes", l.Rows(), l.Changes())
	}
	// The old image whose new one a filter dropped leaves no hole for others.
	l.Add(batch(change{row.UpdateBefore, "a", 2}, change{row.Insert, "e", 1}))
	l.Add(batch(change{row.UpdateBefore, "d", 1}, change{row.UpdateAfter, "d", 5}))
	if got := frame(); got != "k|n c|1 c|1 d|5 e|1" {
		t.Error(got)
	}
	var out bytes.Buffer
	if err := l.Print(&out, 3); err != nil {
		t.Fatal(err)
	}
	if want := "3 rows in set\n... and 1 more row\n"; !strings.HasSuffix(out.String(), want) {
		t.Error(out.String())
	}
}

func TestLiveFrame(t *testing.T) {
	l := NewLive(schema(), Options{Format: Table, Zone: value.UTC()})
	for i := range 5000 {
		l.Add(batch(change{row.Insert, strings.Repeat("x", 40), int64(i)}))
	}
	now := time.Unix(1000, 0)
	lines := drawn(l, View{Height: 10, Width: 30, Selected: -1, Now: now})
	if len(lines) != 10 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if len(line) > 30 {
			t.Errorf("too wide: %s", line)
		}
	}
	if got := drawn(l, View{Height: 10, Width: 80, Skip: 4997, Selected: -1, Now: now}); !strings.Contains(got[len(got)-2], "4999") {
		t.Errorf("the last page ends with %s", got[len(got)-2])
	}
	l = NewLive(schema(), Options{Format: Table, Zone: value.UTC()})
	l.Add(batch(change{row.Insert, "a", 1}, change{row.Insert, "b", 1}))
	bright := func() bool {
		return strings.Contains(strings.Join(drawn(l, View{Height: 10, Width: 80, Selected: -1, Now: now, Color: true}), ""), "\x1b[")
	}
	if bright() {
		t.Error("a new row stands out")
	}
	l.Add(batch(change{row.UpdateBefore, "a", 1}, change{row.UpdateAfter, "a", 2}))
	if !bright() {
		t.Error("a changed cell does not stand out")
	}
	now = now.Add(glow)
	if bright() {
		t.Error("it stands out for more than a second")
	}
}

func TestTablesFitTheScreen(t *testing.T) {
	text := func(mode Mode, width int, blocks bool) string {
		var out bytes.Buffer
		p := New(&out, schema(), row.InsertOnly, Options{Mode: mode, Format: Table, Op: OpAuto, Zone: value.UTC(), Width: width, Blocks: blocks})
		for range 2 {
			if err := p.Print(batch(change{row.Insert, "twenty characters in", 1234567})); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for name, c := range map[string]struct {
		mode   Mode
		width  int
		blocks bool
		want   string
	}{
		"any":          {Final, 0, true, "| twenty characters in | 1234567 |"},
		"text first":   {Final, 30, true, "| twenty charac... | 1234567 |"},
		"narrow":       {Final, 19, false, "| twe... | 123... |"}, // 6 is the least
		"blocks":       {Final, 20, true, "-[ row 2 ]\nk | twenty characters in\nn | 1234567\n2 rows in set"},
		"log":          {Log, 40, true, "| twenty c"},
		"log blocks":   {Log, 20, true, "-[ row 2 ]\nk | twenty characters in\nn | 1234567\nReceived a total of 2 rows"},
		"log any":      {Log, 0, true, "|           twenty characters in |              1234567 |"},
		"wide enough":  {Final, 34, true, "| twenty characters in | 1234567 |"},
		"one too many": {Final, 33, true, "| twenty character... | 1234567 |"},
	} {
		t.Run(name, func(t *testing.T) {
			got := text(c.mode, c.width, c.blocks)
			if !strings.Contains(got, c.want) {
				t.Errorf("no %q in\n%s", c.want, got)
			}
			for line := range strings.Lines(got) {
				if c.width > 0 && len(line)-1 > c.width && strings.HasPrefix(line, "|") {
					t.Errorf("too wide: %s", line)
				}
			}
		})
	}
}

// Cut leaves complete lines and no count.
func TestCut(t *testing.T) {
	var out bytes.Buffer
	p := New(&out, schema(), row.AllKinds, Options{Mode: Log, Format: Table, Op: OpAuto, Zone: value.UTC(), Width: 40})
	if err := p.Print(batch(change{row.UpdateAfter, "a", 1})); err != nil {
		t.Fatal(err)
	}
	if err := Cut(p); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); strings.Contains(s, "Received") || strings.Count(s, "+----+") != 3 || !strings.Contains(s, "| +U |") {
		t.Error(s)
	}
}
