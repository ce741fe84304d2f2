package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// The machine is compared with what the patterns mean, over random rows, marks
// and sizes of batches: all rows that are not late, sorted, are searched from each
// row on, and the next search begins where AFTER MATCH SKIP says. Each variable takes rows of its
// own letter, so that there is one way to match at most from each row.

type twinRow struct {
	key    string
	at     int64
	letter string
	v      int32
	seq    int
}

// twinCase is a pattern: a letter for each variable, and how many rows of it.
type twinCase struct {
	words string
	parts []twinPart
}

type twinPart struct {
	letter      string
	least, most int // most -1: any number
}

// match matches rows from the first one on: how many rows each variable takes, or
// nil, and how many rows show that. open: the rows ended before it was known.
func (c *twinCase) match(rows []twinRow) (took []int, seen int, open bool) {
	for _, p := range c.parts {
		n := 0
		for seen+n < len(rows) && (p.most < 0 || n < p.most) && rows[seen+n].letter == p.letter {
			n++
		}
		seen += n
		if n < p.least {
			// The row behind those that fit, if there is one, ends the run.
			return nil, seen + 1, seen >= len(rows)
		}
		took = append(took, n)
	}
	return took, seen, false
}

const letters = "A:c='a' B:c='b' C:c='c'"

var twinCases = []twinCase{
	{"pattern=A_B", []twinPart{{"a", 1, 1}, {"b", 1, 1}}},
	{"pattern=A+_B", []twinPart{{"a", 1, -1}, {"b", 1, 1}}},
	{"pattern=A_B*_C", []twinPart{{"a", 1, 1}, {"b", 0, -1}, {"c", 1, 1}}},
	{"pattern=A{2}_B_C", []twinPart{{"a", 2, 2}, {"b", 1, 1}, {"c", 1, 1}}},
	{"pattern=A{2,3}?_B?_C", []twinPart{{"a", 2, 3}, {"b", 0, 1}, {"c", 1, 1}}},
	{"pattern=A{1,2}_B{0,2}_C", []twinPart{{"a", 1, 2}, {"b", 0, 2}, {"c", 1, 1}}},
	{"pattern=A+?_B{1,}_C", []twinPart{{"a", 1, -1}, {"b", 1, -1}, {"c", 1, 1}}},
}

func TestTwin(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{
		{Name: "k", Type: types.String()}, {Name: "ts", Type: types.TimestampOf(3)}, {Name: "c", Type: types.String()}, {Name: "v", Type: types.Of(types.Int)},
	}}
	found := 0
	for n := range 400 {
		r := rand.New(rand.NewPCG(uint64(n), 3))
		c := twinCases[r.IntN(len(twinCases))]
		skips := []string{"past", "next"}
		if c.parts[0].least == 2 {
			skips = append(skips, "last:A")
		}
		if c.parts[1].least > 0 {
			skips = append(skips, "first:B")
		}
		skip := skips[r.IntN(len(skips))]
		within := []string{"", "within=4s", "within=9s"}[r.IntN(3)]
		words := strings.Fields("by=k time=ts " + letters + " " + c.words + " skip=" + skip + " " + within + " measures=FIRST(v);LAST(v);COUNT(A.v)")
		s := newSpec(t, in, words)
		happenings, want := twinAnswer(r, s, &c)
		found += len(want)
		for _, size := range []int{1, 2, 7, 1024} {
			got := twinRun(t, s, in, happenings, size)
			if got != want {
				t.Fatalf("seed %d, %s, batches of %d: got\n%s\nwant\n%s\nrows %v", n, strings.Join(words, " "), size, got, want, happenings)
			}
		}
	}
	if found < 4000 {
		t.Errorf("%d bytes of matches in all: the rows are too wild", found)
	}
}

// happening is a row, or, without a key, a mark.
type happening struct {
	twinRow
	mark bool
}

// twinAnswer makes rows and marks, and what must come out, sorted.
func twinAnswer(r *rand.Rand, s *Spec, c *twinCase) ([]happening, string) {
	var all []happening
	parts := map[string][]twinRow{}
	clock, mark := int64(0), types.MinTime
	for i := range 20 + r.IntN(60) {
		if r.IntN(4) == 0 {
			if w := types.Time(clock*1000 - int64(r.IntN(4000))); w > mark {
				mark = w
				all = append(all, happening{twinRow{at: int64(w)}, true})
			}
		}
		clock += int64(r.IntN(2))
		h := twinRow{key: string(rune('p' + r.IntN(3))), at: (clock - int64(r.IntN(3))) * 1000, letter: string("aabbcx"[r.IntN(6)]), v: int32(r.IntN(5)), seq: i}
		all = append(all, happening{h, false})
		if types.Time(h.at) > mark {
			parts[h.key] = append(parts[h.key], h)
		}
	}
	all = append(all, happening{twinRow{at: int64(types.MaxTime)}, true})
	var lines []string
	for key, rows := range parts {
		slices.SortStableFunc(rows, func(a, b twinRow) int { return int(a.at - b.at) })
		for i := 0; i < len(rows); {
			took, seen, open := c.match(rows[i:])
			from := i + 1
			switch last := i + seen - 1; {
			case s.Within > 0 && (open || took == nil || types.Time(rows[last].at-rows[i].at) >= s.Within):
				// It is over in time, whatever it would have become.
			case open:
				i = len(rows) // matches that begin later wait for ever
				continue
			case took != nil:
				lines = append(lines, fmt.Sprintf("'%s' | %d | %d | %d", key, rows[i].v, rows[last].v, took[0]))
				switch s.Skip.To {
				case PastLast:
					from = last + 1
				case ToFirst:
					from = i + took[0]
				case ToLast:
					from = i + took[0] - 1
				}
			}
			i = from
		}
	}
	slices.Sort(lines)
	return all, strings.Join(lines, "\n")
}

// twinRun gives what the operator sends, sorted.
func twinRun(t *testing.T, s *Spec, in *types.Schema, all []happening, size int) string {
	o, err := s.Build(testContext(size))
	if err != nil {
		t.Fatal(err)
	}
	o = op.Checked(o, s, row.InsertOnly)
	var lines []string
	take := op.EmitFunc(func(b *row.Batch) error {
		for r := range b.Rows {
			var cells []string
			for _, c := range b.Cols {
				cells = append(cells, rowtext.Value(c, r))
			}
			lines = append(lines, strings.Join(cells, " | "))
		}
		return nil
	})
	for len(all) > 0 {
		b := row.NewBuilder(in)
		for b.Len() < size && len(all) > 0 {
			h := all[0]
			all = all[1:]
			if h.mark {
				b.Mark(types.Time(h.at))
				continue
			}
			for i, v := range []func(v *row.Vec){
				func(v *row.Vec) { v.Str[v.Len-1] = h.key }, func(v *row.Vec) { v.I64[v.Len-1] = h.at * 1000 },
				func(v *row.Vec) { v.Str[v.Len-1] = h.letter }, func(v *row.Vec) { v.I32[v.Len-1] = h.v },
			} {
				b.Cols[i].Extend(1)
				v(b.Cols[i])
			}
			b.Added(1, row.Insert)
		}
		in := b.Flush()
		for more := true; more; {
			if more, err = o.OnBatch(0, in, take); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
