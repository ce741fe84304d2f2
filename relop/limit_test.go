package relop_test

import (
	"strconv"
	"testing"

	"fsql/internal/golden"
	"fsql/op"
	"fsql/relop"
	"fsql/types"
)

func TestSmallOperators(t *testing.T) {
	golden.RunOperator(t, "testdata/small.txt", func(c *golden.Case) op.Spec {
		switch {
		case c.Has("union"):
			return &relop.UnionSpec{Out: c.Inputs[0], Inputs: len(c.Inputs)}
		case c.Has("drop"):
			return &relop.DropUpdateBeforeSpec{In: c.Inputs[0]}
		case c.Has("replicate"):
			in := c.Inputs[0]
			return &relop.ReplicateSpec{In: in, Count: in.Index("n"), Out: &types.Schema{Columns: in.Columns[:in.Index("n")]}}
		}
		limit, err := strconv.ParseInt(c.Arg("limit"), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		offset, _ := strconv.ParseInt(c.Arg("offset"), 10, 64)
		return &relop.LimitSpec{In: c.Inputs[0], Limit: limit, Offset: offset}
	})
}
