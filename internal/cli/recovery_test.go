package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fsql/internal/diag"
	"fsql/session"
	"fsql/sql"
)

// numbers is a script over 400 numbers that come at 1,000 a second, counted in
// windows of ten and written to out/; every 5 ms there is a checkpoint.
func numbers(where, aggregate string, settings ...string) string {
	b := strings.Builder{}
	for _, s := range append([]string{"execution.checkpointing.interval=5 ms", "execution.checkpointing.dir=checkpoints", "restart-strategy.type=none"}, settings...) {
		key, val, _ := strings.Cut(s, "=")
		fmt.Fprintf(&b, "SET '%s' = '%s';\n", key, val)
	}
	return b.String() + `CREATE TABLE numbers (id BIGINT, ts AS TO_TIMESTAMP_LTZ(id * 1000, 3), k AS MOD(id, 3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'datagen', 'rows-per-second' = '1000', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '399');
CREATE TABLE sums (k BIGINT, w TIMESTAMP(3), n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
INSERT INTO sums SELECT k, window_start, ` + aggregate + ` FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND))
WHERE ` + where + ` GROUP BY k, window_start, window_end;
`
}

// dies fails at number 300, in the middle of a window.
const dies = "100 / (id - 305) < 1000"

// counted is the right answer, times over.
func counted(times int) []string {
	var out []string
	for w := range 40 {
		for k := range 3 {
			n := 0
			for id := w * 10; id < w*10+10; id++ {
				if id%3 == k {
					n++
				}
			}
			for range times {
				out = append(out, fmt.Sprintf("%d,\"1970-01-01 00:%02d:%02d\",%d", k, w*10/60, w*10%60, n))
			}
		}
	}
	slices.Sort(out)
	return out
}

// written is what readers of a folder see, sorted.
func written(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "part-*"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	slices.Sort(out)
	return out
}

func runJob(t *testing.T, dir, text string) (status int, errs string) {
	t.Helper()
	path := filepath.Join(dir, "job.sql")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, errs = run(t, "", path)
	return status, errs
}

// runToFailure runs a script that fails until it has left n checkpoints: on a
// busy machine it may fail before the first one.
func runToFailure(t *testing.T, dir, text string, n int) (checkpoints []string) {
	t.Helper()
	for range 20 {
		status, errs := runJob(t, dir, text)
		if status != diag.ExitJob || !strings.Contains(errs, "division-by-zero") {
			t.Fatalf("status %d: %s", status, errs)
		}
		checkpoints, _ = filepath.Glob(filepath.Join(dir, "checkpoints", "*", "chk-*"))
		if len(checkpoints) >= n {
			slices.SortFunc(checkpoints, func(a, b string) int { return number(a) - number(b) })
			return checkpoints
		}
	}
	t.Fatalf("%d checkpoints", len(checkpoints))
	return nil
}

func expectWritten(t *testing.T, dir string, want []string) {
	t.Helper()
	if got := written(t, filepath.Join(dir, "out")); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d:\n%s\nwant\n%s", len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

var goesOn = regexp.MustCompile(`goes on from its last checkpoint .*epoch (\d+), offsets .*numbers: datagen (\d+)`)

// TestResumes: a job that failed goes on where it was when the script runs
// again, here with another WHERE, saying from where; when it has finished, the
// same script begins anew.
func TestResumes(t *testing.T) {
	for _, settings := range [][]string{nil, {"parallelism.default=3"}, {"execution.checkpointing.mode=AT_LEAST_ONCE", "pipeline.name=my job"}} {
		dir := t.TempDir()
		runToFailure(t, dir, numbers(dies, "COUNT(*)", settings...), 1)
		status, errs := runJob(t, dir, numbers("id >= 0", "COUNT(*)", settings...))
		m := goesOn.FindStringSubmatch(errs)
		if status != diag.ExitOK || m == nil {
			t.Fatalf("status %d: %s", status, errs)
		}
		if n, _ := strconv.Atoi(m[2]); n < 1 || n > 310 {
			t.Errorf("resumed at %d", n)
		}
		expectWritten(t, dir, counted(1))
		if status, errs = runJob(t, dir, numbers("id >= 0", "COUNT(*)", settings...)); status != diag.ExitOK || errs != "" {
			t.Fatalf("status %d: %s", status, errs)
		}
		expectWritten(t, dir, counted(2))
	}
}

// The parallelism may be another one after the restart.
func TestResumesWithOtherParallelism(t *testing.T) {
	dir := t.TempDir()
	for i, p := range []string{"1", "4", "2"} {
		runToFailure(t, dir, numbers(dies, "COUNT(*)", "parallelism.default="+p), min(i+1, 2))
	}
	if status, errs := runJob(t, dir, numbers("id >= 0", "COUNT(*)", "parallelism.default=3")); status != diag.ExitOK || !goesOn.MatchString(errs) {
		t.Fatalf("status %d: %s", status, errs)
	}
	expectWritten(t, dir, counted(1))
}

// TestOtherPlan: state that does not fit is refused, naming the ways out.
func TestOtherPlan(t *testing.T) {
	dir := t.TempDir()
	runToFailure(t, dir, numbers(dies, "COUNT(*)"), 1)
	for _, aggregate := range []string{"SUM(id)", "COUNT(DISTINCT id)"} {
		status, errs := runJob(t, dir, numbers("id >= 0", aggregate))
		for _, want := range []string{"error[state-mismatch]", "WindowAggregate", "pipeline.name", filepath.Join(dir, "checkpoints")} {
			if status != diag.ExitSQL || !strings.Contains(errs, want) || strings.Contains(errs, "ignore-unclaimed-state") {
				t.Errorf("%s: status %d, no %q: %s", aggregate, status, want, errs)
			}
		}
	}
	// A step that is new could begin without state, if that is asked for.
	script := strings.Replace(numbers("id >= 0", "COUNT(*)"), "FROM TABLE(TUMBLE(TABLE numbers,", "FROM TABLE(TUMBLE(TABLE few,", 1)
	script = strings.Replace(script, "INSERT INTO", "CREATE VIEW few AS SELECT * FROM numbers LIMIT 100000;\nINSERT INTO", 1)
	if status, errs := runJob(t, dir, script); status != diag.ExitSQL || !strings.Contains(errs, "ignore-unclaimed-state") || !strings.Contains(errs, "which is") {
		t.Errorf("status %d: %s", status, errs)
	}
	if status, errs := runJob(t, dir, numbers("id >= 0", "COUNT(*)")); status != diag.ExitOK {
		t.Fatalf("status %d: %s", status, errs)
	}
	expectWritten(t, dir, counted(1))
}

// TestDamagedCheckpoint: the newest checkpoint is damaged; the one before it is
// used, that is said, and what was published since is taken back.
func TestDamagedCheckpoint(t *testing.T) {
	dir := t.TempDir()
	settings := []string{"execution.checkpointing.num-retained=3"}
	small := func(script string) string {
		return strings.Replace(script, "'format' = 'csv'", "'format' = 'csv', 'sink.rolling-policy.file-size' = '100 b'", 1)
	}
	all := runToFailure(t, dir, small(numbers(dies, "COUNT(*)", settings...)), 3)
	damage := func(chk string) {
		f := filepath.Join(chk, "manifest")
		data, err := os.ReadFile(f)
		if err == nil {
			data[len(data)/2] ^= 1
			err = os.WriteFile(f, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	damage(all[2])
	damage(all[1])
	status, errs := runJob(t, dir, small(numbers("id >= 0", "COUNT(*)", settings...)))
	m := goesOn.FindStringSubmatch(errs)
	if status != diag.ExitOK || strings.Count(errs, "a checkpoint is damaged") != 2 || m == nil || m[1] != strconv.Itoa(number(all[0])) {
		t.Fatalf("status %d: %s", status, errs)
	}
	expectWritten(t, dir, counted(1))

	// All are damaged: refused, not begun anew.
	for _, chk := range runToFailure(t, dir, numbers(dies, "COUNT(*)"), 1) {
		damage(chk)
	}
	if status, errs := runJob(t, dir, numbers(dies, "COUNT(*)")); status != diag.ExitIO || !strings.Contains(errs, "error[damaged-checkpoint]") {
		t.Fatalf("status %d: %s", status, errs)
	}
}

func number(chk string) int {
	n, _ := strconv.Atoi(chk[strings.LastIndexByte(chk, '-')+1:])
	return n
}

// TestRestarts: a job that fails is started again as the strategy says, from
// its last checkpoint.
func TestRestarts(t *testing.T) {
	for _, c := range []struct {
		settings []string
		restarts int
	}{
		{[]string{"restart-strategy.type=none"}, 0},
		{[]string{"restart-strategy.type=fixed-delay", "restart-strategy.fixed-delay.attempts=2", "restart-strategy.fixed-delay.delay=1 ms"}, 2},
		{[]string{"restart-strategy.type=exponential-delay", "restart-strategy.exponential-delay.initial-backoff=1 ms", "restart-strategy.exponential-delay.attempts-before-reset-backoff=3"}, 3},
		{[]string{"restart-strategy.type=failure-rate", "restart-strategy.failure-rate.delay=1 ms"}, 1},
	} {
		dir := t.TempDir()
		runToFailure(t, dir, numbers(dies, "COUNT(*)"), 1)
		status, errs := runJob(t, dir, numbers(dies, "COUNT(*)", c.settings...))
		if status != diag.ExitJob || strings.Count(errs, "is started again") != c.restarts || len(goesOn.FindAllString(errs, -1)) != c.restarts+1 {
			t.Errorf("%v: status %d: %s", c.settings, status, errs)
		}
		if status, errs := runJob(t, dir, numbers("id >= 0", "COUNT(*)")); status != diag.ExitOK {
			t.Errorf("%v: status %d: %s", c.settings, status, errs)
		}
		expectWritten(t, dir, counted(1))
	}
}

// Without a folder checkpoints are in memory: restarts go on from them, another
// run does not.
func TestCheckpointsInMemory(t *testing.T) {
	dir := t.TempDir()
	script := strings.Replace(numbers(dies, "COUNT(*)", "restart-strategy.type=fixed-delay", "restart-strategy.fixed-delay.delay=1 ms"),
		"SET 'execution.checkpointing.dir' = 'checkpoints';", "", 1)
	resumed := false
	for i := 0; i < 20 && !resumed; i++ {
		status, errs := runJob(t, dir, script)
		if status != diag.ExitJob || !strings.Contains(errs, "is started again") {
			t.Fatalf("status %d: %s", status, errs)
		}
		resumed = goesOn.MatchString(errs)
	}
	if !resumed {
		t.Error("restarted from the beginning")
	}
	if _, err := os.Stat(filepath.Join(dir, "checkpoints")); err == nil {
		t.Error("checkpoints on disk")
	}
}

// TestOneProcess: a job that runs is not run a second time.
func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	endless := strings.Replace(numbers("id >= 0", "COUNT(*)", "pipeline.name=once"), "'fields.id.end' = '399'", "'fields.id.end' = '9000000'", 1)
	s, err := session.New(session.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	in := sql.NewReader(endless)
	for stmt, err := in.Next(); err == nil; stmt, err = in.Next() {
		if _, err := s.Execute(context.Background(), stmt); err != nil {
			t.Fatal(err)
		}
	}
	for found := []string(nil); len(found) == 0; time.Sleep(time.Millisecond) {
		found, _ = filepath.Glob(filepath.Join(dir, "checkpoints", "once-*", "chk-*"))
	}
	status, errs := runJob(t, dir, endless)
	if status != diag.ExitIO || !strings.Contains(errs, "error[in-use]") || !strings.Contains(errs, "process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("status %d: %s", status, errs)
	}
}

// A job from no script file needs a name.
func TestNeedsName(t *testing.T) {
	dir := t.TempDir()
	script := numbers("id < 3", "COUNT(*)", "execution.checkpointing.dir="+dir)
	status, _, errs := run(t, script)
	if status != diag.ExitSQL || !strings.Contains(errs, "error[missing-option]") || !strings.Contains(errs, "pipeline.name") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// TestCheckpointMetrics: --stats tells about the checkpoints under Flink's names.
func TestCheckpointMetrics(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "job.sql")
	if err := os.WriteFile(path, []byte(numbers("id >= 0", "COUNT(*)")), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, errs := run(t, "", "--stats", path)
	for _, name := range []string{"numberOfCompletedCheckpoints", "lastCheckpointSize"} {
		m := regexp.MustCompile(name + ` (\d+)`).FindStringSubmatch(errs)
		if status != diag.ExitOK || m == nil || m[1] == "0" {
			t.Errorf("%s: status %d: %s", name, status, errs)
		}
	}
}
