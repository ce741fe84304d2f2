// Package print is the sink that writes every change as a line of text.
package print

import (
	"context"
	"fmt"
	"io"
	"sync"

	"fsql/connector"
	"fsql/internal/option"
	"fsql/row"
)

// Connector returns the print connector. It writes to the table's Out, or to
// Err with 'standard-error'.
func Connector() *connector.Connector {
	return &connector.Connector{
		Name: "print",
		Options: &option.Set{Defs: []option.Def{
			{Key: "print-identifier", Type: option.String, Doc: "text before every line, parted by '> '"},
			{Key: "standard-error", Type: option.Bool, Default: "false", Doc: "print to standard error"},
			{Key: "sink.parallelism", Type: option.Int, Doc: "number of writers; default: that of the query"},
		}},
		Sink: newSink,
	}
}

func newSink(t *connector.Table) (connector.Sink, error) {
	w := t.Out
	if t.Options.Bool("standard-error") {
		w = t.Err
	}
	return &sink{w: w, identifier: t.Options.String("print-identifier"), parallel: t.Parallel}, nil
}

type sink struct {
	mu         sync.Mutex // the writers of all subtasks share one stream
	w          io.Writer
	identifier string
	parallel   int
}

func (s *sink) Accepts() row.Kinds { return row.AllKinds }

// Adaptive implements connector.Adaptive.
func (s *sink) Adaptive() {}

// OpenWriter prepares the prefix of a subtask's lines: "identifier> ",
// "identifier:2> ", or with several writers and no identifier "2> ".
func (s *sink) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	w := &writer{sink: s}
	switch {
	case s.identifier != "" && s.parallel > 1:
		w.prefix = fmt.Sprintf("%s:%d> ", s.identifier, subtask+1)
	case s.identifier != "":
		w.prefix = s.identifier + "> "
	case s.parallel > 1:
		w.prefix = fmt.Sprintf("%d> ", subtask+1)
	}
	return w, nil
}

type writer struct {
	sink   *sink
	prefix string
	lines  []byte
}

// enough is how much text is written at once.
const enough = 64 << 10

// Write prints the rows of b as +I[v1, v2]. The stream gets whole lines: other
// tables and results are printed to it at the same time.
func (w *writer) Write(_ context.Context, b *row.Batch) error {
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	w.lines = w.lines[:0]
	for r := 0; r < b.Rows; r++ {
		w.lines = append(append(w.lines, w.prefix...), b.Kind(r).String()...)
		w.lines = append(w.lines, '[')
		for i, c := range b.Cols {
			if i > 0 {
				w.lines = append(w.lines, ", "...)
			}
			w.lines = appendJava(w.lines, c, r)
		}
		w.lines = append(w.lines, "]\n"...)
		if len(w.lines) < enough && r+1 < b.Rows {
			continue
		}
		if _, err := w.sink.w.Write(w.lines); err != nil {
			return err
		}
		w.lines = w.lines[:0]
	}
	return nil
}

func (w *writer) Flush(context.Context) error { return nil }

func (w *writer) Close() error { return nil }
