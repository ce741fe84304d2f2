package ftest

// verbatim is embedded by records that people write: it keeps their lines and
// writes them back as they were.
type verbatim struct {
	Place
	lines []string
}

func (v *verbatim) keep(at Place, lines []string) { v.Place, v.lines = at, lines }

func (v *verbatim) write(w *writer) error {
	for _, l := range v.lines {
		w.line(l)
	}
	return nil
}
