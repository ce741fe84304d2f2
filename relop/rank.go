package relop

import (
	"strconv"

	"fsql/internal/diag"
	"fsql/op"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// RankStrategy is how a ranking keeps its rows, with Flink's names.
type RankStrategy uint8

const (
	// RankAppend: rows are never taken back. A row beyond the last rank never
	// comes in again, so that only the ranked rows are kept.
	RankAppend RankStrategy = iota
	// RankUpdate: a row replaces the one with the same unique key, and never
	// ranks after it. Here, too, only the ranked rows are kept, and updates come
	// without their old rows.
	RankUpdate
	// RankRetract: any changes. All rows are kept.
	RankRetract
)

func (s RankStrategy) String() string {
	return [...]string{"AppendFastStrategy", "UpdateFastStrategy", "RetractStrategy"}[s]
}

// RankSpec keeps the rows of ranks Start to End of each partition: ROW_NUMBER
// with a condition on it, ORDER BY with LIMIT, and LIMIT over changes. Rows that
// are equal in the order rank as they came.
//
// What comes out is that of Flink (flink-sql 4.15). With the rank, or where
// ranks do not begin at 1, every rank whose row changes sends -U and +U, a new
// last rank +I, a lost one -D. Without it only rows that leave (-D) and come in
// (+I) are sent.
type RankSpec struct {
	In        *types.Schema
	Name      string // in EXPLAIN: Rank, SortLimit, Limit
	Partition []int
	OrderBy   []row.OrderBy
	// Newest ranks the row that came last before the others that are equal in
	// the order: where rows are ordered by descending processing time.
	Newest     bool
	Start, End int64
	EndCol     int // the column that holds End, for a partition that of its first row; -1: none
	Strategy   RankStrategy
	Key        []int // of RankUpdate: what tells rows apart
	WithRank   bool  // the last column of Out is the rank
	// UpdateBefore tells that somebody downstream needs the old rows.
	UpdateBefore bool
	Out          *types.Schema
}

// numbered tells that ranks count, not only which rows have one.
func (s *RankSpec) numbered() bool { return s.WithRank || s.Start > 1 }

// Describe implements op.Spec.
func (s *RankSpec) Describe() op.Description {
	d := op.Description{Name: s.Name, State: "the ranked rows, for ever"}
	if s.Strategy == RankRetract {
		d.State = "all rows, for ever"
	}
	switch s.Name {
	case "Rank":
		end := "rankEnd=" + strconv.FormatInt(s.End, 10)
		if s.EndCol >= 0 {
			end = "rankEnd=" + s.In.Columns[s.EndCol].Name
		}
		d.Args = [][2]string{
			{"strategy", list([]string{s.Strategy.String()})}, {"rankType", "[ROW_NUMBER]"},
			{"rankRange", list([]string{"rankStart=" + strconv.FormatInt(s.Start, 10), end})},
			{"partitionBy", list(columnNames(s.In, s.Partition))}, {"orderBy", orderText(s.In, s.OrderBy)},
		}
	default:
		if len(s.OrderBy) > 0 {
			d.Args = append(d.Args, [2]string{"orderBy", orderText(s.In, s.OrderBy)})
		}
		d.Args = append(d.Args, [2]string{"offset", list([]string{strconv.FormatInt(s.Start-1, 10)})},
			[2]string{"fetch", list([]string{strconv.FormatInt(s.End-s.Start+1, 10)})},
			[2]string{"strategy", list([]string{s.Strategy.String()})})
	}
	d.Args = append(d.Args, [2]string{"select", list(columnNames(s.Out, nil))})
	return d
}

// columnNames are the names of columns, nil: of all.
func columnNames(s *types.Schema, cols []int) []string {
	var out []string
	if cols == nil {
		for _, c := range s.Columns {
			out = append(out, c.Name)
		}
		return out
	}
	for _, c := range cols {
		out = append(out, s.Columns[c].Name)
	}
	return out
}

// orderText prints an order as Flink does: NULL is the smallest value unless it
// is said otherwise.
func orderText(s *types.Schema, by []row.OrderBy) string {
	out := make([]string, len(by))
	for i, b := range by {
		out[i] = s.Columns[b.Col].Name + " ASC"
		if b.Desc {
			out[i] = s.Columns[b.Col].Name + " DESC"
		}
		if b.NullsLast != b.Desc {
			out[i] += [2]string{" NULLS FIRST", " NULLS LAST"}[btoi(b.NullsLast)]
		}
	}
	return list(out)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Output implements op.Spec.
func (s *RankSpec) Output() *types.Schema { return s.Out }

// Require implements op.Spec.
func (s *RankSpec) Require(int) op.Distribution {
	return op.Distribution{Keys: s.Partition, Single: len(s.Partition) == 0}
}

// Emits implements op.Spec. A ranking counts as updating whatever comes in
// (flink-sql 4.15).
func (s *RankSpec) Emits(in []row.Kinds) (row.Kinds, error) {
	switch {
	case s.Strategy == RankAppend && in[0] != row.InsertOnly:
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "this ranking takes only inserts")
	case s.Strategy == RankRetract && withoutOld(in[0]):
		return 0, diag.New(diag.ChangelogMode, diag.Span{}, "a ranking needs the old row of every update")
	case s.UpdateBefore:
		return row.AllKinds, nil
	}
	return row.Upserts, nil
}

// MayPause implements op.Spec.
func (s *RankSpec) MayPause() bool { return false }

// Build implements op.Spec.
func (s *RankSpec) Build(c *op.Context) (op.Operator, error) {
	o := &rank{
		spec: s, ctx: c, parts: state.NewTable(), partKeys: row.Keys{Zero: c.ZeroHash},
		form: row.NewForm(s.In), sign: 1, sel: []int32{}, send: newStored(s.In, s.Out, c.BatchRows),
	}
	o.rows = rankRows{table: state.NewTable(), byKey: s.Strategy == RankUpdate}
	o.keys.Zero = c.ZeroHash
	if s.Newest {
		o.sign = -1
	}
	return o, nil
}
