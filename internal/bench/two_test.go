package bench

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
)

// Two tables with a row a second each and a mark behind every row: turns of the
// inputs are as short as they get.
const sparse = `CREATE TABLE %s (id BIGINT, k STRING, ts TIMESTAMP(3), price DOUBLE, note STRING,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
`

func twoTables(b *testing.B, perSecond int) string {
	b.Helper()
	script := ""
	for _, name := range []string{"l", "r"} {
		path := write(b, name+".csv", func(w *bufio.Writer, id, key int, _ string) {
			if id >= rows/2 {
				return
			}
			s := id / perSecond
			ts := fmt.Sprintf("2024-05-%02d %02d:%02d:%02d.%03d", 1+s/86400, s/3600%24, s/60%60, s%60, id%perSecond*1000/perSecond)
			csvLine(w, id, key, ts)
		})
		script += fmt.Sprintf(sparse, name, path)
	}
	return script
}

// BenchmarkUnionWindow counts the rows of two tables together.
func BenchmarkUnionWindow(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprintf("rows-a-second=%d", n), func(b *testing.B) {
			measure(b, twoTables(b, n)+`CREATE VIEW bid AS SELECT id, k, ts FROM l UNION ALL SELECT id, k, ts FROM r;
SELECT k, window_start, COUNT(*) AS n FROM TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY k, window_start, window_end HAVING COUNT(*) > 5`)
		})
	}
}

// BenchmarkIntervalJoin joins two tables by a unique column within ten seconds and
// counts what comes out.
func BenchmarkIntervalJoin(b *testing.B) {
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprintf("rows-a-second=%d", n), func(b *testing.B) {
			measure(b, twoTables(b, n)+`SELECT l.k, COUNT(*) AS n FROM l JOIN r ON l.id = r.id
AND l.ts BETWEEN r.ts - INTERVAL '5' SECOND AND r.ts + INTERVAL '5' SECOND GROUP BY l.k`)
		})
	}
}

// BenchmarkRegularJoin joins two tables without event time by a unique column.
func BenchmarkRegularJoin(b *testing.B) {
	script := strings.ReplaceAll(twoTables(b, 1000), ",\n  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND", "")
	measure(b, script+"SELECT l.id, r.k FROM l JOIN r ON l.id = r.id WHERE l.price > 998")
}
