package kafka

import (
	"context"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector/format"
	"fsql/row"
	"fsql/types"
)

// encoders makes records of rows.
type encoders struct {
	sink  *sink
	value messageEncoder
	key   *messageEncoder // nil: there are no keys
}

// records calls put with the record of every row of a batch. A row that a table
// of changes by key deletes has no value; its old rows are not written, unless
// they stand for deletes (connector.Sink).
func (e *encoders) records(b *row.Batch, put func(*kgo.Record)) error {
	values := e.value.columns(b)
	var keys *row.Batch
	if e.key != nil {
		keys = e.key.columns(b)
	}
	for i := range b.Rows {
		rec := &kgo.Record{Topic: e.sink.topic}
		var err error
		if e.key != nil {
			if rec.Key, err = e.key.message(keys, i); err != nil {
				return err
			}
		}
		if !e.sink.upsert || b.Kind(i).Adds() {
			if rec.Value, err = e.value.message(values, i); err != nil {
				return err
			}
		}
		e.metadata(rec, b, i)
		put(rec)
	}
	return nil
}

// metadata sets what a producer may set. NULL leaves it to the client.
func (e *encoders) metadata(rec *kgo.Record, b *row.Batch, i int) {
	for _, c := range e.sink.layout.meta {
		v := b.Cols[c]
		if v.IsNull(i) {
			continue
		}
		if e.sink.table.Metadata[c] == "headers" {
			for j := v.Off[i]; j < v.Off[i]+v.Size[i]; j++ {
				h := kgo.RecordHeader{Key: v.Kids[0].Str[j]}
				if !v.Kids[1].IsNull(int(j)) {
					h.Value = []byte(v.Kids[1].Str[j])
				}
				rec.Headers = append(rec.Headers, h)
			}
			continue
		}
		ms := v.I64[i]
		if v.Type.Layout() != types.LayoutNano {
			ms, _ = format.Moment(ms)
		}
		if v.Type.Kind == types.Timestamp {
			ms = e.sink.zone.UTC(ms)
		}
		rec.Timestamp = time.UnixMilli(ms)
	}
}

// writer is a sink's without transactions.
type writer struct {
	*encoders
	client *kgo.Client
	buffer *buffer // nil: rows are written at once
	first  failure
}

// failure is the first error of many goroutines.
type failure struct {
	mu  sync.Mutex
	err error
}

func (f *failure) set(err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

func (f *failure) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (w *writer) Write(ctx context.Context, b *row.Batch) error {
	if err := w.lost(); err != nil {
		return err
	}
	return w.records(b, func(rec *kgo.Record) {
		if w.buffer == nil {
			w.produce(ctx, rec)
			return
		}
		for _, r := range w.buffer.add(rec, time.Now().UnixMilli()) {
			w.produce(ctx, r)
		}
	})
}

func (w *writer) produce(ctx context.Context, rec *kgo.Record) {
	w.client.Produce(ctx, rec, func(_ *kgo.Record, err error) { w.first.set(err) })
}

// lost is the failure to write, which the guarantee none does not mind.
func (w *writer) lost() error {
	err := w.first.get()
	if err == nil || w.sink.guarantee == "none" {
		return nil
	}
	return failed("topic '"+w.sink.topic+"' cannot be written", err)
}

// Flush waits until brokers have everything. With the guarantee none nobody
// waits: what is on its way is lost if the job fails.
func (w *writer) Flush(ctx context.Context) error {
	if w.buffer != nil {
		for _, r := range w.buffer.take() {
			w.produce(ctx, r)
		}
	}
	if w.sink.guarantee != "none" {
		if err := w.client.Flush(ctx); err != nil {
			return failed("topic '"+w.sink.topic+"' cannot be written", err)
		}
	}
	return w.lost()
}

// closeTimeout is how long a writer that is closed waits for brokers.
const closeTimeout = 10 * time.Second

func (w *writer) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), closeTimeout)
	defer stop()
	if w.sink.guarantee == "none" {
		_ = w.client.Flush(ctx) // whatever can be written is
	}
	w.client.Close()
	return nil
}

// buffer keeps the last record of every key of a table of changes by key, as
// Flink's ReducingUpsertWriter does.
type buffer struct {
	most  int
	after int64 // milliseconds
	since int64
	order []string
	last  map[string]*kgo.Record
}

// add takes a record and returns those that are to be written now.
func (b *buffer) add(rec *kgo.Record, now int64) []*kgo.Record {
	if len(b.order) == 0 {
		b.since = now
	}
	key := string(rec.Key)
	if _, ok := b.last[key]; !ok {
		b.order = append(b.order, key)
	}
	b.last[key] = rec
	if len(b.order) >= b.most || now-b.since >= b.after {
		return b.take()
	}
	return nil
}

// take empties the buffer.
func (b *buffer) take() []*kgo.Record {
	var out []*kgo.Record
	for _, key := range b.order {
		out = append(out, b.last[key])
	}
	b.order = b.order[:0]
	clear(b.last)
	return out
}
