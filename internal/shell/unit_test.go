package shell

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fsql/session"
	"fsql/types"
	"fsql/window"
)

// desk is a shell whose input and output are files: what no terminal is needed
// for.
type desk struct {
	*Shell
	t   *testing.T
	out string
	at  int
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	in, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(dir, "screen"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := open(context.Background(), Config{In: in, Out: out, Err: out, Session: session.Config{Dir: dir}, Version: "fsql test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close(); in.Close(); out.Close() })
	return &desk{Shell: s, t: t, out: out.Name()}
}

// says gives an input and returns what it prints.
func (d *desk) says(text string) string {
	d.t.Helper()
	if d.input(text) {
		return "quit"
	}
	b, err := os.ReadFile(d.out)
	if err != nil {
		d.t.Fatal(err)
	}
	news := string(b[d.at:])
	d.at = len(b)
	return news
}

func (d *desk) has(text string, words ...string) {
	d.t.Helper()
	got := d.says(text)
	for _, w := range words {
		if !strings.Contains(got, w) {
			d.t.Errorf("%s: no %q in\n%s", text, w, got)
		}
	}
}

const orders = "CREATE TABLE orders (id INT, city STRING, `select` INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '3');"

func TestCommands(t *testing.T) {
	d := newDesk(t)
	d.has(orders, "OK")
	d.has("CREATE VIEW cities AS SELECT city FROM orders;", "OK")
	for _, c := range []struct {
		line  string
		words []string
	}{
		{".tables", []string{" orders |", " cities |"}},
		{`\dt`, []string{" orders |"}},
		{".tables ord", []string{" orders |", "1 row"}},
		{".schema orders", []string{"TIMESTAMP(3)", "| watermark |", "`ts`"}},
		{`\d orders;`, []string{"TIMESTAMP(3)"}},
		{`\d+ orders`, []string{"TIMESTAMP(3)"}},
		{".views", []string{" cities |", "1 row"}},
		{".functions SUBSTRING", []string{"SUBSTRING(", "example:"}},
		{".functions row_", []string{"ROW_"}},
		{".catalogs", []string{"default_catalog"}},
		{".mode", []string{"table, live"}},
		{".mode csv", nil},
		{"SELECT 1 AS a;", []string{"a\n1\n"}},
		{".mode line", nil},
		{"SELECT 1 AS a;", []string{"-[ row 1 ]", "a | 1"}},
		{".mode nd", nil}, // shortened
		{"SELECT 1 AS a;", []string{`{"a":1}`}},
		{".mode table", nil},
		{".mode log", nil},
		{".mode", []string{"table, log"}},
		{".op always", nil},
		{"SELECT 1 AS a;", []string{"| +I |"}},
		{".op auto", nil},
		{".mode auto", nil},
		{".mode tabel", []string{"error[usage]", "did you mean table?"}},
		{`\x`, []string{"Expanded display is on."}},
		{"SELECT 1 AS a;", []string{"a | 1"}},
		{`\x`, []string{"Expanded display is off."}},
		{`SELECT 2 AS b\G`, []string{"b | 2"}},
		{`\gx`, []string{"b | 2"}},
		{`SELECT 3 AS b \g`, []string{"|      3 |"}},
		{".timer", []string{"Timing is on."}},
		{"SELECT 1;", []string{"Time: "}},
		{`\timing off`, []string{"Timing is off."}},
		{".explain SELECT * FROM orders", []string{"== Physical Plan =="}},
		{".plan", []string{"== Physical Plan =="}},
		{".set", []string{"Empty set"}},
		{".p", []string{".p may be .print, .plan"}},
		{".tabels", []string{"there is no command .tabels", "did you mean .tables?"}},
		{`\zzz`, []string{"there is no command", ".help lists"}},
		{".history 1", []string{""}},
		{".version", []string{"fsql test"}},
		{".help", []string{`tables     .tables \dt  .schema \d`, ".help all"}},
		{".help all", []string{`.tables \dt [PATTERN]`, "tables and views"}},
		{".help mode", []string{".mode [MODE]", "markdown"}},
		{".help nonsense", []string{"there is no command .nonsense"}},
		{"help;", []string{`.tables \dt`}},
		{"CREATE TABLE hole (id INT) WITH ('connector' = 'blackhole');", []string{"OK"}},
		{".jobs", []string{"No jobs."}},
		{".job 7", []string{"there is no job '7'"}},
		{"INSERT INTO hole SELECT id FROM orders;", []string{"Job 1 finished: 3 rows written"}},
		{".jobs", []string{"FINISHED", "insert-into_hole"}},
		{".job 1", []string{"Job 1 FINISHED", "orders", "hole", "numRecordsIn 3", "currentInputWatermark end", "busyTimeMsPerSecond ", "numRestarts 0", "lastCheckpointSize 0"}},
		{".job 00000000000000000000000000000001", []string{"Job 1 FINISHED"}},
		{".wm", []string{"job 1  orders  end"}},
		{".stop 1", []string{"Job 1 finished"}},
		{".shell echo $((6 * 7))", nil}, // its output goes to the file as well
		{`\! exit 3`, []string{"exit status 3"}},
		{".cd nowhere", []string{"error[no-such-file]"}},
		{"SELECT 'a' || nope;", []string{"error[unknown-column]", "line 1, column 15", "^^^^"}},
	} {
		d.has(c.line, c.words...)
	}
	for _, q := range []string{"quit", "EXIT;", `\q`, ".quit", ".ex", "QUIT ;"} {
		if q == ".ex" { // .expanded, .explain, .exit
			d.has(q, "may be")
			continue
		}
		if d.says(q) != "quit" {
			t.Errorf("%s does not leave", q)
		}
	}
}

func TestScriptsAndFiles(t *testing.T) {
	d := newDesk(t)
	dir := d.dir
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sub/in.csv", "1\n2\n")
	write("sub/load.sql", "CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv');\nSELECT SUM(a) AS total FROM t;")
	write("bad.sql", "SELECT 1 AS first_one;\nSELECT\n  nope;\nSELECT 2 AS second_one;")
	d.has(".read sub/load.sql", "OK", "|      3 |")
	if d.dir != dir {
		t.Errorf("the folder is %s after .read", d.dir)
	}
	out := d.says(`\i bad.sql`)
	if !strings.Contains(out, "first_one") || !strings.Contains(out, "bad.sql:3:3") || strings.Contains(out, "second_one") {
		t.Errorf("a script with an error:\n%s", out)
	}
	d.has(".read none.sql", "error[no-such-file]")
	d.has(".once one.csv")
	if out := d.says("SELECT 1 AS a;"); out != "" {
		t.Errorf("printed: %s", out)
	}
	d.has("SELECT 2 AS a;", "|      2 |")
	d.has(".output more.csv")
	d.says("SELECT 3 AS a;")
	d.says("SELECT 4 AS a;")
	d.has(".output")
	d.has("SELECT 5 AS a;", "|      5 |")
	for name, want := range map[string]string{"one.csv": "a\n1\n", "more.csv": "a\n3\na\n4\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q %v, want %q", name, b, err, want)
		}
	}
	d.has(".cd sub")
	d.has("CREATE TABLE u (a INT) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv');")
	d.has("SELECT COUNT(*) AS n FROM u;", "|      2 |")
	// A bounded INSERT is done before the statement that follows it in a text.
	d.has("CREATE TABLE w (a INT) WITH ('connector' = 'filesystem', 'path' = 'w', 'format' = 'csv'); INSERT INTO w SELECT a FROM u; SELECT COUNT(*) AS n FROM w;", "Job 1 finished: 2 rows", "|      2 |")
}

func TestLook(t *testing.T) {
	for text, want := range map[string]Look{
		"":                                {Prompt: promptFirst},
		"SELECT 1":                        {Prompt: promptMore},
		"SELECT 1;":                       {Done: true, Prompt: promptMore},
		"SELECT 1; -- done":               {Done: true, Prompt: promptMore},
		"SELECT 'it''s;":                  {Prompt: promptString},
		"SELECT 1 /* ;":                   {Prompt: promptComment},
		"-- only a comment;":              {Prompt: promptMore},
		"SELECT 1\\G":                     {Done: true, Prompt: promptMore},
		"SELECT '\\G":                     {Prompt: promptString},
		"SELECT `a;":                      {Prompt: promptMore},
		".tables":                         {Done: true, Prompt: promptMore},
		"\\d t":                           {Done: true, Prompt: promptMore},
		"quit":                            {Done: true, Prompt: promptMore},
		"SELECT 1\n\\r":                   {Done: true, Prompt: promptMore},
		"EXECUTE STATEMENT SET BEGIN x;":  {Prompt: promptSet},
		"BEGIN STATEMENT SET; x; END;":    {Done: true, Prompt: promptMore},
		"EXECUTE STATEMENT SET BEGIN END": {Prompt: promptSet},
	} {
		if got := look(text); got != want {
			t.Errorf("look(%q) = %+v, want %+v", text, got, want)
		}
	}
	got := statements("SELECT 1;\n-- two\nSELECT ';';\nEXECUTE STATEMENT SET BEGIN a; b; END;\nSELECT 3")
	want := []string{"SELECT 1;", "-- two\nSELECT ';';", "EXECUTE STATEMENT SET BEGIN a; b; END;", "SELECT 3"}
	if !slices.Equal(got, want) {
		t.Errorf("statements: %q", got)
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "history")
	h := loadHistory(path)
	for _, s := range []string{"SELECT 1;", "SELECT\n\t'ü' < 2;", "SELECT 1;", " SELECT 'secret';", "  ",
		"CREATE TABLE t (a INT) WITH ('password' = 'hunter2', 'properties.sasl.jaas.config' = 'x password=\"hunter2\";', 'url' = 'u');"} {
		h.add(s)
	}
	want := []string{"SELECT\n\t'ü' < 2;", "SELECT 1;",
		"CREATE TABLE t (a INT) WITH ('password' = '******', 'properties.sasl.jaas.config' = '******', 'url' = 'u');"}
	if got := loadHistory(path).entries; !slices.Equal(got, want) {
		t.Errorf("read again: %q", got)
	}
	b, err := os.ReadFile(path)
	if err != nil || strings.Count(string(b), "\n") != 4 || strings.Contains(string(b), "hunter2") {
		t.Errorf("%v: %s", err, b)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	for range 2*historyLimit + 1 {
		h.add("SELECT 1;")
		h.add("SELECT 2;")
	}
	if n := loadHistory(path); len(n.entries) != 4 || n.lines > 2*historyLimit+1 {
		t.Errorf("%d entries in %d lines", len(n.entries), n.lines)
	}
}

// complete returns the candidates at the end of a text, or at its |.
func complete(d *desk, text string) []string {
	at := strings.IndexByte(text, '|')
	if at < 0 {
		at = len(text)
	} else {
		text = text[:at] + text[at+1:]
	}
	c := completer{session: d.session, metas: d.metas, dir: func() string { return d.dir }}
	var list []string
	for _, i := range c.complete(text, at).Items {
		list = append(list, i.Text)
	}
	return list
}

func TestCompletion(t *testing.T) {
	d := newDesk(t)
	d.says(orders)
	d.says("CREATE VIEW cities AS SELECT city FROM orders;")
	d.says("CREATE TABLE other (x INT) WITH ('connector' = 'blackhole');")
	if err := os.WriteFile(filepath.Join(d.dir, "data.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		all  []string // exactly these
		some []string // these among others
		none []string
	}{
		{"SEL", []string{"SELECT"}, nil, nil},
		{"sel", []string{"select"}, nil, nil},
		{"", nil, []string{"SELECT", "CREATE", "SET"}, []string{"FROM"}},
		{"SELECT 1; ins", []string{"insert into"}, nil, nil},
		{"CREATE TA", []string{"TABLE"}, nil, nil},
		{"SELECT * FROM o", []string{"orders", "other"}, nil, nil},
		{"SELECT * FROM ORD", []string{"orders"}, nil, nil}, // names as they are
		{"SELECT * FROM orders JOIN ci", []string{"cities"}, nil, nil},
		{"INSERT INTO oth", []string{"other"}, nil, nil},
		{"DESCRIBE ci", []string{"cities"}, nil, nil},
		{"SELECT | FROM orders", []string{"`select`", "city", "id", "ts"}, nil, nil},
		{"SELECT ci| FROM orders", []string{"city"}, nil, nil},
		{"SELECT x| FROM orders", nil, nil, []string{"x"}},
		{"SELECT id FROM orders WHERE ", []string{"`select`", "city", "id", "ts"}, nil, nil},
		{"SELECT o. FROM orders AS o"[:9] + "| FROM orders AS o", nil, []string{"city", "id", "ts"}, []string{"x"}},
		{"SELECT orders.ci", []string{"city"}, nil, nil},
		{"SELECT COALES", []string{"COALESCE("}, nil, nil},
		{"SELECT coales", []string{"coalesce("}, nil, nil},
		{"SELECT id, coun| FROM orders", nil, []string{"count("}, nil},
		{"SELECT * FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(", []string{"ts"}, nil, nil},
		{"SELECT window_s| FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR))", []string{"window_start"}, nil, nil},
		{"SELECT id FROM orders GR", []string{"GROUP BY"}, nil, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (", []string{"PARTITION BY", "ORDER BY", "MEASURES", "PATTERN ("}, nil, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY city ORDER BY t", nil, []string{"ts"}, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (PARTITION BY city ORDER BY ts M", nil, []string{"MEASURES"}, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a AF", nil, []string{"AFTER MATCH SKIP "}, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a AFTER MATCH SKIP P", []string{"PAST LAST ROW"}, nil, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a PATTERN (A B) W", []string{"WITHIN INTERVAL "}, nil, nil},
		{"SELECT * FROM orders MATCH_RECOGNIZE (ORDER BY ts MEASURES A.id AS a PATTERN (A B) DEFINE B AS ", nil, []string{"id", "city"}, nil},
		{"SELECT id FROM orders GROUP ", []string{"BY"}, nil, nil},
		{"SELECT id FROM orders WHERE id IS ", nil, []string{"NOT NULL"}, nil},
		{"CREATE TABLE t (a ST", []string{"STRING"}, nil, nil},
		{"CREATE TABLE t (a TIMESTAMP(3), WATERMARK FOR ", []string{"a"}, nil, nil},
		{"CREATE TABLE t (a INT) WI", []string{"WITH ("}, nil, nil},
		{"CREATE TABLE t (a INT) WITH (", nil, []string{"'connector' = '"}, nil},
		{"CREATE TABLE t (a INT) WITH ('con", []string{"connector' = '"}, nil, nil},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'da", []string{"datagen'"}, nil, nil},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'datagen', 'rows", []string{"rows-per-second' = '"}, nil, nil},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'format' = 'csv', 'csv.ign", nil, []string{"csv.ignore-parse-errors' = '"}, nil},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'format' = 'csv', 'csv.ignore-parse-errors' = '", []string{"true'", "false'"}, nil, nil},
		{"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'da", []string{"data.csv"}, nil, nil},
		{"SET 'table.local", []string{"table.local-time-zone' = '"}, nil, nil},
		{"SET 't", []string{"table."}, nil, nil}, // many: by their next part
		{"SET 'sql-client.execution.result-mode' = '", []string{"table'", "changelog'", "tableau'"}, nil, nil},
		{"SELECT 'in a string FRO", nil, nil, []string{"FROM"}},
		{"SELECT /* in a comment FRO", nil, nil, []string{"FROM"}},
		{".sch", []string{".schema "}, nil, nil},
		{".schema ci", []string{"cities"}, nil, nil},
		{`\d`, nil, []string{`\d `, `\dt `, `\dv`, `\df `}, nil},
		{".mode nd", []string{"ndjson"}, nil, nil},
		{".read da", []string{"data.csv"}, nil, nil},
		{".explain SELECT * FROM ci", []string{"cities"}, nil, nil},
	} {
		got := complete(d, c.text)
		if c.all != nil && !slices.Equal(got, c.all) {
			t.Errorf("%q: %q, want %q", c.text, got, c.all)
		}
		for _, s := range c.some {
			if !slices.Contains(got, s) {
				t.Errorf("%q: %q lacks %q", c.text, got, s)
			}
		}
		for _, s := range c.none {
			if slices.Contains(got, s) {
				t.Errorf("%q: %q holds %q", c.text, got, s)
			}
		}
	}
}

// Completion must not make anybody wait, and never fails, wherever it is asked.
func TestCompletionEverywhere(t *testing.T) {
	d := newDesk(t)
	d.says(orders)
	text := "SET 'a.b' = 'c'; CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'datagen'); " +
		"INSERT INTO `t` SELECT o.id, COUNT(*) FROM TABLE(HOP(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' DAY)) o, c.d.e AS f WHERE a IN ('x') GROUP BY o.id; /* c */ .5 \\d"
	for i := range len(text) + 1 {
		began := time.Now()
		complete(d, text[:i])
		if i < len(text) && text[i] != '|' {
			complete(d, text[:i]+"|"+text[i:])
		}
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("%v at %q", took, text[:i])
		}
	}
}

func TestPainter(t *testing.T) {
	paint := painter(func(name string) bool { return strings.EqualFold(name, "UPPER") })
	for text, want := range map[string]string{
		"SELECT a, 'x', 12 -- c":  "[1;34:SELECT] a, [32:'x'], [36:12] [2:-- c]",
		"SELECT nope(a), upper(b": "[1;34:SELECT] [31:nope](a), [1;34:upper](b",
		"SELECT /* c */ 'open":    "[1;34:SELECT] [2:/* c */] [32:'open]",
		"SELECT /* open":          "[1;34:SELECT] [2:/* open]",
		".schema orders":          "[35:.schema] orders",
		"INSERT INTO t(a) SELECT": "[1;34:INSERT] [1;34:INTO] t(a) [1;34:SELECT]",
	} {
		var b strings.Builder
		at := 0
		for _, p := range paint(text, 0) {
			b.WriteString(text[at:p.Start] + "[" + p.Style + ":" + text[p.Start:p.End] + "]")
			at = p.End
		}
		if got := b.String() + text[at:]; got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	// The parenthesis at the cursor and its partner.
	if got := paint("f((a))", 6); len(got) < 2 || !slices.Contains(got, Paint{1, 2, styleMatch}) || !slices.Contains(got, Paint{5, 6, styleMatch}) {
		t.Errorf("%v", got)
	}
}

func TestReasons(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 10, 0, 0, time.UTC)
	at := func(h, m, s int) types.Time {
		return types.Time(time.Date(2026, 5, 1, h, m, s, 0, time.UTC).UnixMilli())
	}
	source := func(name string, in int64, out types.Time) session.Step {
		return session.Step{Name: "default_catalog.default_database." + name, Source: true, Timed: true, In: in, Out: in, OutTime: out}
	}
	tumble := &window.Window{Kind: window.Tumble, Size: 300_000}
	for name, c := range map[string]struct {
		steps []session.Step
		quiet time.Duration // since the last row came in
		want  string
	}{
		"no input":     {[]session.Step{source("orders", 0, types.MinTime)}, 0, "no input yet from orders"},
		"filter":       {[]session.Step{source("orders", 1204, at(12, 0, 0)), {Filter: true, In: 1204}}, 0, "no rows yet: 1,204 read, 1,204 filtered by WHERE"},
		"window":       {[]session.Step{source("orders", 5, at(12, 4, 10)), {Window: tumble, In: 5, Time: at(12, 4, 10)}}, 0, "window until 12:05:00 still open: watermark 12:04:10, held by orders"},
		"slower side":  {[]session.Step{source("a", 5, at(12, 9, 0)), source("b", 5, at(12, 4, 10)), {Window: tumble, In: 5, Time: at(12, 4, 10)}}, 0, "window until 12:05:00 still open: watermark 12:04:10, held by b"},
		"no watermark": {[]session.Step{source("a", 5, types.MinTime), {Window: tumble, In: 5, Time: types.MinTime}}, 0, "windows are open: no watermark yet from a"},
		"input ended":  {[]session.Step{source("orders", 5, at(12, 4, 10)), {Window: tumble, In: 5, Time: at(12, 4, 10)}}, 7 * time.Second, "window until 12:05:00 still open: watermark 12:04:10, held by orders; no input for 7.0s"},
		"late":         {[]session.Step{source("a", 5, at(12, 4, 10)), {Window: tumble, In: 5, Late: 5, Time: at(12, 4, 10)}}, 0, "every row came late: 5 dropped"},
		"silence":      {[]session.Step{source("a", 5, at(12, 4, 10)), {In: 5, Out: 5}}, 9 * time.Second, "no input for 9.0s"},
		"unreadable":   {[]session.Step{{Source: true, In: 4, Errors: 4}}, 0, "4 rows could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &session.Progress{Steps: c.steps}
			w := newWatch(now.Add(-time.Minute))
			w.see(p, 0, now.Add(-c.quiet))
			if got := w.why(p, now); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			w.see(p, 1, now)
			if got := w.why(p, now); got != "" {
				t.Errorf("rows come, and it says %s", got)
			}
		})
	}
}

func TestStatusLine(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 10, 0, 0, time.UTC)
	p := &session.Progress{Steps: []session.Step{
		{Name: "orders", Source: true, Timed: true, In: 1_200_000, OutTime: types.Time(now.Add(-41 * time.Second).UnixMilli())},
		{Late: 7, State: 18 << 20},
	}}
	w := newWatch(now.Add(-12400 * time.Millisecond))
	w.see(p, 3412, now)
	for width, want := range map[int]string{
		100: "⠹ 12s  in 1.2M rows (97k/s)  out 3,412  wm 12:09:19 (41s behind)  late 7  state 18 MB",
		40:  "⠹ 12s  in 1.2M rows (97k/s)  out 3,412",
		12:  "⠹ 12s",
	} {
		if got := w.lines(p, now, width); len(got) != 1 || got[0][len("⠹"):] != want[len("⠹"):] {
			t.Errorf("%d columns: %q, want %q", width, got, want)
		}
	}
}

// .bail off goes on behind errors; commands may stand between the statements of
// a script.
func TestBail(t *testing.T) {
	d := newDesk(t)
	text := "SELECT 1 AS uno;\n.mode csv\nSELECT\n  nope;\n.nope\nSELECT 'a\n.mode\nb' AS duo;\nquit;\nSELECT 3 AS three;\n"
	if err := os.WriteFile(filepath.Join(d.dir, "s.sql"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := d.says(".read s.sql")
	if !strings.Contains(out, "|    uno |") || !strings.Contains(out, "s.sql:4:3") || strings.Contains(out, "duo") {
		t.Errorf("it did not end at the error:\n%s", out)
	}
	d.has(".bail off", "that follow an error are run")
	out = d.says(".read s.sql")
	for _, want := range []string{"uno\n1\n", "s.sql:4:3", "there is no command .nope", "duo\n\"a\n.mode\nb\"\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "three") {
		t.Error("it went on behind quit")
	}
	d.has("SELECT nope; SELECT 4 AS four;", "unknown-column", "four\n4\n")
	d.has(".bail", "The first error ends")
}

// An error on a narrow screen: sentences are broken between words, and the part
// of the SQL around the place is shown.
func TestFittedErrors(t *testing.T) {
	text := "error[unknown-column]: column 'ctiy' does not exist\n  line 1, column 44\n" +
		"1 | SELECT ctiy, COUNT(*) FROM clicks GROUP BY ctiy;\n  |                                            ^^^^ did you mean 'city'?\n  hint: columns of clicks: k, city, ts\n"
	if got := fitted(text, 79); got != text {
		t.Errorf("it fits and was changed:\n%s", got)
	}
	for _, width := range []int{20, 30, 39, 60} {
		got := fitted(text, width)
		lines := strings.Split(got, "\n")
		for i, l := range lines {
			if n := len([]rune(l)); n > width {
				t.Errorf("%d columns: %d of them: %s", width, n, l)
			}
			if at := strings.Index(l, "^^^^"); at >= 0 {
				if above := []rune(lines[i-1]); string(above[at:at+4]) != "ctiy" {
					t.Errorf("%d columns: the mark is off:\n%s", width, got)
				}
			}
		}
	}
}
