package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fsql/internal/diag"
	"fsql/session"
	"fsql/sql"
)

const watchedFolder = `SET 'execution.checkpointing.interval' = '5 ms';
SET 'execution.checkpointing.dir' = 'checkpoints';
CREATE TABLE events (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = 'in', 'format' = 'json', 'source.monitor-interval' = '3 ms');
CREATE TABLE counts (w TIMESTAMP(3), n BIGINT, s BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv', 'sink.rolling-policy.rollover-interval' = '0 ms');
INSERT INTO counts SELECT window_start, COUNT(*), SUM(id) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end;
`

// TestMonitoredJob: a job over a folder that is watched is stopped and started
// again, while files come; its output holds every window once.
func TestMonitoredJob(t *testing.T) {
	dir := t.TempDir()
	var want []string
	file := func(n int) {
		t.Helper()
		text, sum := "", 0
		for i := range 10 {
			id := n*10 + i
			text += fmt.Sprintf("{\"id\": %d, \"ts\": \"2024-01-01 00:%02d:%02d\"}\n", id, id/60, id%60)
			sum += id
		}
		hidden, name := filepath.Join(dir, "in", "_new"), filepath.Join(dir, "in", fmt.Sprintf("%03d.json", n))
		if err := os.WriteFile(hidden, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(hidden, name); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("\"2024-01-01 00:%02d:%02d\",10,%d", n*10/60, n*10%60, sum))
	}
	folder(t, filepath.Join(dir, "in"))
	for life := range 4 {
		ctx, stop := context.WithCancel(t.Context())
		s, err := session.New(session.Config{Dir: dir, Settings: map[string]string{"pipeline.name": "watch", "parallelism.default": fmt.Sprint(1 + life%2)}})
		if err != nil {
			t.Fatal(err)
		}
		in := sql.NewReader(watchedFolder)
		for stmt, err := in.Next(); err == nil; stmt, err = in.Next() {
			if _, err := s.Execute(ctx, stmt); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 3 {
			file(life*3 + n)
		}
		// The last window waits for a later row.
		for until := time.Now().Add(time.Minute); len(seen(t, dir)) < len(want)-1; time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("life %d: %v, want %v", life, seen(t, dir), want)
			}
		}
		stop()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := seen(t, dir); !slices.Equal(got, want[:len(want)-1]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// seen is what readers of out/ see.
func seen(t *testing.T, dir string) []string {
	return slices.DeleteFunc(written(t, filepath.Join(dir, "out")), func(l string) bool { return l == "" })
}

// TestUnseen: an endless job that writes files and takes no checkpoints says that
// nobody will see them.
func TestUnseen(t *testing.T) {
	var log strings.Builder
	s, err := session.New(session.Config{Dir: t.TempDir(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(watchedFolder, "'checkpoints';\n")
	in := sql.NewReader(script)
	for stmt, err := in.Next(); err == nil; stmt, err = in.Next() {
		if _, err := s.Execute(t.Context(), stmt); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "becomes visible with checkpoints only") || !strings.Contains(log.String(), "counts") {
		t.Errorf("logged: %s", log.String())
	}
}

// TestMonitoredQuery: EXPLAIN tells that a folder is watched; a query over it
// runs until its time is up.
func TestMonitoredQuery(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder(t, filepath.Join(dir, "in")), "a.csv"), []byte("1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "q.sql")
	const table = "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'in', 'format' = 'csv', 'source.monitor-interval' = '10 ms');\n"
	for query, want := range map[string]string{
		"EXPLAIN SELECT * FROM t;":     "monitor=[10 ms]",
		"SELECT COUNT(*) AS n FROM t;": "{\"n\":2}",
	} {
		if err := os.WriteFile(path, []byte(table+query), 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, errs := run(t, "", "--timeout", "500ms", path)
		if !strings.Contains(out, want) || status != diag.ExitOK {
			t.Errorf("%s: status %d: %s %s", query, status, out, errs)
		}
	}
}
