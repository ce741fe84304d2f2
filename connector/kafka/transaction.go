package kafka

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"fsql/internal/diag"
	"fsql/types"
)

// Every transaction also commits an offset of a group that belongs to its
// writer: the number of the checkpoint, with the transaction's token. It becomes
// visible with the rows or not at all, and so tells whether a transaction that
// the broker no longer knows was committed or aborted.

// group is that of a writer.
func (s *exact) group(subtask int) string { return fmt.Sprintf("%s%d", s.prefix(), subtask) }

// mark puts the offset into the present transaction.
func (w *exactWriter) mark(ctx context.Context, e types.Epoch) (*transaction, error) {
	cl := w.now.client
	id, epoch, err := cl.ProducerID(ctx)
	if err != nil {
		return nil, failed("a transaction on topic '"+w.sink.topic+"' is lost", err)
	}
	var token [8]byte
	if _, err := rand.Read(token[:]); err != nil {
		return nil, err
	}
	t := &transaction{name: w.now.name, id: id, epoch: epoch, subtask: w.subtask, at: e, token: hex.EncodeToString(token[:])}
	group := w.exact.group(w.subtask)
	if w.topicID == (kadm.TopicID{}) { // newer brokers go by it
		topics, err := kadm.NewClient(cl).ListTopics(ctx, w.sink.topic)
		if err != nil {
			return nil, failed("topic '"+w.sink.topic+"' cannot be looked up", err)
		}
		w.topicID = topics[w.sink.topic].ID
	}
	add := kmsg.NewPtrAddOffsetsToTxnRequest()
	add.TransactionalID, add.ProducerID, add.ProducerEpoch, add.Group = t.name, id, epoch, group
	err = again(ctx, func() error {
		resp, err := add.RequestWith(ctx, cl)
		if err == nil {
			err = kerr.ErrorForCode(resp.ErrorCode)
		}
		return err
	})
	if err == nil {
		err = again(ctx, func() error { return t.commitOffset(ctx, cl, group, w.sink.topic, w.topicID) })
	}
	if err != nil {
		return nil, failed("a transaction on topic '"+w.sink.topic+"' cannot be marked", err)
	}
	return t, nil
}

func (t *transaction) commitOffset(ctx context.Context, cl *kgo.Client, group, topic string, id kadm.TopicID) error {
	req := kmsg.NewPtrTxnOffsetCommitRequest()
	req.TransactionalID, req.Group, req.ProducerID, req.ProducerEpoch = t.name, group, t.id, t.epoch
	p := kmsg.NewTxnOffsetCommitRequestTopicPartition()
	p.Offset, p.Metadata = int64(t.at), kmsg.StringPtr(t.token)
	of := kmsg.NewTxnOffsetCommitRequestTopic()
	of.Topic, of.TopicID, of.Partitions = topic, id, append(of.Partitions, p)
	req.Topics = append(req.Topics, of)
	resp, err := req.RequestWith(ctx, cl)
	if err != nil {
		return err
	}
	for _, rt := range resp.Topics {
		for _, rp := range rt.Partitions {
			if err := kerr.ErrorForCode(rp.ErrorCode); err != nil {
				return err
			}
		}
	}
	return nil
}

// again repeats what a broker is not ready for.
func again(ctx context.Context, f func() error) error {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := f()
		if err == nil || !kerr.IsRetriable(err) && !errors.Is(err, kerr.ConcurrentTransactions) {
			return err
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return err
		}
	}
}

// patience is how long a step of a transaction is tried.
const patience = time.Minute

// Commit implements connector.Transactional.
func (s *exact) Commit(ctx context.Context, _ types.Epoch, prepared [][]byte) error {
	list, err := decodeTransactions(prepared)
	if err != nil {
		return err
	}
	for i, t := range list {
		s.mu.Lock()
		p := s.open[t.token]
		s.mu.Unlock()
		if p == nil {
			if err := s.resume(ctx, list[i:]); err != nil {
				return err
			}
			continue
		}
		if err := p.client.EndTransaction(ctx, kgo.TryCommit); err != nil {
			// It may be committed all the same.
			if err := s.resume(ctx, list[i:]); err != nil {
				return err
			}
			// Its producer is in an unknown state and is not used again.
			s.mu.Lock()
			delete(s.open, t.token)
			s.mu.Unlock()
			continue
		}
		s.release(t.token)
	}
	return nil
}

// resume commits the first of some transactions of which only a checkpoint is
// left.
func (s *exact) resume(ctx context.Context, list []*transaction) error {
	cl, err := connect(ctx, s.set)
	if err != nil {
		return err
	}
	defer cl.Close()
	return s.commit(ctx, cl, list)
}

func (s *exact) commit(ctx context.Context, cl *kgo.Client, list []*transaction) error {
	t := list[0]
	req := kmsg.NewPtrEndTxnRequest()
	req.TransactionalID, req.ProducerID, req.ProducerEpoch, req.Commit = t.name, t.id, t.epoch, true
	err := again(ctx, func() error {
		resp, err := req.RequestWith(ctx, cl)
		if err == nil {
			err = kerr.ErrorForCode(resp.ErrorCode)
		}
		return err
	})
	if err == nil {
		return nil
	}
	at, token, markErr := s.marked(ctx, cl, t.subtask)
	if markErr != nil {
		return markErr
	}
	for _, later := range list { // of one writer they are committed in their order
		if later.subtask == t.subtask && later.token == token {
			return nil
		}
	}
	e := diag.New(diag.JobFailed, diag.Span{}, "the rows of checkpoint %d for topic '%s' are lost: the broker has ended their transaction '%s' before it could be committed (the last one committed is of checkpoint %d)", t.at, s.topic, t.name, at)
	e.Cause = err
	return e.WithHint("a transaction lives for %v: set 'properties.transaction.timeout.ms' to more than a job may be down, as far as the broker's transaction.max.timeout.ms allows", s.timeout())
}

// marked is what the last committed transaction of a writer says.
func (s *exact) marked(ctx context.Context, cl *kgo.Client, subtask int) (at types.Epoch, token string, err error) {
	offsets, err := kadm.NewClient(cl).FetchOffsetsForTopics(ctx, s.group(subtask), s.topic)
	if err != nil {
		return 0, "", failed("the last transaction of topic '"+s.topic+"' cannot be looked up", err)
	}
	o, ok := offsets.Lookup(s.topic, 0)
	if !ok || o.At < 0 {
		return 0, "", nil
	}
	return types.Epoch(o.At), o.Metadata, nil
}

// Recover implements connector.Transactional.
func (s *exact) Recover(ctx context.Context, e types.Epoch, prepared [][]byte, withdraw bool) ([]byte, error) {
	list, err := decodeTransactions(prepared)
	if err != nil {
		return nil, err
	}
	cl, err := connect(ctx, s.set)
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	if withdraw {
		for sub := range s.table.Parallel {
			if at, _, err := s.marked(ctx, cl, sub); err != nil || at > e {
				if err == nil {
					err = diag.New(diag.BadCheckpoint, diag.Span{}, "the job cannot go back to checkpoint %d: what checkpoint %d has published in topic '%s' cannot be taken back", e, at, s.topic)
				}
				return nil, err
			}
		}
	}
	for i := range list {
		if err := s.commit(ctx, cl, list[i:]); err != nil {
			return nil, err
		}
	}
	return nil, s.abort(ctx, cl)
}

// abort ends the transactions that attempts left which died after the
// checkpoint: until then nobody could read behind them.
func (s *exact) abort(ctx context.Context, cl *kgo.Client) error {
	open, err := kadm.NewClient(cl).ListTransactions(ctx, nil, []string{"Ongoing"})
	if err != nil {
		return failed("the open transactions on topic '"+s.topic+"' cannot be listed", err)
	}
	for _, name := range open.TransactionalIDs() {
		if !strings.HasPrefix(name, s.prefix()) {
			continue
		}
		req := kmsg.NewPtrInitProducerIDRequest()
		req.TransactionalID, req.TransactionTimeoutMillis = kmsg.StringPtr(name), int32(s.timeout().Milliseconds())
		err := again(ctx, func() error {
			resp, err := req.RequestWith(ctx, cl)
			if err == nil {
				err = kerr.ErrorForCode(resp.ErrorCode)
			}
			return err
		})
		if err != nil {
			return failed("the transaction '"+name+"' cannot be aborted", err)
		}
	}
	return nil
}
