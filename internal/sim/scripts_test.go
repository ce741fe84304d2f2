package sim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsql/connector"
	"fsql/internal/option"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/session"
	"fsql/sql"
	"fsql/sql/ast"
	"fsql/types"
)

// scripted is a scenario written in SQL. The tables that it reads are files in
// a folder of their own; those it writes are 'sim' tables, which are sinks of
// the world, or files below out/, which outlive a job. Its last statement is
// the job. The answer is that of a quiet run.
type scripted struct {
	dir   string
	text  string
	sess  *session.Session
	job   ast.Statement
	world *World // at work
	want  string

	// Files that appear one after the other in the folder in/, which the job
	// watches, and how many are there.
	coming []string
	there  int
}

func inSQL(t testing.TB, text string, tables map[string]string, coming ...string) func(*World) (*physical.Plan, func(*Outcome) error) {
	s := &scripted{dir: folder(t), text: text, coming: coming}
	for name, rows := range tables {
		path := filepath.Join(s.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(rows), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return s.plan
}

// folder is in memory where that can be had: sinks sync what they write.
func folder(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "fsql")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (s *scripted) plan(w *World) (*physical.Plan, func(*Outcome) error) {
	if s.want == "" {
		s.begin()
		if _, err := Quiet(Scenario{Plan: s.prepare}); err != nil {
			panic(err)
		}
		if s.want = s.written(); s.want == "" {
			panic("the script writes nothing")
		}
	}
	return s.prepare(w), func(*Outcome) error {
		if got := s.written(); got != s.want {
			return fmt.Errorf("wrong answer: got\n%s\nwant\n%s", got, s.want)
		}
		return nil
	}
}

// begin opens the session and runs the statements before the job.
func (s *scripted) begin() {
	sims := &connector.Connector{Name: "sim", Options: &option.Set{}, Sink: func(t *connector.Table) (connector.Sink, error) {
		return s.world.Sink(t.Name), nil
	}}
	var err error
	s.sess, err = session.New(session.Config{Dir: s.dir, Clock: func() types.Time { return s.world.Now }, Connectors: []*connector.Connector{sims}})
	for in := sql.NewReader(s.text); err == nil; {
		var next ast.Statement
		if next, err = in.Next(); err == io.EOF {
			return
		}
		if err == nil && s.job != nil {
			_, err = s.sess.Execute(context.Background(), s.job)
		}
		s.job = next
	}
	panic(err)
}

// prepare plans the job afresh.
func (s *scripted) prepare(w *World) *physical.Plan {
	if s.world != w {
		s.world = w
		if err := errors.Join(os.RemoveAll(s.out()), os.RemoveAll(s.in())); err != nil {
			panic(err)
		}
		s.there = 0
	}
	ctx := context.Background()
	_, err := s.sess.Execute(ctx, &ast.Set{Key: "parallelism.default", Value: strconv.Itoa(w.Parallel)})
	if err != nil {
		panic(err)
	}
	p, err := s.sess.Prepare(ctx, s.job, w.Sink("out"))
	if err != nil {
		panic(err)
	}
	s.disturb(w, p.Physical)
	return p.Physical
}

func (s *scripted) out() string { return filepath.Join(s.dir, "out") }
func (s *scripted) in() string  { return filepath.Join(s.dir, "in") }

// appear puts the next file into the folder that is watched, now and then.
func (s *scripted) appear() {
	if s.there == len(s.coming) || s.world.Rand.IntN(6) > 0 {
		return
	}
	// As whoever writes files for others must do it: first under a hidden name.
	hidden, name := filepath.Join(s.in(), ".new"), filepath.Join(s.in(), fmt.Sprintf("%03d.json", s.there))
	err := errors.Join(os.MkdirAll(s.in(), 0o700), os.WriteFile(hidden, []byte(s.coming[s.there]), 0o600), os.Rename(hidden, name))
	if err != nil {
		panic(err)
	}
	s.there++
}

// over tells that all files have come and are read: the job may end.
func (s *scripted) over(r connector.Reader) bool {
	p := r.Positions()
	return s.there == len(s.coming) && len(p) == 1 && len(p[0].Offset) > 8 && binary.BigEndian.Uint64(p[0].Offset) == uint64(s.there)
}

// written is all that can be seen of what the job wrote.
func (s *scripted) written() string {
	var all []string
	for _, name := range sinkNames(s.world) {
		all = append(all, name+":", s.world.sinks[name].Rows())
	}
	var lines []string
	err := filepath.WalkDir(s.out(), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(s.out(), filepath.Dir(path))
		if strings.HasPrefix(d.Name(), ".") {
			lines = append(lines, rel+": left over: "+d.Name())
		}
		for _, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			lines = append(lines, rel+": "+l)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		panic(err)
	}
	slices.Sort(lines)
	return strings.Join(append(all, lines...), "\n")
}

func sinkNames(w *World) (names []string) {
	for n, s := range w.sinks {
		if s.Changes() > 0 {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// disturb puts the world between a plan and the files it reads and writes.
func (s *scripted) disturb(w *World, p *physical.Plan) {
	for _, n := range p.Nodes {
		switch {
		case n.Source != nil:
			n.Source.Source = &pausing{n.Source.Source, s}
		case n.Sink != nil:
			if t, ok := n.Sink.Sink.(connector.Transactional); ok && w.sinks[n.Sink.Name] != t {
				if _, own := t.(*Sink); !own {
					n.Sink.Sink = &failing{t, w}
				}
			}
		}
	}
}

// pausing is a source that has nothing to read now and then.
type pausing struct {
	connector.Source
	script *scripted
}

func (p *pausing) Open(ctx context.Context, own []connector.Split) (connector.Reader, error) {
	r, err := p.Source.Open(ctx, own)
	return &pausingReader{r, p.script, !p.Bounded()}, err
}

type pausingReader struct {
	connector.Reader
	script  *scripted
	endless bool
}

func (p *pausingReader) Poll(out *row.Builder, most int) (connector.Status, error) {
	if p.script.world.Pause() {
		return connector.Waiting, nil
	}
	if p.endless {
		p.script.appear()
	}
	status, err := p.Reader.Poll(out, most)
	if p.endless && status == connector.Waiting && p.script.over(p.Reader) {
		status = connector.Ended
	}
	return status, err
}

// failing is a sink whose publication fails now and then, done or not done, and
// whose recovery is begun again.
type failing struct {
	connector.Transactional
	world *World
}

func (f *failing) Commit(ctx context.Context, e types.Epoch, prepared [][]byte) error {
	if f.world.fails() {
		return errDied
	}
	err := f.Transactional.Commit(ctx, e, prepared)
	if err == nil && f.world.fails() {
		return errDied
	}
	return err
}

func (f *failing) Recover(ctx context.Context, e types.Epoch, prepared [][]byte, withdraw bool) ([]byte, error) {
	carried, err := f.Transactional.Recover(ctx, e, prepared, withdraw)
	if err == nil && f.world.fails() {
		return nil, errDied
	}
	return carried, err
}
