package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/cli"
)

// BenchmarkCheckpointCost is the JSON window job into a file, without checkpoints
// and with one a second: six million rows, so that there are some.
//
//	go test ./internal/bench -bench CheckpointCost -benchtime 3x
func BenchmarkCheckpointCost(b *testing.B) {
	dir := b.TempDir()
	const files = 3
	for n := range files {
		path := write(b, fmt.Sprint(n), func(w *bufio.Writer, id, key int, _ string) {
			ms := n*rows + id
			jsonLine(w, id, key, fmt.Sprintf("2024-05-01 %02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000))
		})
		if err := os.Rename(path, filepath.Join(dir, fmt.Sprint(n, ".json"))); err != nil {
			b.Fatal(err)
		}
	}
	for _, interval := range []string{"0 ms", "1 s"} {
		b.Run("interval="+strings.ReplaceAll(interval, " ", ""), func(b *testing.B) {
			spent := cpuTime()
			for b.Loop() {
				out := b.TempDir()
				script := fmt.Sprintf("SET 'execution.checkpointing.interval' = '%s'; SET 'execution.checkpointing.dir' = '%s/checkpoints'; SET 'pipeline.name' = 'cost';\n", interval, out) +
					fmt.Sprintf(table, dir, "json") +
					fmt.Sprintf("CREATE TABLE counts (k STRING, w TIMESTAMP(3), n BIGINT) WITH ('connector' = 'filesystem', 'path' = '%s/out', 'format' = 'csv');\nINSERT INTO counts ", out) + countPerKey
				var errs bytes.Buffer
				if status := cli.Main(context.Background(), []string{"-c", script}, cli.Streams{In: strings.NewReader(""), Out: &errs, Err: &errs}); status != 0 {
					b.Fatalf("status %d: %s", status, errs.String())
				}
			}
			b.ReportMetric(files*rows*float64(b.N)/(cpuTime()-spent).Seconds()/1e6, "Mrows/cpu-s")
		})
	}
}
