package kafka

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"fsql/connector"
	"fsql/internal/diag"
)

// settings are the properties of a table's client, translated.
type settings struct {
	servers     []string
	group       string // "": none
	both        []kgo.Opt
	reading     []kgo.Opt
	writing     []kgo.Opt
	committed   bool // isolation.level is read_committed
	idempotent  bool
	acks        string
	transaction time.Duration // 0: not said
	security    security
}

// newSettings reads the options 'properties.*' of a table. They have the names
// of the Java client; what it knows and fsql has no use for is accepted.
func newSettings(t *connector.Table) (*settings, error) {
	s := &settings{idempotent: true, acks: "all", security: security{protocol: "PLAINTEXT", mechanism: "GSSAPI", verify: "https"}}
	for _, host := range strings.Split(t.Options.String("properties.bootstrap.servers"), ",") {
		if host = strings.TrimSpace(host); host != "" {
			s.servers = append(s.servers, host)
		}
	}
	if len(s.servers) == 0 {
		return nil, diag.New(diag.BadOption, diag.Span{}, "'properties.bootstrap.servers' of table '%s' is empty", t.Name).
			WithHint("write 'properties.bootstrap.servers' = 'host:9092'")
	}
	s.both = append(s.both, kgo.SeedBrokers(s.servers...), kgo.ClientID("fsql"))
	s.reading = append(s.reading, kgo.FetchMaxWait(500*time.Millisecond))
	names := t.Options.Names("properties.#")
	slices.Sort(names)
	for _, name := range names {
		value, _ := t.Options.Named("properties.#", name)
		if err := s.set(name, value); err != nil {
			return nil, err
		}
	}
	return s, s.finish(t)
}

// set takes one property.
func (s *settings) set(name, value string) error {
	known := properties()
	if set, ok := known[name]; ok {
		if want := set(s, value); want != "" {
			return diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option 'properties.%s', which is %s", shown(name, value), name, want)
		}
		return nil
	}
	if slices.Contains(idle(), name) || strings.HasSuffix(name, ".deserializer") || strings.HasSuffix(name, ".serializer") {
		return nil
	}
	e := diag.New(diag.UnknownOption, diag.Span{}, "unknown option 'properties.%s': the Kafka client has no setting of that name", name)
	all := append(slices.Collect(maps.Keys(known)), idle()...)
	slices.Sort(all)
	if near := diag.Nearest(name, all); near != "" {
		return e.WithLabel("did you mean 'properties.%s'?", near).WithHint("did you mean 'properties.%s'?", near)
	}
	return e
}

// property takes a value, or says what it has to be.
type property func(s *settings, value string) (want string)

// properties are the settings of the Java client that fsql obeys.
func properties() map[string]property {
	ms := func(use func(s *settings, d time.Duration)) property {
		return func(s *settings, v string) string {
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil || n < 0 {
				return "a number of milliseconds"
			}
			use(s, time.Duration(n)*time.Millisecond)
			return ""
		}
	}
	size := func(use func(s *settings, n int32)) property {
		return func(s *settings, v string) string {
			n, err := strconv.ParseInt(v, 10, 32)
			if err != nil || n < 0 {
				return "a whole number"
			}
			use(s, int32(n))
			return ""
		}
	}
	read := func(s *settings, o kgo.Opt) { s.reading = append(s.reading, o) }
	write := func(s *settings, o kgo.Opt) { s.writing = append(s.writing, o) }
	out := map[string]property{
		"bootstrap.servers": func(*settings, string) string { return "" },
		"group.id":          func(s *settings, v string) string { s.group = v; return "" },
		"client.id":         func(s *settings, v string) string { s.both = append(s.both, kgo.ClientID(v)); return "" },
		"client.rack":       func(s *settings, v string) string { read(s, kgo.Rack(v)); return "" },
		"isolation.level": func(s *settings, v string) string {
			switch v {
			case "read_committed":
				s.committed = true
			case "read_uncommitted":
			default:
				return "read_committed or read_uncommitted"
			}
			return ""
		},
		"metadata.max.age.ms": ms(func(s *settings, d time.Duration) { s.both = append(s.both, kgo.MetadataMaxAge(max(d, time.Second))) }),
		"connections.max.idle.ms": ms(func(s *settings, d time.Duration) {
			s.both = append(s.both, kgo.ConnIdleTimeout(max(d, time.Second)))
		}),
		"fetch.max.wait.ms":         ms(func(s *settings, d time.Duration) { read(s, kgo.FetchMaxWait(max(d, 10*time.Millisecond))) }),
		"fetch.min.bytes":           size(func(s *settings, n int32) { read(s, kgo.FetchMinBytes(n)) }),
		"fetch.max.bytes":           size(func(s *settings, n int32) { read(s, kgo.FetchMaxBytes(n)) }),
		"max.partition.fetch.bytes": size(func(s *settings, n int32) { read(s, kgo.FetchMaxPartitionBytes(n)) }),
		"linger.ms":                 ms(func(s *settings, d time.Duration) { write(s, kgo.ProducerLinger(d)) }),
		"batch.size":                size(func(s *settings, n int32) { write(s, kgo.ProducerBatchMaxBytes(max(n, 1<<10))) }),
		"buffer.memory":             size(func(s *settings, n int32) { write(s, kgo.MaxBufferedBytes(int(n))) }),
		"retries":                   size(func(s *settings, n int32) { write(s, kgo.RecordRetries(int(n))) }),
		"request.timeout.ms":        ms(func(s *settings, d time.Duration) { write(s, kgo.ProduceRequestTimeout(max(d, 100*time.Millisecond))) }),
		"delivery.timeout.ms":       ms(func(s *settings, d time.Duration) { write(s, kgo.RecordDeliveryTimeout(max(d, time.Second))) }),
		"transaction.timeout.ms":    ms(func(s *settings, d time.Duration) { s.transaction = d }),
		"compression.type": func(s *settings, v string) string {
			codecs := map[string]kgo.CompressionCodec{"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(),
				"snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression()}
			c, ok := codecs[v]
			if !ok {
				return "none, gzip, snappy, lz4 or zstd"
			}
			write(s, kgo.ProducerBatchCompression(c))
			return ""
		},
		"acks": func(s *settings, v string) string {
			if s.acks = v; v == "-1" {
				s.acks = "all"
			}
			if !slices.Contains([]string{"all", "0", "1"}, s.acks) {
				return "all, 1 or 0"
			}
			return ""
		},
		"enable.idempotence": func(s *settings, v string) string {
			on, err := strconv.ParseBool(v)
			if s.idempotent = on; err != nil {
				return "true or false"
			}
			return ""
		},
	}
	maps.Copy(out, secure())
	return out
}

// idle are settings of the Java client that fsql has no use for: its client
// decides by itself, or Flink overrides them.
func idle() []string {
	return []string{
		"allow.auto.create.topics", "auto.commit.interval.ms", "auto.include.jmx.reporter", "auto.offset.reset", "check.crcs", "client.dns.lookup",
		"client.id.prefix", "commit.offsets.on.checkpoint", "compression.gzip.level", "compression.lz4.level", "compression.zstd.level",
		"default.api.timeout.ms", "enable.auto.commit", "enable.metrics.push", "exclude.internal.topics", "group.instance.id", "group.protocol",
		"group.remote.assignor", "heartbeat.interval.ms", "interceptor.classes", "max.block.ms", "max.in.flight.requests.per.connection",
		"max.poll.interval.ms", "max.poll.records", "max.request.size", "metadata.max.idle.ms", "metadata.recovery.rebootstrap.trigger.ms",
		"metadata.recovery.strategy", "metric.reporters", "metrics.num.samples", "metrics.recording.level", "metrics.sample.window.ms",
		"partition.assignment.strategy", "partition.discovery.interval.ms", "partitioner.adaptive.partitioning.enable",
		"partitioner.availability.timeout.ms", "partitioner.class", "partitioner.ignore.keys", "receive.buffer.bytes", "reconnect.backoff.max.ms",
		"reconnect.backoff.ms", "register.consumer.metrics", "retry.backoff.max.ms", "retry.backoff.ms", "send.buffer.bytes", "session.timeout.ms",
		"socket.connection.setup.timeout.max.ms", "socket.connection.setup.timeout.ms", "transactional.id",
	}
}

// finish puts together what depends on several properties.
func (s *settings) finish(t *connector.Table) error {
	opts, err := s.security.options()
	if err != nil {
		return err
	}
	s.both = append(s.both, opts...)
	if s.committed {
		s.reading = append(s.reading, kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	}
	if t.Options.String("sink.delivery-guarantee") == "exactly-once" {
		return nil // transactions need all acknowledgements
	}
	switch {
	case s.acks == "0":
		s.writing = append(s.writing, kgo.RequiredAcks(kgo.NoAck()), kgo.DisableIdempotentWrite())
	case s.acks == "1":
		s.writing = append(s.writing, kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite())
	case !s.idempotent:
		s.writing = append(s.writing, kgo.DisableIdempotentWrite())
	}
	return nil
}
