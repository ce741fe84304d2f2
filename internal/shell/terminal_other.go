//go:build !unix

package shell

import (
	"os"

	"github.com/chzyer/readline"
)

// watched tells that keys can be read beside a running query. A read of a
// Windows console cannot be ended; there Ctrl-C arrives as a signal.
const watched = false

type waker struct{}

func newWaker() (waker, error) { return waker{}, nil }
func (waker) wake()            {}
func (waker) forget()          {}
func (waker) close()           {}

func (waker) wait(*os.File) error { return nil }

func size(*os.File) (cols, rows int) { return readline.GetScreenWidth(), 0 }

func onResize(func()) (stop func()) { return func() {} }

func (t *terminal) suspend() {}

func ending() []os.Signal { return nil }
