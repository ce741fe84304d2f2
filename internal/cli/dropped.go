package cli

import "fsql/session"

// dropped says how many rows are in no answer because they came late, or were
// skipped because they could not be read: both are what a user asked for by a
// watermark or an option, and both are easily overlooked. Nothing is said where
// --stats says it with the place.
func (r *runner) dropped(p *session.Progress) {
	if p == nil || r.o.stats {
		return
	}
	var late, errors int64
	for _, s := range p.Steps {
		late += s.Late
		errors += s.Errors
	}
	if late > 0 {
		r.note("%s dropped: behind the watermark (--stats says where)", count64(late, "late row"))
	}
	if errors > 0 {
		r.note("%s skipped: not readable (--stats says where)", count64(errors, "row"))
	}
}
