package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fsql/checkpoint"
	"fsql/connector"
	"fsql/exec"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/planner"
	"fsql/state"
	"fsql/types"
)

// Session keys of checkpoints.
const (
	keyInterval  = "execution.checkpointing.interval"
	keyFolder    = "execution.checkpointing.dir"
	keyMode      = "execution.checkpointing.mode"
	keyTimeout   = "execution.checkpointing.timeout"
	keyMinPause  = "execution.checkpointing.min-pause"
	keyTolerable = "execution.checkpointing.tolerable-failed-checkpoints"
	keyRetained  = "execution.checkpointing.num-retained"
	keyUnclaimed = "execution.state-recovery.ignore-unclaimed-state"
	keySavepoint = "execution.state-recovery.path"
	keyName      = "pipeline.name"
)

// recovery is how an INSERT job survives failures and crashes, as the settings
// were when it was planned.
type recovery struct {
	config      checkpoint.Config // Interval 0: no checkpoints
	folder      string            // of the job's checkpoints, "": in memory, for restarts only
	retained    int
	atLeastOnce bool
	unclaimed   bool
	restart     restart
}

// recovery reads the settings. The job is the next one of the script.
func (s *Session) recovery() (*recovery, error) {
	v, err := s.settings.values()
	if err != nil {
		return nil, err
	}
	s.inserts++
	if v.Has(keySavepoint) {
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "beginning with a savepoint ('%s') is not implemented yet", keySavepoint).
			WithHint("a job with checkpoints goes on by itself when the same script runs again")
	}
	r := &recovery{
		config: checkpoint.Config{
			Interval: types.Time(v.Duration(keyInterval)), MinPause: types.Time(v.Duration(keyMinPause)),
			Timeout: types.Time(v.Duration(keyTimeout)), Tolerable: int(v.Int(keyTolerable)),
		},
		// One more than Flink keeps: a damaged one has one before it.
		retained:    max(2, int(v.Int(keyRetained))),
		atLeastOnce: v.String(keyMode) == "AT_LEAST_ONCE",
		unclaimed:   v.Bool(keyUnclaimed),
		restart:     newRestart(v),
	}
	if r.config.Interval <= 0 || v.String(keyFolder) == "" {
		return r, nil
	}
	root, err := s.folder(v.String(keyFolder))
	if err != nil {
		return nil, err
	}
	id, err := s.identity(v)
	if err != nil {
		return nil, err
	}
	r.folder = filepath.Join(root, id)
	return r, nil
}

// folder is a folder named by a setting.
func (s *Session) folder(path string) (string, error) {
	if scheme, _, found := strings.Cut(path, "://"); found || strings.HasPrefix(path, "file:") {
		u, err := url.Parse(path)
		if err != nil || u.Scheme != "file" {
			return "", diag.New(diag.NotImplemented, diag.Span{}, "the file system '%s' of '%s' is not implemented yet", scheme, keyFolder).
				WithHint("local paths and file:// work")
		}
		path = u.Path
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.cfg.Dir, path)
	}
	return filepath.Abs(path)
}

// identity names a job over its runs: by pipeline.name, else by the script and
// the number of the job in it. A name that is used again in a session is another
// job, counted.
func (s *Session) identity(v *option.Values) (string, error) {
	name, id := v.String(keyName), ""
	switch {
	case name != "":
		s.names[name]++
		if id = "name " + name; s.names[name] > 1 {
			id = fmt.Sprintf("%s #%d", id, s.names[name])
		}
	case s.script != "":
		name = strings.TrimSuffix(filepath.Base(s.script), filepath.Ext(s.script))
		if s.inserts > 1 {
			name = fmt.Sprintf("%s-%d", name, s.inserts)
		}
		id = fmt.Sprintf("script %s #%d", s.script, s.inserts)
	default:
		return "", diag.New(diag.MissingOption, diag.Span{}, "a job with checkpoints needs a name by which it is found again, and this one is not from a script file").
			WithHint("SET '%s' = 'my-job'", keyName)
	}
	sum := sha256.Sum256([]byte(id))
	return slug(name) + "-" + hex.EncodeToString(sum[:4]), nil
}

// slug is a name as part of a folder's name.
func slug(name string) string {
	out := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, name)
	return out[:min(len(out), 40)]
}

// vault is where a job's checkpoints are.
type vault interface {
	state.Backend
	ID() string
	Reopen() error
	Reject(cause error) error
	FellBack() bool
	Finish() error
}

// inMemory keeps checkpoints for restarts within the process.
type inMemory struct {
	state.Backend
	id string
}

func (m inMemory) ID() string               { return m.id }
func (m inMemory) Reopen() error            { return nil }
func (m inMemory) Reject(cause error) error { return cause }
func (m inMemory) FellBack() bool           { return false }
func (m inMemory) Finish() error            { return nil }

// open takes the job's folder.
func (r *recovery) open(log *slog.Logger) (vault, error) {
	var token [4]byte
	if _, err := rand.Read(token[:]); err != nil {
		return nil, err
	}
	id := hex.EncodeToString(token[:])
	if r.folder == "" {
		return inMemory{state.NewMemory(), id}, nil
	}
	f, err := state.OpenFolder(r.folder, state.FolderOptions{Retained: r.retained, NewID: id, PID: os.Getpid(), Log: log})
	var held *state.Held
	switch {
	case errors.As(err, &held):
		return nil, diag.New(diag.InUse, diag.Span{}, "the job is being run by process %s", held.Owner).
			WithHint("its checkpoints are in %s, which one process at a time may use", r.folder)
	case err != nil:
		return nil, r.failed(err)
	}
	return f, nil
}

func (r *recovery) failed(err error) error {
	var d *diag.Error
	var damaged *state.Damaged
	switch {
	case errors.As(err, &d):
		if d.Code == diag.StateMismatch && d.Hint == "" {
			ways := fmt.Sprintf("remove the folder %s to begin anew, or give the job another '%s'", r.folder, keyName)
			var change *exec.Unclaimed
			if errors.As(d.Cause, &change) {
				ways += fmt.Sprintf("; SET '%s' = 'true' goes on without that state", keyUnclaimed)
			}
			d.WithHint("%s", ways)
		}
		return err
	case errors.As(err, &damaged):
		d = diag.New(diag.BadCheckpoint, diag.Span{}, "no checkpoint in %s can be read", r.folder).
			WithHint("remove the folder to begin anew; what the job has written so far stays where it is")
	default:
		d = diag.New(diag.InputOutput, diag.Span{}, "the checkpoint folder %s cannot be used", r.folder)
	}
	d.Cause = err
	return d
}

// runInsert runs a job to its end. With checkpoints it goes on from the last
// one, also when it has failed and the strategy allows a restart.
func (s *Session) runInsert(ctx context.Context, l *live, r *recovery) (err error) {
	var v vault
	if r.config.Interval > 0 {
		if v, err = r.open(s.cfg.Log); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, v.Close()) }()
	} else {
		s.warnUnseen(l.plan)
	}
	for ran := false; ; {
		job, err := s.resume(ctx, l, r, v)
		if err == nil {
			ran = true
			l.job.Store(job)
			err = exec.Run(ctx, job)
			s.finished(l, job)
		}
		if err == nil && v != nil {
			return r.finish(v)
		}
		if err == nil || ctx.Err() != nil || !ran {
			return err
		}
		delay, again := r.restart.next(s.cfg.Clock(), err, v != nil)
		if !again {
			return err
		}
		s.cfg.Log.Warn("the job failed and is started again", "job", l.plan.Name, "in", delay, "error", err)
		if !pause(ctx, delay) {
			return context.Cause(ctx)
		}
		l.restarts.Add(1)
		if v != nil {
			if err := v.Reopen(); err != nil {
				return r.failed(err)
			}
		}
	}
}

// warnUnseen says what surprises on Flink too: files become visible with
// checkpoints or at the end of the job, and this one has neither.
func (s *Session) warnUnseen(p *planner.Plan) {
	if p.Bounded {
		return
	}
	for _, n := range p.Physical.Nodes {
		if n.Sink == nil {
			continue
		}
		if _, ok := n.Sink.Sink.(connector.Transactional); ok {
			s.cfg.Log.Warn("what this job writes becomes visible with checkpoints only, and it takes none: SET '"+keyInterval+"' = '10 s'", "table", n.Sink.Name)
		}
	}
}

func (r *recovery) finish(v vault) error {
	if err := v.Finish(); err != nil {
		return r.failed(err)
	}
	return nil
}

// pause waits; false: it was told to stop.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// resume builds the job from the newest checkpoint that is whole.
func (s *Session) resume(ctx context.Context, l *live, r *recovery, v vault) (*exec.Job, error) {
	env := exec.Env{Clock: s.cfg.Clock, Log: s.cfg.Log, Zone: l.zone, Seed: s.cfg.Seed}
	if v == nil {
		return exec.Build(ctx, l.plan.Physical, env)
	}
	for {
		_, manifest, ok, err := v.Last()
		if err != nil {
			return nil, r.failed(err)
		}
		c := &exec.Checkpoints{
			Config: r.config, Backend: v, ID: v.ID(), AtLeastOnce: r.atLeastOnce,
			Withdraw: v.FellBack(), IgnoreUnclaimed: r.unclaimed,
		}
		if ok {
			if c.Resume, err = checkpoint.Decode(manifest); err != nil {
				if err := v.Reject(err); err != nil {
					return nil, r.failed(err)
				}
				continue
			}
		}
		env.Checkpoints = c
		job, err := exec.Build(ctx, l.plan.Physical, env)
		var bad *exec.Unreadable
		if errors.As(err, &bad) {
			if err := v.Reject(bad); err != nil {
				return nil, r.failed(err)
			}
			continue
		}
		if err != nil {
			return nil, r.failed(err)
		}
		if ok {
			s.cfg.Log.Info("the job goes on from its last checkpoint", "job", l.plan.Name, "epoch", c.Resume.Epoch, "offsets", offsets(l.plan, c.Resume))
		}
		return job, nil
	}
}

// offsets tells where the sources go on: "orders: /data/a.csv 12345".
func offsets(p *planner.Plan, m *checkpoint.Manifest) string {
	var parts []string
	for _, n := range p.Physical.Nodes {
		if n.Source == nil {
			continue
		}
		old := m.Node(n.UID)
		if old == nil {
			continue
		}
		var at []string
		for _, sub := range old.Subtasks {
			for _, split := range sub.Positions {
				if len(split.Offset) > 0 { // the others were not begun
					at = append(at, split.ID+" "+offset(split))
				}
			}
		}
		text := "nothing left"
		if len(at) > 0 {
			text = strings.Join(at, ", ")
		}
		parts = append(parts, n.Source.Name+": "+text)
	}
	return strings.Join(parts, "; ")
}

func offset(s connector.Split) string {
	if len(s.Offset) >= 8 {
		return fmt.Sprint(binary.BigEndian.Uint64(s.Offset))
	}
	return hex.EncodeToString(s.Offset)
}
