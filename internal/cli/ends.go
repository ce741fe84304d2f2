package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fsql/row"
	"fsql/session"
)

// The flags that end an endless query, which is a success.
var (
	errEnough = errors.New("--limit")
	errTime   = errors.New("--timeout")
	errIdle   = errors.New("--idle-timeout")
)

// each runs a query to its end, or to the one that a flag sets; then a note
// says so.
func (r *runner) each(ctx context.Context, res *session.Result, to func(*row.Batch) error) error {
	outer := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if r.o.timeout > 0 && res.Query {
		defer time.AfterFunc(r.o.timeout, func() { cancel(errTime) }).Stop()
	}
	rest := func() {}
	if r.o.idle > 0 && res.Query {
		idle := time.AfterFunc(r.o.idle, func() { cancel(errIdle) })
		defer idle.Stop()
		rest = func() { idle.Reset(r.o.idle) }
	}
	res.Until(r.until)
	left, n := r.o.limit, int64(0)
	err := res.Each(ctx, func(b *row.Batch) error {
		rest()
		if r.o.limit > 0 && res.Query && int64(b.Rows) >= left {
			b = b.Slice(0, int(left))
		}
		if err := to(b); err != nil {
			return err
		}
		n += int64(b.Rows)
		if left -= int64(b.Rows); r.o.limit > 0 && res.Query && left == 0 {
			return errEnough
		}
		return nil
	})
	if err == nil || outer.Err() != nil {
		return err
	}
	why := context.Cause(ctx)
	switch {
	case errors.Is(err, errEnough):
		why = errEnough
	case errors.Is(err, session.ErrReached):
		r.note("ended after %s: event time has reached %s (--until-watermark)", count64(n, "row"), r.o.until)
		return nil
	}
	switch why {
	case errEnough, errTime, errIdle:
		r.note("ended after %s (%s)", count64(n, "row"), why)
		return nil
	}
	return err
}

// note tells something on standard error that is no failure.
func (r *runner) note(format string, args ...any) {
	if !r.o.quiet {
		fmt.Fprintf(r.st.Err, "note: "+format+"\n", args...)
	}
}

func count64(n int64, what string) string { return count(int(n), what) }
