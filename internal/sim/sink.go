package sim

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"

	"fsql/connector"
	"fsql/internal/rowtext"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// Sink keeps the table that the changes written to it make.
type Sink struct {
	mu      sync.Mutex
	table   map[string]int
	changes int
	dirty   int // rows written since the last flush of their writer
	open    int // writers that were not closed
	perTask []int

	vault *vault // nil: it has not joined a job with checkpoints
	world *World // of a sink that outlives its job; nil: it does not
}

// OpenWriter opens the writer of a subtask.
func (s *Sink) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.perTask) <= subtask {
		s.perTask = append(s.perTask, 0)
	}
	s.open++
	if s.vault != nil {
		return &preparer{writer: writer{sink: s, subtask: subtask}}, nil
	}
	return &writer{sink: s, subtask: subtask}, nil
}

// Accepts every kind.
func (s *Sink) Accepts() row.Kinds { return row.AllKinds }

// Adaptive implements connector.Adaptive.
func (s *Sink) Adaptive() {}

// Node is the plan node of the sink.
func (s *Sink) Node(name string, schema *types.Schema) *physical.Node {
	return &physical.Node{Sink: &physical.Sink{Name: name, Sink: s}, Schema: schema}
}

// Rows is the table, one sorted line for each row.
func (s *Sink) Rows() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for r, n := range s.table {
		for range n {
			out = append(out, r)
		}
		if n < 0 {
			out = append(out, fmt.Sprintf("%s (removed %d times too often)", r, -n))
		}
	}
	sort.Strings(out)
	return strings.Join(out, "\n")
}

// Changes is the number of rows of any kind that were written.
func (s *Sink) Changes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes
}

// PerSubtask is the number of rows that each subtask wrote.
func (s *Sink) PerSubtask() []int { return s.perTask }

// Forgotten tells what a job that has ended owes the sink.
func (s *Sink) Forgotten() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirty > 0 || s.open > 0 {
		return fmt.Errorf("sink: %d rows were never flushed, %d writers not closed", s.dirty, s.open)
	}
	if s.vault != nil {
		return s.vault.forgotten()
	}
	return nil
}

type writer struct {
	sink    *Sink
	subtask int
	dirty   int
}

func (w *writer) Write(_ context.Context, b *row.Batch) error {
	s := w.sink
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range b.Rows {
		s.apply(rowtext.Row(b, r))
	}
	s.dirty += b.Rows
	w.dirty += b.Rows
	s.perTask[w.subtask] += b.Rows
	return nil
}

// apply makes one change to the table.
func (s *Sink) apply(change string) {
	if s.table == nil {
		s.table = map[string]int{}
	}
	values := strings.TrimPrefix(change[2:], " | ")
	if change[0] == '+' {
		s.table[values]++
	} else {
		s.table[values]--
	}
	if s.table[values] == 0 {
		delete(s.table, values)
	}
	s.changes++
}

func (w *writer) Flush(context.Context) error {
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	w.sink.dirty -= w.dirty
	w.dirty = 0
	return nil
}

func (w *writer) Close() error {
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	w.sink.open--
	return nil
}
