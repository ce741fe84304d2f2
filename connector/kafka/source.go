package kafka

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
)

const insertOnly = row.InsertOnly

// source reads topics. Where a partition begins and ends is looked up once, by
// Splits; from then on the positions say it.
type source struct {
	table    *connector.Table
	set      *settings
	layout   *layout
	upsert   bool
	topics   []string
	pattern  *regexp.Regexp // nil: the topics are listed
	from, to *bound
	every    time.Duration // between two looks for new partitions, 0: none

	mu    sync.Mutex
	known map[place]bool // to all readers together
}

func newSource(t *connector.Table, upsert bool) (connector.Source, error) {
	set, err := newSettings(t)
	if err != nil {
		return nil, err
	}
	s := &source{table: t, set: set, upsert: upsert, known: map[place]bool{}}
	if err := s.named(); err != nil {
		return nil, err
	}
	if s.layout, err = newLayout(t, upsert); err != nil {
		return nil, err
	}
	if err := s.checkFormats(); err != nil {
		return nil, err
	}
	if s.from = (&bound{mode: "earliest-offset"}); !upsert {
		if s.from, err = newBound(t, "scan.startup"); err != nil {
			return nil, err
		}
	}
	if s.to, err = newBound(t, "scan.bounded"); err != nil {
		return nil, err
	}
	if !s.Bounded() {
		s.every = time.Duration(t.Options.Duration("scan.topic-partition-discovery.interval")) * time.Millisecond
	}
	return s, nil
}

// named reads which topics are meant.
func (s *source) named() error {
	topic, pattern := s.table.Options.String("topic"), s.table.Options.String("topic-pattern")
	switch {
	case (topic == "") == (pattern == ""):
		return diag.New(diag.MissingOption, diag.Span{}, "table '%s' needs one of the options 'topic' and 'topic-pattern'", s.table.Name)
	case topic != "":
		s.topics = strings.Split(topic, ";")
		return nil
	}
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		return diag.New(diag.BadOption, diag.Span{}, "'topic-pattern' of table '%s' is no pattern that fsql can use: %v", s.table.Name, err)
	}
	s.pattern = re
	return nil
}

// checkFormats says when the query is planned what the formats cannot read.
func (s *source) checkFormats() error {
	if _, err := s.layout.value.decoder(); err != nil {
		return err
	}
	if s.upsert && s.table.Format.Kinds != insertOnly {
		return diag.New(diag.NotSupported, diag.Span{}, "'value.format' = '%s' of table '%s' has changes of its own: upsert-kafka takes formats of rows", s.table.Format.Name, s.table.Name).
			WithHint("use the connector kafka")
	}
	if s.layout.key == nil {
		return nil
	}
	if s.table.KeyFormat.Kinds != insertOnly {
		return diag.New(diag.NotSupported, diag.Span{}, "'key.format' = '%s' of table '%s' is a format of changes, which keys cannot be", s.table.KeyFormat.Name, s.table.Name)
	}
	_, err := s.layout.key.decoder()
	return err
}

func (s *source) Bounded() bool { return s.to.mode != "unbounded" }

// PerSplit implements connector.Timed.
func (s *source) PerSplit() bool { return true }

// Readers is as many as there may be: which partitions there are is not known
// before the job runs.
func (s *source) Readers(most int) int { return most }

func (s *source) Kinds() row.Kinds {
	if s.upsert {
		return row.Upserts
	}
	return s.table.Format.Kinds
}

// Describe implements connector.Described.
func (s *source) Describe() string {
	end := ""
	if s.Bounded() {
		end = ", until=[" + s.to.mode + "]"
	}
	return fmt.Sprintf("from=[%s]%s", s.from.mode, end)
}

// discovery is the split of whoever looks for new partitions.
const discovery = "new partitions"

// Splits are the partitions that there are, and the looking for more.
func (s *source) Splits(ctx context.Context) ([]connector.Split, error) {
	cl, err := connect(ctx, s.set)
	if err != nil {
		return nil, err
	}
	defer cl.Close()
	admin := kadm.NewClient(cl)
	at, err := s.partitions(ctx, admin)
	if err != nil {
		return nil, err
	}
	from, err := s.from.resolve(ctx, admin, s.set.group, at)
	if err != nil {
		return nil, err
	}
	to, err := s.to.resolve(ctx, admin, s.set.group, at)
	if err != nil {
		return nil, err
	}
	var out []connector.Split
	for _, p := range at {
		out = append(out, (&partition{place: p, next: from[p], stop: to[p]}).split(0))
	}
	if s.every > 0 {
		out = append(out, connector.Split{ID: discovery})
	}
	return out, nil
}

// partitions lists what the table has, by topic.
func (s *source) partitions(ctx context.Context, admin *kadm.Client) ([]place, error) {
	found, err := admin.ListTopics(ctx, s.topics...)
	if err != nil {
		return nil, failed("the topics of table '"+s.table.Name+"' cannot be listed", err)
	}
	topics := s.topics
	if s.pattern != nil {
		for _, name := range found.Names() {
			if s.pattern.MatchString(name) {
				topics = append(topics, name)
			}
		}
		slices.Sort(topics)
	}
	var out []place
	for _, name := range topics {
		t := found[name]
		if errors.Is(t.Err, kerr.UnknownTopicOrPartition) {
			return nil, s.noTopic(ctx, admin, name)
		}
		if t.Err != nil {
			return nil, failed("topic '"+name+"' cannot be read", t.Err)
		}
		for _, p := range t.Partitions.Sorted() {
			out = append(out, place{name, p.Partition})
		}
	}
	return out, nil
}

func (s *source) noTopic(ctx context.Context, admin *kadm.Client, name string) error {
	e := diag.New(diag.NoSuchFile, diag.Span{}, "topic '%s' of table '%s' does not exist on %s", name, s.table.Name, strings.Join(s.set.servers, ","))
	if all, err := admin.ListTopics(ctx); err == nil {
		if near := diag.Nearest(name, all.Names()); near != "" {
			return e.WithLabel("did you mean '%s'?", near).WithHint("did you mean '%s'?", near)
		}
	}
	return e.WithHint("write to it first, or make it: kafka-topics.sh --create --topic %s", name)
}

// Open goes on at the positions.
func (s *source) Open(ctx context.Context, own []connector.Split) (connector.Reader, error) {
	r := &reader{source: s, left: s.table.Limit, quota: turn, index: map[place]int{}, wake: make(chan struct{}, 1)}
	if s.table.Limit < 0 {
		r.left = 1<<63 - 1
	}
	at := map[string]map[int32]kgo.Offset{}
	s.mu.Lock()
	for _, split := range own {
		if split.ID == discovery {
			r.discovers = s.every > 0
			continue
		}
		p, quota, ok := parsePartition(split)
		if !ok {
			s.mu.Unlock()
			return nil, diag.New(diag.StateMismatch, diag.Span{}, "the position of '%s' in a checkpoint is none of table '%s'", split.ID, s.table.Name)
		}
		if quota > 0 && len(r.parts) == 0 {
			r.quota = quota
		}
		s.known[p.place] = true
		r.add(p)
		if !p.ended {
			assign(at, p)
		}
	}
	s.mu.Unlock()
	if err := r.decoders(); err != nil {
		return nil, err
	}
	return r, r.start(ctx, at)
}

func assign(at map[string]map[int32]kgo.Offset, p *partition) {
	if at[p.topic] == nil {
		at[p.topic] = map[int32]kgo.Offset{}
	}
	at[p.topic][p.partition] = kgo.NewOffset().At(p.next)
}

// split is the position of a partition: the next offset, where it ends, and how
// much of its turn is left (reader.turn).
func (p *partition) split(quota int64) connector.Split {
	at := binary.BigEndian.AppendUint64(nil, uint64(p.next))
	at = binary.BigEndian.AppendUint64(at, uint64(p.stop))
	return connector.Split{ID: p.name(), Offset: binary.BigEndian.AppendUint64(at, uint64(quota))}
}

func (p *partition) name() string { return p.topic + "-" + strconv.Itoa(int(p.place.partition)) }

func parsePartition(s connector.Split) (p *partition, quota int64, ok bool) {
	at := strings.LastIndexByte(s.ID, '-')
	if at < 0 || len(s.Offset) != 24 {
		return nil, 0, false
	}
	n, err := strconv.ParseInt(s.ID[at+1:], 10, 32)
	p = &partition{
		place: place{s.ID[:at], int32(n)},
		next:  int64(binary.BigEndian.Uint64(s.Offset)), stop: int64(binary.BigEndian.Uint64(s.Offset[8:])),
	}
	p.ended = p.next >= p.stop
	return p, int64(binary.BigEndian.Uint64(s.Offset[16:])), err == nil
}

// connectTimeout is how long a start waits for a broker.
const connectTimeout = 10 * time.Second

// connect opens a client and sees whether somebody answers.
func connect(ctx context.Context, set *settings, more ...kgo.Opt) (*kgo.Client, error) {
	cl, err := kgo.NewClient(append(append([]kgo.Opt{}, set.both...), more...)...)
	if err != nil {
		return nil, diag.New(diag.BadOption, diag.Span{}, "the Kafka client cannot be set up: %v", err)
	}
	wait, stop := context.WithTimeout(ctx, connectTimeout)
	defer stop()
	if err := cl.Ping(wait); err != nil {
		cl.Close()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e := diag.New(diag.CannotConnect, diag.Span{}, "no Kafka broker answers at %s", strings.Join(set.servers, ","))
		e.Cause = err
		hint := "is it running, and is 'properties.bootstrap.servers' right?"
		if set.security.protocol == "PLAINTEXT" {
			hint += " A broker that wants TLS or a password needs 'properties.security.protocol'"
		}
		return nil, e.WithHint("%s", hint)
	}
	return cl, nil
}

// failed is an error of a broker.
func failed(what string, err error) error {
	return &diag.Error{Code: diag.InputOutput, Msg: what, Cause: err}
}
