package connector

import (
	"context"

	"fsql/types"
)

// Transactional is the optional part of a Sink whose rows become visible with
// the checkpoint that holds them, each row once, whenever the process dies.
//
// A checkpoint goes: every writer prepares (Preparer), the checkpoint becomes
// durable together with what they prepared, then Commit publishes it. A start
// begins with Recover of the last durable checkpoint. What Commit and Recover
// are given may be of several epochs, if some were given up: those of one writer
// are in their order.
type Transactional interface {
	Sink
	// Join makes the sink part of a job with checkpoints. id names job and
	// sink: it is the same over all restarts, and no other sink has it. It is
	// called before writers are opened, which then are Preparers.
	Join(id string)
	// Commit publishes what the writers prepared in an epoch. It is called
	// again when it is not known whether it was done.
	Commit(ctx context.Context, e types.Epoch, prepared [][]byte) error
	// Recover goes back to the checkpoint of epoch e (0: there is none): it
	// publishes what was prepared in it, keeps what belongs to later ones of
	// the same rows (carried, which is prepared with the next epoch), and
	// removes what attempts left that died after it. Withdraw asks to take back
	// what later checkpoints have published: they turned out to be unreadable.
	// It is called once per start, after writers are opened and before the
	// first Write.
	Recover(ctx context.Context, e types.Epoch, prepared [][]byte, withdraw bool) (carried []byte, err error)
}

// Preparer is a Writer of a Transactional sink that has joined a job.
type Preparer interface {
	Writer
	// Prepare ends an epoch: the rows written so far are safe from a crash when
	// it returns, and what it returns is all that Commit and Recover need. last
	// tells that no row will follow.
	Prepare(ctx context.Context, e types.Epoch, last bool) ([]byte, error)
}
