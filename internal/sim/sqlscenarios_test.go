package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// inScripts are the scenarios with crashes that are written in SQL: what the
// planner makes of whole statements, over files and into files.
func inScripts(t testing.TB) []checked {
	rows := map[string]string{"a.json": someRows(31, 44), "b.json": someRows(32, 36), "words.csv": someWords(33, 40), "changes.json": someChanges(35, 60)}
	const tables = `
CREATE TABLE a (k INT, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '20' SECOND) WITH ('connector' = 'filesystem', 'path' = 'a.json', 'format' = 'json');
CREATE TABLE b (k INT, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '20' SECOND) WITH ('connector' = 'filesystem', 'path' = 'b.json', 'format' = 'json');
CREATE VIEW joined AS SELECT a.k, a.v + b.v AS w, a.ts FROM a JOIN b ON a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '5' SECOND AND b.ts + INTERVAL '5' SECOND;
CREATE TABLE t (k INT, w TIMESTAMP(3), n BIGINT) WITH ('connector' = 'sim');
CREATE TABLE h (k INT, w TIMESTAMP(3), n BIGINT) WITH ('connector' = 'sim');
CREATE TABLE u (k INT, w TIMESTAMP(3), n BIGINT) WITH ('connector' = 'sim');
CREATE TABLE changes (k INT, v INT, ts TIMESTAMP(3), PRIMARY KEY (k) NOT ENFORCED, WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'changes.json', 'format' = 'debezium-json');
CREATE TABLE byv (v INT, k INT, PRIMARY KEY (v) NOT ENFORCED) WITH ('connector' = 'sim');
CREATE TABLE words (w STRING, n INT) WITH ('connector' = 'filesystem', 'path' = 'words.csv', 'format' = 'csv');
`
	within := " ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '4' SECOND AND a.ts + INTERVAL '9' SECOND"
	sql := func(name, text string) checked { return checked{name: name, plan: inSQL(t, tables+text, rows)} }
	return []checked{
		sql("inner interval join", "SELECT a.k, a.v, b.v FROM a JOIN b"+within),
		sql("left interval join", "SELECT a.k, a.v, b.v FROM a LEFT JOIN b"+within),
		sql("right interval join", "SELECT a.k, b.k, a.v, b.v FROM a RIGHT JOIN b"+within),
		sql("full window join", `SELECT a.k, a.v, b.k, b.v, a.window_start, b.window_end FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS a
FULL JOIN TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '10' SECOND)) AS b ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.k = b.k AND a.v < b.v`),
		sql("anti window join", `SELECT a.k, a.v, a.window_start FROM TABLE(HOP(TABLE a, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) AS a
WHERE NOT EXISTS (SELECT * FROM TABLE(HOP(TABLE b, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND)) AS b
WHERE a.window_start = b.window_start AND a.window_end = b.window_end AND a.v = b.v)`),
		sql("window join into windows by the original time", `SELECT window_start, COUNT(*), SUM(n) FROM TABLE(TUMBLE((SELECT a.ts, a.v + b.v AS n
FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '30' SECOND)) AS a JOIN TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '30' SECOND)) AS b
ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.k = b.k), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end`),
		sql("windows over a window join", `SELECT a.window_start, a.window_end, COUNT(*), SUM(b.s) FROM TABLE(SESSION(TABLE a PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECOND)) AS a
LEFT JOIN (SELECT window_start, window_end, k, SUM(v) AS s FROM TABLE(SESSION(TABLE b PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY window_start, window_end, k) AS b
ON a.window_start = b.window_start AND a.window_end = b.window_end AND a.k = b.k GROUP BY a.window_start, a.window_end`),
		sql("windows over an interval join", `SELECT window_start, k, COUNT(*), SUM(w) FROM TABLE(TUMBLE(TABLE joined, DESCRIPTOR(ts), INTERVAL '30' SECOND))
GROUP BY window_start, window_end, k`),
		sql("older windows", `EXECUTE STATEMENT SET BEGIN
INSERT INTO t SELECT k, TUMBLE_START(ts, INTERVAL '20' SECOND), SUM(v) FROM a GROUP BY k, TUMBLE(ts, INTERVAL '20' SECOND);
INSERT INTO h SELECT k, HOP_END(ts, INTERVAL '7' SECOND, INTERVAL '25' SECOND), COUNT(*) FROM a GROUP BY k, HOP(ts, INTERVAL '7' SECOND, INTERVAL '25' SECOND);
INSERT INTO u SELECT k, SESSION_ROWTIME(ts, INTERVAL '9' SECOND), MAX(v) FROM a GROUP BY k, SESSION(ts, INTERVAL '9' SECOND);
END;`),
		sql("grouping sets", "SELECT k, MOD(v, 3), GROUPING_ID(k, MOD(v, 3)), COUNT(*), SUM(v), COUNT(DISTINCT v) FROM a GROUP BY GROUPING SETS ((k), (MOD(v, 3)), (k, MOD(v, 3)), ())"),
		sql("time to live", "SET 'table.exec.state.ttl' = '1 h'; SELECT n, COUNT(*), MAX(w) FROM (SELECT w, COUNT(*) AS n FROM words GROUP BY w) GROUP BY n"),
		sql("join with time to live", "SET 'table.exec.state.ttl' = '1 h'; SELECT a.k, a.v, w FROM a LEFT JOIN words ON a.v = words.n AND a.k < 3"),
		sql("normalized", "SET 'table.exec.source.cdc-events-duplicate' = 'true'; SELECT k, v FROM changes"),
		sql("normalized with a condition", "SET 'table.exec.source.cdc-events-duplicate' = 'true'; SET 'table.exec.state.ttl' = '1 h'; SELECT v, COUNT(*) FROM changes WHERE v > 3 GROUP BY v"),
		sql("last of those that meet", "INSERT INTO byv SELECT v, k FROM changes ON CONFLICT DO DEDUPLICATE"),
		sql("first of those that meet", "SET 'table.exec.state.ttl' = '1 h'; INSERT INTO byv SELECT v, k FROM changes ON CONFLICT DO NOTHING"),
		sql("ranks", "SELECT k, rn, v, ts FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS rn FROM a) WHERE rn <= 3"),
		sql("ranks of counts", "SELECT v, n FROM (SELECT v, COUNT(*) AS n FROM a GROUP BY v) ORDER BY n DESC, v LIMIT 4"),
		sql("ranks of sums", "SELECT k, rn, v, s FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY s DESC) AS rn FROM (SELECT k, v, SUM(v - 4) AS s FROM a GROUP BY k, v)) WHERE rn BETWEEN 2 AND 3"),
		sql("limit over updates", "SELECT COUNT(*) FROM (SELECT v, COUNT(*) AS n FROM a GROUP BY v LIMIT 3)"),
		sql("last rows", "SELECT k, v, ts FROM a QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) = 1"),
		sql("first rows", "SELECT k, v, ts FROM a QUALIFY ROW_NUMBER() OVER (PARTITION BY k, v ORDER BY ts) = 1"),
		sql("first rows by arrival", "SELECT k, v, ts FROM (SELECT *, PROCTIME() AS pt FROM a) QUALIFY ROW_NUMBER() OVER (PARTITION BY k, v ORDER BY pt) <= 2"),
		sql("sorted", "SELECT k, v, ts FROM a ORDER BY ts, v DESC"),
		sql("over rows", "SELECT k, ts, SUM(v) OVER w, MIN(v) OVER w, COUNT(DISTINCT v) OVER w FROM a WINDOW w AS (PARTITION BY k ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)"),
		sql("over a range", "SELECT k, ts, SUM(v) OVER w, MAX(v) OVER w FROM a WINDOW w AS (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL '15' SECOND PRECEDING AND CURRENT ROW)"),
		sql("over from the start", "SELECT k, ts, SUM(v) OVER w, LAG(v, 2) OVER w FROM a WINDOW w AS (PARTITION BY k ORDER BY ts)"),
		sql("over by arrival", "SELECT k, ts, SUM(v) OVER (PARTITION BY k ORDER BY pt ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM (SELECT *, PROCTIME() AS pt FROM a)"),
		sql("over any order", "SELECT k, v, ts, SUM(v) OVER (PARTITION BY k ORDER BY v) FROM a"),
		sql("patterns", `SELECT k, t0, low, high, n FROM a MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts
MEASURES A.ts AS t0, LAST(D.v) AS low, U.v AS high, COUNT(*) AS n AFTER MATCH SKIP PAST LAST ROW
PATTERN (A D+ U) WITHIN INTERVAL '25' SECOND DEFINE D AS D.v < COALESCE(LAST(D.v, 1), A.v), U AS U.v > LAST(D.v))`),
		sql("patterns that wait for one another", `SELECT k, v, n, s, w FROM a MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts, v DESC
MEASURES A.v AS v, COUNT(X.v) AS n, SUM(X.v) AS s, B.v AS w AFTER MATCH SKIP TO NEXT ROW
PATTERN (A X*? B) WITHIN INTERVAL '40' SECOND DEFINE X AS COUNT(X.v) < 5, B AS B.v > A.v AND B.v > AVG(X.v))`),
		sql("patterns by arrival", `SELECT k, v, w FROM (SELECT *, PROCTIME() AS pt FROM a) MATCH_RECOGNIZE (PARTITION BY k ORDER BY pt
MEASURES A.v AS v, LAST(B.v) AS w AFTER MATCH SKIP TO LAST B PATTERN (A B+? C) DEFINE B AS B.v <> A.v, C AS C.v < B.v)`),
		sql("ranks per window", `SELECT window_start, k, v, ts, rn FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY v DESC, ts) AS rn
  FROM TABLE(HOP(TABLE a, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND))) WHERE rn <= 2`),
		sql("elements", "SELECT k, e, pos, ts FROM a LEFT JOIN UNNEST(ARRAY[v, v + 1, k, 9, v * 3]) WITH ORDINALITY AS t(e, pos) ON e > 5"),
		sql("elements of updates", "SELECT k, e, COUNT(*) FROM (SELECT k, COLLECT(v) AS c FROM a GROUP BY k) CROSS JOIN UNNEST(c) AS t(e) GROUP BY k, e"),
		sql("lateral", "SELECT d.k, x.v, x.ts FROM (SELECT DISTINCT k FROM a) AS d LEFT JOIN LATERAL (SELECT v, ts FROM b WHERE b.k = d.k ORDER BY v DESC LIMIT 2) AS x ON TRUE"),
		sql("ranks per window into windows by the original time", `SELECT window_start, COUNT(*), SUM(v) FROM TABLE(TUMBLE((SELECT ts, v FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, k ORDER BY v DESC, ts) AS rn
  FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '30' SECOND))) WHERE rn <= 2), DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY window_start, window_end`),
		{name: "watched folder", plan: inSQL(t, tables+`
CREATE TABLE watched (k INT, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '20' SECOND) WITH ('connector' = 'filesystem', 'path' = 'in', 'format' = 'json', 'source.monitor-interval' = '25 ms');
SELECT window_start, k, COUNT(*), SUM(v) FROM TABLE(TUMBLE(TABLE watched, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end, k`,
			rows, parts(someRows(34, 60), 7)...)},
		sql("files", `
CREATE TABLE c (k INT, n BIGINT, s STRING) PARTITIONED BY (k) WITH ('connector' = 'filesystem', 'path' = 'out/c', 'format' = 'csv', 'sink.rolling-policy.file-size' = '60 b');
CREATE TABLE j (k INT, v INT) WITH ('connector' = 'filesystem', 'path' = 'out/j', 'format' = 'json', 'sink.rolling-policy.rollover-interval' = '50 ms', 'sink.partition-commit.policy.kind' = 'success-file');
EXECUTE STATEMENT SET BEGIN
INSERT INTO c SELECT k, SUM(v), CAST(window_start AS STRING) FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end;
INSERT INTO j SELECT k, v FROM a WHERE v > 3;
INSERT INTO j SELECT k, v FROM b;
END;`),
	}
}

// someRows are rows of a and b, none of them late.
func someRows(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	at := 0
	for range n {
		at += r.IntN(5000)
		ts := max(0, at-r.IntN(9000))
		fmt.Fprintf(&b, "{\"k\": %d, \"v\": %d, \"ts\": \"2024-05-01 10:%02d:%02d.%03d\"}\n", r.IntN(4), r.IntN(10), ts/60_000, ts/1000%60, ts%1000)
	}
	return b.String()
}

// someChanges are changes by key, some of them of rows that are not there.
func someChanges(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for i := range n {
		row := func() string {
			return fmt.Sprintf("{\"k\": %d, \"v\": %d, \"ts\": \"2024-05-01 10:00:%02d\"}", r.IntN(8), r.IntN(6), i/4)
		}
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "{\"before\": %s, \"after\": null, \"op\": \"d\"}\n", row())
		case 1:
			fmt.Fprintf(&b, "{\"before\": null, \"after\": %s, \"op\": \"c\"}\n", row())
		default:
			fmt.Fprintf(&b, "{\"before\": %s, \"after\": %s, \"op\": \"u\"}\n", row(), row())
		}
	}
	return b.String()
}

// parts cuts lines into n files.
func parts(text string, n int) []string {
	lines := strings.SplitAfter(strings.TrimSpace(text), "\n")
	var out []string
	for i := range n {
		out = append(out, strings.Join(lines[i*len(lines)/n:(i+1)*len(lines)/n], ""))
	}
	return out
}

func someWords(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "word %d,%d\n", r.IntN(9), r.IntN(10))
	}
	return b.String()
}
