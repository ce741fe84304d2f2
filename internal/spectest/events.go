package spectest

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fsql/connector/feed"
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/internal/ftest"
	"fsql/internal/option"
	"fsql/types"
)

// testTable finds a table with the connector 'test'.
func (r *run) testTable(name string) (*catalog.Table, *feed.Table, error) {
	p := r.path(name)
	switch t := r.sess.Catalog().Lookup(p).(type) {
	case *catalog.Table:
		for _, o := range t.Options {
			if o.Key == "connector" && o.Value == "test" {
				return t, r.world.Table(p.String()), nil
			}
		}
		return nil, nil, fmt.Errorf("table %s has not the connector 'test'", name)
	case *catalog.View:
		return nil, nil, fmt.Errorf("%s is a view", name)
	}
	return nil, nil, r.sess.Catalog().Missing(p)
}

// eventTime does watermark, idle, active and end.
func (r *run) eventTime(ctx context.Context, t *ftest.Time) error {
	if t.What == "end" && t.Table == "all" {
		return r.endAll(ctx)
	}
	table, log, err := r.testTable(t.Table)
	if err != nil {
		return err
	}
	var of timed = log
	if t.Split != "" {
		if of, err = splitOf(table, log, t.Split); err != nil {
			return err
		}
	}
	switch t.What {
	case "watermark":
		err = r.watermark(table, of, t.At)
	case "idle":
		err = of.Idle()
	case "active":
		err = of.Active()
	case "end":
		err = of.End()
	}
	if err != nil {
		return err
	}
	r.tracef("%s %s %s", t.What, t.Table, t.At)
	return r.quiesce(ctx, 0)
}

// timed is a test table, or one of its splits.
type timed interface {
	Watermark(types.Time) error
	Idle() error
	Active() error
	End() error
}

// splitOf finds a split by its number, counted from 0 as the partitions of Kafka
// are.
func splitOf(t *catalog.Table, log *feed.Table, number string) (*feed.Split, error) {
	splits := 1
	for _, o := range t.Options {
		if o.Key == "splits" {
			splits, _ = strconv.Atoi(o.Value)
		}
	}
	n, err := strconv.Atoi(number)
	switch {
	case splits == 1:
		return nil, fmt.Errorf("the table has one split: give it more WITH ('splits' = '3', 'watermark' = 'manual')")
	case err != nil || n < 0 || n >= splits:
		return nil, fmt.Errorf("split=%s: the splits are 0 to %d", number, splits-1)
	}
	return log.Split(n), nil
}

// watermark says that event time has reached a moment. Of a TIMESTAMP column it
// is the time as written, of a TIMESTAMP_LTZ in the session's zone.
func (r *run) watermark(t *catalog.Table, log timed, at string) error {
	manual := false
	for _, o := range t.Options {
		manual = manual || o.Key == "watermark" && o.Value == "manual"
	}
	if t.Watermark == nil || !manual {
		return fmt.Errorf("watermark is for tables with a WATERMARK clause and 'watermark' = 'manual'; here the rows move event time")
	}
	ms, err := moment(at)
	if err != nil {
		return err
	}
	if c, _ := t.Column(t.Watermark.Column); c != nil && c.Type.Kind == types.TimestampLTZ {
		ms = types.Time(r.spell.zone.UTC(int64(ms)))
	}
	return log.Watermark(ms)
}

// endAll ends every test table that a job reads.
func (r *run) endAll(ctx context.Context) error {
	for _, j := range r.jobs {
		for _, n := range j.plan.Physical.Nodes {
			if n.Source == nil {
				continue
			}
			if log := feed.Of(n.Source.Source); log != nil && !log.Ended() {
				if err := log.End(); err != nil {
					return err
				}
			}
		}
	}
	return r.quiesce(ctx, 0)
}

// advanceTo moves the clock.
func (r *run) advanceTo(ctx context.Context, a *ftest.Advance) error {
	to := r.now
	if a.To != "" {
		ms, err := moment(a.To)
		if err != nil {
			return err
		}
		to = types.Time(r.spell.zone.UTC(int64(ms)))
	} else {
		ms, ok := option.ParseDuration(a.By)
		if !ok {
			return fmt.Errorf("%s is no duration such as 10 s, 500 ms or 1 h", a.By)
		}
		to += types.Time(ms)
	}
	if to < r.now {
		return fmt.Errorf("it is %s already: the clock does not go back", r.clock())
	}
	err := r.advance(ctx, to)
	r.tracef("advance")
	return err
}

// recovery does checkpoint, crash, savepoint and restore.
func (r *run) recovery(ctx context.Context, rec *ftest.Recovery) error {
	parallelism := 0
	if rec.Parallelism != "" {
		n, err := strconv.Atoi(rec.Parallelism)
		if err != nil || n < 1 {
			return fmt.Errorf("parallelism=%s is no number", rec.Parallelism)
		}
		parallelism = n
	}
	r.tracef("%s %s", rec.What, rec.Name)
	switch rec.What {
	case "checkpoint":
		return r.checkpoint(ctx)
	case "crash":
		return r.crash(ctx, parallelism)
	case "savepoint":
		if r.savepoint != "" {
			return fmt.Errorf("the jobs have stopped with savepoint %s already", r.savepoint)
		}
		r.savepoint = rec.Name
		if err := r.checkpoint(ctx); err != nil {
			return err
		}
		return r.stop(ctx)
	}
	if rec.Name != r.savepoint {
		return fmt.Errorf("there is no savepoint %s", rec.Name)
	}
	r.savepoint = ""
	return r.resume(ctx, parallelism)
}

// refused runs statements of which one must fail.
func (r *run) refused(ctx context.Context, rec *ftest.Refused) *Failure {
	err := r.exec(ctx, rec.SQL)
	r.refusal = errorDirective(rec, err, rec.SQL)
	if err == nil {
		return &Failure{Message: "all of it was accepted, it must be refused"}
	}
	d := diag.Of(err)
	if rec.Code != "" && string(d.Code) != rec.Code {
		return &Failure{Message: fmt.Sprintf("refused with the code %s, expected is %s", d.Code, rec.Code), Detail: d.Error()}
	}
	text := diag.Render(err, diag.Source{Text: rec.SQL})
	if rec.Contains != "" && !strings.Contains(strings.ToLower(text), strings.ToLower(rec.Contains)) {
		return &Failure{Message: fmt.Sprintf("the message does not contain %q", rec.Contains), Detail: strings.TrimRight(text, "\n")}
	}
	if rec.Regex != "" {
		form, bad := regexp.Compile(rec.Regex)
		if bad != nil {
			return &Failure{Message: "regex: " + bad.Error()}
		}
		if !form.MatchString(text) {
			return &Failure{Message: fmt.Sprintf("the message does not match %s", rec.Regex), Detail: strings.TrimRight(text, "\n")}
		}
	}
	if rec.At != "" {
		line, col := diag.Source{Text: rec.SQL}.Position(d.Span.Start)
		if at := fmt.Sprintf("%d:%d", line, col); at != rec.At {
			return &Failure{Message: fmt.Sprintf("the error is at %s, expected is %s", at, rec.At), Detail: strings.TrimRight(text, "\n")}
		}
	}
	return nil
}
