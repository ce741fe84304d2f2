// Package print is the sink that writes every change as a line of text.
package print

import (
	"bufio"
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

// OpenWriter prepares the prefix of a subtask's lines: "identifier> ",
// "identifier:2> ", or with several writers and no identifier "2> ".
func (s *sink) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	w := &writer{sink: s, out: bufio.NewWriter(nil)}
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
	out    *bufio.Writer
	line   []byte
}

// Write prints the rows of b as +I[v1, v2].
func (w *writer) Write(_ context.Context, b *row.Batch) error {
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	w.out.Reset(w.sink.w)
	for r := 0; r < b.Rows; r++ {
		w.line = append(append(w.line[:0], w.prefix...), b.Kind(r).String()...)
		w.line = append(w.line, '[')
		for i, c := range b.Cols {
			if i > 0 {
				w.line = append(w.line, ", "...)
			}
			w.line = appendJava(w.line, c, r)
		}
		w.line = append(w.line, "]\n"...)
		if _, err := w.out.Write(w.line); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

func (w *writer) Flush(context.Context) error { return nil }

func (w *writer) Close() error { return nil }
