package sim

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fsql/connector"
	"fsql/internal/ftest"
	"fsql/internal/ftest/corpus"
	"fsql/internal/option"
	"fsql/planner/physical"
	"fsql/session"
	"fsql/sql"
	"fsql/sql/ast"
	"fsql/types"
)

var corpusSeeds = flag.Uint64("corpus-seeds", 2, "how many seeds to run the corpus with crashes under")

const (
	casesDir = "../../testdata/conformance"
	dataDir  = "../../testdata/data"
)

// TestCorpusCrashes runs the cases that a real Flink has answered, as far as
// their jobs keep state: killed again and again they must leave the table that
// they leave when nothing disturbs them, which TestCorpus compares with Flink.
func TestCorpusCrashes(t *testing.T) {
	cases, err := corpus.Load(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	var ran atomic.Int64
	t.Cleanup(func() { t.Logf("%d scripts with jobs that keep state", ran.Load()) })
	for i := range cases {
		c := &cases[i]
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			checks, err := c.File.Checks()
			if err != nil {
				t.Fatal(err)
			}
			for _, check := range checks {
				if check.Mode == ftest.Error {
					continue
				}
				if crashCase(t, c, check) {
					ran.Add(1)
				}
			}
		})
	}
}

func crashCase(t *testing.T, c *corpus.Case, check ftest.Check) (ran bool) {
	t.Helper()
	s := &staged{t: t, c: c, text: check.Script}
	want, stateful, err := s.run(0)
	if err != nil || !stateful || s.rows > mostRows {
		return false // TestCorpus says whether it must work
	}
	first, last := uint64(1), *corpusSeeds
	if *oneSeed != 0 {
		first, last = *oneSeed, *oneSeed
	}
	for seed := first; seed <= last; seed++ {
		got, _, err := s.run(seed)
		if err == nil && !slices.Equal(got, want) {
			err = crashed(seed, t.Name(), fmt.Errorf("wrong answer: got\n%s\nwant\n%s", strings.Join(got, "\n--\n"), strings.Join(want, "\n--\n")))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// mostRows bounds what a case may read: the recordings are for other tests.
const mostRows = 3000

// staged is a script whose jobs run in the simulator.
type staged struct {
	t    *testing.T
	c    *corpus.Case
	text string

	sess  *session.Session
	world *World
	rows  int64 // most that a step of the undisturbed jobs has written
}

// run runs the script in a fresh folder, its jobs under a seed with crashes; 0:
// undisturbed. It gives the tables that its queries leave, and tells whether
// some job keeps state.
func (s *staged) run(seed uint64) (tables []string, stateful bool, err error) {
	dir, err := s.c.Lay(folder(s.t), dataDir)
	if err != nil {
		return nil, false, err
	}
	none := &connector.Connector{Name: "sim", Options: &option.Set{}}
	s.world = draw(seed)
	s.sess, err = session.New(session.Config{Dir: dir, Clock: func() types.Time { return s.world.Now }, Connectors: []*connector.Connector{none}})
	if err != nil {
		return nil, false, err
	}
	ctx := context.Background()
	for in := sql.NewReader(s.text); ; {
		stmt, err := in.Next()
		if err == io.EOF {
			return tables, stateful, nil
		}
		if err != nil {
			return nil, false, err
		}
		switch stmt.(type) {
		case *ast.QueryStatement, *ast.Insert, *ast.StatementSet:
			table, keeps, err := s.job(seed, stmt)
			if err != nil {
				return nil, false, err
			}
			tables, stateful = append(tables, table), stateful || keeps
		case *ast.CreateTable: // may be AS a query, which then runs as it is
			r, err := s.sess.Execute(ctx, stmt)
			if err == nil && r.Job != nil {
				err = r.Job.Wait()
			}
			if err != nil {
				return nil, false, err
			}
		default:
			if _, err := s.sess.Execute(ctx, stmt); err != nil {
				return nil, false, err
			}
		}
	}
}

var errEndless = errors.New("the job does not end")

func (s *staged) job(seed uint64, stmt ast.Statement) (table string, stateful bool, err error) {
	var failed error
	scenario := Scenario{Name: s.t.Name(), MaxSteps: 300_000, Plan: func(w *World) *physical.Plan {
		s.world = w
		p, err := s.sess.Prepare(context.Background(), stmt, w.Sink("out"))
		if err == nil && !p.Bounded {
			err = errEndless
		}
		if err != nil {
			failed = err
			return &physical.Plan{}
		}
		for _, n := range p.Physical.Nodes {
			if n.Spec != nil && n.Spec.Describe().State != "" {
				stateful = true
			}
		}
		(&scripted{world: w}).disturb(w, p.Physical)
		return p.Physical
	}}
	if seed == 0 {
		var out *Outcome
		out, err = Quiet(scenario)
		for i := 0; err == nil && i < len(out.Metrics); i++ {
			s.rows = max(s.rows, out.Metrics[i].RecordsOut)
		}
	} else {
		_, err = Crash(seed, scenario)
	}
	if failed != nil {
		err = failed
	}
	return s.world.Sink("out").Rows(), stateful, err
}
