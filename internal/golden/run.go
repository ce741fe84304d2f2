package golden

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// variant is one way to run a case.
type variant struct {
	in, out int // rows per input piece and per output batch
	zero    bool
}

func variants() []variant {
	var all []variant
	for _, zero := range []bool{false, true} {
		for _, in := range []int{1024, 1, 2, 7} {
			for _, out := range []int{1024, 1, 2, 7} {
				all = append(all, variant{in, out, zero})
			}
		}
	}
	return all
}

func (c *operatorCase) run(t *testing.T, file string, build func(c *Case) op.Spec) {
	if wrong := c.compare(build(&c.Case), *update); wrong != "" {
		t.Fatalf("%s:%s", file, wrong)
	}
}

// compare runs the case in every way and tells what is wrong first, "" if
// nothing is. With rewrite the first run says what is right.
func (c *operatorCase) compare(spec op.Spec, rewrite bool) string {
	for _, v := range variants() {
		got := c.variant(spec, v)
		for i, s := range c.steps {
			if rewrite {
				s.block.expect = got[i]
			}
			if got[i] != s.block.expect {
				return fmt.Sprintf("%d: %s (input pieces of %d rows, output batches of %d, zero hash %v)\ngot:\n%swant:\n%s",
					s.block.line, s.verb, v.in, v.out, v.zero, got[i], s.block.expect)
			}
		}
		rewrite = false
	}
	return ""
}

// variant runs the case once and returns the text of each step.
func (c *operatorCase) variant(spec op.Spec, v variant) []string {
	r := &runner{c: c, v: v, spec: spec}
	ctx := &op.Context{
		Name: spec.Describe().Name, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), BatchRows: v.out,
		Now: func() types.Time { return r.now }, Zone: c.zone, ZeroHash: v.zero, Parallel: 1,
	}
	_, r.err = spec.Emits(c.kinds)
	if r.err == nil {
		var o op.Operator
		if o, r.err = spec.Build(ctx); r.err == nil {
			r.o = op.Checked(o, spec, c.kinds...)
		}
	}
	texts := make([]string, len(c.steps))
	for i, s := range c.steps {
		texts[i] = r.step(s)
	}
	return texts
}

type runner struct {
	c     *operatorCase
	v     variant
	spec  op.Spec
	o     op.Operator
	now   types.Time
	err   error // ends the case; shown by the step that met it
	shown bool
	lines []string
}

// Emit notes what comes out.
func (r *runner) Emit(b *row.Batch) error {
	if b.Rows > max(r.v.out, 1) && r.spec.MayPause() {
		return fmt.Errorf("%d rows in a batch, at most %d asked for", b.Rows, r.v.out)
	}
	r.lines = append(r.lines, strings.Split(strings.TrimSuffix(rowtext.Format(b), "\n"), "\n")...)
	return nil
}

func (r *runner) step(s step) string {
	r.lines = nil
	if r.err == nil {
		r.err = r.do(s)
	}
	if s.verb == "describe" {
		r.describe()
	}
	if r.err != nil && !r.shown {
		r.lines, r.shown = append(r.lines, r.err.Error()), true
	}
	if r.c.unordered && s.verb != "describe" {
		sortBetweenMarks(r.lines)
	}
	if len(r.lines) == 0 {
		return ""
	}
	return strings.Join(lastMarks(r.lines), "\n") + "\n"
}

func (r *runner) do(s step) error {
	switch s.verb {
	case "batch":
		for _, b := range cut(s.batch, r.v.in) {
			if err := r.feed(s.in, b); err != nil {
				return err
			}
		}
	case "watermark":
		// A gate shows the event time of the whole operator once.
		return r.feed(0, row.Watermark(r.c.Inputs[0], s.time))
	case "clock":
		r.now = s.time
		if h, ok := r.o.(op.ClockHandler); ok && h.NextClock() <= r.now {
			return h.OnClock(r.now, r)
		}
	case "counters":
		if m, ok := r.o.(op.Metered); ok {
			for _, c := range m.Counters() {
				if c.Value != 0 {
					r.lines = append(r.lines, fmt.Sprintf("%s %d", c.Name, c.Value))
				}
			}
		}
	}
	return nil
}

func (r *runner) feed(in int, b *row.Batch) error {
	for {
		more, err := r.o.OnBatch(in, b, r)
		if !more || err != nil {
			return err
		}
	}
}

func (r *runner) describe() {
	d := r.spec.Describe()
	r.lines = append(r.lines, d.Name)
	for _, a := range d.Args {
		r.lines = append(r.lines, fmt.Sprintf("  %s=%s", a[0], a[1]))
	}
	if d.State != "" {
		r.lines = append(r.lines, "  state: "+d.State)
	}
	for i := range r.c.Inputs {
		need := r.spec.Require(i)
		r.lines = append(r.lines, fmt.Sprintf("  input %d: keys %v, single %v", i, need.Keys, need.Single))
	}
	for _, c := range r.spec.Output().Columns {
		r.lines = append(r.lines, fmt.Sprintf("  column %s %s", c.Name, c.Type))
	}
	for _, in := range []row.Kinds{row.InsertOnly, row.AllKinds} {
		all := make([]row.Kinds, len(r.c.Inputs))
		for i := range all {
			all[i] = in
		}
		out, err := r.spec.Emits(all)
		line := "  from " + kindsText(in) + ": " + kindsText(out)
		if err != nil {
			line = "  from " + kindsText(in) + ": " + err.Error()
		}
		r.lines = append(r.lines, line)
	}
}

func kindsText(s row.Kinds) string {
	var parts []string
	for k := row.Insert; k <= row.Delete; k++ {
		if s.Has(k) {
			parts = append(parts, k.String())
		}
	}
	return strings.Join(parts, " ")
}

// cut parts a batch into pieces of n rows with their marks.
func cut(b *row.Batch, n int) []*row.Batch {
	var pieces []*row.Batch
	marks := b.Marks
	for from := 0; from == 0 || from < b.Rows; from += n {
		to := min(from+n, b.Rows)
		piece := b.Slice(from, to)
		for len(marks) > 0 && int(marks[0].Row) <= to {
			piece.Marks = append(piece.Marks, row.Mark{Row: marks[0].Row - int32(from), Time: marks[0].Time})
			marks = marks[1:]
		}
		if piece.Rows > 0 || len(piece.Marks) > 0 {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

func isMark(line string) bool { return strings.HasPrefix(line, "-- ") }

// lastMarks keeps the last of several marks at one place: how many there are
// depends on where batches were cut.
func lastMarks(lines []string) []string {
	var out []string
	for i, l := range lines {
		if i+1 < len(lines) && isMark(l) && isMark(lines[i+1]) {
			continue
		}
		out = append(out, l)
	}
	return out
}

func sortBetweenMarks(lines []string) {
	for len(lines) > 0 {
		n := slices.IndexFunc(lines, isMark)
		if n < 0 {
			n = len(lines)
		}
		slices.Sort(lines[:n])
		lines = lines[min(n+1, len(lines)):]
	}
}
