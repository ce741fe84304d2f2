package op_test

import (
	"strings"
	"testing"

	"fsql/internal/rowtext"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// fake is a spec whose operator emits what it was given.
type fake struct {
	schema *types.Schema
	kinds  row.Kinds
	out    []*row.Batch
}

func (f *fake) Describe() op.Description                 { return op.Description{Name: "Fake"} }
func (f *fake) Output() *types.Schema                    { return f.schema }
func (f *fake) Require(int) op.Distribution              { return op.Distribution{} }
func (f *fake) Emits([]row.Kinds) (row.Kinds, error)     { return f.kinds, nil }
func (f *fake) MayPause() bool                           { return true }
func (f *fake) Build(*op.Context) (op.Operator, error)   { return f, nil }
func (f *fake) OnBarrier(types.Epoch) error              { return nil }
func (f *fake) Counters() []op.Counter                   { return []op.Counter{{Name: "n", Value: 7}} }
func (f *fake) StateBytes() int64                        { return 5 }
func (f *fake) OnClock(_ types.Time, e op.Emitter) error { return e.Emit(f.out[0]) }
func (f *fake) NextClock() types.Time                    { return 9 }

func (f *fake) OnBatch(_ int, _ *row.Batch, e op.Emitter) (bool, error) {
	err := e.Emit(f.out[0])
	f.out = f.out[1:]
	return len(f.out) > 0, err
}

func testSchema(t *testing.T, text string) *types.Schema {
	s, err := rowtext.ParseSchema(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestChecked has a case for each rule; `--` parts the batches.
func TestChecked(t *testing.T) {
	const s = "k STRING, n INT NOT NULL"
	for _, c := range []struct {
		name, schema, out, want string
		kinds                   row.Kinds
	}{
		{"good", s, "+I | 'a' | 1\n-U | 'a' | 1\n-- 00:00:01\n+U | 'a' | 2;-D | 'a' | 2\n-- 00:00:02", "", row.AllKinds},
		{"empty", s, "+I | 'a' | 1;", "empty batch", row.AllKinds},
		{"columns", "k STRING", "+I | 'a'", "1 columns, not 2", row.AllKinds},
		{"type", "k STRING, n BIGINT", "+I | 'a' | 1", "column n is BIGINT, not INT NOT NULL", row.AllKinds},
		{"null", "k STRING, n INT", "+I | 'a' | NULL", "NULL in column n", row.AllKinds},
		{"kind", s, "+I | 'a' | 1;-D | 'a' | 1", "a row of kind -D", row.InsertOnly},
		{"mark", s, "-- 00:00:02;-- 00:00:02", "mark 2000 after 2000", row.AllKinds},
		{"removal", s, "+I | 'a' | 1;-D | 'a' | 2", "row 0 of a batch, -D, removes what is not there", row.AllKinds},
		{"removed twice", s, "+I | 'a' | 1\n-U | 'a' | 1\n-U | 'a' | 1", "row 2 of a batch, -U, removes", row.AllKinds},
		{"upserts", s, "+I | 'a' | 1\n+U | 'a' | 2\n-D | 'a' | 2", "", row.Upserts},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{schema: testSchema(t, s), kinds: c.kinds}
			in := testSchema(t, c.schema)
			for _, text := range strings.Split(c.out, ";") {
				b, err := rowtext.Parse(in, text)
				if err != nil {
					t.Fatal(err)
				}
				f.out = append(f.out, b)
			}
			checked := op.Checked(f, f, row.InsertOnly)
			input := row.Watermark(in, 1)
			var err error
			for more := true; more && err == nil; {
				more, err = checked.OnBatch(0, input, op.EmitFunc(func(*row.Batch) error { return nil }))
			}
			expect(t, err, c.want)
		})
	}
}

func expect(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Error(err)
		}
	} else if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// An input that removes what is not there ends the check of removals.
func TestCheckedLooseInput(t *testing.T) {
	s := testSchema(t, "n INT")
	orphan, err := rowtext.Parse(s, "-D | 1")
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{schema: s, kinds: row.AllKinds, out: []*row.Batch{orphan}}
	_, err = op.Checked(f, f).OnBatch(0, orphan, op.EmitFunc(func(*row.Batch) error { return nil }))
	expect(t, err, "")
}

func TestCheckedPassesTheRest(t *testing.T) {
	f := &fake{schema: testSchema(t, "n INT"), kinds: row.AllKinds}
	f.out = []*row.Batch{{Schema: f.schema}}
	c := op.Checked(f, f)
	expect(t, c.OnBarrier(2), "")
	expect(t, c.OnBarrier(2), "barrier 2 after 2")
	if n := c.(op.Metered).Counters()[0].Value; n != 7 {
		t.Errorf("counter %d", n)
	}
	if n := c.(op.Sized).StateBytes(); n != 5 {
		t.Errorf("%d bytes", n)
	}
	clock := c.(op.ClockHandler)
	if clock.NextClock() != 9 {
		t.Error("NextClock is not passed on")
	}
	expect(t, clock.OnClock(9, op.EmitFunc(func(*row.Batch) error { return nil })), "empty batch")
}
