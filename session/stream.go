package session

import (
	"context"
	"errors"
	"sync"

	"fsql/internal/diag"
	"fsql/row"
)

// stream is a result that is pulled: the job runs on goroutines and waits for
// its reader.
type stream struct {
	batches chan *row.Batch
	cancel  context.CancelCauseFunc
	ended   chan struct{} // closed when nothing runs any more
	err     error         // why it ended; valid after ended
}

// errReleased ends a job whose reader went away.
var errReleased = errors.New("the reader was released")

// pull starts a function that hands batches over until it is done.
func (s *Session) pull(ctx context.Context, run func(ctx context.Context, each func(*row.Batch) error) error) *stream {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &stream{batches: make(chan *row.Batch), ended: make(chan struct{}), cancel: cancel}
	if s != nil && !s.streams.add(t) {
		t.err = errClosed()
		close(t.ended)
		cancel(nil)
		return t
	}
	go func() {
		defer cancel(nil)
		defer close(t.ended)
		if s != nil {
			defer s.streams.remove(t)
		}
		t.err = run(ctx, func(b *row.Batch) error {
			select {
			case t.batches <- b:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
		if errors.Is(t.err, ErrReached) {
			t.err = nil
		}
	}()
	return t
}

// next waits for a batch with rows; nil: there will be none.
func (t *stream) next() *row.Batch {
	select {
	case b := <-t.batches:
		return b
	case <-t.ended:
		return nil
	}
}

// close ends what runs, unless it has ended, and waits for it. It may be called
// again.
func (t *stream) close(why error) {
	t.cancel(why)
	<-t.ended
}

// streams are those of a session that run.
type streams struct {
	mu     sync.Mutex
	open   map[*stream]struct{}
	closed bool
}

func (s *streams) add(t *stream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	if s.open == nil {
		s.open = map[*stream]struct{}{}
	}
	s.open[t] = struct{}{}
	return true
}

func (s *streams) remove(t *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, t)
}

// over tells that the session is closed.
func (s *streams) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// close ends all of them and takes no more.
func (s *streams) close() {
	s.mu.Lock()
	s.closed = true
	var open []*stream
	for t := range s.open {
		open = append(open, t)
	}
	s.mu.Unlock()
	for _, t := range open {
		t.close(errClosed())
	}
}

func errClosed() error {
	return diag.New(diag.Cancelled, diag.Span{}, "the session is closed")
}
