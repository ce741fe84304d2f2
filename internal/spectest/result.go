package spectest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"fsql/internal/ftest"
	"fsql/internal/value"
	"fsql/types"
)

// Result is what a test gave in one variant.
type Result struct {
	Unit     *Unit
	Variant  Variant
	Checks   int // that were made
	Failures []*Failure
	Skipped  string // why the test, or the rest of it, was left out
	Took     time.Duration

	trace    bytes.Buffer
	answer   map[int][]string
	rewrites map[int]string
	broken   string // why --update must not write
}

func (r *Result) fail(f *Failure) {
	f.Variant = r.Variant
	if f.File == "" {
		f.File = r.Unit.File
	}
	f.Unit = r.Unit
	r.Failures = append(r.Failures, f)
}

// Failure is one thing that is not as expected.
type Failure struct {
	Unit    *Unit
	Variant Variant
	File    string
	Line    int
	What    string // the directive
	Message string
	Detail  string // lines of SQL, a hint
	Diff    []DiffLine
	Notes   []string // what may explain it
}

// DiffLine is a line that is expected and missing (-), there and unexpected
// (+), or as it should be.
type DiffLine struct {
	Sign byte
	Text string
}

// compare notes a failure if the sides differ. For --update it notes what the
// block would have to be, if that is not what it is.
func (r *run) compare(rec ftest.Record, line int, e *ftest.Expected, s sides, o *output, written []string) {
	missing, extra := difference(s.expected, s.actual)
	same := len(missing)+len(extra) == 0 && (!s.ordered || slices.Equal(s.expected, s.actual))
	if r.answer != nil {
		if e == nil {
			if !same {
				r.result.broken = fmt.Sprintf("line %d: %s fails", line, checkName(rec))
			}
			return
		}
		if written = align(written); same && len(e.Lines) > 0 {
			written = e.Lines
		}
		if old, ok := r.answer[e.From]; ok && !slices.Equal(old, written) {
			r.result.broken = fmt.Sprintf("line %d: %s has several answers", line, checkName(rec))
		}
		r.answer[e.From] = written
		return
	}
	if same {
		return
	}
	f := &Failure{File: r.file.Name, Line: line, What: checkName(rec), Notes: r.notes(o)}
	what := "rows"
	if _, ok := rec.(*ftest.Changes); ok {
		what = "changes"
	}
	switch {
	case len(missing)+len(extra) == 0:
		f.Message = "expected | actual (the same " + what + " in another order)"
	case e == nil:
		f.Message = fmt.Sprintf("nothing was expected, %d %s came", len(s.actual), what)
	default:
		f.Message = fmt.Sprintf("expected | actual (%d %s, %d missing, %d unexpected)", len(s.actual), what, len(missing), len(extra))
	}
	if s.head != "" {
		f.Diff = append(f.Diff, DiffLine{' ', s.head})
	}
	if s.ordered {
		f.Diff = append(f.Diff, inOrder(s.expected, s.actual)...)
	} else {
		f.Diff = append(f.Diff, unordered(s.expected, s.actual, missing, extra)...)
	}
	texts := make([]string, len(f.Diff))
	for i, d := range f.Diff {
		texts[i] = d.Text
	}
	for i, text := range align(texts) {
		f.Diff[i].Text = text
	}
	r.result.fail(f)
}

// difference returns what expected has more of, and what actual has.
func difference(expected, actual []string) (missing, extra []string) {
	count := map[string]int{}
	for _, l := range actual {
		count[l]++
	}
	for _, l := range expected {
		if count[l] > 0 {
			count[l]--
		} else {
			missing = append(missing, l)
		}
	}
	for i := len(actual) - 1; i >= 0; i-- {
		if l := actual[i]; count[l] > 0 {
			count[l]--
			extra = append(extra, l)
		}
	}
	slices.Reverse(extra)
	return missing, extra
}

// unordered puts a missing line next to the unexpected one that is most like it.
func unordered(expected, actual, missing, extra []string) []DiffLine {
	var out []DiffLine
	left := slices.Clone(extra)
	for _, m := range missing {
		out = append(out, DiffLine{'-', m})
		best, common := -1, 0
		for i, x := range left {
			if n := alike(m, x); n > common {
				best, common = i, n
			}
		}
		if best >= 0 {
			out = append(out, DiffLine{'+', left[best]})
			left = slices.Delete(left, best, best+1)
		}
	}
	for _, x := range left {
		out = append(out, DiffLine{'+', x})
	}
	rest := slices.Clone(missing)
	for _, l := range expected {
		if i := slices.Index(rest, l); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		out = append(out, DiffLine{' ', l})
	}
	return out
}

// alike counts the cells that two lines share.
func alike(a, b string) int {
	x, y := strings.Split(a, " | "), strings.Split(b, " | ")
	n := 0
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			n++
		}
	}
	return n
}

// inOrder is the shortest way from expected to actual.
func inOrder(expected, actual []string) []DiffLine {
	n, m := len(expected), len(actual)
	common := make([][]int, n+1) // length of the longest common part from i, j on
	for i := range common {
		common[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if expected[i] == actual[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []DiffLine
	for i, j := 0, 0; i < n || j < m; {
		switch {
		case i < n && j < m && expected[i] == actual[j]:
			out = append(out, DiffLine{' ', expected[i]})
			i, j = i+1, j+1
		case i < n && (j == m || common[i+1][j] >= common[i][j+1]):
			out = append(out, DiffLine{'-', expected[i]})
			i++
		default:
			out = append(out, DiffLine{'+', actual[j]})
			j++
		}
	}
	return out
}

// notes say where event time stands and how much was late: what usually
// explains a missing row. nil: of all jobs.
func (r *run) notes(o *output) []string {
	var out []string
	for _, j := range r.jobs {
		if j.plan == nil || o != nil && o.job != j {
			continue
		}
		var parts []string
		for _, m := range j.metrics() {
			n := j.plan.Physical.Nodes[m.Node]
			if n.Source != nil && n.Source.Watermark != nil && m.Subtask == 0 {
				name := n.Source.Name
				name = strings.Trim(name[strings.LastIndexByte(name, '.')+1:], "`")
				parts = append(parts, "watermark "+name+" "+eventTime(m.OutputWatermark))
			}
		}
		if len(parts) > 0 {
			out = append(out, strings.Join(append(parts, fmt.Sprintf("late %d", j.counters()["numLateRecordsDropped"])), "   "))
		}
	}
	return out
}

func eventTime(t types.Time) string {
	switch t {
	case types.MinTime:
		return "none"
	case types.MaxTime:
		return "end"
	}
	return string(value.AppendTimestampNano(nil, int64(t), 0, 3))
}
