package golden

import (
	"strings"
	"testing"

	"fsql/internal/diag"
	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// number is the spec of an operator that writes behind each row how many came
// before it: in the whole stream, or, which is a fault, in the batch.
type number struct {
	in    *types.Schema
	fault bool
}

func (s *number) Describe() op.Description {
	return op.Description{Name: "Number", Args: [][2]string{{"by", "[arrival]"}}, State: "a counter"}
}
func (s *number) Output() *types.Schema {
	return &types.Schema{Columns: append(append([]types.Column(nil), s.in.Columns...), types.Column{Name: "no", Type: types.Of(types.Int)})}
}
func (s *number) Require(int) op.Distribution { return op.Distribution{Single: true} }
func (s *number) Emits(in []row.Kinds) (row.Kinds, error) {
	if in[0] != row.InsertOnly {
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "Number takes inserts only")
	}
	return row.InsertOnly, nil
}
func (s *number) MayPause() bool { return false }
func (s *number) Build(c *op.Context) (op.Operator, error) {
	return op.Cut(&numberer{spec: s, ctx: c, clock: types.MaxTime}, s.Output()), nil
}

type numberer struct {
	spec  *number
	ctx   *op.Context
	n     int32
	clock types.Time
}

func (o *numberer) OnRows(_ int, b *row.Batch, out op.Emitter) (bool, error) {
	if o.spec.fault {
		o.n = 0
	}
	no := row.NewVec(types.Of(types.Int), b.Rows)
	for i := range no.I32 {
		no.I32[i] = o.n
		o.n++
	}
	o.clock = o.ctx.Now() + 1000
	return false, out.Emit(row.New(o.spec.Output(), b.Rows, append(append([]*row.Vec(nil), b.Cols...), no), nil))
}
func (o *numberer) OnWatermark(w types.Time, _ op.Emitter) (types.Time, bool, error) {
	return w, false, nil
}
func (o *numberer) OnBarrier(types.Epoch) error { return nil }
func (o *numberer) Counters() []op.Counter {
	return []op.Counter{{Name: "rows", Value: int64(o.n)}, {Name: "none"}}
}
func (o *numberer) NextClock() types.Time { return o.clock }
func (o *numberer) OnClock(now types.Time, out op.Emitter) error {
	o.clock = types.MaxTime
	return out.Emit(row.Watermark(o.spec.Output(), now))
}

func TestRunOperator(t *testing.T) {
	RunOperator(t, "testdata/number.txt", func(c *Case) op.Spec { return &number{in: c.Inputs[0]} })
}

// A file is left as it is by reading and writing.
func TestBlocks(t *testing.T) {
	text := "# a\noperator x\n\n\nbatch\n+I | 1\n----\n+I | 1\n\ncounters\n----\n"
	if got := formatBlocks(parseBlocks(text)); got != text {
		t.Errorf("got:\n%s", got)
	}
}

func load(t *testing.T, text string) *operatorCase {
	cases, err := parseCases(parseBlocks(text))
	if err != nil {
		t.Fatal(err)
	}
	return cases[0]
}

// A fault that shows only where batches are cut, and a wrong expectation, are
// both found; rewriting repairs the second and not the first.
func TestCompareFinds(t *testing.T) {
	const text = "operator\ninput k STRING\n\nbatch\n+I | 'a'\n+I | 'b'\n----\n+I | 'a' | 0\n+I | 'b' | 1\n"
	c := load(t, text)
	if wrong := c.compare(&number{in: c.Inputs[0]}, false); wrong != "" {
		t.Error(wrong)
	}
	if wrong := c.compare(&number{in: c.Inputs[0], fault: true}, true); !strings.Contains(wrong, "input pieces of 1 rows") {
		t.Errorf("the fault is not found: %q", wrong)
	}
	c = load(t, strings.Replace(text, "| 1\n", "| 2\n", 1))
	if wrong := c.compare(&number{in: c.Inputs[0]}, false); !strings.HasPrefix(wrong, "4: batch") {
		t.Errorf("the wrong expectation is not found: %q", wrong)
	}
	if wrong := c.compare(&number{in: c.Inputs[0]}, true); wrong != "" {
		t.Error(wrong)
	}
}

// Marks stay at their places when a batch is cut.
func TestCut(t *testing.T) {
	s, err := rowtext.ParseSchema("n INT")
	if err != nil {
		t.Fatal(err)
	}
	b, err := rowtext.Parse(s, "-- 00:00:01\n+I | 1\n+I | 2\n-- 00:00:02\n+I | 3\n-- 00:00:03")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, piece := range cut(b, 2) {
		got = append(got, rowtext.Format(piece))
	}
	want := []string{"-- 00:00:01.000\n+I | 1\n+I | 2\n-- 00:00:02.000\n", "+I | 3\n-- 00:00:03.000\n"}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%q", got)
	}
}
