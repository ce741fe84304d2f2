// Package match finds patterns in the rows of a partition: MATCH_RECOGNIZE. A
// pattern becomes a machine of states (pattern.go), the machine follows every
// run of rows that may become a match (machine.go), and rows are kept as long
// as a run holds them (rows.go).
//
// What comes out is Flink's, whose machine follows all runs at once and takes
// the first that completes; where two runs of one first row complete together,
// the order of its queues decides, which is why queue.go is Java's.
package match

import (
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// Spec is MATCH_RECOGNIZE with ONE ROW PER MATCH over rows that are only added.
type Spec struct {
	In        *types.Schema
	Partition []int
	Time      int // column of the time attribute
	Proctime  bool
	OrderBy   []row.OrderBy // columns behind the time
	Vars      []Var         // the pattern: variables in order
	Within    types.Time    // the span from first to last row is less; 0: any
	Skip      Skip
	// Reads are the values of a run of rows that the expressions are over;
	// Calls the aggregates among them.
	Reads    []Read
	Calls    []Call
	Args     []expr.Node // arguments of the calls, over the rows of In
	Measures []expr.Node
	Out      *types.Schema // partition columns, measures
}

// Var is a variable of the pattern with its quantifier.
type Var struct {
	Name      string
	Min, Max  int // Max -1: no bound
	Reluctant bool
	Cond      expr.Node // over the reads; nil: every row fits
}

// Skip says where the next match may begin.
type Skip struct {
	To  SkipTo
	Var int // of ToFirst and ToLast
}

// SkipTo is a kind of AFTER MATCH SKIP.
type SkipTo uint8

// The kinds.
const (
	PastLast SkipTo = iota
	ToNext
	ToFirst
	ToLast
)

// All stands for the rows of all variables.
const All = -1

// Read is a value that expressions read: of one of a variable's rows, counted
// from its first or back from its last, or what is made of all of them.
type Read struct {
	Kind   ReadKind
	Var    int // or All
	Offset int
	Index  int // column of In; for Aggregate: of Calls
	Name   string
	Type   types.Type
}

// ReadKind is what a Read takes.
type ReadKind uint8

// The kinds. Rowtime is when the match came out in event time, Proctime in
// processing time.
const (
	First ReadKind = iota
	Last
	Aggregate
	Rowtime
	Proctime
)

// Call is an aggregate over the rows of a variable. The arguments are numbers of
// Spec.Args.
type Call struct {
	agg.Call
	Var int
}

// Describe implements op.Spec.
func (s *Spec) Describe() op.Description {
	d := op.Description{Name: "Match"}
	add := func(name, text string) { d.Args = append(d.Args, [2]string{name, text}) }
	names := make([]string, len(s.Partition))
	for i, c := range s.Partition {
		names[i] = s.In.Columns[c].Name
	}
	if len(names) > 0 {
		add("partitionBy", list(names))
	}
	order := []string{s.In.Columns[s.Time].Name + " ASC"}
	for _, o := range s.OrderBy {
		text := s.In.Columns[o.Col].Name + " ASC"
		if o.Desc {
			text = s.In.Columns[o.Col].Name + " DESC"
		}
		order = append(order, text)
	}
	add("orderBy", list(order))
	measures := make([]string, len(s.Measures))
	for i, m := range s.Measures {
		measures[i] = m.String() + " AS " + s.Out.Columns[len(s.Partition)+i].Name
	}
	add("measures", list(measures))
	add("rowsPerMatch", "ONE ROW PER MATCH")
	add("after", s.skipText())
	terms := make([]string, len(s.Vars))
	var define []string
	for i, v := range s.Vars {
		terms[i] = v.Name + v.Quantifier()
		if v.Cond != nil {
			define = append(define, v.Name+" AS "+v.Cond.String())
		}
	}
	add("pattern", "("+strings.Join(terms, " ")+")")
	if s.Within > 0 {
		add("within", strconv.FormatInt(int64(s.Within), 10)+" ms")
	}
	add("define", list(define))
	switch {
	case s.Proctime:
		d.State = "the rows of runs that may become matches"
	default:
		d.State = "rows until the watermark passes their time, then those of runs that may become matches"
	}
	return d
}

func list(items []string) string { return "[" + strings.Join(items, ", ") + "]" }

func (s *Spec) skipText() string {
	switch s.Skip.To {
	case ToNext:
		return "SKIP TO NEXT ROW"
	case ToFirst:
		return "SKIP TO FIRST " + s.Vars[s.Skip.Var].Name
	case ToLast:
		return "SKIP TO LAST " + s.Vars[s.Skip.Var].Name
	}
	return "SKIP PAST LAST ROW"
}

// Quantifier prints how often the variable comes.
func (v *Var) Quantifier() string {
	q := ""
	switch {
	case v.Min == 1 && v.Max == 1:
		return ""
	case v.Min == 0 && v.Max == 1:
		q = "?"
	case v.Min == 0 && v.Max < 0:
		q = "*"
	case v.Min == 1 && v.Max < 0:
		q = "+"
	case v.Max < 0:
		q = "{" + strconv.Itoa(v.Min) + ",}"
	case v.Max == v.Min:
		q = "{" + strconv.Itoa(v.Min) + "}"
	default:
		q = "{" + strconv.Itoa(v.Min) + "," + strconv.Itoa(v.Max) + "}"
	}
	if v.Reluctant {
		q += "?"
	}
	return q
}

// Output implements op.Spec.
func (s *Spec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *Spec) Require(int) op.Distribution {
	if len(s.Partition) == 0 {
		return op.Distribution{Single: true}
	}
	return op.Distribution{Keys: s.Partition}
}

// Emits implements op.Spec.
func (s *Spec) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "MATCH_RECOGNIZE takes only inserts")
	}
	return row.InsertOnly, nil
}

// MayPause implements op.Spec.
func (s *Spec) MayPause() bool { return true }
