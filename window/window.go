// Package window holds windows: their arithmetic, the aggregation over them and
// the window table functions.
//
// All windows lie on the wall clock. For a TIMESTAMP column that is the value
// itself, for a TIMESTAMP_LTZ column the clock of the session time zone, so
// that days begin at local midnight and are 23 or 25 hours long twice a year
// (clock.go is where the two meet). Windows are half open, [start, end), in
// milliseconds.
//
// TUMBLE, HOP and CUMULATE are sliced: a row belongs to one slice, a window is
// a run of slices (shape). SESSION windows grow by the rows of a key.
package window

import (
	"fmt"

	"fsql/internal/diag"
	"fsql/types"
)

// Kind is the kind of a window by time.
type Kind uint8

// The kinds.
const (
	Tumble Kind = iota
	Hop
	Cumulate
	Session
)

// String is the name of the table function.
func (k Kind) String() string { return [...]string{"TUMBLE", "HOP", "CUMULATE", "SESSION"}[k&3] }

// Window says how the rows of an input are assigned to windows. Lengths are in
// milliseconds.
type Window struct {
	Kind     Kind
	Size     types.Time // the gap of SESSION
	Slide    types.Time // the slide of HOP, the step of CUMULATE
	Offset   types.Time // moves all bounds; on the local clock
	Time     int        // time column of the input
	Zone     string     // session time zone, "" unless the column is TIMESTAMP_LTZ
	Proctime bool       // by processing time: rows get the time at which they arrive
}

// Check tells what is wrong with the lengths. Aggregation over the table
// function HOP needs whole slides (aggregate); the standalone function and the
// legacy group window do not. Flink checks the offset of TUMBLE alone.
func (w Window) Check(aggregate bool) *diag.Error {
	bad := func(format string, args ...any) *diag.Error {
		return diag.New(diag.BadWindow, diag.Span{}, w.Kind.String()+": "+format, args...)
	}
	size, slide := "size", "slide"
	switch w.Kind {
	case Cumulate:
		slide = "step"
	case Session:
		size = "gap"
	}
	if w.Size <= 0 {
		return bad("the %s must be positive, it is %s", size, length(w.Size))
	}
	switch w.Kind {
	case Tumble:
		if w.Offset <= -w.Size || w.Offset >= w.Size {
			return bad("the offset %s must be less than the size %s", length(w.Offset), length(w.Size)).
				WithHint("windows repeat every %s: an offset of %s gives the same ones", length(w.Size), length(w.Offset%w.Size))
		}
	case Hop, Cumulate:
		if w.Slide <= 0 {
			return bad("the %s must be positive, it is %s", slide, length(w.Slide))
		}
		if (w.Kind == Cumulate || aggregate) && w.Size%w.Slide != 0 {
			return bad("the size %s must be a whole multiple of the %s %s", length(w.Size), slide, length(w.Slide)).
				WithHint("the nearest size that is one is %s", length(max(w.Slide, (w.Size+w.Slide/2)/w.Slide*w.Slide)))
		}
	}
	return nil
}

// Text prints the window over input in as EXPLAIN does:
// "HOP(time_col=[ts], size=[15 min], slide=[5 min])".
func (w Window) Text(in *types.Schema) string {
	return w.text("time_col=[" + in.Columns[w.Time].Name + "], ")
}

// Shape prints the kind and the lengths alone.
func (w Window) Shape() string { return w.text("") }

func (w Window) text(over string) string {
	s := w.Kind.String() + "(" + over
	switch w.Kind {
	case Tumble:
		s += fmt.Sprintf("size=[%s]", length(w.Size))
	case Hop:
		s += fmt.Sprintf("size=[%s], slide=[%s]", length(w.Size), length(w.Slide))
	case Cumulate:
		s += fmt.Sprintf("max_size=[%s], step=[%s]", length(w.Size), length(w.Slide))
	case Session:
		s += fmt.Sprintf("gap=[%s]", length(w.Size))
	}
	if w.Offset != 0 {
		s += fmt.Sprintf(", offset=[%s]", length(w.Offset))
	}
	return s + ")"
}

// length prints a length of time in the largest unit that divides it, with
// Flink's unit names.
func length(ms types.Time) string {
	for _, u := range [...]struct {
		ms   types.Time
		name string
	}{{86_400_000, "d"}, {3_600_000, "h"}, {60_000, "min"}, {1000, "s"}} {
		if ms != 0 && ms%u.ms == 0 {
			return fmt.Sprintf("%d %s", ms/u.ms, u.name)
		}
	}
	return fmt.Sprintf("%d ms", ms)
}

// shape is the arithmetic of a sliced kind, on the wall clock.
type shape interface {
	// slice is the bounds of the slice that holds t.
	slice(t int64) (start, end int64)
	// window is the end of the first window that holds the slice ending at
	// slice and itself ends at from or later; ok is false if there is none.
	window(slice, from int64) (end int64, ok bool)
	// start is the start of the window that ends at end.
	start(end int64) int64
	// nth is the n-th window that holds t, in the order in which Flink's
	// table function gives them; ok is false beyond the last.
	nth(t int64, n int64) (start, end int64, ok bool)
}

func (w Window) shape() shape {
	size, slide, offset := int64(w.Size), int64(w.Slide), int64(w.Offset)
	switch w.Kind {
	case Hop:
		return newHop(size, slide, offset)
	case Cumulate:
		return cumulate{size: size, step: slide, offset: offset}
	}
	return tumble{size: size, offset: offset}
}

// floor is the greatest number at or below t that is offset plus a multiple of
// step.
func floor(t, step, offset int64) int64 {
	r := (t - offset) % step
	if r < 0 {
		r += step
	}
	return t - r
}

// ceil is the least such number at or above t.
func ceil(t, step, offset int64) int64 { return floor(t+step-1, step, offset) }
