package session

import (
	"context"
	"sync"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/planner"
	"fsql/row"
)

// pipe is the way from the jobs that write a table to the program that reads it.
type pipe struct {
	name    string
	batches chan *row.Batch

	mu        sync.Mutex
	writers   int           // jobs that run
	ended     chan struct{} // closed when the last one has ended; anew for the next
	err       error         // of the first job that failed
	read      bool          // somebody reads
	left      chan struct{} // closed when the reader was released; anew for the next
	abandoned bool          // it was while jobs ran
}

// ReadTable reads what INSERTs write into a table that has been declared with
//
//	CREATE TABLE t (...) WITH ('connector' = 'program')
//
// The job waits while nobody reads. The rows end when the job has ended that
// writes the table (of several at the same time the last one), with its error if
// it failed. Releasing the reader earlier fails the job. A job that is restarted
// after a failure may write rows again.
func (s *Session) ReadTable(ctx context.Context, table string) (*RecordReader, error) {
	return s.readTable(ctx, table, false)
}

// ReadTableChanges is ReadTable with the row kind as a first column "op".
func (s *Session) ReadTableChanges(ctx context.Context, table string) (*RecordReader, error) {
	return s.readTable(ctx, table, true)
}

func (s *Session) readTable(ctx context.Context, table string, op bool) (*RecordReader, error) {
	t, _, err := s.programTable(table)
	if err != nil {
		return nil, err
	}
	f, err := s.Feed(table) // the columns are those that can be fed
	if err != nil {
		return nil, err
	}
	p := s.pipe(t.Path.String())
	return newReader(f.schema, op, func() (*stream, error) {
		if err := p.open(); err != nil {
			return nil, err
		}
		return s.pull(ctx, func(ctx context.Context, each func(*row.Batch) error) error {
			defer p.leave()
			return p.each(ctx, each)
		}), nil
	})
}

// pipe is that of a table; it is made when first asked for.
func (s *Session) pipe(name string) *pipe {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pipes[name]
	if p == nil {
		p = &pipe{name: name, batches: make(chan *row.Batch), ended: make(chan struct{}), left: make(chan struct{})}
		if s.pipes == nil {
			s.pipes = map[string]*pipe{}
		}
		s.pipes[name] = p
	}
	return p
}

func (p *pipe) open() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.read {
		return diag.New(diag.InUse, diag.Span{}, "table '%s' is being read: it has one reader at a time", p.name)
	}
	p.read = true
	if closed(p.left) {
		p.left = make(chan struct{})
	}
	return nil
}

func (p *pipe) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read, p.abandoned = false, p.writers > 0
	close(p.left)
}

// each hands over what is written until the writers have ended.
func (p *pipe) each(ctx context.Context, to func(*row.Batch) error) error {
	p.mu.Lock()
	ended := p.ended
	p.mu.Unlock()
	for {
		select {
		case b := <-p.batches:
			if err := to(b); err != nil {
				return err
			}
		case <-ended:
			p.mu.Lock()
			defer p.mu.Unlock()
			err := p.err
			p.ended, p.err = make(chan struct{}), nil // the end was seen
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// begin is told by a job that will write the table, end by one that has.
func (p *pipe) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.writers == 0 {
		p.abandoned = false
		if closed(p.ended) {
			p.ended, p.err = make(chan struct{}), nil
		}
		if closed(p.left) {
			p.left = make(chan struct{})
		}
	}
	p.writers++
}

func (p *pipe) end(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.writers--
	switch {
	case p.writers > 0:
	case p.abandoned: // nobody will see it
		p.err = nil
	default:
		close(p.ended)
	}
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// pipesOf are the pipes that a job writes.
func pipesOf(p *planner.Plan) []*pipe {
	var out []*pipe
	for _, n := range p.Physical.Nodes {
		if n.Sink != nil {
			if s, ok := n.Sink.Sink.(pipeSink); ok {
				out = append(out, s.pipe)
			}
		}
	}
	return out
}

// pipeSink is a pipe as the sink of a job.
type pipeSink struct{ *pipe }

func (s *Session) pipeSink(t *connector.Table) (connector.Sink, error) {
	return pipeSink{s.pipe(t.Name)}, nil
}

func (p pipeSink) OpenWriter(context.Context, int) (connector.Writer, error) { return p, nil }

// Accepts every kind.
func (p pipeSink) Accepts() row.Kinds { return row.AllKinds }

// Write waits for the reader. One that was released fails the job: its rows
// would be lost.
func (p pipeSink) Write(ctx context.Context, b *row.Batch) error {
	if b.Rows == 0 {
		return nil
	}
	p.mu.Lock()
	left := p.left
	p.mu.Unlock()
	select {
	case p.batches <- b:
		return nil
	case <-left:
		return diag.New(diag.Cancelled, diag.Span{}, "the program has stopped reading table '%s'", p.name)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (pipeSink) Flush(context.Context) error { return nil }
func (pipeSink) Close() error                { return nil }
