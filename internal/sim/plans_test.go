package sim

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"

	"fsql/planner/physical"
	"fsql/row"
	"fsql/types"
)

var (
	long   = types.Of(types.BigInt)
	stamp  = types.TimestampOf(3)
	events = schema("k", long, "ts", stamp, "wm", stamp, "v", long, "keep", types.Of(types.Boolean))
	counts = schema("k", long, "n", long)
	panes  = schema("k", long, "window_end", long, "n", long)
)

func schema(nameType ...any) *types.Schema {
	s := &types.Schema{}
	for i := 0; i < len(nameType); i += 2 {
		s.Columns = append(s.Columns, types.Column{Name: nameType[i].(string), Type: nameType[i+1].(types.Type)})
	}
	return s
}

// generate makes rows whose time advances by about step milliseconds a row and
// lies up to disorder before it; the watermark expression is delay behind.
func generate(seed uint64, rows, keys int, step, disorder, delay int64) *row.Batch {
	r := rand.New(rand.NewPCG(seed, 7))
	b := row.NewBuilder(events)
	at := int64(1_700_000_000_000)
	for range rows {
		at += r.Int64N(2*step + 1)
		ts := at
		if disorder > 0 && r.IntN(3) == 0 {
			ts -= r.Int64N(disorder)
		}
		appendLong(b.Cols[0], r.Int64N(int64(keys)))
		appendLong(b.Cols[1], ts*1000)
		appendLong(b.Cols[2], (ts-delay)*1000)
		v := r.Int64N(10)
		appendLong(b.Cols[3], v)
		b.Cols[4].Bool = append(b.Cols[4].Bool, v%3 != 0)
		b.Cols[4].Len++
		b.Added(1, row.Insert)
	}
	return b.Flush()
}

// split cuts a batch into n parts of different sizes.
func split(b *row.Batch, n int) []*row.Batch {
	var out []*row.Batch
	from := 0
	for i := 1; i <= n; i++ {
		to := b.Rows * i * (i + 1) / (n * (n + 1))
		out = append(out, b.Slice(from, to))
		from = to
	}
	return out
}

// graph collects nodes.
type graph struct{ physical.Plan }

func (g *graph) add(n *physical.Node, parallel int, inputs ...physical.Edge) int {
	n.ID, n.Parallel, n.Inputs = len(g.Nodes), parallel, inputs
	n.UID = fmt.Sprint("node", n.ID)
	g.Nodes = append(g.Nodes, n)
	return n.ID
}

// chain adds a node that runs in the task of its input.
func (g *graph) chain(n *physical.Node, from int) int {
	id := g.add(n, g.Nodes[from].Parallel, physical.Edge{From: from})
	n.Chained = true
	return id
}

// naive is what a plain loop over the rows of a scan in order says of a
// tumbling window: the rows of the answer and the number of late rows.
func naive(b *row.Batch, keep func(*row.Batch, int) bool, size, interval types.Time) (answer string, late int64) {
	open := map[pane]int64{}
	top, now := types.Time(0), types.Time(0)
	for r := range b.Rows {
		end := windowEnd(types.Time(b.Cols[1].I64[r]/1000), size)
		switch {
		case keep != nil && !keep(b, r):
		case now > 0 && end-1 <= now:
			late++
		default:
			open[pane{end, b.Cols[0].I64[r]}]++
		}
		if top = max(top, types.Time(b.Cols[2].I64[r]/1000)); top-now > interval {
			now = top
		}
	}
	var lines []string
	for p, n := range open {
		lines = append(lines, fmt.Sprintf("%d | %d | %d", p.key, p.end, n))
	}
	return sorted(lines), late
}

// merged is the answer for several tables none of whose rows is late.
func merged(all ...*row.Batch) string {
	open := map[pane]int64{}
	for _, b := range all {
		for r := range b.Rows {
			open[pane{windowEnd(types.Time(b.Cols[1].I64[r]/1000), minute), b.Cols[0].I64[r]}]++
		}
	}
	var lines []string
	for p, n := range open {
		lines = append(lines, fmt.Sprintf("%d | %d | %d", p.key, p.end, n))
	}
	return sorted(lines)
}

func sorted(lines []string) string {
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}
