package session_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"fsql/row"
	"fsql/session"
	"fsql/types"
)

func open(t *testing.T, script string) *session.Session {
	t.Helper()
	s, err := session.New(session.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Exec(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	return s
}

func query(t *testing.T, s *session.Session, text string) *session.Result {
	t.Helper()
	r, err := s.Query(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lines are the rows of a result with their kinds.
func lines(t *testing.T, r *session.Result) string {
	t.Helper()
	var out []string
	for r, err := range r.Rows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Kind().String()+fmt.Sprint(r.Values()))
	}
	return strings.Join(out, " ")
}

func code(err error) session.Code {
	var e *session.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// TestFeedingWaits: a query that is not read stops its source, and that its
// feeder, before memory has grown.
func TestFeedingWaits(t *testing.T) {
	s := open(t, "CREATE TABLE t (n INT) WITH ('connector' = 'program')")
	f, err := s.Feed("t")
	if err != nil {
		t.Fatal(err)
	}
	in, err := query(t, s, "SELECT n FROM t").Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	rows := make([][]any, 10_000)
	for i := range rows {
		rows[i] = []any{i}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	fed := 0
	for err = nil; err == nil && fed < 10_000_000; fed += len(rows) {
		err = f.Append(ctx, rows...)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%d rows were taken, error %v", fed, err)
	}
	// Once somebody reads, it goes on.
	done := make(chan error)
	go func() { done <- errors.Join(f.Append(t.Context(), rows...), f.End()) }()
	got := 0
	for in.Next() {
		got += int(in.Record().NumRows())
	}
	if err := errors.Join(in.Err(), <-done); err != nil {
		t.Fatal(err)
	}
	if got != fed {
		t.Errorf("%d rows of %d", got, fed)
	}
}

// TestCloseEndsEverything: a reader, a feeder and jobs that wait for one
// another; the package's TestMain finds a goroutine that stays.
func TestCloseEndsEverything(t *testing.T) {
	s := open(t, `CREATE TABLE t (n INT) WITH ('connector' = 'program');
		CREATE TABLE never_read (n INT) WITH ('connector' = 'program');
		CREATE TABLE endless (n INT) WITH ('connector' = 'datagen');`)
	f, err := s.Feed("t")
	if err != nil {
		t.Fatal(err)
	}
	job, err := s.Start(t.Context(), "INSERT INTO never_read SELECT n FROM endless")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := query(t, s, "SELECT n FROM endless").Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	table, err := s.ReadTable(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	fed := make(chan error)
	go func() {
		rows := make([][]any, 1000)
		for i := range rows {
			rows[i] = []any{i}
		}
		for {
			if err := f.Append(context.Background(), rows...); err != nil {
				fed <- err
				return
			}
		}
	}()
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-fed; code(err) != "cancelled" {
		t.Errorf("the feeder: %v", err)
	}
	if err := job.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("the job: %v", err)
	}
	for reader.Next() {
	}
	if code(reader.Err()) != "cancelled" {
		t.Errorf("the reader: %v", reader.Err())
	}
	if table.Next() || code(table.Err()) != "cancelled" {
		t.Errorf("the reader of a table: %v", table.Err())
	}
	if _, err := s.Query(t.Context(), "SELECT 1"); code(err) != "cancelled" {
		t.Errorf("a query on a closed session: %v", err)
	}
	reader.Release()
	table.Release()
}

// TestReadersOfTables: rows end with the job, a failure arrives, a reader that
// goes away fails the job, and the next job has the next reader.
func TestReadersOfTables(t *testing.T) {
	s := open(t, "CREATE TABLE o (n INT) WITH ('connector' = 'program')")
	read := func(release int) (rows int, err error) {
		r, err := s.ReadTable(t.Context(), "o")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		for rows != release && r.Next() {
			rows += int(r.Record().NumRows())
		}
		return rows, r.Err()
	}
	start := func(text string) *session.Job {
		j, err := s.Start(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	if _, err := s.ReadTable(t.Context(), "o2"); code(err) != "unknown-table" {
		t.Errorf("%v", err)
	}
	r, err := s.ReadTable(t.Context(), "o")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ReadTable(t.Context(), "o"); code(err) != "in-use" {
		t.Errorf("a second reader: %v", err)
	}
	r.Release()

	for range 3 {
		j := start("INSERT INTO o SELECT n FROM (VALUES (1), (2)) AS t(n)")
		if rows, err := read(-1); rows != 2 || err != nil {
			t.Errorf("%d rows, %v", rows, err)
		}
		if err := j.Wait(); err != nil {
			t.Error(err)
		}
	}
	start("INSERT INTO o SELECT 1 / (n - 2) FROM (VALUES (1), (2)) AS t(n)")
	if _, err := read(-1); code(err) != "division-by-zero" {
		t.Errorf("a failing job: %v", err)
	}
	if err := s.Exec(t.Context(), "CREATE TABLE endless (n INT) WITH ('connector' = 'datagen')"); err != nil {
		t.Fatal(err)
	}
	j := start("INSERT INTO o SELECT 1 FROM endless")
	r, err = s.ReadTable(t.Context(), "o")
	if err != nil || !r.Next() {
		t.Fatal(err)
	}
	r.Release()
	if err := j.Wait(); code(err) != "cancelled" {
		t.Errorf("the job of a reader that left: %v", err)
	}
	start("INSERT INTO o VALUES (7)")
	if rows, err := read(-1); rows != 1 || err != nil {
		t.Errorf("after a reader that left: %d rows, %v", rows, err)
	}
}

// TestChangesGoFromSessionToSession: what one session gives, another takes, in
// Arrow's form, with row kinds.
func TestChangesGoFromSessionToSession(t *testing.T) {
	a := open(t, "")
	b := open(t, "CREATE TABLE counts (k STRING, n BIGINT NOT NULL) WITH ('connector' = 'program', 'changelog-mode' = 'I,UB,UA,D')")
	const text = "SELECT k, COUNT(*) AS n FROM (VALUES ('a'), ('b'), ('a')) AS t(k) GROUP BY k"
	want := lines(t, query(t, a, text))
	in, err := query(t, a, text).Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	f, err := b.Feed("counts")
	if err != nil {
		t.Fatal(err)
	}
	for in.Next() {
		if err := f.AppendRecord(t.Context(), in.Record()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(in.Err(), f.End()); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, query(t, b, "SELECT * FROM counts")); got != want || !strings.Contains(got, "-U[a 1] +U[a 2]") {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTwoQueriesReadOneFeed, and manual watermarks close a window.
func TestTwoQueriesReadOneFeed(t *testing.T) {
	s := open(t, `CREATE TABLE t (n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'program', 'watermark' = 'manual');
		CREATE TABLE sums (n INT) WITH ('connector' = 'program');
		CREATE TABLE all_rows (n INT) WITH ('connector' = 'program');`)
	f, err := s.Feed("t")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := s.ReadTable(t.Context(), "sums")
	if err != nil {
		t.Fatal(err)
	}
	defer sums.Release()
	all, err := s.ReadTable(t.Context(), "all_rows")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Release()
	if err := s.Exec(t.Context(), `EXECUTE STATEMENT SET BEGIN
		INSERT INTO sums SELECT SUM(n) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end;
		INSERT INTO all_rows SELECT n FROM t;
		END;`); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.FixedZone("", 7200))
	if err := errors.Join(
		f.Append(t.Context(), []any{1, at}, []any{2, at.Add(time.Second)}),
		f.Watermark(t.Context(), at.Add(59_998*time.Millisecond)),
		f.Append(t.Context(), []any{4, at.Add(2 * time.Second)}),
		f.Watermark(t.Context(), at.Add(59_999*time.Millisecond))); err != nil {
		t.Fatal(err)
	}
	n := 0
	for n < 3 && all.Next() {
		n += int(all.Record().NumRows())
	}
	if !sums.Next() || sums.Record().Column(0).String() != "[7]" || n != 3 {
		t.Errorf("%v, %d rows", sums.Record(), n)
	}
	if err := f.End(); err != nil {
		t.Fatal(err)
	}
	if sums.Next() || all.Next() || sums.Err() != nil || all.Err() != nil {
		t.Errorf("%v %v", sums.Err(), all.Err())
	}
}

func TestWhatAFeedRefuses(t *testing.T) {
	s := open(t, `CREATE TABLE t (n TINYINT NOT NULL, s STRING, twice AS n * 2) WITH ('connector' = 'program');
		CREATE TABLE d (n INT) WITH ('connector' = 'datagen');`)
	f, err := s.Feed("t")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		code session.Code
		word string
	}{
		{f.Append(t.Context(), []any{1}), "column-count", "2 values"},
		{f.Append(t.Context(), []any{1, "a"}, []any{300, "b"}), "overflow", "'n'"},
		{f.Append(t.Context(), []any{nil, "a"}), "null-violation", "'n'"},
		{f.Append(t.Context(), []any{1, 2}), "type-mismatch", "'s'"},
		{f.AppendChanges(t.Context(), session.Change{Kind: row.Delete, Row: []any{1, "a"}}), "changelog-mode", "-D"},
	} {
		if code(c.err) != c.code || !strings.Contains(c.err.Error(), c.word) {
			t.Errorf("%v, want %s and %s", c.err, c.code, c.word)
		}
	}
	if _, err := s.Feed("d"); code(err) != "usage" {
		t.Error(err)
	}
	if err := errors.Join(f.Append(t.Context(), []any{1, nil}), f.End()); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, query(t, s, "SELECT * FROM t")); got != "+I[1 <nil> 2]" {
		t.Errorf("got %s", got)
	}
	if err := f.Append(t.Context(), []any{1, "a"}); err == nil {
		t.Error("rows after the end")
	}
}

func TestResultsAreReadOnce(t *testing.T) {
	s := open(t, "")
	r := query(t, s, "SELECT 1")
	lines(t, r)
	if _, err := r.Records(t.Context()); code(err) != "usage" {
		t.Error(err)
	}
	// SHOW and the like are read in the same ways.
	if got := lines(t, query(t, s, "SHOW CURRENT DATABASE")); got != "+I[default_database]" {
		t.Error(got)
	}
	for _, text := range []string{"", "SET 'a' = 'b'", "SELECT 1; SELECT 2", "SELECT 1; SELEC 2"} {
		if _, err := s.Query(t.Context(), text); err == nil {
			t.Errorf("Query took %q", text)
		}
	}
	if _, err := s.Start(t.Context(), "SELECT 1"); code(err) != "usage" {
		t.Error(err)
	}
	const script = "SET 'parallelism.default' = '2';\nSELECT 1"
	err := s.Exec(t.Context(), script)
	if line, col, ok := session.Position(err, script); line != 2 || col != 1 || !ok {
		t.Errorf("%v at %d:%d", err, line, col)
	}
}

func TestStructs(t *testing.T) {
	s := open(t, "")
	type pair struct {
		K    string
		N    *int64 `sql:"n"`
		Kind row.Kind
		Note string `sql:"-"`
	}
	var got []string
	for p, err := range session.Structs[pair](t.Context(), query(t, s, "SELECT 'a' AS k, CAST(NULL AS INT) AS n UNION ALL SELECT 'b', 2")) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(p.Kind, p.K, p.N != nil))
	}
	if len(got) != 2 {
		t.Error(got)
	}
	for text, want := range map[string]session.Code{"SELECT 'a' AS k": "unknown-column", "SELECT 'a' AS k, 1 AS n, 2 AS o": "unknown-column", "SELECT 1 AS k, 1 AS n": "type-mismatch"} {
		var last error
		for _, err := range session.Structs[pair](t.Context(), query(t, s, text)) {
			last = err
		}
		if code(last) != want {
			t.Errorf("%s: %v", text, last)
		}
	}
}

// TestLiterals reads back what Literal writes.
func TestLiterals(t *testing.T) {
	s := open(t, "")
	at := time.Date(2024, 2, 29, 1, 2, 3, 45_000_000, time.UTC)
	for _, v := range []any{"it's ; -- ${x}\n", "", int64(math.MaxInt64), int32(-5), true, 1.5e300, 0.1, at, at.Truncate(time.Second), []byte{0, 255}, nil} {
		text, err := session.Literal(v)
		if err != nil {
			t.Fatal(err)
		}
		if v == nil {
			text = "CAST(" + text + " AS INT)"
		}
		for r, err := range query(t, s, "SELECT "+text).Rows(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(r.Value(0)) != fmt.Sprint(v) {
				t.Errorf("%s: %v, want %v", text, r.Value(0), v)
			}
		}
	}
	for _, v := range []any{math.NaN(), struct{}{}, time.Second, time.Time{}.AddDate(-2, 0, 0)} {
		if text, err := session.Literal(v); err == nil {
			t.Errorf("%v became %s", v, text)
		}
	}
	if _, err := session.Expand("SELECT ${a} ${b}", map[string]string{"a": "1"}); code(err) != "usage" || !strings.Contains(err.Error(), "${b}") {
		t.Error(err)
	}
}

func TestFunctionsOfTheProgram(t *testing.T) {
	ints := []types.Type{types.Of(types.Int)}
	s, err := session.New(session.Config{Functions: []session.Function{
		{Name: "half", Args: ints, Returns: types.Of(types.Int), Call: func(a []any) (any, error) {
			if n := a[0].(int32); n%2 == 0 {
				return n / 2, nil
			}
			return nil, nil
		}},
		{Name: "is_null", Args: ints, Returns: types.Of(types.Boolean).NotNull(), Nulls: true, Call: func(a []any) (any, error) { return a[0] == nil, nil }},
		{Name: "split_words", Args: []types.Type{types.String()}, Returns: types.ArrayOf(types.String()), Call: func(a []any) (any, error) { return strings.Fields(a[0].(string)), nil }},
		{Name: "fail", Args: ints, Returns: types.Of(types.Int), Call: func([]any) (any, error) { return nil, errors.New("no luck") }},
		{Name: "boom", Args: ints, Returns: types.Of(types.Int), Call: func([]any) (any, error) { panic("boom") }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := lines(t, query(t, s, "SELECT n, HALF(n), IS_NULL(n), split_words(w) FROM (VALUES (1, 'a b'), (4, ''), (CAST(NULL AS INT), CAST(NULL AS STRING))) AS t(n, w) WHERE HALF(n) IS NULL OR half(n) > 1")); got !=
		"+I[1 <nil> false [a b]] +I[4 2 false []] +I[<nil> <nil> true <nil>]" {
		t.Errorf("got %s", got)
	}
	for text, want := range map[string]session.Code{
		"SELECT HALF(n, n) FROM (VALUES (1)) AS t(n)": "wrong-arguments",
		"SELECT HALF('x') FROM (VALUES (1)) AS t(n)":  "bad-value",
		"SELECT FAIL(n) FROM (VALUES (1)) AS t(n)":    "bad-value",
		"SELECT BOOM(n) FROM (VALUES (1)) AS t(n)":    "internal",
	} {
		r, err := s.Query(t.Context(), text)
		if err == nil {
			for _, err = range r.Rows(t.Context()) {
			}
		}
		if code(err) != want && code(err) != "constant-failure" {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := session.New(session.Config{Functions: []session.Function{{Name: "f"}}}); code(err) != "usage" {
		t.Error(err)
	}
}
