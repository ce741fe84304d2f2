package kafka

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/state"
	"fsql/types"
)

// exact is a sink whose rows are in transactions that end with checkpoints: a
// writer flushes its transaction at a barrier and begins another one, and when
// the checkpoint is durable the first one is committed. A start commits what
// the checkpoint holds by the producer's id and epoch, which any client may
// present to the broker (transaction.go), and aborts whatever is open besides.
type exact struct {
	*sink
	id string // of the job, "": it takes no checkpoints

	mu   sync.Mutex
	open map[string]*producer // transactions that wait for their checkpoint, by token
}

func newExact(s *sink) *exact { return &exact{sink: s, open: map[string]*producer{}} }

// Join implements connector.Transactional.
func (s *exact) Join(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id = id
	clear(s.open)
}

// prefix begins the names of all transactions of the sink.
func (s *exact) prefix() string {
	return s.table.Options.String("sink.transactional-id-prefix") + "-" + s.id + "-"
}

// transactionTimeout is what brokers allow unless they are told otherwise.
const transactionTimeout = 15 * time.Minute

func (s *exact) timeout() time.Duration {
	if s.set.transaction > 0 {
		return s.set.transaction
	}
	return transactionTimeout
}

func (s *exact) OpenWriter(_ context.Context, subtask int) (connector.Writer, error) {
	e, err := s.encoders()
	if err != nil {
		return nil, err
	}
	w := &exactWriter{encoders: e, exact: s, subtask: subtask, buffer: s.newBuffer()}
	if s.id == "" {
		return &lone{w}, nil
	}
	return w, nil
}

// producer is a client with the transactions of one name, one after another.
type producer struct {
	owner  *exactWriter
	client *kgo.Client
	name   string
	first  *failure // of its present transaction
}

// exactWriter writes into the transaction of the present epoch.
type exactWriter struct {
	*encoders
	exact   *exact
	subtask int
	buffer  *buffer
	now     *producer   // nil: nothing was written in this epoch
	free    []*producer // whose transactions are committed; under exact.mu
	all     []*producer
	topicID kadm.TopicID
}

// begin takes a producer, or makes one, and begins a transaction.
func (w *exactWriter) begin(ctx context.Context) error {
	w.exact.mu.Lock()
	if n := len(w.free); n > 0 {
		w.now, w.free = w.free[n-1], w.free[:n-1]
	}
	w.exact.mu.Unlock()
	if w.now == nil {
		opts, err := w.sink.producing(w.subtask)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s%d-%d", w.exact.prefix(), w.subtask, len(w.all))
		cl, err := connect(ctx, w.sink.set, append(opts, kgo.TransactionalID(name), kgo.TransactionTimeout(w.exact.timeout()))...)
		if err != nil {
			return err
		}
		w.now = &producer{owner: w, client: cl, name: name}
		w.all = append(w.all, w.now)
		if _, _, err := cl.ProducerID(ctx); err != nil {
			return w.exact.unbegun(err)
		}
	}
	w.now.first = &failure{}
	if err := w.now.client.BeginTransaction(); err != nil {
		return failed("a transaction on topic '"+w.sink.topic+"' cannot be begun", err)
	}
	return nil
}

func (w *exactWriter) Write(ctx context.Context, b *row.Batch) error {
	if b.Rows == 0 {
		return nil
	}
	if w.now == nil {
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	if err := w.now.lost(w.sink.topic); err != nil {
		return err
	}
	return w.records(b, func(rec *kgo.Record) {
		if w.buffer == nil {
			w.now.produce(ctx, rec)
			return
		}
		for _, r := range w.buffer.add(rec, time.Now().UnixMilli()) {
			w.now.produce(ctx, r)
		}
	})
}

func (p *producer) produce(ctx context.Context, rec *kgo.Record) {
	first := p.first
	p.client.Produce(ctx, rec, func(_ *kgo.Record, err error) { first.set(err) })
}

func (p *producer) lost(topic string) error {
	if err := p.first.get(); err != nil {
		return failed("topic '"+topic+"' cannot be written", err)
	}
	return nil
}

// drain has brokers hold everything that was written.
func (w *exactWriter) drain(ctx context.Context) error {
	if w.buffer != nil {
		for _, r := range w.buffer.take() {
			w.now.produce(ctx, r)
		}
	}
	if err := w.now.client.Flush(ctx); err != nil {
		return failed("topic '"+w.sink.topic+"' cannot be written", err)
	}
	return w.now.lost(w.sink.topic)
}

// Flush does nothing: rows of a job with checkpoints wait for Prepare.
func (w *exactWriter) Flush(context.Context) error { return nil }

// Prepare implements connector.Preparer.
func (w *exactWriter) Prepare(ctx context.Context, e types.Epoch, _ bool) ([]byte, error) {
	if w.now == nil {
		return nil, nil
	}
	if err := w.drain(ctx); err != nil {
		return nil, err
	}
	t, err := w.mark(ctx, e)
	if err != nil {
		return nil, err
	}
	w.exact.mu.Lock()
	defer w.exact.mu.Unlock()
	w.exact.open[t.token] = w.now
	w.now = nil
	return t.encode(), nil
}

// release makes the producer of a committed transaction free again.
func (s *exact) release(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.open[token]
	delete(s.open, token)
	if p != nil {
		p.owner.free = append(p.owner.free, p)
	}
}

// Close aborts what is in no checkpoint and leaves the rest to the next start.
func (w *exactWriter) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), closeTimeout)
	defer stop()
	if w.now != nil && w.now.first != nil {
		// If this fails the next start does it, or the broker after its timeout.
		_ = w.now.client.AbortBufferedRecords(ctx)
		_ = w.now.client.EndTransaction(ctx, kgo.TryAbort)
	}
	for _, p := range w.all {
		p.client.Close()
	}
	return nil
}

// lone is the writer of a job without checkpoints, which commits at its end.
type lone struct{ *exactWriter }

func (w *lone) Flush(ctx context.Context) error {
	if w.now == nil {
		return nil
	}
	if err := w.drain(ctx); err != nil {
		return err
	}
	if err := w.now.client.EndTransaction(ctx, kgo.TryCommit); err != nil {
		return failed("a transaction on topic '"+w.sink.topic+"' cannot be committed", err)
	}
	w.free, w.now = append(w.free, w.now), nil
	return nil
}

// unbegun is the failure to get a producer id.
func (s *exact) unbegun(err error) error {
	e := &diag.Error{Code: diag.InputOutput, Msg: "a transaction on topic '" + s.topic + "' cannot be begun", Cause: err}
	return e.WithHint("a broker allows transactions of 15 minutes unless its transaction.max.timeout.ms says otherwise; this table asks for %v ('properties.transaction.timeout.ms')", s.timeout())
}

// transaction is what a checkpoint knows of one.
type transaction struct {
	name    string
	id      int64 // of the producer
	epoch   int16 // of the producer
	subtask int
	at      types.Epoch // the checkpoint
	token   string      // no other transaction has it
}

// transactionForm is the version of what encode gives.
const transactionForm = 1

func (t *transaction) encode() []byte {
	b := state.AppendBytes([]byte{transactionForm}, []byte(t.name))
	b = binary.AppendVarint(binary.AppendVarint(b, t.id), int64(t.epoch))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(t.subtask)), uint64(t.at))
	return state.AppendBytes(b, []byte(t.token))
}

// decodeTransactions reads what writers prepared; those without rows prepared
// nothing.
func decodeTransactions(prepared [][]byte) ([]*transaction, error) {
	var out []*transaction
	for _, b := range prepared {
		if len(b) == 0 {
			continue
		}
		d := state.Decoder{Data: b}
		d.Version(transactionForm)
		t := &transaction{name: string(d.Bytes()), id: d.Varint(), epoch: int16(d.Varint())}
		t.subtask, t.at, t.token = int(d.Uvarint()), types.Epoch(d.Uvarint()), string(d.Bytes())
		if d.Err != nil {
			return nil, d.Err
		}
		out = append(out, t)
	}
	return out, nil
}
