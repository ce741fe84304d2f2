package value

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestZonesAreEmbedded: what the environment and the machine say of a zone does
// not matter. A process of its own is asked, because the time package reads
// ZONEINFO once.
func TestZonesAreEmbedded(t *testing.T) {
	const child = "FSQL_TEST_ZONES"
	if os.Getenv(child) == "" {
		wrong := t.TempDir()
		if err := os.Mkdir(filepath.Join(wrong, "Europe"), 0o700); err != nil {
			t.Fatal(err)
		}
		// The file of a zone without any offset, under the name of another.
		utc := "TZif2" + string(make([]byte, 15)) + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x01" + "\x00\x00\x00\x04" +
			"\x00\x00\x00\x00\x00\x00UTC\x00"
		utc += utc + "\nUTC0\n"
		if err := os.WriteFile(filepath.Join(wrong, "Europe", "Berlin"), []byte(utc), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(os.Args[0], "-test.run", "^TestZonesAreEmbedded$")
		c.Env = append(os.Environ(), child+"=1", "ZONEINFO="+wrong)
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	z, err := LoadZone("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	if got := z.Local(0); got != Hour {
		t.Errorf("Europe/Berlin is %d ms off UTC in 1970, want %d", got, Hour)
	}
}

func TestZoneNamesAreNoPaths(t *testing.T) {
	for _, name := range []string{"", ".", "Europe", "Europe/", "../Europe/Berlin", "/Europe/Berlin", "Local", "posix/UTC", "europe/berlin"} {
		if _, err := LoadZone(name); err == nil {
			t.Errorf("LoadZone(%q) gives a zone", name)
		}
	}
}

func BenchmarkLoadZone(b *testing.B) {
	for b.Loop() {
		if _, err := LoadZone("Europe/Berlin"); err != nil {
			b.Fatal(err)
		}
	}
}

// TestEveryZone reads the whole database.
func TestEveryZone(t *testing.T) {
	r, err := zip.NewReader(strings.NewReader(zoneinfo), int64(len(zoneinfo)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		if loc, err := location(f.Name); err != nil || loc.String() != f.Name {
			t.Errorf("%s: %v %v", f.Name, loc, err)
		}
	}
	if len(r.File) < 500 {
		t.Errorf("%d zones", len(r.File))
	}
}
