package cli

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var kills = flag.Int("kills", 15, "how often TestKill has a killed process go on")

// TestKill starts the program, kills it with SIGKILL at random instants until it
// has gone on from a checkpoint with offsets above zero 15 times (-kills=100 is
// the long form), lets it end, and compares what it has
// written with the answer of an undisturbed run: of a windowed aggregation and
// of an interval join.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fsql")
	build := exec.Command("go", "build", "-o", program, "fsql/cmd/fsql")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	undisturbed := filepath.Join(dir, "undisturbed")
	if status, errs := runJob(t, folder(t, undisturbed), killed(10_000_000, "0 ms")); status != 0 {
		t.Fatal(errs)
	}
	want := map[string][]string{}
	for _, table := range []string{"out", "pairs"} {
		if want[table] = written(t, filepath.Join(undisturbed, table)); len(want[table]) < 1000 {
			t.Fatalf("only %d rows in %s", len(want[table]), table)
		}
	}

	job := folder(t, filepath.Join(dir, "job"))
	path := filepath.Join(job, "job.sql")
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	resumed, died, last := 0, 0, 0
	for resumed < *kills {
		if err := os.WriteFile(path, []byte(killed(750_000 / *kills, "10 ms")), 0o600); err != nil {
			t.Fatal(err)
		}
		p := exec.Command(program, path)
		var errs bytes.Buffer
		p.Stderr = &errs
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.IntN(140)) * time.Millisecond)
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(); err == nil {
			t.Fatalf("the job ended after %d kills: %s", died, errs.String())
		}
		died++
		if m := goesOn.FindStringSubmatch(errs.String()); m != nil {
			n, _ := strconv.Atoi(m[2])
			if n < last {
				t.Fatalf("went back from %d to %d", last, n)
			}
			if last = n; n > 0 {
				resumed++
			}
		} else if s := strings.TrimSpace(errs.String()); s != "" {
			t.Fatalf("after %d kills: %s", died, s)
		}
	}
	if status, errs := runJob(t, job, killed(10_000_000, "10 ms")); status != 0 || !goesOn.MatchString(errs) {
		t.Fatalf("status %d: %s", status, errs)
	}
	for table, want := range want {
		if got := written(t, filepath.Join(job, table)); !slices.Equal(got, want) {
			t.Errorf("%s: %d rows, want %d", table, len(got), len(want))
		}
		left, err := filepath.Glob(filepath.Join(job, table, ".*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left over: %v, %v", left, err)
		}
	}
	t.Logf("%d kills, %d times resumed, the last time at %d", died, resumed, last)
}

func folder(t *testing.T, path string) string {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// killed is a windowed aggregation over 200,000 numbers, and a join of each with
// those of the same key that came shortly before, into small files.
func killed(rate int, interval string) string {
	s := numbers("MOD(id, 7) > 0", "COUNT(*) + SUM(id)", "parallelism.default=2", "execution.checkpointing.interval="+interval)
	return strings.NewReplacer(
		"'1000'", "'"+strconv.Itoa(rate)+"'", "'399'", "'199999'", "MOD(id, 3)", "MOD(id * 31, 100)",
		"'format' = 'csv'", "'format' = 'csv', 'sink.rolling-policy.file-size' = '50 kb'", "'10' SECOND", "'10' MINUTE",
		"INSERT INTO", `CREATE TABLE pairs (a BIGINT, b BIGINT) WITH ('connector' = 'filesystem', 'path' = 'pairs', 'format' = 'json');
EXECUTE STATEMENT SET BEGIN
INSERT INTO pairs SELECT a.id, b.id FROM numbers AS a JOIN numbers AS b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '3' MINUTE AND a.ts - INTERVAL '1' SECOND
WHERE MOD(a.id, 10) = 0;
INSERT INTO`,
	).Replace(s) + "END;"
}
