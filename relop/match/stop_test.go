package match

import (
	"errors"
	"strings"
	"testing"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// TestStop: every row of a partition may be compared with as many runs as there were
// rows, all of them for one mark. A job that is to be stopped does not wait for that.
func TestStop(t *testing.T) {
	in := &types.Schema{Columns: []types.Column{
		{Name: "sym", Type: types.String()}, {Name: "ts", Type: types.TimestampOf(3)}, {Name: "px", Type: types.Of(types.Int)},
	}}
	const rows = 500
	b := &row.Batch{Schema: in, Rows: rows, Marks: []row.Mark{{Row: rows, Time: types.MaxTime}}}
	for _, c := range in.Columns {
		b.Cols = append(b.Cols, row.NewVec(c.Type, rows))
	}
	for i := range rows {
		b.Cols[1].I64[i] = int64(i) * 1000
	}
	s := newSpec(t, in, strings.Fields("by=sym time=ts pattern=A+_B skip=next A:px=0 B:px>LAST(A.px,1) measures=COUNT(A.px);B.px"))
	c, asked, stop := testContext(1024), 0, errors.New("stop")
	c.Stopped = func() error {
		if asked++; asked == 3 {
			return stop
		}
		return nil
	}
	o, err := s.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.OnBatch(0, b, op.EmitFunc(func(*row.Batch) error { return nil })); !errors.Is(err, stop) || asked != 3 {
		t.Fatalf("asked %d times: %v", asked, err)
	}
}
