package session_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow/array"

	"fsql/row"
	"fsql/session"
	"fsql/types"
)

// The shortest program: one query, its rows one by one.
func Example() {
	ctx := context.Background()
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	res, err := s.Query(ctx, "SELECT name, age * 2 AS twice FROM (VALUES ('ann', 20), ('bob', 21)) AS t(name, age)")
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range res.Rows(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		var name string
		var twice int
		if err := r.Scan(&name, &twice); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, twice)
	}
	// Output:
	// ann 40
	// bob 42
}

// A table whose rows the program pushes: a window comes out when the watermark,
// which trails the rows by five seconds, has passed its end.
func ExampleSession_Feed() {
	ctx := context.Background()
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	if err := s.Exec(ctx, `
		CREATE TABLE clicks (usr STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
		WITH ('connector' = 'program');`); err != nil {
		log.Fatal(err)
	}
	clicks, err := s.Feed("clicks")
	if err != nil {
		log.Fatal(err)
	}
	res, err := s.Query(ctx, `
		SELECT window_start, usr, COUNT(*) AS n
		FROM TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
		GROUP BY window_start, window_end, usr`)
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		at := func(sec int) time.Time { return time.Date(2026, 3, 1, 10, 0, sec, 0, time.UTC) }
		err := errors.Join(
			clicks.Append(ctx, []any{"ann", at(1)}, []any{"bob", at(2)}, []any{"ann", at(59)}),
			clicks.Append(ctx, []any{"ann", at(70)}),
			clicks.End())
		if err != nil {
			log.Print(err)
		}
	}()
	type count struct {
		WindowStart time.Time `sql:"window_start"`
		User        string    `sql:"usr"`
		N           int
	}
	for c, err := range session.Structs[count](ctx, res) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.WindowStart.Format(time.TimeOnly), c.User, c.N)
	}
	// Output:
	// 10:00:00 ann 2
	// 10:00:00 bob 1
	// 10:01:00 ann 1
}

// Whole columns at a time, in Arrow's form.
func ExampleResult_Records() {
	ctx := context.Background()
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	res, err := s.Query(ctx, "SELECT CAST(n AS BIGINT) AS n, n * 1.5E0 AS x FROM (VALUES (1), (2), (3)) AS t(n)")
	if err != nil {
		log.Fatal(err)
	}
	in, err := res.Records(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer in.Release()
	fmt.Println(in.Schema().Field(0).Name, in.Schema().Field(0).Type, in.Schema().Field(1).Name, in.Schema().Field(1).Type)
	sum := 0.0
	for in.Next() {
		rec := in.Record()
		n, x := rec.Column(0).(*array.Int64), rec.Column(1).(*array.Float64)
		for i := range int(rec.NumRows()) {
			sum += float64(n.Value(i)) * x.Value(i)
		}
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sum)
	// Output:
	// n int64 x float64
	// 21
}

// A result that changes: each change has a row kind, and the changes together
// make the table.
func ExampleRow_Kind() {
	ctx := context.Background()
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	res, err := s.Query(ctx, "SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS t(k) GROUP BY k")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("changes over time:", res.Kinds != row.InsertOnly)
	table := map[string]int64{}
	for r, err := range res.Rows(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		k, n := r.Value(0).(string), r.Value(1).(int64)
		fmt.Println(r.Kind(), k, n)
		if r.Kind().Adds() {
			table[k] = n
		} else {
			delete(table, k)
		}
	}
	fmt.Println(table)
	// Output:
	// changes over time: true
	// +I a 1
	// +I b 1
	// -U a 1
	// +U a 2
	// map[a:2 b:1]
}

// What an INSERT writes, read by the program.
func ExampleSession_ReadTable() {
	ctx := context.Background()
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	if err := s.Exec(ctx, "CREATE TABLE alerts (id INT, text STRING) WITH ('connector' = 'program')"); err != nil {
		log.Fatal(err)
	}
	alerts, err := s.ReadTable(ctx, "alerts")
	if err != nil {
		log.Fatal(err)
	}
	defer alerts.Release()
	if _, err := s.Start(ctx, "INSERT INTO alerts SELECT id, 'too hot' FROM (VALUES (1, 20), (2, 90)) AS t(id, degrees) WHERE degrees > 80"); err != nil {
		log.Fatal(err)
	}
	for alerts.Next() {
		fmt.Println(alerts.Record().Column(0), alerts.Record().Column(1))
	}
	if err := alerts.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [2] ["too hot"]
}

// An error has a code, a place and often a hint.
func ExamplePosition() {
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	const script = `CREATE TABLE t (city STRING) WITH ('connector' = 'datagen');
SELECT citty FROM t;`
	err = s.Run(context.Background(), script, func(*session.Result) error { return nil })
	var e *session.Error
	if errors.As(err, &e) {
		line, column, _ := session.Position(err, script)
		fmt.Println(e.Code, "in line", line, "column", column)
	}
	fmt.Print(session.Message(err, script))
	// Output:
	// unknown-column in line 2 column 8
	// error[unknown-column]: column 'citty' does not exist
	//   line 2, column 8
	// 2 | SELECT citty FROM t;
	//   |        ^^^^^ did you mean 'city'?
	//   hint: columns of t: city
}

// An endless query ends with its context.
func Example_cancel() {
	s, err := session.New(session.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if err := s.Exec(ctx, "CREATE TABLE endless (n INT) WITH ('connector' = 'datagen', 'fields.n.kind' = 'random')"); err != nil {
		log.Fatal(err)
	}
	res, err := s.Query(ctx, "SELECT n FROM endless")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("ends by itself:", res.Bounded)
	for _, err := range res.Rows(ctx) {
		if err != nil {
			fmt.Println(err, errors.Is(err, context.Canceled))
			break
		}
		cancel() // the first row is enough
	}
	// Output:
	// ends by itself: false
	// context canceled true
}

// A job that survives: stopped in the middle, it goes on where its last
// checkpoint was, and the files hold every row once.
func Example_exactlyOnce() {
	dir, err := os.MkdirTemp("", "fsql")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	run := func(stop bool) {
		s, err := session.New(session.Config{Dir: dir})
		if err != nil {
			log.Fatal(err)
		}
		defer s.Close() // stops the job if it has not ended
		if err := s.Exec(ctx, `
			SET 'execution.checkpointing.interval' = '10 ms';
			SET 'execution.checkpointing.dir' = 'checkpoints';
			SET 'pipeline.name' = 'doubled';
			CREATE TABLE i (n INT) WITH ('connector' = 'datagen', 'rows-per-second' = '5000',
				'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '2000');
			CREATE TABLE o (n INT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv',
				'sink.rolling-policy.rollover-interval' = '20 ms', 'sink.rolling-policy.check-interval' = '5 ms');`); err != nil {
			log.Fatal(err)
		}
		job, err := s.Start(ctx, "INSERT INTO o SELECT n * 2 FROM i")
		if err != nil {
			log.Fatal(err)
		}
		for stop && len(published(dir)) == 0 {
			time.Sleep(time.Millisecond)
		}
		if !stop {
			if err := job.Wait(); err != nil {
				log.Fatal(err)
			}
		}
	}
	run(true)
	run(false)
	seen := map[string]int{}
	for _, line := range published(dir) {
		seen[line]++
	}
	fmt.Println(len(published(dir)), "lines,", len(seen), "different ones")
	// Output:
	// 2000 lines, 2000 different ones
}

// published are the lines of the files that are complete.
func published(dir string) []string {
	var out []string
	files, _ := filepath.Glob(filepath.Join(dir, "out", "part-*"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		out = append(out, strings.Fields(string(text))...)
	}
	return out
}

// A scalar function that the program brings.
func ExampleFunction() {
	ctx := context.Background()
	s, err := session.New(session.Config{Functions: []session.Function{{
		Name: "initials", Args: []types.Type{types.String()}, Returns: types.String(),
		Call: func(args []any) (any, error) {
			out := ""
			for _, word := range strings.Fields(args[0].(string)) {
				out += word[:1]
			}
			return out, nil
		},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	res, err := s.Query(ctx, "SELECT INITIALS(name) FROM (VALUES ('Ada Lovelace'), (CAST(NULL AS STRING))) AS t(name)")
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range res.Rows(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Value(0))
	}
	// Output:
	// AL
	// <nil>
}

// Values that come from elsewhere are written as literals.
func ExampleLiteral() {
	name, err := session.Literal("O'Hara")
	if err != nil {
		log.Fatal(err)
	}
	text, err := session.Expand("SELECT * FROM ${table} WHERE name = ${name}", map[string]string{"table": session.Name("my table"), "name": name})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// SELECT * FROM `my table` WHERE name = 'O''Hara'
}
