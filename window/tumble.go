package window

// tumble: windows of one size one after another, each of them one slice.
type tumble struct{ size, offset int64 }

func (w tumble) slice(t int64) (start, end int64) {
	start = floor(t, w.size, w.offset)
	return start, start + w.size
}

func (w tumble) window(slice, from int64) (int64, bool) { return slice, slice >= from }

func (w tumble) start(end int64) int64 { return end - w.size }

func (w tumble) nth(t, n int64) (start, end int64, ok bool) {
	start, end = w.slice(t)
	return start, end, n == 0
}
