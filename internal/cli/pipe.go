package cli

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"fsql/internal/diag"
)

// broken tells that the reader of our output went away, which is no failure.
func broken(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// stream is where results go. The jobs that print and the results of queries
// share it, so it takes one writer at a time.
type stream struct {
	mu sync.Mutex
	to io.Writer
}

// Write fails with an error for users, unless the reader just went away.
func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.to.Write(b)
	if err != nil && !broken(err) {
		err = &diag.Error{Code: diag.InputOutput, Msg: "the results cannot be written", Cause: err}
	}
	return n, err
}
