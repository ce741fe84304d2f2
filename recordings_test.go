package fsql_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"fsql/internal/cli"
)

// TestRecordings runs scripts over real recordings at several parallelisms and
// compares with a real Flink's answers: no answer depends on parallelism.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("testdata/recordings/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		want, err := os.ReadFile(strings.TrimSuffix(file, ".sql") + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		for _, par := range []string{"1", "2", "7"} {
			t.Run(filepath.Base(file)+"/"+par, func(t *testing.T) {
				var out, errs bytes.Buffer
				args := []string{"-D", "parallelism.default=" + par, "-D", "table.local-time-zone=UTC", "-f", file, "--csv"}
				status := cli.Main(context.Background(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
				if status != 0 {
					t.Fatalf("status %d: %s", status, errs.String())
				}
				compareRows(t, string(want), out.String())
			})
		}
	}
}

// compareRows compares two CSV texts without quoted line breaks: same header,
// same rows in any order.
func compareRows(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	if w[0] != g[0] {
		t.Fatalf("header %q, want %q", g[0], w[0])
	}
	w, g = w[1:], g[1:]
	sort.Strings(w)
	sort.Strings(g)
	if len(w) != len(g) {
		t.Errorf("%d rows, want %d", len(g), len(w))
	}
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			t.Fatalf("row %q, want %q", g[i], w[i])
		}
	}
}
