package builtin

import (
	"testing"

	"fsql/internal/value"
)

// A wall clock that comes twice is standard time to Java's calendar, which
// UNIX_TIMESTAMP and CONVERT_TZ go by: Flink gives 1729992600 for the one here.
func TestStandardTime(t *testing.T) {
	z, err := value.LoadZone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for local, want := range map[int64]int64{
		1729996200000: 1729992600000, // 2024-10-27 02:30, twice
		1729999800000: 1729996200000, // 03:30
		1711852200000: 1711848600000, // 2024-03-31 02:30, which does not exist
	} {
		if got := standardTime(z, local); got != want {
			t.Errorf("%d is %d, not %d", local, got, want)
		}
	}
}

// Flink prints CEST for the pattern z, for zzzz Central European Summer Time.
func TestZoneNames(t *testing.T) {
	for name, want := range map[string]string{
		"Europe/Berlin": "CEST|Central European Summer Time", "GMT+08:00": "GMT+08:00|GMT+08:00", "Asia/Kolkata": "IST|India Standard Time",
		"America/Chicago": "CDT|Central Daylight Time", "Europe/London": "BST|British Summer Time", "UTC": "UTC|Coordinated Universal Time",
	} {
		z, err := value.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := value.ZoneName(z, 1711846800000) + "|" + value.LongZoneName(z, 1711846800000); got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
}
