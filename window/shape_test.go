package window

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsql/types"
)

// twin enumerates every window of w near t that holds t, from the definition:
// starts (HOP) or full windows (CUMULATE) lie at offset plus whole steps.
func twin(w Window, t int64) (all [][2]int64) {
	size, slide, offset := int64(w.Size), int64(w.Slide), int64(w.Offset)
	grid := func(x, step int64) bool { return (x-offset)%step == 0 }
	for s := t + 1 - size; s <= t; s++ {
		switch w.Kind {
		case Tumble:
			if grid(s, size) {
				all = append(all, [2]int64{s, s + size})
			}
		case Hop:
			if grid(s, slide) {
				all = append(all, [2]int64{s, s + size})
			}
		case Cumulate:
			if grid(s, size) {
				for end := s + slide; end <= s+size; end += slide {
					if t < end {
						all = append(all, [2]int64{s, end})
					}
				}
			}
		}
	}
	if w.Kind == Hop { // Flink gives the last window first
		for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
			all[i], all[j] = all[j], all[i]
		}
	}
	return all
}

func TestShapesAgainstTwin(t *testing.T) {
	below := rand.New(rand.NewPCG(1, 1)).Int64N
	for i := 0; i < 20_000; i++ {
		w := Window{Kind: Kind(below(3)), Size: types.Time(1 + below(40)), Offset: types.Time(below(100) - 50)}
		switch w.Kind {
		case Tumble:
			w.Offset %= w.Size
		case Hop:
			w.Slide = types.Time(1 + below(40))
		case Cumulate:
			w.Slide = types.Time(1 + below(10))
			w.Size = w.Slide * types.Time(1+below(5))
		}
		if err := w.Check(false); err != nil {
			t.Fatal(err)
		}
		s, at := w.shape(), below(400)-200
		want := twin(w, at)
		for n := int64(0); ; n++ {
			start, end, ok := s.nth(at, n)
			if ok != (n < int64(len(want))) {
				t.Fatalf("%v at %d: %d windows, want %v", w, at, n, want)
			}
			if !ok {
				break
			}
			if start != want[n][0] || end != want[n][1] || s.start(end) != start {
				t.Fatalf("%v at %d: window %d is [%d, %d), want %v; start(end) is %d", w, at, n, start, end, want, s.start(end))
			}
		}
		from, slice := s.slice(at)
		if at < from || at >= slice || s2(s.slice(from)) != slice || s2(s.slice(slice)) == slice {
			t.Fatalf("%v: slice of %d is [%d, %d)", w, at, from, slice)
		}
		for _, after := range []int64{math.MinInt64, math.MaxInt64, at - below(60), at + below(60)} {
			best, found := int64(0), false
			for _, win := range want {
				if win[1] >= after && (!found || win[1] < best) {
					best, found = win[1], true
				}
			}
			if end, ok := s.window(slice, after); ok != found || ok && end != best {
				t.Fatalf("%v: window(%d, %d) = %d, %v, want %d, %v", w, slice, after, end, ok, best, found)
			}
		}
	}
}

func s2(_, end int64) int64 { return end }

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		w    Window
		agg  bool
		want string
	}{
		{Window{Kind: Tumble, Size: 0}, true, "TUMBLE: the size must be positive, it is 0 ms"},
		{Window{Kind: Tumble, Size: 300_000, Offset: 300_000}, false, "TUMBLE: the offset 5 min must be less than the size 5 min"},
		{Window{Kind: Tumble, Size: 300_000, Offset: -299_999}, false, ""},
		{Window{Kind: Hop, Size: 900_000, Slide: 600_000}, true, "HOP: the size 15 min must be a whole multiple of the slide 10 min"},
		{Window{Kind: Hop, Size: 900_000, Slide: 600_000, Offset: 960_000}, false, ""},
		{Window{Kind: Hop, Size: 900_000}, false, "HOP: the slide must be positive, it is 0 ms"},
		{Window{Kind: Cumulate, Size: 900_000, Slide: 240_000}, false, "CUMULATE: the size 15 min must be a whole multiple of the step 4 min"},
		{Window{Kind: Session, Size: -1}, true, "SESSION: the gap must be positive, it is -1 ms"},
	} {
		got := ""
		if err := c.w.Check(c.agg); err != nil {
			got = err.Msg
		}
		if got != c.want {
			t.Errorf("%+v: %q, want %q", c.w, got, c.want)
		}
	}
}

func TestWindowText(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{{Name: "id", Type: types.Of(types.Int)}, {Name: "ts", Type: types.TimestampOf(3)}}}
	for want, w := range map[string]Window{
		"TUMBLE(time_col=[ts], size=[1 d], offset=[-30 min])":     {Kind: Tumble, Size: 24 * hour, Offset: -30 * 60_000, Time: 1},
		"HOP(time_col=[ts], size=[15 min], slide=[5 min])":        {Kind: Hop, Size: 900_000, Slide: 300_000, Time: 1},
		"CUMULATE(time_col=[ts], max_size=[90 s], step=[500 ms])": {Kind: Cumulate, Size: 90_000, Slide: 500, Time: 1},
		"SESSION(time_col=[ts], gap=[2 h])":                       {Kind: Session, Size: 2 * hour, Time: 1},
	} {
		if got := w.Text(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
