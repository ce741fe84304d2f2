package window

import (
	"math"
	"testing"
	"time"

	"fsql/internal/value"
	"fsql/types"
)

func zoneFor(t testing.TB, name string) value.Zone {
	zone, err := value.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func ms(t testing.TB, text string) int64 {
	at, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}

// TestClockJumps walks minute by minute over jumps of the clock and compares
// passed and trigger with their definitions: a window is over when no later
// instant shows a time before its end, in a gap one instant after that.
func TestClockJumps(t *testing.T) {
	for _, c := range []struct{ zone, at string }{
		{"Europe/Berlin", "2024-03-31 01:00:00"},
		{"Europe/Berlin", "2024-10-27 01:00:00"},
		{"Australia/Lord_Howe", "2024-04-06 15:00:00"}, // 30 minutes back
		{"Australia/Lord_Howe", "2024-10-05 15:30:00"},
		{"America/Havana", "2024-03-10 05:00:00"}, // midnight does not exist
		{"Asia/Kolkata", "2024-06-01 00:00:00"},
		{"Pacific/Apia", "2011-12-30 10:00:00"},   // a day left out
		{"America/Juneau", "1867-10-19 00:31:13"}, // a day twice
	} {
		t.Run(c.zone+" "+c.at, func(t *testing.T) {
			const step = 60_000
			zone := zoneFor(t, c.zone)
			at := ms(t, c.at)
			from, to := at-30*hour, at+30*hour
			k := clock{zone: zone}
			n := int((to - from) / step)
			low := make([]int64, n+1) // the earliest time shown at an instant or later
			low[n] = math.MaxInt64
			for i := n - 1; i >= 0; i-- {
				low[i] = min(low[i+1], zone.Local(from+int64(i)*step))
			}
			for i := 1; i < n-25*60; i++ {
				next := from + int64(i)*step
				want := min(low[i], zone.Local(next-1)+1)
				got := k.passed(types.Time(next - 1))
				if got != want {
					t.Fatalf("passed(%v) = %v, want %v", utc(next-1), utc(got), utc(want))
				}
				if w := k.trigger(got); w > types.Time(next-1) || k.passed(w) < got || k.passed(w-1) >= got {
					t.Fatalf("trigger(%v) = %v", utc(got), utc(int64(w)))
				}
				if got := k.local(next); got != zone.Local(next) {
					t.Fatalf("local(%v) = %v", utc(next), utc(got))
				}
				start := floor(k.local(next), hour, 0)
				for lo, hi := k.reach(next, start, start+hour); lo < hi; lo += step {
					if l := zone.Local(lo); l < start || l >= start+hour {
						t.Fatalf("reach(%v) has %v", utc(next), utc(lo))
					}
				}
			}
		})
	}
}

func utc(at int64) string { return time.UnixMilli(at).UTC().Format("2006-01-02 15:04:05.000") }

func TestClockBounds(t *testing.T) {
	for _, k := range []*clock{{}, {zone: zoneFor(t, "Europe/Berlin")}} {
		if got := k.passed(types.MinTime); got != math.MinInt64 {
			t.Errorf("before the first watermark: %d", got)
		}
		if got := k.passed(types.MaxTime); got != math.MaxInt64 {
			t.Errorf("at the end: %d", got)
		}
	}
}
