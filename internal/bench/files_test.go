package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsql/internal/cli"
)

const rows = 2_000_000

// write makes a file of rows in event-time order with a second of disorder:
// five fields, 1000 keys, 1000 rows a second of event time, so that a key has about
// ten rows in ten seconds.
func write(b *testing.B, name string, line func(w *bufio.Writer, id int, key int, ts string)) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewSource(1))
	for i := 0; i < rows; i++ {
		ms := i + rng.Intn(1000)
		ts := fmt.Sprintf("2024-05-01 %02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
		line(w, i, rng.Intn(1000), ts)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

const table = `CREATE TABLE bid (id BIGINT, k STRING, ts TIMESTAMP(3), price DOUBLE, note STRING,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = '%s');
`

// measure runs a script and reports rows per second of CPU time and
// allocations per row.
func measure(b *testing.B, script string) {
	b.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpuTime()
	for b.Loop() {
		var out, errs bytes.Buffer
		status := cli.Main(context.Background(), []string{"-c", script, "--csv"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != 0 || out.Len() < 100 {
			b.Fatalf("status %d: %s%s", status, out.String(), errs.String())
		}
	}
	used := cpuTime() - start
	runtime.ReadMemStats(&after)
	total := float64(rows) * float64(b.N)
	b.ReportMetric(total/used.Seconds()/1e6, "Mrows/cpu-s")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/total, "allocs/row")
	b.ReportMetric(0, "ns/op")
}

const countPerKey = `SELECT k, window_start, COUNT(*) AS n FROM TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND)
GROUP BY k, window_start, window_end`

func jsonLine(w *bufio.Writer, id, key int, ts string) {
	fmt.Fprintf(w, `{"id":%d,"k":"key-%d","ts":"%s","price":%d.5,"note":"a note about bid number %d"}`+"\n", id, key, ts, id%1000, id)
}

func csvLine(w *bufio.Writer, id, key int, ts string) {
	fmt.Fprintf(w, "%d,key-%d,%s,%d.5,a note about bid number %d\n", id, key, ts, id%1000, id)
}

// BenchmarkJSONWindow reads two of five JSON fields and counts per key and ten
// seconds.
func BenchmarkJSONWindow(b *testing.B) {
	path := write(b, "bid.jsonl", jsonLine)
	measure(b, fmt.Sprintf(table, path, "json")+countPerKey)
}

// BenchmarkCSVWindow is the same from CSV.
func BenchmarkCSVWindow(b *testing.B) {
	path := write(b, "bid.csv", csvLine)
	measure(b, fmt.Sprintf(table, path, "csv")+countPerKey)
}

// BenchmarkJSONFilter reads three fields and filters.
func BenchmarkJSONFilter(b *testing.B) {
	path := write(b, "bid.jsonl", jsonLine)
	measure(b, fmt.Sprintf(table, path, "json")+"SELECT id, price * 2 AS p FROM bid WHERE price > 998 AND k LIKE 'key-1%'")
}

// BenchmarkJSONGroup is an updating aggregate whose result is folded.
func BenchmarkJSONGroup(b *testing.B) {
	path := write(b, "bid.jsonl", jsonLine)
	measure(b, fmt.Sprintf(table, path, "json")+"SELECT k, COUNT(*) AS n, SUM(price) AS s FROM bid GROUP BY k")
}
