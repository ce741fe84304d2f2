package kafka_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/internal/diag"
)

const bounded = "scan.bounded.mode=latest-offset"
const earliest = "scan.startup.mode=earliest-offset"

func TestBounds(t *testing.T) {
	b := newBench(t, 2)
	b.put(0, "-=a0", "-=a1", "-=a2")
	b.put(1, "-=b0", "-=b1")
	for _, c := range []struct {
		options string
		want    string
	}{
		{earliest + " " + bounded, "a0 a1 a2 b0 b1"},
		{"scan.startup.mode=latest-offset " + bounded, ""},
		{"scan.startup.mode=specific-offsets scan.startup.specific-offsets=partition:0,offset:1;partition:1,offset:1 " + bounded, "a1 a2 b1"},
		{"scan.startup.mode=specific-offsets scan.startup.specific-offsets=partition:0,offset:1 " + bounded, "a1 a2 b0 b1"},
		{"scan.startup.mode=timestamp scan.startup.timestamp-millis=1000 " + bounded, "a0 a1 a2 b0 b1"},
		{"scan.startup.mode=timestamp scan.startup.timestamp-millis=4102444800000 " + bounded, ""},
		{earliest + " scan.bounded.mode=timestamp scan.bounded.timestamp-millis=1000", ""},
		{earliest + " scan.bounded.mode=specific-offsets scan.bounded.specific-offsets=partition:0,offset:2;partition:1,offset:1", "a0 a1 b0"},
	} {
		for _, most := range []int{1, 2, 1024} {
			s, tab := b.source(nil, "line STRING", append(strings.Fields(c.options), "format=raw")...)
			got, _, err := read(t, s, tab, splits(t, s), 0, most)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, w := range strings.Fields(c.want) {
				want = append(want, "+I | '"+w+"'")
			}
			same(t, c.options, got, want)
		}
	}
}

// TestPositions: what a checkpoint holds is enough, whatever the start says.
func TestPositions(t *testing.T) {
	b := newBench(t, 2)
	b.put(0, "-=1", "-=2", "-=3")
	b.put(1, "-=4", "-=5")
	s, tab := b.source(nil, "line STRING", "format=raw", earliest, bounded)
	for n := 1; n < 5; n++ {
		first, r, err := read(t, s, tab, splits(t, s), n, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := b.source(nil, "line STRING", "format=raw", "scan.startup.mode=latest-offset", bounded)
		rest, _, err := read(t, again, tab, r.Positions(), 0, 3)
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint("after ", n), append(first, rest...), []string{"+I | '1'", "+I | '2'", "+I | '3'", "+I | '4'", "+I | '5'"})
	}
}

// Rows as Flink reads them.
func TestKeysAndMetadata(t *testing.T) {
	b := newBench(t, 1)
	b.put(0, `{"id":1}={"id":1,`+"\n"+`"name":"a"}`, `-={"id":2,"name":"nokey"}`, `{"id":3}=-`, `{"id":4}=`, `{"id":5}=[{"id":51},{"id":52}]`)
	s, tab := b.source(nil, "id INT;name STRING;o BIGINT@offset;p INT@partition;tt STRING@timestamp-type;h BIGINT@headers", "format=json", earliest, bounded)
	got, _, err := read(t, s, tab, splits(t, s), 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "metadata", got, []string{"+I | 1 | 'a' | 0 | 0 | 'CreateTime' | {}", "+I | 2 | 'nokey' | 1 | 0 | 'CreateTime' | {}",
		"+I | 51 | NULL | 4 | 0 | 'CreateTime' | {}", "+I | 52 | NULL | 4 | 0 | 'CreateTime' | {}"})
	s, tab = b.source(nil, "k_id INT;id INT;name STRING", "value.format=json", "key.format=json", "key.fields=k_id", "key.fields-prefix=k_", "value.fields-include=EXCEPT_KEY", earliest, bounded)
	if got, _, err = read(t, s, tab, splits(t, s), 0, 100); err != nil {
		t.Fatal(err)
	}
	same(t, "keys", got, []string{"+I | 1 | 1 | 'a'", "+I | 5 | 51 | NULL", "+I | 5 | 52 | NULL"})
	s, tab = b.source([]int{0}, "id INT NOT NULL;name STRING", "connector=upsert-kafka", "value.format=json", "key.format=json", bounded)
	if got, _, err = read(t, s, tab, splits(t, s), 0, 100); err != nil {
		t.Fatal(err)
	}
	same(t, "changes by key", got, []string{"+I | 1 | 'a'", "-D | 3 | NULL", "+I | 51 | NULL", "+I | 52 | NULL"})
}

func TestBadRecord(t *testing.T) {
	b := newBench(t, 1)
	b.put(0, `-={"id":1}`, `-={"id":"x"}`)
	s, tab := b.source(nil, "id INT", "format=json", earliest, bounded)
	_, _, err := read(t, s, tab, splits(t, s), 0, 100)
	if e := diag.Of(err); err == nil || e.Code != diag.BadRow {
		t.Fatal(err)
	}
	for _, w := range []string{b.topic, "partition 0", "offset 1", "'id'"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%v lacks %s", err, w)
		}
	}
	s, tab = b.source(nil, "id INT", "format=json", "json.ignore-parse-errors=true", earliest, bounded)
	got, r, err := read(t, s, tab, splits(t, s), 0, 100)
	if err != nil || r.Skipped() == 0 {
		t.Errorf("%v, %d skipped", err, r.Skipped())
	}
	same(t, "ignored", got, []string{"+I | 1", "+I | NULL"})
}

func TestDiscoveryAndGroup(t *testing.T) {
	b := newBench(t, 1)
	b.put(0, "-=a")
	group := "properties.group.id=g" + b.topic
	s, tab := b.source(nil, "line STRING", "format=raw", earliest, "scan.topic-partition-discovery.interval=100ms", group)
	got, r, err := read(t, s, tab, splits(t, s), 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "before", got, []string{"+I | 'a'"})
	admin := kadm.NewClient(b.cl)
	if _, err := admin.CreatePartitions(context.Background(), 1, b.topic); err != nil {
		t.Fatal(err)
	}
	b.cl.ForceMetadataRefresh()
	for i := 0; ; i++ {
		err := b.cl.ProduceSync(context.Background(), &kgo.Record{Topic: b.topic, Partition: 1, Value: []byte("b")}).FirstErr()
		if err == nil {
			break
		}
		if i == 50 {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if got, err = poll(t, r, tab, 1, 100); err != nil {
		t.Fatal(err)
	}
	same(t, "found", got, []string{"+I | 'b'"})
	r.(connector.Acknowledged).Durable(r.Positions())
	for i := 0; ; i++ {
		offsets, err := admin.FetchOffsets(context.Background(), "g"+b.topic)
		o, ok := offsets.Lookup(b.topic, 0)
		if err == nil && ok && o.At == 1 {
			break
		}
		if i == 100 {
			t.Fatalf("%v: %v", err, offsets)
		}
		time.Sleep(50 * time.Millisecond)
	}
	s, tab = b.source(nil, "line STRING", "format=raw", group, bounded)
	if got, _, err = read(t, s, tab, splits(t, s), 0, 100); err != nil || len(got) > 0 {
		t.Errorf("from the group's offsets: %v %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	b := newBench(t, 1)
	for _, c := range []struct {
		columns, options string
		code             diag.Code
		words            string
	}{
		{"a STRING", "format=raw key.format=raw", diag.MissingOption, "key.fields"},
		{"a STRING", "format=raw key.fields=a", diag.MissingOption, "key.format"},
		{"a STRING", "format=raw key.format=raw key.fields=b", diag.UnknownColumn, "'b'"},
		{"a STRING", "format=raw key.format=raw key.fields=a key.fields-prefix=k_", diag.BadOption, "EXCEPT_KEY"},
		{"a STRING", "format=raw scan.startup.mode=timestamp", diag.MissingOption, "scan.startup.timestamp-millis"},
		{"a STRING", "format=raw properties.gruop.id=x", diag.UnknownOption, "properties.group.id"},
		{"a STRING", "format=raw properties.isolation.level=x", diag.BadOption, "read_committed"},
		{"a STRING", "format=raw properties.security.protocol=SASL_PLAINTEXT properties.sasl.mechanism=PLAIN", diag.BadOption, "sasl.jaas.config"},
		{"a STRING", "connector=upsert-kafka value.format=raw key.format=raw", diag.BadConstraint, "PRIMARY KEY"},
	} {
		r, tab := b.table(c.columns, strings.Fields(c.options)...)
		_, err := r.Connector.Source(tab)
		if e := diag.Of(err); err == nil || e.Code != c.code || !strings.Contains(e.Msg+e.Hint, c.words) {
			t.Errorf("%s: %v", c.options, err)
		}
	}
	r, tab := b.table("a STRING", "format=raw")
	s, err := r.Connector.Source(tab)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Splits(context.Background()); err == nil || diag.Of(err).Code != diag.MissingOption || !strings.Contains(diag.Of(err).Hint, "earliest-offset") {
		t.Errorf("no group: %v", err)
	}
}
