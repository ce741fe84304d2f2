package exec

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fsql/row"
	"fsql/types"
)

// TestEmission compares the mark that stands before each row with what Flink
// 2.3.0 prints for CURRENT_WATERMARK in that row (NULL: none yet). The rows of
// each case are cut into batches in all sizes.
func TestEmission(t *testing.T) {
	cases := []struct {
		name     string
		interval types.Time
		rows     string // value of the watermark expression, CURRENT_WATERMARK
	}{
		{"conformance time/wm_interval_large_step", 3600_000, `
2024-03-01 00:00:00     | NULL
2024-03-01 00:30:00     | 2024-03-01 00:00:00
2024-03-01 01:00:00     | 2024-03-01 00:00:00
2024-03-01 01:00:01     | 2024-03-01 00:00:00
2024-03-01 01:30:00     | 2024-03-01 01:00:01
2024-03-01 02:00:02     | 2024-03-01 01:00:01
2024-03-01 02:00:00     | 2024-03-01 02:00:02
2024-03-01 09:00:00     | 2024-03-01 02:00:02`},
		{"conformance time/wm_interval_zero_every_ms", 0, `
2024-03-01 00:00:00.000 | NULL
2024-03-01 00:00:00.001 | 2024-03-01 00:00:00.000
2024-03-01 00:00:00.002 | 2024-03-01 00:00:00.001
2024-03-01 00:00:00.002 | 2024-03-01 00:00:00.002
2024-03-01 00:00:00.001 | 2024-03-01 00:00:00.002
2024-03-01 00:00:00.003 | 2024-03-01 00:00:00.002
2024-03-01 00:00:00.010 | 2024-03-01 00:00:00.003`},
		{"conformance time/wm_before_1970", 200, `
1969-07-20 20:17:40     | NULL
1969-12-31 23:00:00     | NULL
1969-07-16 13:32:00     | NULL
1957-10-04 19:28:34     | NULL
1970-01-01 00:00:00     | NULL
1969-12-31 23:59:59     | NULL
1970-01-01 00:00:10     | NULL
1969-12-31 23:59:59     | 1970-01-01 00:00:10
1998-11-20 06:40:00     | 1970-01-01 00:00:10
1998-11-20 06:40:00     | 1998-11-20 06:40:00`},
		{"asked: the default interval, around 0, and a NULL", 200, `
1970-01-01 00:00:00.100 | NULL
1970-01-01 00:00:00.200 | NULL
1970-01-01 00:00:00.201 | NULL
2024-03-01 00:00:00.000 | 1970-01-01 00:00:00.201
2024-03-01 00:00:00.150 | 2024-03-01 00:00:00.000
2024-03-01 00:00:00.200 | 2024-03-01 00:00:00.000
NULL                    | 2024-03-01 00:00:00.000
2024-03-01 00:00:00.201 | 2024-03-01 00:00:00.000
2024-03-01 00:00:00.300 | 2024-03-01 00:00:00.201
2024-03-01 00:00:00.402 | 2024-03-01 00:00:00.201
2024-03-01 00:00:00.403 | 2024-03-01 00:00:00.402`},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			lines := strings.Split(strings.TrimSpace(tc.rows), "\n")
			v := row.NewVec(types.TimestampOf(3), len(lines))
			var want []types.Time
			for i, l := range lines {
				value, mark, _ := strings.Cut(l, "|")
				if ms, ok := millis(t, value); ok {
					v.I64[i] = int64(ms) * 1000
				} else {
					v.SetNull(i)
					v.I64[i] = 1 << 60 // undefined, must not be read
				}
				m, ok := millis(t, mark)
				if !ok {
					m = types.MinTime
				}
				want = append(want, m)
			}
			for size := 1; size <= v.Len; size++ {
				if got := before(v, size, tc.interval); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("batches of %d:\ngot  %v\nwant %v", size, got, want)
				}
			}
		})
	}
}

// before is the mark before each row when v comes in batches of size rows.
func before(v *row.Vec, size int, interval types.Time) []types.Time {
	e := newEventTime(0, interval)
	var out []types.Time
	now := types.MinTime
	for from := 0; from < v.Len; from += size {
		n := min(size, v.Len-from)
		marks := e.marks(v.Slice(from, from+n), n)
		for r := range n {
			for len(marks) > 0 && int(marks[0].Row) == r {
				now, marks = marks[0].Time, marks[1:]
			}
			out = append(out, now)
		}
		for _, m := range marks {
			now = m.Time
		}
	}
	return out
}

func millis(t *testing.T, s string) (types.Time, bool) {
	if s = strings.TrimSpace(s); s == "NULL" {
		return 0, false
	}
	at, err := time.Parse("2006-01-02 15:04:05", s)
	if err != nil {
		t.Fatal(err)
	}
	return types.Time(at.UnixMilli()), true
}

// TestEmissionFromMinTime: a source with a generator of its own emits whatever
// comes first.
func TestEmissionFromMinTime(t *testing.T) {
	e := newEventTime(types.MinTime, 200)
	v := row.NewVec(types.TimestampOf(3), 3)
	copy(v.I64, []int64{-5000_001, -5000_000, -4000_000})
	got := fmt.Sprint(e.marks(v, 3))
	if want := fmt.Sprint([]row.Mark{{Row: 1, Time: -5001}, {Row: 3, Time: -4000}}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if p := e.pending(); p != types.MinTime {
		t.Errorf("pending %d", p)
	}
}
