package sim

import (
	"strings"
	"testing"

	"fsql/exec"
	"fsql/op"
	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

// TestFaults plants defects one at a time: a simulator that finds none of them
// would be worth nothing. Each must be caught by one of the seeds that TestSim
// runs anyway.
func TestFaults(t *testing.T) {
	cases := []struct {
		name     string
		scenario string
		point    exec.FaultPoint // with often
		often    float64
		wrap     func(o op.Operator, n *physical.Node) op.Operator
	}{
		{name: "mark dropped at an exchange", scenario: "tumble", point: exec.DropMark, often: 0.02},
		{name: "maximum instead of minimum at a gate", scenario: "union", point: exec.MaxMark, often: 1},
		{name: "row lost at a queue's bound", scenario: "updates", point: exec.LoseRow, often: 0.05},
		{name: "input not held back after its barrier", scenario: "updates", point: exec.SkipAlign, often: 0.2},
		{name: "inputs taken as they come (union)", scenario: "late union", point: exec.ByArrival, often: 1},
		{name: "inputs taken as they come (join)", scenario: "late join", point: exec.ByArrival, often: 1},
		{name: "inputs taken as they come (exchange)", scenario: "join into windows", point: exec.ByArrival, often: 1},
		{name: "bound that does not give way (crossed)", scenario: "crossed unions", point: exec.FirmBound, often: 1},
		{name: "bound that does not give way (filter)", scenario: "filtered ways", point: exec.FirmBound, often: 1},
		{name: "window fired one mark early", scenario: "tumble", wrap: around("WindowAggregate", plain(early))},
		{name: "late row counted twice", scenario: "tumble", wrap: around("WindowAggregate", twiceLate)},
		{name: "output that was cut is not continued", scenario: "updates", wrap: around("Repeat", plain(forgetful))},
		{name: "watermark not forwarded", scenario: "diamond", wrap: around("Calc", plain(unmarked))},
		{name: "watermark forwarded before the rows it releases", scenario: "windows", wrap: around("Tumble", plain(hasty))},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			var s checked
			for _, s = range scenarios() {
				if s.name == tc.scenario {
					break
				}
			}
			s.wrap = tc.wrap
			if tc.often > 0 {
				s.fault = func(w *World) exec.Fault { return strike{w, tc.point, tc.often} }
			}
			for seed := uint64(1); seed <= *seeds; seed++ {
				if _, err := s.run(seed); err != nil {
					first, _, _ := strings.Cut(err.Error(), "\n")
					t.Logf("caught by seed %d: %s", seed, first)
					return
				}
			}
			t.Errorf("not caught by %d seeds", *seeds)
		})
	}
}

// strike is a fault at one point.
type strike struct {
	w     *World
	point exec.FaultPoint
	often float64
}

func (s strike) Strikes(at exec.FaultPoint) bool {
	return at == s.point && s.w.Rand.Float64() < s.often
}

// around wraps the operators of that name.
func around(name string, f func() handler) func(op.Operator, *physical.Node) op.Operator {
	return func(o op.Operator, n *physical.Node) op.Operator {
		if n.Spec.Describe().Name != name {
			return o
		}
		return &broken{Operator: o, batch: f()}
	}
}

// broken hands batches to its operator in a wrong way.
type broken struct {
	op.Operator
	batch handler
}

// handler hands a batch to an operator.
type handler func(o op.Operator, b *row.Batch, out op.Emitter) (bool, error)

func plain(h handler) func() handler { return func() handler { return h } }

func (b *broken) OnBatch(_ int, in *row.Batch, out op.Emitter) (bool, error) {
	return b.batch(b.Operator, in, out)
}

// Unwrap implements op.Wrapper.
func (b *broken) Unwrap() any { return b.Operator }

func (b *broken) Counters() []op.Counter {
	if m, ok := b.Operator.(op.Metered); ok {
		return m.Counters()
	}
	return nil
}

// early gives every mark the time of the next one.
func early(o op.Operator, b *row.Batch, out op.Emitter) (bool, error) {
	if len(b.Marks) > 1 {
		c := *b
		c.Marks = append([]row.Mark(nil), b.Marks[:len(b.Marks)-1]...)
		for i := range c.Marks {
			c.Marks[i].Time = b.Marks[i+1].Time
		}
		b = &c
	}
	return o.OnBatch(0, b, out)
}

// twiceLate gives the operator its late rows once more.
func twiceLate() handler {
	now := types.MinTime
	var cur *row.Batch
	var late []int32
	return func(o op.Operator, b *row.Batch, out op.Emitter) (bool, error) {
		if b != cur {
			cur, late = b, nil
			marks := b.Marks
			for r := range b.Rows {
				for ; len(marks) > 0 && int(marks[0].Row) <= r; marks = marks[1:] {
					now = marks[0].Time
				}
				if windowEnd(types.Time(b.Cols[1].I64[r]/1000), minute)-1 <= now {
					late = append(late, int32(r))
				}
			}
			for _, m := range marks {
				now = m.Time
			}
		}
		more, err := o.OnBatch(0, b, out)
		if more || err != nil || len(late) == 0 {
			return more, err
		}
		again := b.Gather(late)
		again.Marks = nil
		return o.OnBatch(0, again, out)
	}
}

// forgetful drops what the operator would have gone on with.
func forgetful(o op.Operator, b *row.Batch, out op.Emitter) (bool, error) {
	_, err := o.OnBatch(0, b, out)
	return false, err
}

// unmarked loses the last mark.
func unmarked(o op.Operator, b *row.Batch, out op.Emitter) (bool, error) {
	if n := len(b.Marks); n > 0 && b.Marks[n-1].Time == types.MaxTime {
		c := *b
		if c.Marks = c.Marks[:n-1]; c.Rows == 0 && n == 1 {
			return false, nil
		}
		b = &c
	}
	return o.OnBatch(0, b, out)
}

// hasty passes the marks on before the rows.
func hasty(o op.Operator, b *row.Batch, out op.Emitter) (bool, error) {
	if n := len(b.Marks); n > 0 {
		if err := out.Emit(row.Watermark(panes, b.Marks[n-1].Time)); err != nil {
			return false, err
		}
	}
	return o.OnBatch(0, b, out)
}
