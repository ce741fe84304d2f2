package cli

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsql/internal/diag"
)

var record = flag.Bool("record-checkpoint", false, "record a checkpoint for TestVersion1 under testdata/checkpoint-new")

// kinds is a job of one operator of each kind that takes part in checkpoints.
func kinds(where string) string {
	return `SET 'execution.checkpointing.interval' = '5 ms';
SET 'execution.checkpointing.dir' = 'checkpoints';
SET 'restart-strategy.type' = 'none';
SET 'pipeline.name' = 'kinds';
CREATE TABLE numbers (id BIGINT, ts AS TO_TIMESTAMP_LTZ(id * 1000 + MOD(id, 10) * 3000, 3), k AS MOD(id, 3), s AS 'text ' || CAST(MOD(id, 4) AS STRING), WATERMARK FOR ts AS ts - INTERVAL '20' SECOND)
WITH ('connector' = 'datagen', 'rows-per-second' = '500', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '399');
CREATE VIEW picked AS SELECT * FROM numbers WHERE ` + where + `;
CREATE TABLE tumbled (k BIGINT, w TIMESTAMP(3), n BIGINT, lo STRING, d BIGINT, a DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'out/tumbled', 'format' = 'csv');
CREATE TABLE hopped (k BIGINT, w TIMESTAMP(3), hi BIGINT, l STRING) WITH ('connector' = 'filesystem', 'path' = 'out/hopped', 'format' = 'json');
CREATE TABLE steps (w TIMESTAMP(3), n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out/steps', 'format' = 'csv', 'sink.rolling-policy.file-size' = '200 b');
CREATE TABLE sessions (k BIGINT, w TIMESTAMP(3), n BIGINT) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'out/sessions', 'format' = 'csv');
CREATE TABLE counts (n BIGINT, ks BIGINT) WITH ('connector' = 'print');
EXECUTE STATEMENT SET BEGIN
INSERT INTO tumbled SELECT k, window_start, COUNT(*), MIN(s), COUNT(DISTINCT s), AVG(CAST(id AS DOUBLE))
  FROM TABLE(TUMBLE(TABLE picked, DESCRIPTOR(ts), INTERVAL '20' SECOND)) GROUP BY k, window_start, window_end;
INSERT INTO hopped SELECT k, window_start, MAX(id), LISTAGG(s)
  FROM TABLE(HOP(TABLE picked, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) GROUP BY k, window_start, window_end;
INSERT INTO steps SELECT window_end, COUNT(*)
  FROM TABLE(CUMULATE(TABLE picked, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '1' MINUTE)) GROUP BY window_start, window_end;
INSERT INTO sessions SELECT k, window_start, COUNT(*)
  FROM TABLE(SESSION(TABLE picked PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY k, window_start, window_end;
INSERT INTO counts SELECT n, COUNT(*) FROM (SELECT s, COUNT(*) AS n FROM picked GROUP BY s, k) GROUP BY n;
END;
`
}

// TestVersion1: a job goes on from a checkpoint that was made when the formats
// of checkpoints had version 1. That must hold for ever: when a format changes,
// this recording stays and another one is added.
func TestVersion1(t *testing.T) {
	if *record {
		dir := t.TempDir()
		if status, errs := runJob(t, dir, kinds("100 / (id - 305) < 1000")); status != diag.ExitJob || !strings.Contains(errs, "division") {
			t.Fatalf("status %d: %s", status, errs)
		}
		to := "testdata/checkpoint-new"
		for _, part := range []string{"checkpoints", "out"} {
			if err := os.CopyFS(filepath.Join(to, part), os.DirFS(filepath.Join(dir, part))); err != nil {
				t.Fatal(err)
			}
		}
		gone, _ := filepath.Glob(to + "/checkpoints/*/work")
		for _, g := range gone {
			if err := os.RemoveAll(g); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	resumed := t.TempDir()
	if err := os.CopyFS(resumed, os.DirFS("testdata/checkpoint-1")); err != nil {
		t.Fatal(err)
	}
	script := strings.Replace(kinds("id >= 0"), "'500'", "'1000000'", 1)
	path := filepath.Join(resumed, "job.sql")
	if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	status, printed, errs := run(t, "", path)
	if status != diag.ExitOK || !goesOn.MatchString(errs) {
		t.Fatalf("status %d: %s", status, errs)
	}
	fresh := t.TempDir()
	path = filepath.Join(fresh, "job.sql")
	if err := os.WriteFile(path, []byte(strings.Replace(script, "'5 ms'", "'0 ms'", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	status, all, errs := run(t, "", path)
	if status != diag.ExitOK {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, table := range []string{"tumbled", "hopped", "steps", "sessions/k=0", "sessions/k=1", "sessions/k=2"} {
		got, want := written(t, filepath.Join(resumed, "out", table)), written(t, filepath.Join(fresh, "out", table))
		if !slices.Equal(got, want) || len(want) < 5 {
			t.Errorf("%s: %d rows, want %d:\n%s\nwant\n%s", table, len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	// Of the changes that are printed the last ones must be those of a whole run.
	got, want := strings.Split(printed, "\n"), strings.Split(all, "\n")
	if len(got) >= len(want) || len(got) < 20 || !slices.Equal(got, want[len(want)-len(got):]) {
		t.Errorf("printed %d changes of %d:\n%s", len(got), len(want), printed)
	}
}
