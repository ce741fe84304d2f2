package window

// hop: windows of one size that start every slide. The slices are as wide as
// the greatest common divisor of the two, which is the slide in window table
// functions under an aggregation; legacy windows may have any two lengths, and
// gaps between the windows when the slide is above the size.
type hop struct{ size, slide, offset, width int64 }

func newHop(size, slide, offset int64) hop {
	a, b := size, slide
	for b != 0 {
		a, b = b, a%b
	}
	return hop{size: size, slide: slide, offset: offset, width: a}
}

func (w hop) slice(t int64) (start, end int64) {
	start = floor(t, w.width, w.offset)
	return start, start + w.width
}

func (w hop) window(slice, from int64) (int64, bool) {
	last := floor(slice-w.width, w.slide, w.offset) + w.size
	if last < slice || last < from {
		return 0, false
	}
	return ceil(max(slice, from), w.slide, w.offset+w.size), true
}

func (w hop) start(end int64) int64 { return end - w.size }

// nth counts from the last window back, as Flink does.
func (w hop) nth(t, n int64) (start, end int64, ok bool) {
	start = floor(t, w.slide, w.offset) - n*w.slide
	return start, start + w.size, start > t-w.size
}
