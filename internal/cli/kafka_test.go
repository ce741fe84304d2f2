package cli

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// TestKillKafka kills a job that copies a topic to another in transactions, again
// and again, and then reads what a careful consumer sees: every row, once.
func TestKillKafka(t *testing.T) {
	brokers := os.Getenv("FSQL_KAFKA_BROKERS")
	if brokers == "" {
		t.Skip(`NOT TESTED: exactly-once on a real Kafka broker. eval "$(.ci/kafka start)" starts one and sets FSQL_KAFKA_BROKERS`)
	}
	const rows = 3000
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	name := fmt.Sprintf("kill%d", time.Now().UnixNano())
	cl, err := kgo.NewClient(kgo.SeedBrokers(brokers), kgo.RecordPartitioner(kgo.RoundRobinPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer cl.Close()
	if resp, err := kadm.NewClient(cl).CreateTopics(ctx, 2, 1, nil, name+"-in", name+"-out"); err != nil || resp.Error() != nil {
		t.Fatal(err, resp.Error())
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fsql")
	build := exec.Command("go", "build", "-o", program, "fsql/cmd/fsql")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script := filepath.Join(dir, "job.sql")
	text := strings.NewReplacer("NAME", name, "BROKERS", brokers).Replace(`
SET 'execution.checkpointing.interval' = '50 ms';
SET 'execution.checkpointing.dir' = 'state';
SET 'pipeline.name' = 'NAME';
CREATE TABLE numbers (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'NAME-in', 'properties.bootstrap.servers' = 'BROKERS', 'format' = 'csv', 'scan.startup.mode' = 'earliest-offset');
CREATE TABLE twice (id BIGINT, d BIGINT) WITH ('connector' = 'kafka', 'topic' = 'NAME-out', 'properties.bootstrap.servers' = 'BROKERS', 'format' = 'csv',
  'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'NAME');
INSERT INTO twice SELECT id, id * 2 FROM numbers;
`)
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(d time.Duration) {
		p := exec.Command(program, script)
		p.Dir = dir
		var errs bytes.Buffer
		p.Stderr = &errs
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(d)
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.Wait()
		if strings.Contains(errs.String(), "error[") {
			t.Fatal(errs.String())
		}
	}
	for n := range *kills {
		for i := n * rows / *kills; i < (n+1)*rows / *kills; i++ {
			cl.Produce(ctx, &kgo.Record{Topic: name + "-in", Value: fmt.Append(nil, i)}, nil)
		}
		if err := cl.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		run(time.Duration(200+rand.IntN(600)) * time.Millisecond)
	}
	run(5 * time.Second)
	seen := map[string]int{}
	reader, err := kgo.NewClient(kgo.SeedBrokers(brokers), kgo.ConsumeTopics(name+"-out"), kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for {
		wait, stop := context.WithTimeout(ctx, 2*time.Second)
		f := reader.PollFetches(wait)
		stop()
		if f.NumRecords() == 0 {
			break
		}
		f.EachRecord(func(r *kgo.Record) { seen[string(r.Value)]++ })
	}
	for i := range rows {
		if n := seen[fmt.Sprintf("%d,%d", i, 2*i)]; n != 1 {
			t.Fatalf("row %d is there %d times (%d rows)", i, n, len(seen))
		}
	}
	if len(seen) != rows {
		t.Errorf("%d rows, want %d", len(seen), rows)
	}
}
