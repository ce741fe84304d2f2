package planner

import (
	"strings"
	"testing"

	"fsql/planner/physical"
)

func uids(t *testing.T, w *shipped, text string) string {
	t.Helper()
	s := w.script()
	if _, err := s.run(tables); err != nil {
		t.Fatal(err)
	}
	p, err := s.run(text)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, n := range p.Physical.Nodes {
		if n.UID != "" {
			out = append(out, n.UID)
		}
	}
	return strings.Join(out, "\n")
}

// TestUIDsSurviveEdits: state is named by the sink and the stateful steps
// above it, so that edits of expressions, columns, filters, parallelism and
// other statements leave the names as they are (B.10.10).
func TestUIDsSurviveEdits(t *testing.T) {
	w := newShipped()
	base := uids(t, w, "INSERT INTO out_print SELECT k, COUNT(*) FROM plain GROUP BY k")
	for _, edit := range []string{
		"INSERT INTO out_print SELECT k, COUNT(*) + 1 FROM plain WHERE v > 3 GROUP BY k",
		"INSERT INTO out_print SELECT UPPER(k), SUM(v) FROM plain GROUP BY k HAVING COUNT(*) > 1",
		"SET 'parallelism.default' = '4'; INSERT INTO out_print SELECT k, COUNT(*) FROM plain GROUP BY k",
		"INSERT INTO out_print SELECT k, n FROM (SELECT k, COUNT(*) AS n, MAX(id) FROM plain GROUP BY k)",
	} {
		if got := uids(t, w, edit); got != base {
			t.Errorf("%s\nnames\n%s\nwant\n%s", edit, got, base)
		}
	}
	for _, other := range []string{
		"INSERT INTO out_typed SELECT CAST(COUNT(*) AS INT), k, 1, CAST(NULL AS TIMESTAMP(3)) FROM plain GROUP BY k",
		"INSERT INTO out_print SELECT k, SUM(n) FROM (SELECT k, id, COUNT(*) AS n FROM plain GROUP BY k, id) GROUP BY k",
	} {
		if got := uids(t, w, other); got == base {
			t.Errorf("%s\nhas the names of another query", other)
		}
	}
}

// TestUIDsAreUnique: equal branches are told apart.
func TestUIDsAreUnique(t *testing.T) {
	got := uids(t, newShipped(), `INSERT INTO out_print
		SELECT k, COUNT(*) FROM plain GROUP BY k UNION ALL SELECT k, COUNT(*) FROM plain WHERE v > 1 GROUP BY k`)
	seen := map[string]bool{}
	for _, u := range strings.Split(got, "\n") {
		if seen[u] {
			t.Errorf("%s stands twice in\n%s", u, got)
		}
		seen[u] = true
	}
}

// TestEdgesFit checks what exec relies on, for every plan of the corpus: inputs
// before their readers, forward edges between equal numbers of subtasks, keys
// only where rows are hashed.
func TestEdgesFit(t *testing.T) {
	w := newShipped()
	for _, setting := range []string{"", "SET 'parallelism.default' = '3';\n"} {
		for _, text := range []string{
			"SELECT k, COUNT(*) FROM plain GROUP BY k",
			"SELECT COUNT(*) FROM plain",
			"SELECT k FROM plain UNION ALL SELECT item FROM bid",
			"SELECT k FROM plain GROUP BY k UNION ALL SELECT item FROM bid",
			"SELECT k, id, COUNT(*) FROM plain GROUP BY CUBE (k, id)",
			"SELECT id FROM plain LIMIT 3",
			"SELECT item, COUNT(*) FROM TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, item",
			"INSERT INTO out_print SELECT k, COUNT(*) FROM plain GROUP BY k",
		} {
			s := w.script()
			p, err := s.run(tables + setting + text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for i, n := range p.Physical.Nodes {
				checkNode(t, text, p.Physical, i, n)
			}
		}
	}
}

func checkNode(t *testing.T, text string, p *physical.Plan, i int, n *physical.Node) {
	t.Helper()
	if n.ID != i || n.Parallel < 1 || n.Schema == nil || n.Kinds == 0 {
		t.Errorf("%s: node %d is %+v", text, i, n)
	}
	for _, e := range n.Inputs {
		from := p.Nodes[e.From].Parallel
		switch {
		case e.From >= i:
			t.Errorf("%s: node %d reads node %d", text, i, e.From)
		case e.Ship == physical.Forward && from != n.Parallel:
			t.Errorf("%s: node %d: forward from %d to %d subtasks", text, i, from, n.Parallel)
		case e.Ship == physical.Single && n.Parallel != 1:
			t.Errorf("%s: node %d: single to %d subtasks", text, i, n.Parallel)
		case (e.Ship == physical.Hash) != (len(e.Keys) > 0):
			t.Errorf("%s: node %d: %s with keys %v", text, i, e.Ship, e.Keys)
		}
	}
	if n.Chained && (len(n.Inputs) != 1 || n.Inputs[0].Ship != physical.Forward || n.Spec != nil && n.Spec.MayPause()) {
		t.Errorf("%s: node %d must not be chained", text, i)
	}
}
