//go:build unix

package match

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

var prices = &types.Schema{Columns: []types.Column{
	{Name: "sym", Type: types.String()}, {Name: "ts", Type: types.TimestampOf(3)}, {Name: "px", Type: types.Of(types.Int)},
}}

// BenchmarkMatch looks for a fall and a rise in prices that go up and down at
// random, a row a millisecond and event time after each of them (rows) or after each batch
// (batches), and for other patterns of the same rows.
func BenchmarkMatch(b *testing.B) {
	const v = "by=sym time=ts pattern=S_D+_U skip=past D:px<LAST(D.px,1) U:px>LAST(D.px) measures=FIRST(S.ts);LAST(D.px);U.px"
	first := strings.Replace(v, "D:px<LAST(D.px,1)", "D:px<LAST(px,1)", 1)
	for _, c := range []struct {
		name, spec string
		keys       int
		each       bool
	}{
		{"v/keys=1/rows", first, 1, true},
		{"v/keys=1/batches", first, 1, false},
		{"v/keys=1000/rows", first, 1000, true},
		{"v/keys=1000/batches", first, 1000, false},
		{"next/keys=100", strings.Replace(first, "skip=past", "skip=next", 1), 100, true},
		{"own columns/keys=100", "by=sym time=ts pattern=A_B+?_C skip=past A:px<400 B:px>=400 C:px>401 measures=A.px;COUNT(B.px);C.px", 100, true},
		{"average/keys=100", "by=sym time=ts pattern=A+_B skip=past A:AVG(A.px)<500&COUNT(A.px)<8 measures=AVG(A.px);B.px", 100, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := newSpec(b, prices, strings.Fields(c.spec))
			ctx := testContext(4096)
			ctx.ZeroHash = false
			o, err := s.Build(ctx)
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			const rows = 4096
			price := make([]int32, c.keys)
			for i := range price {
				price[i] = 500
			}
			var batches []*row.Batch
			for range 64 {
				batches = append(batches, priceBatch(r, price, rows, c.each))
			}
			out, n, at := 0, 0, int64(0)
			take := op.EmitFunc(func(b *row.Batch) error { out += b.Rows; return nil })
			var was, is syscall.Rusage
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &was)
			for b.Loop() {
				in := *batches[n%len(batches)]
				for i := range in.Cols[1].I64 {
					in.Cols[1].I64[i] = (at + int64(i)) * 1000
				}
				for i := range in.Marks {
					in.Marks[i].Time = types.Time(at + int64(in.Marks[i].Row) - 1)
				}
				at += rows
				n++
				for more := true; more; {
					if more, err = o.OnBatch(0, &in, take); err != nil {
						b.Fatal(err)
					}
				}
			}
			_ = syscall.Getrusage(syscall.RUSAGE_SELF, &is)
			cpu := time.Duration(is.Utime.Nano() - was.Utime.Nano() + is.Stime.Nano() - was.Stime.Nano())
			b.ReportMetric(float64(n*rows)/cpu.Seconds()/1e6, "Mrows/cpu-s")
			b.ReportMetric(float64(out)/float64(n*rows), "matches/row")
		})
	}
}

func priceBatch(r *rand.Rand, price []int32, rows int, each bool) *row.Batch {
	b := &row.Batch{Schema: prices, Rows: rows, Cols: []*row.Vec{row.NewVec(prices.Columns[0].Type, rows), row.NewVec(prices.Columns[1].Type, rows), row.NewVec(prices.Columns[2].Type, rows)}}
	for i := range rows {
		k := r.IntN(len(price))
		price[k] += int32(r.IntN(7)) - 3
		if price[k] < 1 || price[k] > 999 {
			price[k] = 500
		}
		b.Cols[0].Str[i], b.Cols[2].I32[i] = fmt.Sprintf("SYM%d", k), price[k]
		if each {
			b.Marks = append(b.Marks, row.Mark{Row: int32(i + 1)})
		}
	}
	if !each {
		b.Marks = []row.Mark{{Row: int32(rows)}}
	}
	return b
}
