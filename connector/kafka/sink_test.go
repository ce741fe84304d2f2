package kafka_test

import (
	"context"
	"testing"

	"fsql/connector"
	"fsql/types"
)

func (b *bench) sink(key []int, columns string, options ...string) (connector.Sink, *connector.Table) {
	b.t.Helper()
	r, t := b.table(columns, options...)
	t.PrimaryKey = key
	s, err := r.Connector.Sink(t)
	if err != nil {
		b.t.Fatal(err)
	}
	return s, t
}

func writer(t testing.TB, s connector.Sink) connector.Writer {
	t.Helper()
	w, err := s.OpenWriter(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Messages as Flink writes them.
func TestWrite(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name    string
		key     []int
		columns string
		options []string
		rows    string
		want    []string
	}{
		{"raw", nil, "a STRING", []string{"format=raw"}, "+I | 'k1'\n+I | NULL\n+I | ''", []string{"-=", "-=-", "-=k1"}},
		{"csv", nil, "a STRING;b STRING", []string{"format=csv"}, "+I | 'k1' | 'x y'\n+I | NULL | ''", []string{"-=,", `-=k1,"x y"`}},
		{"keys", nil, "k STRING;id INT", []string{"value.format=json", "key.format=raw", "key.fields=k"}, "+I | 'k1' | 1\n+I | NULL | 2",
			[]string{`-={"k":null,"id":2}`, `k1={"k":"k1","id":1}`}},
		{"changes by key", []int{0}, "id INT NOT NULL;name STRING", []string{"connector=upsert-kafka", "value.format=json", "key.format=json", "value.fields-include=EXCEPT_KEY"},
			"+I | 1 | 'a'\n+U | 1 | 'b'\n-D | 1 | 'b'", []string{`{"id":1}=-`, `{"id":1}={"name":"a"}`, `{"id":1}={"name":"b"}`}},
		{"last of each key", []int{0}, "id INT NOT NULL;name STRING", []string{"connector=upsert-kafka", "value.format=json", "key.format=json", "sink.buffer-flush.max-rows=10", "sink.buffer-flush.interval=1h"},
			"+I | 1 | 'a'\n+I | 2 | 'x'\n+U | 1 | 'b'", []string{`{"id":1}={"id":1,"name":"b"}`, `{"id":2}={"id":2,"name":"x"}`}},
		{"changes", nil, "id INT", []string{"format=debezium-json"}, "+I | 1\n-U | 1", []string{`-={"before":null,"after":{"id":1},"op":"c"}`, `-={"before":{"id":1},"after":null,"op":"d"}`}},
	} {
		b := newBench(t, 1)
		s, tab := b.sink(c.key, c.columns, c.options...)
		w := writer(t, s)
		if err := w.Write(ctx, batch(t, tab.Schema, c.rows)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		same(t, c.name, b.committed(), c.want)
	}
}

// TestExactlyOnce goes through the lives of a job: what a checkpoint holds is
// published whenever the process dies, and once; what it does not hold never.
func TestExactlyOnce(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, 1)
	join := func(e types.Epoch, prepared [][]byte) (connector.Transactional, connector.Preparer, *types.Schema) {
		s, tab := b.sink(nil, "a STRING", "format=raw", "sink.delivery-guarantee=exactly-once", "sink.transactional-id-prefix="+b.topic)
		x := s.(connector.Transactional)
		x.Join("job")
		w := writer(t, s).(connector.Preparer)
		if _, err := x.Recover(ctx, e, prepared, false); err != nil {
			t.Fatal(err)
		}
		return x, w, tab.Schema
	}
	prepare := func(w connector.Preparer, s *types.Schema, e types.Epoch, rows string) []byte {
		if err := w.Write(ctx, batch(t, s, rows)); err != nil {
			t.Fatal(err)
		}
		p, err := w.Prepare(ctx, e, false)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	x, w, s := join(0, nil)
	one := prepare(w, s, 1, "+I | 'one'")
	if got := b.committed(); len(got) > 0 {
		t.Errorf("seen before the checkpoint: %v", got)
	}
	if err := x.Commit(ctx, 1, [][]byte{one}); err != nil {
		t.Fatal(err)
	}
	same(t, "committed", b.committed(), []string{"-=one"})
	two := prepare(w, s, 2, "+I | 'two'")
	prepare(w, s, 3, "+I | 'never'") // a checkpoint that does not become durable
	if err := w.Write(ctx, batch(t, s, "+I | 'nor this'")); err != nil {
		t.Fatal(err)
	}
	// The process dies after checkpoint 2, before it is published. Nobody closes anything.
	x, w2, s := join(2, [][]byte{two})
	same(t, "resumed", b.committed(), []string{"-=one", "-=two"})
	four := prepare(w2, s, 3, "+I | 'three'")
	if err := x.Commit(ctx, 3, [][]byte{four}); err != nil {
		t.Fatal(err)
	}
	five := prepare(w2, s, 4, "+I | 'four'")
	if err := x.Commit(ctx, 4, [][]byte{five}); err != nil {
		t.Fatal(err)
	}
	// It dies after publishing: that is found out by the mark, although the name is in use again.
	prepare(w2, s, 5, "+I | 'lost again'")
	_, w3, _ := join(4, [][]byte{five})
	_, w4, _ := join(4, [][]byte{five})
	same(t, "at the end", b.committed(), []string{"-=four", "-=one", "-=three", "-=two"})
	for _, w := range []connector.Writer{w, w2, w3, w4} {
		w.Close()
	}
}
