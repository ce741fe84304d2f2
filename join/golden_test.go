package join

import (
	"strings"
	"testing"
	"time"

	"fsql/internal/golden"
	"fsql/op"
	"fsql/types"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"interval", "regular", "temporal", "window"} {
		t.Run(file, func(t *testing.T) {
			golden.RunOperator(t, "testdata/"+file+".txt", func(c *golden.Case) op.Spec { return goldenSpec(t, c) })
		})
	}
}

// goldenSpec makes the spec of an operator line:
//
//	operator interval left on=k:k time=ts:ts lo=-5m hi=0s out=id,tug proctime
//	operator regular full on=k:k unique=id:tug safe cond
//	operator window anti on=we:we,k:k time=wt:wt cond hold=5m
//	operator temporal left on=k:k time=ts:ts safe cond
//
// A:B are columns of the left and the right side; cond is that the last column
// of the left side is less than that of the right one.
func goldenSpec(t *testing.T, c *golden.Case) op.Spec {
	var kind Kind
	for kind.String() != strings.ToUpper(c.Args[1]) {
		if kind++; kind > Anti {
			t.Fatalf("no join %q", c.Args[1])
		}
	}
	l, r := Side{In: c.Inputs[0]}, Side{In: c.Inputs[1]}
	var safe []bool
	if c.Arg("on") != "" {
		l.Keys, r.Keys = columnPair(c, "on")
		safe = make([]bool, len(l.Keys))
		for i := range safe {
			safe[i] = c.Has("safe")
		}
	}
	both := concat(l.In, r.In)
	cols, out := allColumns(kind, l.In, r.In)
	if names := c.Arg("out"); names != "" {
		taken := map[string]bool{}
		cols, out = narrowed(cols, out, func(i int) bool {
			name := both.Columns[i].Name
			first := !taken[name]
			taken[name] = true
			return first && strings.Contains(","+names+",", ","+name+",")
		})
	}
	if c.Args[0] == "regular" {
		s := &RegularSpec{Kind: kind, L: l, R: r, NullSafe: safe, Cols: cols, Out: out}
		s.L.Unique, s.R.Unique = columnPair(c, "unique")
		if c.Has("cond") {
			s.Cond = compare(t, "<", both, len(l.In.Columns)-1, len(both.Columns)-1)
		}
		return s
	}
	if c.Args[0] == "window" {
		a, b := columnPair(c, "time")
		l.Time, r.Time = a[0], b[0]
		s := &WindowSpec{Kind: kind, L: l, R: r, NullSafe: safe, Cols: cols, Out: out}
		if hold := c.Arg("hold"); hold != "" {
			s.Hold = duration(t, hold)
		}
		if c.Has("cond") {
			s.Cond = compare(t, "<", both, len(l.In.Columns)-1, len(both.Columns)-1)
		}
		return s
	}
	a, b := columnPair(c, "time")
	l.Time, r.Time = a[0], b[0]
	if c.Args[0] == "temporal" {
		s := &TemporalSpec{Kind: kind, L: l, R: r, NullSafe: safe, Cols: cols, Out: out}
		if c.Has("cond") {
			s.Cond = compare(t, "<", both, len(l.In.Columns)-1, len(both.Columns)-1)
		}
		return s
	}
	return &IntervalSpec{
		Kind: kind, L: l, R: r, NullSafe: safe, Lo: duration(t, c.Arg("lo")), Hi: duration(t, c.Arg("hi")),
		Proctime: c.Has("proctime"), Cols: cols, Out: out,
	}
}

// columnPair reads A:B,A:B; an empty name is no column.
func columnPair(c *golden.Case, arg string) (l, r []int) {
	for _, pair := range strings.Split(c.Arg(arg), ",") {
		a, b, _ := strings.Cut(pair, ":")
		if a != "" {
			l = append(l, c.Inputs[0].Index(a))
		}
		if b != "" {
			r = append(r, c.Inputs[1].Index(b))
		}
	}
	return l, r
}

func duration(t *testing.T, text string) types.Time {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return types.Time(d.Milliseconds())
}
