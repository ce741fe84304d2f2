package kafka

import (
	"context"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
)

// feed is what goes on behind a reader: one goroutine takes records from the
// client, another one commits offsets and looks for new partitions.
type feed struct {
	client  *kgo.Client
	fetches chan kgo.Fetches
	found   chan []*partition
	commits chan []connector.Split // positions of a checkpoint; only the last counts
	cancel  context.CancelFunc
	all     sync.WaitGroup
}

// start connects and begins to fetch.
func (r *reader) start(ctx context.Context, at map[string]map[int32]kgo.Offset) error {
	if len(at) == 0 && !r.discovers {
		return nil
	}
	s := r.source
	cl, err := connect(ctx, s.set, append(append([]kgo.Opt{}, s.set.reading...),
		kgo.ConsumePartitions(at), kgo.ConsumeResetOffset(kgo.NoResetOffset()), kgo.KeepControlRecords())...)
	if err != nil {
		return err
	}
	run, cancel := context.WithCancel(context.Background())
	r.feed = &feed{client: cl, fetches: make(chan kgo.Fetches, 1), found: make(chan []*partition, 1), commits: make(chan []connector.Split, 1), cancel: cancel}
	r.feed.all.Go(func() { r.feed.fetch(run, r.rouse) })
	if r.discovers || s.set.group != "" {
		r.feed.all.Go(func() { r.keep(run) })
	}
	return nil
}

func (r *reader) rouse() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// fetch hands on what the client has.
func (f *feed) fetch(ctx context.Context, rouse func()) {
	for ctx.Err() == nil {
		got := f.client.PollRecords(ctx, fetched)
		if ctx.Err() != nil {
			return
		}
		select {
		case f.fetches <- got:
			rouse()
		case <-ctx.Done():
			return
		}
	}
}

// keep commits the offsets of checkpoints, for whoever watches the group, and
// looks for new partitions.
func (r *reader) keep(ctx context.Context) {
	admin := kadm.NewClient(r.feed.client)
	var look <-chan time.Time
	if r.discovers {
		ticker := time.NewTicker(r.source.every)
		defer ticker.Stop()
		look = ticker.C
	}
	r.discover(ctx, admin) // what came while the job was down
	for {
		select {
		case <-ctx.Done():
			return
		case <-look:
			r.discover(ctx, admin)
		case at := <-r.feed.commits:
			offsets := kadm.Offsets{}
			for _, split := range at {
				if p, _, ok := parsePartition(split); ok {
					offsets.Add(kadm.Offset{Topic: p.topic, Partition: p.place.partition, At: p.next, LeaderEpoch: -1})
				}
			}
			// The next checkpoint tries again.
			_ = admin.CommitAllOffsets(ctx, r.source.set.group, offsets)
		}
	}
}

// discover finds partitions that no reader has. They are read from their
// beginnings: whatever is in them came while the job ran.
func (r *reader) discover(ctx context.Context, admin *kadm.Client) {
	if !r.discovers {
		return
	}
	s := r.source
	at, err := s.partitions(ctx, admin)
	if err != nil {
		return // the next look finds them
	}
	s.mu.Lock()
	var fresh []place
	for _, p := range at {
		if !s.known[p] {
			fresh = append(fresh, p)
		}
	}
	s.mu.Unlock()
	from, err := (&bound{mode: "earliest-offset"}).resolve(ctx, admin, "", fresh)
	if err != nil || len(fresh) == 0 {
		return
	}
	var found []*partition
	s.mu.Lock()
	for _, p := range fresh {
		s.known[p] = true
		found = append(found, &partition{place: p, next: from[p], stop: never})
	}
	s.mu.Unlock()
	select {
	case r.feed.found <- found:
		r.rouse()
	case <-ctx.Done():
	}
}

// consume fetches partitions that were found.
func (f *feed) consume(found []*partition) {
	at := map[string]map[int32]kgo.Offset{}
	for _, p := range found {
		assign(at, p)
	}
	f.client.AddConsumePartitions(at)
}

func (p *partition) alone() map[string][]int32 {
	return map[string][]int32{p.topic: {p.place.partition}}
}

func (f *feed) stop(p *partition)   { f.client.RemoveConsumePartitions(p.alone()) }
func (f *feed) pause(p *partition)  { f.client.PauseFetchPartitions(p.alone()) }
func (f *feed) resume(p *partition) { f.client.ResumeFetchPartitions(p.alone()) }

func (f *feed) close() {
	f.cancel()
	f.client.Close()
	f.all.Wait()
}

// Durable implements connector.Acknowledged: offsets of a group are for people
// that watch it, the job goes by its checkpoints.
func (r *reader) Durable(positions []connector.Split) {
	if r.feed == nil || r.source.set.group == "" {
		return
	}
	select { // what waits is older
	case <-r.feed.commits:
	default:
	}
	select {
	case r.feed.commits <- positions:
	default:
	}
}
