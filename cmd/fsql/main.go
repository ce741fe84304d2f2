// Command fsql runs Flink SQL scripts and queries in one process.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/chzyer/readline"

	"fsql/internal/cli"
)

func main() {
	// Batches are garbage collected: letting the heap grow a little further
	// between collections costs some megabytes and saves much work.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks the run to end, a second one ends the process.
	context.AfterFunc(ctx, stop)
	status := cli.Main(ctx, os.Args[1:], cli.Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY: readline.IsTerminal(int(os.Stdin.Fd())), OutTTY: readline.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: readline.IsTerminal(int(os.Stderr.Fd())),
	})
	stop()
	os.Exit(status)
}
