// Package spectest runs the tests of `fsql test`: .ftest files (package ftest),
// suites of flink-unittest in YAML, and the imported cases. A test is run on
// one goroutine, with a clock that only it moves, until nothing is left to do:
// no sleeps, and the same answer every time. Each is run in several variants,
// which must all give the answer that is written.
package spectest

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"

	"fsql/exec"
	"fsql/internal/ftest"
	"fsql/op"
	"fsql/planner/physical"
)

// Options of a run of tests.
type Options struct {
	Paths    []string
	Run      *regexp.Regexp // of names; nil: all
	Workers  int            // 0: one per processor
	FailFast bool
	Trace    io.Writer // what every test does; nil: nothing
	// Variants that count more than those of the files' headers.
	Parallelism, Restart, BatchRows, Shuffle, Mode []string
	// Endpoint is the address of a Flink SQL gateway that tests run on instead
	// of here; "": they run here.
	Endpoint string
	// UpdateErrors has Updates change directives whose statements fail or
	// succeed otherwise than written.
	UpdateErrors bool
	// Script runs a script as `fsql -f` does in a folder, for the imported
	// cases; log asks for every change.
	Script func(ctx context.Context, dir, script string, log bool) (stdout, message string, failed bool)

	// Fault and Wrap plant defects, to see that tests find them.
	Fault exec.Fault
	Wrap  func(o op.Operator, n *physical.Node) op.Operator
}

// Summary is what a run of tests came to.
type Summary struct {
	Results []*Result
	Broken  []error // files that cannot be read as tests
	Files   int
	Took    time.Duration
}

// Failed counts files that are not as they should be, and checks.
func (s *Summary) Failed() (files, checks int) {
	bad := map[string]bool{}
	for _, r := range s.Results {
		for range r.Failures {
			checks++
			bad[r.Unit.File] = true
		}
	}
	return len(bad) + len(s.Broken), checks
}

// Checks counts the checks that were made.
func (s *Summary) Checks() int {
	n := 0
	for _, r := range s.Results {
		n += max(r.Checks, len(r.Failures))
	}
	return n
}

// Load reads the tests that the options name. Files that cannot be read as
// tests are in the second result.
func Load(o *Options) ([]*Unit, []error, error) {
	files, err := find(o.Paths)
	if err != nil {
		return nil, nil, err
	}
	var units []*Unit
	var broken []error
	for _, f := range files {
		us, err := load(o, f)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		for _, u := range us {
			if o.Run == nil || o.Run.MatchString(u.Name) {
				units = append(units, u)
			}
		}
	}
	return units, broken, nil
}

// Run runs tests. report gets the results of one test after another, in the
// order of the files.
func Run(ctx context.Context, o *Options, report func([]*Result)) (*Summary, error) {
	start := time.Now()
	units, broken, err := Load(o)
	if err != nil {
		return nil, err
	}
	s := &Summary{Broken: broken}
	files := map[string]bool{}
	for _, u := range units {
		files[u.File] = true
		if o.Endpoint != "" && u.run == nil {
			u.variants = []Variant{{Parallelism: 1, Restart: "none", Flink: true}}
		}
	}
	s.Files = len(files) + len(broken)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make([]chan []*Result, len(units))
	for i := range done {
		done[i] = make(chan []*Result, 1)
	}
	var all sync.WaitGroup
	next := make(chan int)
	for range workers {
		all.Go(func() {
			for i := range next {
				done[i] <- runUnit(ctx, o, units[i])
			}
		})
	}
	all.Go(func() {
		defer close(next)
		for i := range units {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for i := range units {
		var rs []*Result
		select {
		case rs = <-done[i]:
		case <-ctx.Done():
		}
		if rs == nil {
			break
		}
		s.Results = append(s.Results, rs...)
		report(rs)
		if o.FailFast && failed(rs) {
			break
		}
	}
	stop()
	all.Wait()
	s.Took = time.Since(start)
	return s, nil
}

func failed(rs []*Result) bool {
	for _, r := range rs {
		if len(r.Failures) > 0 {
			return true
		}
	}
	return false
}

// runUnit runs a test in its variants. A failure of the plain form is not
// looked for in others: it would only be told again.
func runUnit(ctx context.Context, o *Options, u *Unit) []*Result {
	var out []*Result
	for _, v := range u.variants {
		if ctx.Err() != nil {
			return out
		}
		start := time.Now()
		r := runVariant(ctx, o, u, v)
		if (v.Restart == "each" || v.Restart == "rescale") && len(r.Failures) > 0 && u.run == nil {
			r = narrow(ctx, o, u, v, r)
		}
		r.Took = time.Since(start)
		out = append(out, r)
		if len(r.Failures) > 0 && v.plain() {
			return out
		}
	}
	return out
}

func runVariant(ctx context.Context, o *Options, u *Unit, v Variant) (r *Result) {
	defer func() {
		if p := recover(); p != nil {
			r = &Result{Unit: u, Variant: v}
			r.fail(&Failure{Line: 1, What: "the test", Message: fmt.Sprintf("panic: %v", p)})
		}
	}()
	switch {
	case v.Flink:
		return executeOnFlink(ctx, o, u)
	case u.run != nil && o.Endpoint != "":
		return &Result{Unit: u, Variant: v, Skipped: "not for Flink: it is no test with feeds"}
	case u.run != nil:
		return u.run(u, v)
	}
	return execute(ctx, o, u, v, false)
}

// narrow looks for the one crash that is enough to fail.
func narrow(ctx context.Context, o *Options, u *Unit, v Variant, r *Result) *Result {
	feeds := 0
	for _, rec := range u.records {
		if _, ok := rec.Record.(*ftest.Feed); ok {
			feeds++
		}
	}
	for n := range feeds {
		one := v
		one.Restart = "feed#" + strconv.Itoa(n+1)
		if x := runVariant(ctx, o, u, one); len(x.Failures) > 0 {
			return x
		}
	}
	return r
}
