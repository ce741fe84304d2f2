package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// vault is what a sink has on its disk: parts that are written, prepared and
// published, as files are. What was written and not prepared is lost in a
// crash; the part stays, and somebody has to remove it.
type vault struct {
	parts map[int]*part
	next  int
}

type part struct {
	rows      []string // changes
	safe      int      // rows that survive a crash
	done      bool     // nothing is added any more
	published types.Epoch
}

// Ways in which a sink can be broken on purpose.
const (
	brokenAbort  = "leftovers are not removed"
	brokenRepeat = "publishing again repeats rows"
	brokenCarry  = "what was in progress is not published"
)

// Join implements connector.Transactional.
func (s *Sink) Join(string) {
	if s.vault == nil {
		s.vault = &vault{parts: map[int]*part{}}
	}
}

// crash loses what is not safe.
func (s *Sink) crash() {
	s.open, s.dirty = 0, 0
	if s.vault != nil {
		for _, p := range s.vault.parts {
			p.rows = p.rows[:p.safe]
		}
	}
}

func (v *vault) forgotten() error {
	for _, id := range slices.Sorted(maps.Keys(v.parts)) {
		if p := v.parts[id]; p.published == 0 {
			return fmt.Errorf("sink: part %d of %d rows was never published or removed", id, len(p.rows))
		}
	}
	return nil
}

// preparer is the writer of a sink that has joined a job.
type preparer struct {
	writer
	part *part
	id   int
}

// Write adds rows to the writer's part.
func (w *preparer) Write(_ context.Context, b *row.Batch) error {
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	if w.part == nil {
		v := w.sink.vault
		w.id, w.part = v.next, &part{}
		v.next++
		v.parts[w.id] = w.part
	}
	for r := range b.Rows {
		w.part.rows = append(w.part.rows, rowtext.Row(b, r))
	}
	return nil
}

// Prepare makes the rows safe. The part is done, or goes on over the epoch as a
// file does that is not large enough yet.
func (w *preparer) Prepare(_ context.Context, _ types.Epoch, last bool) ([]byte, error) {
	p := w.part
	if p == nil {
		return nil, nil
	}
	p.safe = len(p.rows)
	if !last && w.sink.goesOn() {
		return fmt.Appendf(nil, "%d %d open", w.id, p.safe), nil
	}
	p.done, w.part = true, nil
	return fmt.Appendf(nil, "%d %d done", w.id, p.safe), nil
}

// fails draws whether a publication fails, goesOn whether a part goes on over an
// epoch; broken is the way in which the sink is broken. A sink without a world
// is whole and never fails.
func (s *Sink) fails() bool  { return s.world != nil && s.world.fails() }
func (s *Sink) goesOn() bool { return s.world != nil && s.world.Rand.IntN(2) == 0 }

func (s *Sink) broken() string {
	if s.world == nil {
		return ""
	}
	return s.world.broken
}

// Commit implements connector.Transactional.
func (s *Sink) Commit(_ context.Context, e types.Epoch, prepared [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails() {
		return errDied
	}
	for _, b := range lines(prepared) {
		id, _, done := parsePart(b)
		if !done {
			continue
		}
		p := s.vault.parts[id]
		if p == nil {
			return fmt.Errorf("sink: part %d is lost", id)
		}
		if p.published > 0 && s.broken() != brokenRepeat {
			continue
		}
		p.published = e
		for _, change := range p.rows {
			s.apply(change)
		}
	}
	if s.fails() {
		return errDied
	}
	return nil
}

// Recover implements connector.Transactional.
func (s *Sink) Recover(ctx context.Context, e types.Epoch, prepared [][]byte, withdraw bool) (carried []byte, err error) {
	if withdraw {
		return nil, errors.New("sink: nothing can be taken back")
	}
	if err := s.Commit(ctx, e, prepared); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, open := map[int]bool{}, map[int]int{}
	for _, b := range lines(prepared) {
		// The epochs of a writer follow each other: the last word counts.
		id, size, done := parsePart(b)
		kept[id] = true
		if open[id] = size; done {
			delete(open, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(open)) {
		size := open[id]
		p := s.vault.parts[id]
		if p == nil || len(p.rows) < size {
			return nil, fmt.Errorf("sink: part %d is lost, or short", id)
		}
		p.rows, p.safe, p.done = p.rows[:size], size, true
		if s.broken() != brokenCarry {
			carried = fmt.Appendf(carried, "%d %d done\n", id, size)
		}
	}
	for id, p := range s.vault.parts {
		if p.published == 0 && !kept[id] && s.broken() != brokenAbort {
			delete(s.vault.parts, id)
		}
	}
	return carried, nil
}

// parsePart reads a line of what was prepared.
func parsePart(line []byte) (id, size int, done bool) {
	var word string
	fmt.Sscanf(string(line), "%d %d %s", &id, &size, &word)
	return id, size, word == "done"
}

// lines parts what was prepared into lines.
func lines(prepared [][]byte) (out [][]byte) {
	for _, b := range prepared {
		for line := range strings.Lines(string(b)) {
			out = append(out, []byte(line))
		}
	}
	return out
}
