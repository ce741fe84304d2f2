package spectest

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fsql/internal/diag"
	"fsql/sql/ast"
)

// checkpoint takes one of every job that runs, when all work is done: so it is
// known which changes came before it.
func (r *run) checkpoint(ctx context.Context) error {
	if err := r.quiesce(ctx, 0); err != nil {
		return err
	}
	for _, j := range r.jobs {
		if j.done || j.exec == nil {
			continue
		}
		before := j.exec.Epoch()
		j.exec.Barrier()
		if err := r.quiesce(ctx, 0); err != nil {
			return err
		}
		if !j.done && j.exec.Epoch() == before {
			return fmt.Errorf("%s: the checkpoint was not completed", j.name)
		}
		j.checkpointed()
	}
	return nil
}

// stop drops the jobs that run, as a crash does. What they had not made durable
// is lost.
func (r *run) stop(ctx context.Context) error {
	for _, j := range r.jobs {
		if j.done || j.exec == nil {
			continue
		}
		err := j.exec.Close()
		if j.exec = nil; err != nil {
			return err
		}
		j.crashed()
	}
	return nil
}

// resume starts the jobs that were stopped from their last checkpoints, with
// another parallelism if that is not 0.
func (r *run) resume(ctx context.Context, parallelism int) error {
	if parallelism > 0 {
		set := &ast.Set{Key: "parallelism.default", Value: strconv.Itoa(parallelism)}
		if _, err := r.sess.Execute(ctx, set); err != nil {
			return err
		}
	}
	for _, j := range r.jobs {
		if j.done || j.exec != nil {
			continue
		}
		if _, creates := j.stmt.(*ast.CreateTable); parallelism > 0 && !creates {
			if err := r.replan(ctx, j); err != nil {
				return err
			}
		}
		if err := r.build(ctx, j); err != nil {
			return err
		}
	}
	return r.quiesce(ctx, 0)
}

func (r *run) replan(ctx context.Context, j *job) error {
	plan, err := r.sess.Prepare(ctx, j.stmt, collector(j.sink))
	j.plan = plan
	return err
}

// crash kills the jobs and starts them again.
func (r *run) crash(ctx context.Context, parallelism int) error {
	if err := r.stop(ctx); err != nil {
		return err
	}
	return r.resume(ctx, parallelism)
}

// afterFeed does what the variant wants behind a feed.
func (r *run) afterFeed(ctx context.Context) error {
	r.feeds++
	if r.savepoint != "" { // nothing runs
		return nil
	}
	switch restart := r.variant.Restart; restart {
	case "none":
		return nil
	case "each", "rescale":
	default:
		if restart != "feed#"+strconv.Itoa(r.feeds) {
			return nil
		}
	}
	if err := r.checkpoint(ctx); err != nil {
		return err
	}
	parallelism := 0
	if r.variant.Restart == "rescale" {
		parallelism = []int{1, 3, 2}[r.feeds%3]
	}
	return r.crash(ctx, parallelism)
}

// work runs what a feed has brought to its end; the variant random(SEED) takes
// checkpoints and crashes on the way. It begins with a checkpoint: what is read again
// after a crash is then of this feed alone, and the order between the feeds of several
// tables, on which answers may depend, is kept.
func (r *run) work(ctx context.Context) error {
	if r.crashes && r.savepoint == "" {
		if err := r.checkpoint(ctx); err != nil {
			return err
		}
		for range r.rand.IntN(3) {
			if err := r.quiesce(ctx, 1+r.rand.IntN(60)); err != nil {
				return err
			}
			if r.rand.IntN(2) == 0 {
				if err := r.checkpoint(ctx); err != nil {
					return err
				}
				continue
			}
			if err := r.crash(ctx, 0); err != nil {
				return err
			}
		}
	}
	return r.quiesce(ctx, 0)
}

// lacksCheckpoints tells an operator that cannot take part in checkpoints yet.
func lacksCheckpoints(err error) bool {
	var d *diag.Error
	return errors.As(err, &d) && d.Code == diag.NotImplemented && len(d.Msg) > 14 && d.Msg[:14] == "checkpoints of"
}
