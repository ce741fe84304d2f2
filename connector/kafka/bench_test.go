package kafka_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/connector/all"
	"fsql/connector/format/formattest"
	"fsql/internal/option"
	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// brokers are those of FSQL_KAFKA_BROKERS, else one inside of the test.
func brokers(t testing.TB) string {
	t.Helper()
	if b := os.Getenv("FSQL_KAFKA_BROKERS"); b != "" {
		return b
	}
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.AllowAutoTopicCreation(), kfake.DefaultNumPartitions(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return strings.Join(c.ListenAddrs(), ",")
}

// bench is a topic of its own with a client beside the tables.
type bench struct {
	t     testing.TB
	at    string
	topic string
	cl    *kgo.Client
}

func newBench(t testing.TB, partitions int32) *bench {
	t.Helper()
	b := &bench{t: t, at: brokers(t), topic: fmt.Sprintf("t%d", time.Now().UnixNano())}
	var err error
	if b.cl, err = kgo.NewClient(kgo.SeedBrokers(b.at), kgo.RecordPartitioner(kgo.ManualPartitioner())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.cl.Close)
	if _, err := kadm.NewClient(b.cl).CreateTopic(context.Background(), partitions, 1, nil, b.topic); err != nil {
		t.Fatal(err)
	}
	return b
}

// put writes messages "key=value" to a partition; "-" has no bytes at all.
func (b *bench) put(partition int32, messages ...string) {
	b.t.Helper()
	for _, m := range messages {
		k, v, _ := strings.Cut(m, "=")
		rec := &kgo.Record{Topic: b.topic, Partition: partition, Timestamp: time.Now().Truncate(time.Hour)}
		if k != "-" {
			rec.Key = []byte(k)
		}
		if v != "-" {
			rec.Value = []byte(v)
		}
		if err := b.cl.ProduceSync(context.Background(), rec).FirstErr(); err != nil {
			b.t.Fatal(err)
		}
	}
}

// committed lists the messages that a careful reader sees.
func (b *bench) committed() []string {
	b.t.Helper()
	cl, err := kgo.NewClient(kgo.SeedBrokers(b.at), kgo.ConsumeTopics(b.topic), kgo.FetchIsolationLevel(kgo.ReadCommitted()),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchMaxWait(100*time.Millisecond))
	if err != nil {
		b.t.Fatal(err)
	}
	defer cl.Close()
	var out []string
	for {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		f := cl.PollFetches(ctx)
		stop()
		if f.NumRecords() == 0 {
			slices.Sort(out)
			return out
		}
		f.EachRecord(func(r *kgo.Record) {
			k, v := string(r.Key), string(r.Value)
			if r.Key == nil {
				k = "-"
			}
			if r.Value == nil {
				v = "-"
			}
			out = append(out, k+"="+v)
		})
	}
}

// table makes a table of columns as CREATE TABLE lists them, "name TYPE @key" for
// metadata, and options "key=value".
func (b *bench) table(columns string, options ...string) (*connector.Resolved, *connector.Table) {
	b.t.Helper()
	entries := []option.Entry{{Key: "properties.bootstrap.servers", Value: b.at}, {Key: "topic", Value: b.topic}}
	if !slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, "connector=") }) {
		options = append(options, "connector=kafka")
	}
	for _, o := range options {
		key, val, _ := strings.Cut(o, "=")
		entries = append(entries, option.Entry{Key: key, Value: val})
	}
	r, err := connector.Resolve(all.Registry(), "t", entries)
	if err != nil {
		b.t.Fatal(err)
	}
	var plain, meta []string
	for _, c := range strings.Split(columns, ";") {
		c, key, _ := strings.Cut(c, "@")
		plain, meta = append(plain, c), append(meta, key)
	}
	s := formattest.Schema(b.t, strings.Join(plain, ","))
	for i, key := range meta {
		for _, m := range r.Connector.Metadata {
			if m.Name == key {
				s.Columns[i].Type = m.Type
			}
		}
	}
	return r, &connector.Table{Name: "t", Schema: s, Metadata: meta, Options: r.Options, Format: r.Format, FormatOpts: r.FormatOptions,
		KeyFormat: r.KeyFormat, KeyFormatOpts: r.KeyFormatOptions, Zone: "UTC", Parallel: 1, Limit: -1}
}

func (b *bench) source(key []int, columns string, options ...string) (connector.Source, *connector.Table) {
	b.t.Helper()
	r, t := b.table(columns, options...)
	t.PrimaryKey = key
	s, err := r.Connector.Source(t)
	if err != nil {
		b.t.Fatal(err)
	}
	return s, t
}

func splits(t testing.TB, s connector.Source) []connector.Split {
	t.Helper()
	all, err := s.Splits(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// read polls until there are enough rows (0: until the end), at most most at
// once.
func read(t testing.TB, s connector.Source, tab *connector.Table, at []connector.Split, enough, most int) ([]string, connector.Reader, error) {
	t.Helper()
	r, err := s.Open(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	rows, err := poll(t, r, tab, enough, most)
	return rows, r, err
}

func poll(t testing.TB, r connector.Reader, tab *connector.Table, enough, most int) ([]string, error) {
	t.Helper()
	var out []string
	deadline := time.After(30 * time.Second)
	for enough == 0 || len(out) < enough {
		b := row.NewBuilder(tab.Schema)
		status, err := r.Poll(b, most)
		if err != nil {
			return out, err
		}
		if batch := b.Flush(); batch != nil {
			out = append(out, lines(batch)...)
		}
		switch status {
		case connector.Ended:
			return out, nil
		case connector.Waiting:
			select {
			case <-r.Wake():
			case <-deadline:
				t.Fatalf("nothing comes after %d rows", len(out))
			}
		}
	}
	return out, nil
}

func lines(b *row.Batch) []string {
	return strings.Split(strings.TrimSpace(rowtext.Format(b)), "\n")
}

func same(t testing.TB, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func batch(t testing.TB, s *types.Schema, text string) *row.Batch {
	t.Helper()
	b, err := rowtext.Parse(s, text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
