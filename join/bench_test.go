//go:build unix

package join

import (
	"math/rand/v2"
	"strconv"
	"syscall"
	"testing"
	"time"

	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// BenchmarkInterval joins two streams in order of time, 1,000 rows a
// millisecond and side, with as many keys as make one partner per row on
// average.
func BenchmarkInterval(b *testing.B) {
	for _, c := range []struct {
		name string
		kind Kind
		live int
		keys int
		cond bool
	}{
		{"inner/live=1e4", Inner, 1e4, 1e4, false},
		{"inner/live=1e6", Inner, 1e6, 1e6, false},
		{"left/live=1e4", LeftOuter, 1e4, 1e4, false},
		{"left/live=1e6", LeftOuter, 1e6, 1e6, false},
		{"inner/cond/live=1e6", Inner, 1e6, 1e6, true},
		{"inner/hotkey/live=1e4", Inner, 1e4, 10, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			const rows, perMs = 4096, 500
			// A row lives for half the width of the interval on either side.
			span := types.Time(c.live / perMs)
			s := twinSpec(b, c.kind, -span/2, span/2, 0, true, false, c.cond)
			if c.keys == 10 {
				s.Lo, s.Hi = 0, 0
			}
			o, err := s.Build(testContext(4096, false))
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			names := make([]string, c.keys)
			for i := range names {
				names[i] = "key-" + strconv.Itoa(i)
			}
			var batches [2][]*row.Batch
			for side := range batches {
				for range 64 {
					batches[side] = append(batches[side], benchBatch(r, twinSides[side], names, rows))
				}
			}
			out := 0
			take := op.EmitFunc(func(b *row.Batch) error { out += b.Rows; return nil })
			at := int64(1e9)
			step := func(i int) {
				side := i % 2
				src := batches[side][i/2%64]
				batch := *src
				batch.Cols = append([]*row.Vec(nil), src.Cols...)
				ts := row.NewVec(types.TimestampOf(3), rows)
				for k := range ts.I64 {
					ts.I64[k] = (at + int64(k/perMs)) * 1000
				}
				batch.Cols[twinSides[side].Index("ts")] = ts
				if side == right {
					at += rows / perMs
					batch.Marks = []row.Mark{{Row: rows, Time: types.Time(at - 1)}}
				}
				feed(b, o, side, &batch, take)
			}
			warm := 4*c.live/rows + 8
			for i := range warm {
				step(i)
			}
			out = 0
			b.ResetTimer()
			used := cpuTime(b)
			b.ReportAllocs()
			for i := range b.N {
				step(warm + i)
			}
			b.ReportMetric(float64(b.N)*rows/(cpuTime(b)-used).Seconds()/1e6, "Mrows/cpu-s")
			b.ReportMetric(float64(out)/float64(b.N)/rows, "out/row")
			j := o.(*intervalJoin)
			b.ReportMetric(float64(j.queue[0].Len()+j.queue[1].Len()), "live")
			b.ReportMetric(float64(j.StateBytes())/float64(j.queue[0].Len()+j.queue[1].Len()), "B/live")
		})
	}
}

// BenchmarkWindow joins two streams whose windows hold as many rows of each side
// as live says, with as many keys as make so many partners per row on average.
func BenchmarkWindow(b *testing.B) {
	for _, c := range []struct {
		name     string
		kind     Kind
		live     int
		partners int
		cond     bool
	}{
		{"inner/live=1e4", Inner, 1e4, 1, false},
		{"inner/live=1e6", Inner, 1e6, 1, false},
		{"left/live=1e6", LeftOuter, 1e6, 1, false},
		{"full/cond/live=1e6", FullOuter, 1e6, 1, true},
		{"inner/partners=100/live=1e4", Inner, 1e4, 100, false},
		{"semi/live=1e6", Semi, 1e6, 1, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			const rows = 4096
			s := windowSpec(b, c.kind, true, false, c.cond)
			o, err := s.Build(testContext(rows, false))
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			names := make([]string, c.live/c.partners)
			for i := range names {
				names[i] = "key-" + strconv.Itoa(i)
			}
			var batches [2][]*row.Batch
			for side := range batches {
				for range 64 {
					batches[side] = append(batches[side], benchBatch(r, twinSides[side], names, rows))
				}
			}
			out := 0
			take := op.EmitFunc(func(b *row.Batch) error { out += b.Rows; return nil })
			per := (c.live + rows - 1) / rows
			held := int64(0)
			step := func(i int) {
				side := i % 2
				src := batches[side][i/2%64]
				batch := *src
				batch.Cols = append([]*row.Vec(nil), src.Cols...)
				end := int64(i/2/per+1) * 1000
				ts := row.NewVec(types.TimestampOf(3), rows)
				for k := range ts.I64 {
					ts.I64[k] = (end - 1) * 1000
				}
				batch.Cols[twinSides[side].Index("ts")] = ts
				if side == right && i/2%per == per-1 {
					held = max(held, o.(*windowJoin).StateBytes())
					batch.Marks = []row.Mark{{Row: rows, Time: types.Time(end - 1)}}
				}
				feed(b, o, side, &batch, take)
			}
			for i := range 2 * per {
				step(i)
			}
			out = 0
			b.ResetTimer()
			used := cpuTime(b)
			b.ReportAllocs()
			for i := range b.N {
				step(2*per + i)
			}
			b.ReportMetric(float64(b.N)*rows/(cpuTime(b)-used).Seconds()/1e6, "Mrows/cpu-s")
			b.ReportMetric(float64(out)/float64(b.N)/rows, "out/row")
			b.ReportMetric(float64(held)/float64(2*per*rows), "B/live")
		})
	}
}

// BenchmarkRegular joins two streams of inserts and removals: as many rows stay
// stored as live says, each with one partner on average.
func BenchmarkRegular(b *testing.B) {
	for _, c := range []struct {
		name   string
		kind   Kind
		live   int
		unique bool
	}{
		{"inner/live=1e4", Inner, 1e4, false}, {"inner/live=1e6", Inner, 1e6, false},
		{"left/live=1e6", LeftOuter, 1e6, false}, {"inner/unique/live=1e6", Inner, 1e6, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			const rows = 4096
			s := regularSpec(b, &regularModel{kind: c.kind, keyed: true, unique: [2]bool{c.unique, c.unique}})
			o, err := s.Build(testContext(4096, false))
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			names := make([]string, c.live/2)
			for i := range names {
				names[i] = "key-" + strconv.Itoa(i)
			}
			var batches [2][]*row.Batch
			n := max(1, c.live/2/rows)
			for side := range batches {
				for range 2 * n {
					batches[side] = append(batches[side], benchBatch(r, regularSides[side], names, rows))
				}
			}
			out := 0
			take := op.EmitFunc(func(b *row.Batch) error { out += b.Rows; return nil })
			step := func(i int) { // adds a batch, and takes away the one n before
				side, at := i%2, i/2
				feed(b, o, side, batches[side][at%(2*n)], take)
				if at >= n {
					old := *batches[side][(at-n)%(2*n)]
					old.Kinds = make([]row.Kind, rows)
					for k := range old.Kinds {
						old.Kinds[k] = row.Delete
					}
					feed(b, o, side, &old, take)
				}
			}
			for i := range 2 * n {
				step(i)
			}
			out = 0
			b.ResetTimer()
			used := cpuTime(b)
			for i := range b.N {
				step(2*n + i)
			}
			b.ReportMetric(2*float64(b.N)*rows/(cpuTime(b)-used).Seconds()/1e6, "Mrows/cpu-s")
			b.ReportMetric(float64(out)/float64(b.N)/rows/2, "out/row")
			j := o.(*regularJoin)
			live := j.side[left].table.Len() + j.side[right].table.Len()
			b.ReportMetric(float64(live), "live")
			b.ReportMetric(float64(j.StateBytes())/float64(live), "B/live")
		})
	}
}

// BenchmarkTemporal joins a stream in order of time with versions: of 16 batches
// one brings versions, and every batch ends with a mark.
func BenchmarkTemporal(b *testing.B) {
	for _, c := range []struct {
		name string
		kind Kind
		keys int
		cond bool
	}{
		{"inner/keys=1e4", Inner, 1e4, false}, {"inner/keys=1e6", Inner, 1e6, false},
		{"left/keys=1e4", LeftOuter, 1e4, false}, {"left/cond/keys=1e4", LeftOuter, 1e4, true}, {"inner/hotkeys", Inner, 10, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			const rows, perMs = 4096, 500
			s := temporalSpec(b, newTemporalModel(c.kind, false, c.cond, 0))
			o, err := s.Build(testContext(4096, false))
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			names := make([]string, c.keys)
			for i := range names {
				names[i] = "key-" + strconv.Itoa(i)
			}
			var batches [2][]*row.Batch
			for side := range batches {
				for range 64 {
					batches[side] = append(batches[side], benchBatch(r, twinSides[side], names, rows))
				}
			}
			out, at := 0, int64(1e9)
			take := op.EmitFunc(func(b *row.Batch) error { out += b.Rows; return nil })
			step := func(i, side int) {
				batch := *batches[side][i%64]
				batch.Cols = append([]*row.Vec(nil), batch.Cols...)
				ts := row.NewVec(types.TimestampOf(3), rows)
				for k := range ts.I64 {
					ts.I64[k] = (at + int64(k/perMs)) * 1000
				}
				batch.Cols[twinSides[side].Index("ts")] = ts
				at += rows / perMs
				batch.Marks = []row.Mark{{Row: rows, Time: types.Time(at - 1)}}
				feed(b, o, side, &batch, take)
			}
			for i := range 4*c.keys/rows + 8 {
				step(i, right)
			}
			out = 0
			b.ResetTimer()
			used := cpuTime(b)
			b.ReportAllocs()
			for i := range b.N {
				side := left
				if i%16 == 15 {
					side = right
				}
				step(i, side)
			}
			b.ReportMetric(float64(b.N)*rows/(cpuTime(b)-used).Seconds()/1e6, "Mrows/cpu-s")
			b.ReportMetric(float64(out)/float64(b.N)/rows, "out/row")
			j := o.(*temporalJoin)
			b.ReportMetric(float64(j.StateBytes())/float64(j.versions.Len()), "B/version")
		})
	}
}

// cpuTime is what the process has used: the machine may be shared.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchBatch(r *rand.Rand, s *types.Schema, names []string, rows int) *row.Batch {
	b := &row.Batch{Schema: s, Rows: rows}
	for _, c := range s.Columns {
		v := row.NewVec(c.Type, rows)
		for i := range rows {
			switch c.Name {
			case "k":
				v.Str[i] = names[r.IntN(len(names))]
			case "id":
				v.I64[i] = r.Int64()
			case "v":
				v.I32[i] = r.Int32N(100)
			}
		}
		b.Cols = append(b.Cols, v)
	}
	return b
}
