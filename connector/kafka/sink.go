package kafka

import (
	"context"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// sink writes one topic.
type sink struct {
	table     *connector.Table
	set       *settings
	layout    *layout
	upsert    bool
	topic     string
	guarantee string
	zone      value.Zone // of timestamps without one
}

func newSink(t *connector.Table, upsert bool) (connector.Sink, error) {
	set, err := newSettings(t)
	if err != nil {
		return nil, err
	}
	s := &sink{table: t, set: set, upsert: upsert, topic: t.Options.String("topic"), guarantee: t.Options.String("sink.delivery-guarantee")}
	if s.topic == "" || strings.Contains(s.topic, ";") {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "table '%s' is written to: that needs one topic, 'topic' = '...'", t.Name)
	}
	if s.layout, err = newLayout(t, upsert); err != nil {
		return nil, err
	}
	if upsert && t.Format.Kinds != insertOnly {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "'value.format' = '%s' of table '%s' has changes of its own: upsert-kafka takes formats of rows", t.Format.Name, t.Name).
			WithHint("use the connector kafka")
	}
	if _, err := s.partitioner(0); err != nil {
		return nil, err
	}
	if s.zone, err = value.LoadZone(t.Zone); err != nil {
		return nil, err
	}
	// What the formats cannot write is said when the query is planned.
	if _, err := s.encoders(); err != nil {
		return nil, err
	}
	if err := s.checkMetadata(); err != nil {
		return nil, err
	}
	if s.guarantee != "exactly-once" {
		return s, nil
	}
	if !t.Options.Has("sink.transactional-id-prefix") {
		return nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s': 'sink.delivery-guarantee' = 'exactly-once' needs 'sink.transactional-id-prefix'", t.Name).
			WithHint("give a name that no other job has: 'sink.transactional-id-prefix' = 'orders'")
	}
	return newExact(s), nil
}

// Accepts inserts, or what the format has a form for; a table of changes by key
// needs no old rows.
func (s *sink) Accepts() row.Kinds {
	if s.upsert {
		return row.Upserts
	}
	return s.table.Format.Kinds
}

// checkMetadata refuses columns that a producer cannot set.
func (s *sink) checkMetadata() error {
	for _, c := range s.layout.meta {
		key, t := s.table.Metadata[c], s.table.Schema.Columns[c].Type
		switch {
		case key == "timestamp" && t.IsTimestamp():
		case key == "headers" && t.Kind == types.Map && t.Elem().IsString() && t.Value().IsBinary():
		case key == "timestamp" || key == "headers":
			return diag.New(diag.TypeMismatch, diag.Span{}, "column '%s' of table '%s' is the metadata '%s', which has another type than %s", s.table.Schema.Columns[c].Name, s.table.Name, key, t.Short())
		default:
			return diag.New(diag.NotSupported, diag.Span{}, "column '%s' of table '%s' is the metadata '%s', which can be read, not written", s.table.Schema.Columns[c].Name, s.table.Name, key).
				WithHint("declare it VIRTUAL")
		}
	}
	return nil
}

// partitioner is that of a writer.
func (s *sink) partitioner(subtask int) (kgo.Partitioner, error) {
	name := "default"
	if !s.upsert {
		name = s.table.Options.String("sink.partitioner")
	}
	switch {
	case name == "default" || name == "":
		return kgo.StickyKeyPartitioner(nil), nil
	case name == "fixed":
		return kgo.BasicConsistentPartitioner(func(string) func(*kgo.Record, int) int {
			return func(_ *kgo.Record, n int) int { return subtask % n }
		}), nil
	case name == "round-robin" && s.layout.key != nil:
		return nil, diag.New(diag.NotSupported, diag.Span{}, "table '%s': 'sink.partitioner' = 'round-robin' is for tables without keys, this one has 'key.fields'", s.table.Name)
	case name == "round-robin":
		return kgo.RoundRobinPartitioner(), nil
	}
	return nil, diag.New(diag.NotSupported, diag.Span{}, "'sink.partitioner' = '%s' of table '%s' is a Java class, which fsql does not have", name, s.table.Name).
		WithHint("default, fixed and round-robin work")
}

// encoders are those of the value and, if there is one, the key.
func (s *sink) encoders() (*encoders, error) {
	v, err := s.layout.value.encoder()
	if err != nil {
		return nil, err
	}
	e := &encoders{sink: s, value: newMessageEncoder(v, &s.layout.value)}
	if s.layout.key != nil {
		k, err := s.layout.key.encoder()
		if err != nil {
			return nil, err
		}
		key := newMessageEncoder(k, s.layout.key)
		e.key = &key
	}
	return e, nil
}

// producing are the options of a client that writes.
func (s *sink) producing(subtask int) ([]kgo.Opt, error) {
	p, err := s.partitioner(subtask)
	if err != nil {
		return nil, err
	}
	return append(append([]kgo.Opt{}, s.set.writing...), kgo.RecordPartitioner(p), kgo.AllowAutoTopicCreation(),
		kgo.MaxBufferedRecords(50_000)), nil
}

func (s *sink) OpenWriter(ctx context.Context, subtask int) (connector.Writer, error) {
	e, err := s.encoders()
	if err != nil {
		return nil, err
	}
	opts, err := s.producing(subtask)
	if err != nil {
		return nil, err
	}
	cl, err := connect(ctx, s.set, opts...)
	if err != nil {
		return nil, err
	}
	return &writer{encoders: e, client: cl, buffer: s.newBuffer()}, nil
}

// newBuffer returns the buffer of a writer, nil if rows do not wait.
func (s *sink) newBuffer() *buffer {
	if !s.upsert {
		return nil
	}
	n, ms := s.table.Options.Int("sink.buffer-flush.max-rows"), s.table.Options.Duration("sink.buffer-flush.interval")
	if n <= 0 || ms <= 0 {
		return nil
	}
	return &buffer{most: int(n), after: ms, last: map[string]*kgo.Record{}}
}

// messageEncoder makes messages of rows of one side.
type messageEncoder struct {
	format.Encoder
	side  *side
	nulls format.Nulls // nil: every row has bytes
}

func newMessageEncoder(e format.Encoder, s *side) messageEncoder {
	nulls, _ := e.(format.Nulls)
	return messageEncoder{e, s, nulls}
}

// columns are those of a batch that the side has.
func (m *messageEncoder) columns(b *row.Batch) *row.Batch {
	out := &row.Batch{Schema: m.side.schema, Rows: b.Rows, Kinds: b.Kinds}
	for _, c := range m.side.columns {
		out.Cols = append(out.Cols, b.Cols[c])
	}
	return out
}

// message is a row; nil: one that has no bytes at all.
func (m *messageEncoder) message(b *row.Batch, i int) ([]byte, error) {
	if m.nulls != nil && m.nulls.Null(b, i) {
		return nil, nil
	}
	out, err := m.Encode(make([]byte, 0, 64), b, i, i+1)
	if m.side.format.Lines && len(out) > 0 {
		out = out[:len(out)-1]
	}
	return out, err
}
