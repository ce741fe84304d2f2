package fsql_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"fsql/internal/cli"
)

// TestPromise runs queries whose answers depend on the order of rows at several
// parallelisms, several times each: lateness where inputs meet, lists, first and last
// values, sums of floating-point numbers, equal ranks, LIMIT. There is one answer.
// What it is, the simulator and the corpus tell; this test is about the plans that
// the planner makes.
func TestPromise(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	file := func(name string, rows, seconds int) {
		var b strings.Builder
		at := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
		for i := range rows {
			at = at.Add(time.Duration(r.IntN(2*seconds*1000+1)) * time.Millisecond)
			ts := at
			if r.IntN(3) == 0 {
				ts = at.Add(-time.Duration(r.IntN(90_000)) * time.Millisecond)
			}
			fmt.Fprintf(&b, "%d,%d,%s,%g\n", i, r.IntN(7), ts.Format("2006-01-02 15:04:05.000"), r.Float64()*1000)
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file("short/a.csv", 300, 30)
	file("long/a.csv", 9000, 1)
	for i, n := range []int{5, 4000, 1, 700, 2500} {
		file(fmt.Sprintf("parts/%d.csv", i), n, 1)
	}
	table := func(name, path, watermark string) string {
		return fmt.Sprintf("CREATE TABLE %s (id INT, k INT, ts TIMESTAMP(3), x DOUBLE%s) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');\n",
			name, watermark, filepath.ToSlash(filepath.Join(dir, path)))
	}
	const late = ", WATERMARK FOR ts AS ts - INTERVAL '5' SECOND"
	script := table("s", "short", late) + table("l", "long", late) + table("p", "parts", "") + table("q", "long", "") +
		"CREATE VIEW u AS SELECT * FROM s UNION ALL SELECT * FROM l;\n"
	for name, query := range map[string]string{
		"late rows of a union":    "SELECT window_end, k, COUNT(*) AS n FROM TUMBLE(TABLE u, DESCRIPTOR(ts), INTERVAL '10' SECOND) GROUP BY window_start, window_end, k",
		"late rows of a join":     "SELECT s.id, l.id AS lid FROM s LEFT JOIN l ON s.k = l.k AND l.ts BETWEEN s.ts - INTERVAL '5' SECOND AND s.ts + INTERVAL '5' SECOND",
		"windows over a join":     "SELECT window_end, n, COUNT(*) AS c FROM TUMBLE(TABLE j, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, n",
		"lists":                   "SELECT k, LISTAGG(CAST(id AS STRING)) AS ids FROM p GROUP BY k",
		"first and last":          "SELECT k, FIRST_VALUE(id) AS f, LAST_VALUE(id) AS l, ARRAY_AGG(id) AS a FROM p WHERE id < 300 GROUP BY k",
		"last digits":             "SELECT k, SUM(x) AS s, AVG(x) AS a, STDDEV_POP(x) AS d FROM p GROUP BY k",
		"lists over two tables":   "SELECT k, LISTAGG(CAST(id AS STRING)) AS ids FROM (SELECT id, k FROM p UNION ALL SELECT id, k FROM q) GROUP BY k",
		"lists over updates":      "SELECT n, LISTAGG(CAST(k AS STRING)) AS ks FROM (SELECT k, x, COUNT(*) AS n FROM p GROUP BY k, x) GROUP BY n",
		"limit":                   "SELECT id, k FROM p LIMIT 20",
		"equal ranks":             "SELECT k, id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id / 50) AS rn FROM p) WHERE rn <= 3",
		"sums over a union":       "SELECT k, SUM(x) AS s FROM (SELECT k, x FROM p UNION ALL SELECT k, x FROM q) GROUP BY k",
		"last digits over a join": "SELECT p.k, SUM(p.x * q.x) AS s FROM p JOIN q ON p.id = q.id GROUP BY p.k",
	} {
		t.Run(name, func(t *testing.T) {
			var want string
			for i, par := range []string{"1", "1", "2", "7", "7", "3"} {
				var out, errs bytes.Buffer
				view := "CREATE VIEW j AS SELECT s.id % 5 AS n, l.ts FROM s JOIN l ON s.k = l.k AND l.ts BETWEEN s.ts - INTERVAL '30' SECOND AND s.ts + INTERVAL '30' SECOND;\n"
				args := []string{"-D", "parallelism.default=" + par, "-c", script + view + query, "--csv"}
				if status := cli.Main(context.Background(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != 0 {
					t.Fatalf("status %d: %s", status, errs.String())
				}
				lines := strings.Split(strings.TrimSpace(out.String()), "\n")
				sort.Strings(lines[1:])
				got := strings.Join(lines, "\n")
				if i == 0 {
					want = got
				} else if got != want {
					t.Fatalf("parallelism %s gives another answer", par)
				}
			}
		})
	}
}
