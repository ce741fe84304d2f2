package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rows that are in no answer are told, for queries and for INSERTs.
func TestDroppedRowsAreTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.json")
	if err := os.WriteFile(file, []byte(`{"k": 1, "ts": "2026-03-01 10:00:00"}
{"k": 2, "ts": "2026-03-01 10:01:00"}
{"k": 3, 
{"k": 4, "ts": "2026-03-01 10:00:00"}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	table := "SET 'pipeline.auto-watermark-interval' = '0 ms'; CREATE TABLE t (k INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) " +
		"WITH ('connector' = 'filesystem', 'path' = '" + file + "', 'format' = 'json', 'json.ignore-parse-errors' = 'true'); " +
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
