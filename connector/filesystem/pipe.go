package filesystem

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// A file that is no regular one, such as a named pipe, gives its bytes when
// somebody writes them, and opening it may wait for that as well. It is read by a
// goroutine of its own, so that the job can be stopped meanwhile: Read tells
// errDry where it would have to wait.
type pipe struct {
	path   string
	wake   chan struct{}
	chunks chan []byte
	stop   chan struct{}
	done   chan struct{}

	mu     sync.Mutex
	file   *os.File // once it is open
	closed bool
	err    error // how it ended, once chunks is closed

	rest []byte
}

// errDry tells that nothing is there now.
var errDry = errors.New("nothing to read now")

// live tells that what a path leads to is no regular file.
func live(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

func openPipe(path string, wake chan struct{}) *pipe {
	p := &pipe{path: path, wake: wake, chunks: make(chan []byte, 2), stop: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

// run opens the file and reads it to its end.
func (p *pipe) run() {
	err := p.pump()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	p.mu.Lock()
	p.err = err
	p.mu.Unlock()
	close(p.chunks)
	p.signal()
	close(p.done)
}

func (p *pipe) pump() error {
	f, err := os.Open(p.path)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.file = f
	closed := p.closed
	p.mu.Unlock()
	defer func() { _ = f.Close() }()
	if closed {
		return nil
	}
	in, err := unpack(p.path, f)
	if err != nil {
		return err
	}
	for {
		b := make([]byte, 64<<10)
		n, err := in.Read(b)
		if n > 0 {
			select {
			case p.chunks <- b[:n]:
				p.signal()
			case <-p.stop:
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

func (p *pipe) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Read takes what is there.
func (p *pipe) Read(to []byte) (int, error) {
	if len(p.rest) == 0 {
		select {
		case b, ok := <-p.chunks:
			if !ok {
				p.mu.Lock()
				defer p.mu.Unlock()
				if p.err == nil {
					return 0, io.EOF
				}
				return 0, p.err
			}
			p.rest = b
		default:
			return 0, errDry
		}
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Close ends the goroutine wherever it waits: for room, for bytes, or for
// somebody to open the pipe for writing. Only a terminal cannot be interrupted:
// its reader is left behind until the next line.
func (p *pipe) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	close(p.stop)
	for {
		p.mu.Lock()
		f := p.file
		p.mu.Unlock()
		if f == nil {
			release(p.path)
		} else if err := f.SetReadDeadline(time.Now()); errors.Is(err, os.ErrNoDeadline) {
			return nil
		}
		select {
		case <-p.done:
			return nil
		case <-time.After(time.Millisecond): // it may only be about to open
		}
	}
}
