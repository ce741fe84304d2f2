package exec_test

import (
	"strings"
	"testing"

	"fsql/exec"
	"fsql/row"
	"fsql/types"
)

// Rows that are large make a batch before there are many of them, small ones
// do not, however few of them a reader gives at once.
func TestHeavyRows(t *testing.T) {
	s := &types.Schema{Columns: []types.Column{{Name: "c0", Type: types.String()}}}
	for _, c := range []struct {
		bytes   int // of a row
		batches bool
	}{{1 << 20, true}, {100, false}} {
		v := row.NewVec(s.Columns[0].Type, 1)
		v.Str[0] = strings.Repeat("x", c.bytes)
		var parts []*row.Batch
		for range 200 {
			parts = append(parts, row.New(s, 1, []*row.Vec{v}, nil))
		}
		j := newJob(parts, 1, nil)
		job := j.build(t, exec.Env{})
		source := job.Steppers()[0]
		most, before := int64(0), int64(0)
		for range 400 {
			if _, err := source.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			now := job.Metrics()[0].RecordsOut
			most, before = max(most, now-before), now
		}
		if heavy := most*int64(c.bytes) > 16<<20; heavy || (most < 200) != c.batches {
			t.Errorf("rows of %d bytes: a batch has %d", c.bytes, most)
		}
		if err := job.Close(); err != nil {
			t.Error(err)
		}
	}
}
