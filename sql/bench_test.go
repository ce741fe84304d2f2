package sql

import "testing"

// BenchmarkParse reads a table and a windowed query of about 700 bytes.
func BenchmarkParse(b *testing.B) {
	const text = `CREATE TABLE trades (
  sym STRING, px DECIMAL(12,4), qty INT, raw_ts BIGINT, part INT METADATA FROM 'partition' VIRTUAL,
  ts AS TO_TIMESTAMP_LTZ(raw_ts, 3), pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
) WITH ('connector' = 'filesystem', 'path' = 'in.json', 'format' = 'json');
SELECT window_start, window_end, sym, SUM(qty) AS vol, AVG(px * qty) FILTER (WHERE px BETWEEN 1 AND 2 + 3) AS a,
  CASE WHEN COUNT(*) > 10 THEN 'many' ELSE CAST(COUNT(*) AS STRING) || '!' END AS n
FROM TABLE(TUMBLE(TABLE trades, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
WHERE sym LIKE 'A%' AND NOT px IS NULL GROUP BY window_start, window_end, sym HAVING SUM(qty) > 5;`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
