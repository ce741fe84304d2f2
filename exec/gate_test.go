package exec

import (
	"fmt"
	"strings"
	"testing"

	"fsql/row"
	"fsql/types"
)

// TestGateTranscripts feeds queues a, b, c and writes down all that the gate
// gives after each line. r is a row, @10 a mark, |1 a barrier; words after one
// another are one batch.
func TestGateTranscripts(t *testing.T) {
	cases := []struct{ name, inputs, script string }{
		{"one input passes unchanged", "a", `
a: r @10 r @20 => a: r @10 r @20
a: |1          => |1
a: @max        => a: @max`},
		{"event time is the lowest of the inputs, at the right rows", "ab", `
a: r @10 r           => a: r r
b: r @5 r @20 r      => b: r @5 r @10 r
a: r @15 r @18 r @30 => a: r @15 r @18 r @20
b: @25 r @40         => b: @25 r @30`},
		{"marks that do not raise event time are left out", "ab", `
a: @10   => a:
b: @10   => b: @10
b: r @12 => b: r
a: @11   => a: @11`},
		{"no input waits for one that has ended", "ab", `
a: r @10 => a: r
b: @max  => b: @10
a: r @20 => a: r @20
a: r @max => a: r @max`},
		{"the end is the end of all", "abc", `
a: @max => a:
b: @max => b:
c: r    => c: r
c: @max => c: @max`},
		{"an idle input does not hold back", "ab", `
a: @10 => a:
b: idle => b: @10
a: @20 => a: @20
b: active => 
a: @30 => a: @30
b: @25 => b:
b: @30 => b:
a: @40 => a:
b: r @35 => b: r @35`},
		{"idle when all are; the highest is announced first", "ab", `
a: @10 => a:
b: @15 => b: @10
a: idle => a: @15
b: idle => idle
a: active => active
a: @20 => a: @20`},
		{"the last to fall idle flushes what it held back", "abc", `
a: @30 => a:
b: @20 => b:
c: @10 => c: @10
a: idle => 
b: idle => 
c: idle => c: @30 idle`},
		{"the end of one input does not end an idle one", "ab", `
a: r @10 => a: r
b: @20 => b: @10
a: idle => a: @20
b: @max => b: idle
a: active => active
a: r @30 => a: r @30
a: @max => a: @max`},
		{"an input is held back from its barrier until all have theirs", "abc", `
a: r |1 r => a: r
b: |1     =>
b: r      =>
a: r      =>
c: r |1 r => c: r |1 a: r a: r b: r c: r`},
		{"barriers of several epochs", "ab", `
a: |1 r |2 r => 
b: r |1 => b: r |1 a: r
b: |2 => |2 a: r`},
		{"a held back input does not hold event time back wrongly", "ab", `
a: @10 |1 @50 => a:
b: @20 => b: @10
b: |1 => |1 a: @20`},
	}
	s := &types.Schema{}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var in []*input
			for range tc.inputs {
				in = append(in, &input{queue: NewQueue[Element](4), schema: s, port: len(in)})
			}
			g := newGate(in, func(int) int { return 0 }, nil)
			for _, line := range strings.Split(strings.TrimSpace(tc.script), "\n") {
				feed, want, _ := strings.Cut(line, "=>")
				q, words, _ := strings.Cut(feed, ":")
				push(in[q[0]-'a'].queue, s, words)
				var got []string
				for e, port, ok := g.Next(); ok; e, port, ok = g.Next() {
					got = append(got, describe(e, port))
				}
				g, w := strings.Join(got, " "), strings.TrimSpace(want)
				if strings.TrimSpace(g) != w {
					t.Fatalf("%s\ngot  %q\nwant %q", line, g, w)
				}
			}
		})
	}
}

func push(q *Queue[Element], s *types.Schema, words string) {
	b := &row.Batch{Schema: s}
	flush := func() {
		if b.Rows > 0 || len(b.Marks) > 0 {
			q.Push(Element{Batch: b})
		}
		b = &row.Batch{Schema: s}
	}
	for _, w := range strings.Fields(words) {
		switch {
		case w == "r":
			b.Rows++
		case w[0] == '@':
			m := row.Mark{Row: int32(b.Rows), Time: types.MaxTime}
			if w != "@max" {
				fmt.Sscan(w[1:], &m.Time)
			}
			b.Marks = append(b.Marks, m)
		case w[0] == '|':
			flush()
			var e types.Epoch
			fmt.Sscan(w[1:], &e)
			q.Push(Element{Kind: Barrier, Epoch: e})
		default:
			flush()
			k := Idle
			if w == "active" {
				k = Active
			}
			q.Push(Element{Kind: k})
		}
	}
	flush()
}

func describe(e Element, port int) string {
	switch e.Kind {
	case Idle:
		return "idle"
	case Active:
		return "active"
	case Barrier:
		return fmt.Sprint("|", e.Epoch)
	}
	out := string(rune('a'+port)) + ":"
	marks := e.Batch.Marks
	for r := 0; r <= e.Batch.Rows; r++ {
		for len(marks) > 0 && int(marks[0].Row) == r {
			if marks[0].Time == types.MaxTime {
				out += " @max"
			} else {
				out += fmt.Sprint(" @", marks[0].Time)
			}
			marks = marks[1:]
		}
		if r < e.Batch.Rows {
			out += " r"
		}
	}
	return out
}
