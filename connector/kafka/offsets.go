package kafka

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"

	"fsql/connector"
	"fsql/internal/diag"
)

// never is the stop of a partition that is read for ever.
const never = math.MaxInt64

// bound is where reading begins or ends: "scan.startup" or "scan.bounded".
type bound struct {
	key      string
	mode     string
	specific map[int32]int64
	millis   int64
}

// newBound reads the options of a bound.
func newBound(t *connector.Table, key string) (*bound, error) {
	b := &bound{key: key, mode: t.Options.String(key + ".mode"), millis: t.Options.Int(key + ".timestamp-millis")}
	companion := map[string]string{"timestamp": ".timestamp-millis", "specific-offsets": ".specific-offsets"}[b.mode]
	if companion != "" && !t.Options.Has(key+companion) {
		return nil, diag.New(diag.MissingOption, diag.Span{}, "table '%s': '%s.mode' = '%s' needs '%s'", t.Name, key, b.mode, key+companion)
	}
	if b.mode != "specific-offsets" {
		return b, nil
	}
	if strings.Contains(t.Options.String("topic"), ";") || t.Options.Has("topic-pattern") {
		return nil, diag.New(diag.NotSupported, diag.Span{}, "table '%s': '%s.specific-offsets' is for one topic, the table has several", t.Name, key)
	}
	text := t.Options.String(key + ".specific-offsets")
	b.specific = map[int32]int64{}
	for _, pair := range strings.Split(strings.TrimSuffix(text, ";"), ";") {
		partition, offset, ok := offsetPair(pair)
		if !ok {
			return nil, diag.New(diag.BadOption, diag.Span{}, "bad value '%s' for option '%s.specific-offsets', which is 'partition:0,offset:42;partition:1,offset:300'", text, key)
		}
		b.specific[partition] = offset
	}
	return b, nil
}

func offsetPair(s string) (partition int32, offset int64, ok bool) {
	left, right, _ := strings.Cut(s, ",")
	p, found := strings.CutPrefix(strings.TrimSpace(left), "partition:")
	o, also := strings.CutPrefix(strings.TrimSpace(right), "offset:")
	n, err := strconv.ParseInt(p, 10, 32)
	offset, err2 := strconv.ParseInt(o, 10, 64)
	return int32(n), offset, found && also && err == nil && err2 == nil && n >= 0 && offset >= 0
}

// place is a partition of a topic.
type place struct {
	topic     string
	partition int32
}

// resolve finds the offsets of a bound.
func (b *bound) resolve(ctx context.Context, admin *kadm.Client, group string, at []place) (map[place]int64, error) {
	var topics []string
	for _, p := range at {
		if !slices.Contains(topics, p.topic) {
			topics = append(topics, p.topic)
		}
	}
	out := map[place]int64{}
	if len(at) == 0 {
		return out, nil
	}
	list := func(listed kadm.ListedOffsets, err error) (map[place]int64, error) {
		if err == nil {
			err = listed.Error()
		}
		if err != nil {
			return nil, failed("the offsets of "+strings.Join(topics, ", ")+" cannot be listed", err)
		}
		for _, p := range at {
			o, _ := listed.Lookup(p.topic, p.partition)
			out[p] = o.Offset
		}
		return out, nil
	}
	switch b.mode {
	case "unbounded":
		for _, p := range at {
			out[p] = never
		}
		return out, nil
	case "earliest-offset":
		return list(admin.ListStartOffsets(ctx, topics...))
	case "latest-offset":
		return list(admin.ListEndOffsets(ctx, topics...))
	case "timestamp":
		return list(admin.ListOffsetsAfterMilli(ctx, b.millis, topics...))
	}
	if _, err := list(admin.ListStartOffsets(ctx, topics...)); err != nil {
		return nil, err
	}
	committed := kadm.OffsetResponses{}
	if group != "" {
		var err error
		if committed, err = admin.FetchOffsetsForTopics(ctx, group, topics...); err != nil {
			return nil, failed("the offsets of the group '"+group+"' cannot be read", err)
		}
	}
	for _, p := range at {
		if o, ok := b.specific[p.partition]; ok && b.mode == "specific-offsets" {
			out[p] = o
			continue
		}
		o, ok := committed.Lookup(p.topic, p.partition)
		switch {
		case ok && o.At >= 0:
			out[p] = o.At
		case b.mode == "specific-offsets": // the start, which is there
		default:
			return nil, b.uncommitted(group, p)
		}
	}
	return out, nil
}

// uncommitted is the failure to begin where a group has been.
func (b *bound) uncommitted(group string, p place) error {
	mode := b.key + ".mode"
	if group == "" {
		return diag.New(diag.MissingOption, diag.Span{}, "'%s' is 'group-offsets', but there is no group whose offsets those would be", mode).
			WithHint("set '%s' = 'earliest-offset' to read everything, or name a group: 'properties.group.id' = '...'", mode)
	}
	return diag.New(diag.BadOption, diag.Span{}, "'%s' is 'group-offsets', but the group '%s' has committed none for partition %d of topic '%s'", mode, group, p.partition, p.topic).
		WithHint("set '%s' = 'earliest-offset' to read everything", mode)
}
