package match

import (
	"testing"

	"fsql/internal/golden"
	"fsql/op"
)

func TestGolden(t *testing.T) {
	golden.RunOperator(t, "testdata/match.txt", func(c *golden.Case) op.Spec { return newSpec(t, c.Inputs[0], c.Args[1:]) })
}
