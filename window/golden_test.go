package window

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/internal/golden"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

func TestGolden(t *testing.T) {
	for _, file := range []string{"assign", "aggregate", "zone", "proctime", "emit"} {
		t.Run(file, func(t *testing.T) {
			golden.RunOperator(t, "testdata/"+file+".txt", func(c *golden.Case) op.Spec { return goldenSpec(t, c) })
		})
	}
}

// goldenSpec makes the spec of an operator line:
//
//	operator aggregate hop size=15m slide=5m offset=-1m time=ts keys=k calls=SUM(v),COUNT(*) zone=Europe/Berlin proctime changelog
//	operator aggregate tumble size=5m time=ts keys=k calls=COUNT(*) early=0s late=5s lateness=1m
//	operator assign session size=5m time=ts keys=k
func goldenSpec(t *testing.T, c *golden.Case) op.Spec {
	in := c.Inputs[0]
	column := func(name string) int {
		i := in.Index(name)
		if i < 0 {
			t.Fatalf("no column %q", name)
		}
		return i
	}
	length := func(key string) types.Time {
		text := c.Arg(key)
		if text == "" {
			return 0
		}
		if days, ok := strings.CutSuffix(text, "d"); ok {
			n, err := strconv.Atoi(days)
			if err != nil {
				t.Fatal(err)
			}
			return types.Time(n) * 24 * hour
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return types.Time(d.Milliseconds())
	}
	w := Window{Size: length("size"), Slide: length("slide"), Offset: length("offset"), Time: column(c.Arg("time")), Zone: c.Arg("zone"), Proctime: c.Has("proctime")}
	for w.Kind.String() != strings.ToUpper(c.Args[1]) {
		if w.Kind++; w.Kind > Session {
			t.Fatalf("no window %q", c.Args[1])
		}
	}
	var keys []int
	out := &types.Schema{}
	for _, name := range strings.FieldsFunc(c.Arg("keys"), func(r rune) bool { return r == ',' }) {
		keys = append(keys, column(name))
		out.Columns = append(out.Columns, in.Columns[column(name)])
	}
	props := []types.Column{
		{Name: "window_start", Type: types.TimestampOf(3).NotNull()}, {Name: "window_end", Type: types.TimestampOf(3).NotNull()},
		{Name: "window_time", Type: in.Columns[w.Time].Type.NotNull()},
	}
	if c.Args[0] == "assign" {
		return &AssignSpec{In: in, Window: w, PartitionKeys: keys, Out: &types.Schema{Columns: append(in.Columns[:len(in.Columns):len(in.Columns)], props...)}}
	}
	s := &AggSpec{In: in, Window: w, Keys: keys, PartitionKeys: keys, Props: []Prop{WindowStart, WindowEnd, WindowTime}, InKinds: row.InsertOnly, Out: out}
	if e := (Emit{Never, Never, length("lateness")}); c.Arg("early") != "" || c.Arg("late") != "" {
		if c.Arg("early") != "" {
			e.Early = length("early")
		}
		if c.Arg("late") != "" {
			e.Late = length("late")
		}
		s.Emit = &e
	}
	s.Legacy = c.Has("legacy")
	if c.Has("changelog") {
		s.InKinds = row.AllKinds
	}
	for _, text := range strings.FieldsFunc(c.Arg("calls"), func(r rune) bool { return r == ',' }) {
		call := goldenCall(t, text, column, in)
		s.Calls = append(s.Calls, call)
		out.Columns = append(out.Columns, types.Column{Name: strings.ToLower(text), Type: call.Type})
	}
	out.Columns = append(out.Columns, props...)
	return s
}

// goldenCall reads a call: SUM(v), COUNT(*), COUNT(DISTINCT:v), SUM(v)/cond for
// a FILTER by a BOOLEAN column.
func goldenCall(t *testing.T, text string, column func(string) int, in *types.Schema) agg.Call {
	c := agg.Call{Filter: -1, Name: text}
	text, filter, ok := strings.Cut(text, "/")
	if ok {
		c.Filter = column(filter)
	}
	name, arg, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	arg, c.Opts.Distinct = strings.CutPrefix(arg, "DISTINCT:")
	var args []types.Type
	if c.Opts.Star = arg == "*"; !c.Opts.Star {
		c.Args = []int{column(arg)}
		args = append(args, in.Columns[c.Args[0]].Type)
	}
	if c.Fn = agg.NewRegistry(append(builtin.All(), ids)...).Lookup(name); c.Fn == nil {
		t.Fatalf("no function %q", name)
	}
	c.Type = types.String()
	if c.Fn != ids {
		var err error
		if c.Type, err = c.Fn.Returns(args, c.Opts); err != nil {
			t.Fatal(err)
		}
	}
	return c
}
