package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rows that are in no answer are told, for queries and for INSERTs.
func TestDroppedRowsAreTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte("1,2026-03-01 10:00:00\n2,2026-03-01 10:01:00\nx,2026-03-01 10:02:00\n3,2026-03-01 10:00:00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	table := "SET 'pipeline.auto-watermark-interval' = '0 ms'; CREATE TABLE t (k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) " +
		"WITH ('connector' = 'filesystem', 'path' = '" + file + "', 'format' = 'csv', 'csv.ignore-parse-errors' = 'true'); " +
		"CREATE TABLE s (n BIGINT) WITH ('connector' = 'blackhole'); "
	query := "SELECT COUNT(*) AS n FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end"
	const late, skipped = "note: 1 late row dropped", "note: 1 row skipped"
	for _, sql := range []string{table + query, table + "INSERT INTO s " + query} {
		if _, _, errs := run(t, "", "-c", sql); !strings.Contains(errs, late) || !strings.Contains(errs, skipped) {
			t.Errorf("%s\n%s", sql, errs)
		}
		if _, _, errs := run(t, "", "-q", "-c", sql); errs != "" {
			t.Errorf("not quiet: %s", errs)
		}
	}
	if _, _, errs := run(t, "", "-c", table+"SELECT k FROM t"); strings.Contains(errs, "late") {
		t.Errorf("nothing was late: %s", errs)
	}
}
