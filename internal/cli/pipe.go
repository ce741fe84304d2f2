package cli

import (
	"errors"
	"io"
	"syscall"
)

// broken tells that the reader of our output went away, which is no failure.
func broken(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
