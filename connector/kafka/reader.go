package kafka

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/row"
)

const (
	// fetched is how many records are taken from the client at once.
	fetched = 8192
	// turn is how many records of a partition come before another's turn, in
	// sources that end: then the order of rows is that of the log and not of
	// the network, and an answer is the same whenever it is asked for.
	turn = 4096
	// enough records of a partition whose turn has not come are kept; then it
	// is not fetched until some are taken.
	enough = 4 * turn
)

// partition is a partition that is read.
type partition struct {
	place
	next, stop int64         // offset of the next record, and where reading ends
	queue      []*kgo.Record // that were fetched
	ended      bool
	paused     bool
}

// reader reads partitions side by side. The client's records come from another
// goroutine (feed.go).
type reader struct {
	source *source
	parts  []*partition
	index  map[place]int
	at     int   // of the partition whose rows were given last
	quota  int64 // records that are left of its turn
	left   int64 // rows until LIMIT
	wake   chan struct{}

	discovers bool
	feed      *feed // nil: nothing is left to read

	value, key         format.Messages
	values, keys       *row.Builder // what was decoded of a run of records
	valueRows, keyRows []int32      // rows of each record
	selValue, selKey   []int32
	live               []bool
}

// add makes a partition one of the reader's.
func (r *reader) add(p *partition) {
	r.index[p.place] = len(r.parts)
	r.parts = append(r.parts, p)
}

// Poll gives rows of one partition.
func (r *reader) Poll(out *row.Builder, most int) (connector.Status, error) {
	for {
		if r.left == 0 || r.done() {
			return connector.Ended, nil
		}
		p := r.pick()
		if p == nil {
			news, err := r.receive()
			if err != nil {
				return connector.Ended, err
			}
			if !news {
				return connector.Waiting, nil
			}
			continue
		}
		n, err := r.give(out, p, int(min(int64(most), r.left)))
		if err != nil {
			return connector.Ended, err
		}
		if n > 0 {
			r.left -= min(r.left, int64(n))
			return connector.Progressed, nil
		}
	}
}

// done tells that nothing will come.
func (r *reader) done() bool {
	if r.discovers {
		return false
	}
	for _, p := range r.parts {
		if !p.ended {
			return false
		}
	}
	return true
}

// pick chooses the partition whose records are next: the one whose turn it is,
// or, in a source that never ends, the next one that has some.
func (r *reader) pick() *partition {
	if len(r.parts) == 0 {
		return nil
	}
	for range len(r.parts) + 1 {
		if p := r.parts[r.at]; r.quota > 0 && !p.ended {
			if len(p.queue) > 0 {
				return p
			}
			if r.source.Bounded() {
				return nil
			}
		}
		r.at, r.quota = (r.at+1)%len(r.parts), turn
	}
	return nil
}

// give decodes records of a partition until there are most rows.
func (r *reader) give(out *row.Builder, p *partition, most int) (rows int, err error) {
	n := 0
	for n < len(p.queue) && n < most && int64(n) < r.quota && p.queue[n].Offset < p.stop {
		n++
	}
	rows, used, err := r.decode(out, p, p.queue[:n])
	if used > 0 {
		p.next = p.queue[used-1].Offset + 1
	}
	r.quota -= int64(used)
	stopped := used < len(p.queue) && p.queue[used].Offset >= p.stop
	clear(p.queue[:used])
	p.queue = p.queue[used:]
	if stopped || p.next >= p.stop {
		p.ended, p.queue, p.next = true, nil, max(p.next, p.stop)
		r.feed.stop(p)
	}
	if p.paused && len(p.queue) < enough/2 {
		p.paused = false
		r.feed.resume(p)
	}
	return rows, err
}

// receive takes what was fetched, and partitions that were found.
func (r *reader) receive() (news bool, err error) {
	if r.feed == nil {
		return false, nil
	}
	select {
	case found := <-r.feed.found:
		for _, p := range found {
			r.add(p)
		}
		r.feed.consume(found)
		return true, nil
	case f := <-r.feed.fetches:
		if err := r.refused(f); err != nil {
			return false, err
		}
		f.EachPartition(func(ftp kgo.FetchTopicPartition) {
			i, ok := r.index[place{ftp.Topic, ftp.Partition}]
			if !ok || len(ftp.Records) == 0 {
				return
			}
			p := r.parts[i]
			if p.ended {
				return
			}
			if len(p.queue) == 0 {
				p.queue = ftp.Records
			} else {
				p.queue = append(p.queue, ftp.Records...)
			}
			if len(p.queue) > enough && !p.paused {
				p.paused = true
				r.feed.pause(p)
			}
		})
		return true, nil
	default:
		return false, nil
	}
}

// refused is the first error that waiting does not mend. The client tries again
// by itself while a broker is away.
func (r *reader) refused(f kgo.Fetches) error {
	for _, e := range f.Errors() {
		switch {
		case errors.Is(e.Err, context.Canceled) || errors.Is(e.Err, kgo.ErrClientClosed):
			continue
		case errors.Is(e.Err, kerr.OffsetOutOfRange):
			next := int64(-1)
			if i, ok := r.index[place{e.Topic, e.Partition}]; ok {
				next = r.parts[i].next
			}
			return diag.New(diag.InputOutput, diag.Span{}, "topic '%s', partition %d: offset %d is not there (any more): the topic keeps other records than those the job has to read", e.Topic, e.Partition, next).
				WithHint("records were deleted before they were read (retention.ms, retention.bytes); begin anew with 'scan.startup.mode' = 'earliest-offset' to go on without them")
		}
		return failed(fmt.Sprintf("topic '%s', partition %d cannot be read", e.Topic, e.Partition), e.Err)
	}
	return nil
}

// explain gives a bad record its place.
func (r *reader) explain(err error, rec *kgo.Record, side *side, what string) error {
	var bad *format.Bad
	if !errors.As(err, &bad) {
		return err
	}
	bad.Line = 0
	e := diag.New(diag.BadRow, diag.Span{}, "topic '%s', partition %d, offset %d%s: %s", rec.Topic, rec.Partition, rec.Offset, what, bad.Message())
	if side.format.Options.Def("ignore-parse-errors") != nil {
		prefix := ""
		if r.source.table.KeyFormat != nil {
			prefix = strings.Trim(what, ", ") + "."
			if prefix == "." {
				prefix = "value."
			}
		}
		e.WithHint("'%s%s.ignore-parse-errors' = 'true' skips such rows and counts them", prefix, side.format.Name)
	}
	return e
}

// Part and Parts implement connector.Parted.
func (r *reader) Part() int { return r.at }

// Parts are the partitions.
func (r *reader) Parts() []connector.PartState {
	out := make([]connector.PartState, len(r.parts))
	for i, p := range r.parts {
		out[i] = connector.PartState{ID: p.name(), Ended: p.ended}
	}
	return out
}

// Wake is signalled when records came.
func (r *reader) Wake() <-chan struct{} { return r.wake }

// Positions are the partitions that have not ended, beginning with the one whose
// turn it is.
func (r *reader) Positions() []connector.Split {
	var out []connector.Split
	for i := range r.parts {
		p := r.parts[(r.at+i)%len(r.parts)]
		if p.ended {
			continue
		}
		quota := int64(0)
		if i == 0 && r.source.Bounded() {
			quota = max(r.quota, 0)
		}
		out = append(out, p.split(quota))
	}
	if r.discovers {
		out = append(out, connector.Split{ID: discovery})
	}
	return out
}

// Skipped counts what the formats have let go.
func (r *reader) Skipped() int64 {
	n := r.value.Skipped()
	if r.key != nil {
		n += r.key.Skipped()
	}
	return n
}

func (r *reader) Close() error {
	if r.feed != nil {
		r.feed.close()
	}
	return nil
}
