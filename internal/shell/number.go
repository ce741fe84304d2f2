package shell

import (
	"fmt"
	"strconv"
	"time"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// thousands spells a number with commas: 1,204.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 1
	if n >= 0 {
		first = 0
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// short spells a number in few characters: 1.2M.
func short(n int64) string {
	switch f := float64(n); {
	case n >= 10_000_000:
		return fmt.Sprintf("%.0fM", f/1e6)
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", f/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", f/1e3)
	}
	return thousands(n)
}

// bytesText spells an amount of memory.
func bytesText(n int64) string {
	switch f := float64(n); {
	case n >= 10<<30:
		return fmt.Sprintf("%.0f GB", f/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", f/(1<<20))
	}
	return fmt.Sprintf("%d KB", (n+1023)>>10)
}

// seconds spells a duration for a person.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0fs", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm %ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh %dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}

// received counts what a query gave so far: an updating one gives changes, of
// which a row may have many.
func received(n int64, kinds row.Kinds) string {
	switch {
	case kinds == row.InsertOnly:
		return rows(n)
	case n == 1:
		return "1 change"
	}
	return thousands(n) + " changes"
}

// rows spells a number of rows.
func rows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return thousands(n) + " rows"
}

// moment spells an event time as the clock shows it, with the date when that is
// not today's.
func moment(t, now types.Time) string {
	const day = 86_400_000
	text := string(value.AppendTimestampNano(nil, int64(t), 0, 0))
	if len(text) == len("2006-01-02 15:04:05") && t/day == now/day {
		return text[len("2006-01-02 "):]
	}
	return text
}
