package relop_test

import (
	"strings"
	"testing"

	"fsql/internal/golden"
	"fsql/op"
	"fsql/relop"
	"fsql/row"
	"fsql/types"
)

func TestExpand(t *testing.T) {
	golden.RunOperator(t, "testdata/expand.txt", func(c *golden.Case) op.Spec {
		return expandSpec(t, c.Inputs[0], c.Args[1:]...)
	})
}

// expandSpec makes a spec of words, one per branch: SELECT or SELECT/WHERE, as
// calcSpec takes them.
func expandSpec(t testing.TB, in *types.Schema, words ...string) *relop.ExpandSpec {
	t.Helper()
	s := &relop.ExpandSpec{In: in}
	for i, w := range words {
		project, where, _ := strings.Cut(w, "/")
		c := calcSpec(t, in, where, project)
		s.Branches = append(s.Branches, relop.Branch{Where: c.Where, Project: c.Project})
		if i == 0 {
			s.Out = c.Out
		}
	}
	return s
}

// No output batch is larger than it may be, however many branches there are.
func TestExpandBatchRows(t *testing.T) {
	b := benchBatches(1, 10)[0]
	o := open(t, expandSpec(t, benchIn, "k", "k", "k"), 100, false)
	rows := 0
	feed(t, o, b, op.EmitFunc(func(out *row.Batch) error {
		if rows += out.Rows; out.Rows > 100 {
			t.Errorf("a batch of %d rows", out.Rows)
		}
		return nil
	}))
	if rows != 3*b.Rows {
		t.Errorf("%d rows of %d", rows, b.Rows)
	}
}
