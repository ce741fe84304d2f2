package window

// cumulate: within each window of the full size, windows with its start whose
// ends are a step apart. Slices are the steps.
type cumulate struct{ size, step, offset int64 }

func (w cumulate) slice(t int64) (start, end int64) {
	start = floor(t, w.step, w.offset)
	return start, start + w.step
}

func (w cumulate) window(slice, from int64) (int64, bool) {
	if from <= slice {
		return slice, true
	}
	if from > w.full(slice) {
		return 0, false
	}
	return ceil(from, w.step, w.offset), true
}

// full is the end of the window of full size that holds the step ending at end.
func (w cumulate) full(end int64) int64 { return w.start(end) + w.size }

func (w cumulate) start(end int64) int64 { return floor(end-1, w.size, w.offset) }

func (w cumulate) nth(t, n int64) (start, end int64, ok bool) {
	start = floor(t, w.size, w.offset)
	_, end = w.slice(t)
	end += n * w.step
	return start, end, end <= start+w.size
}
