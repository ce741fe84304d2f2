// Package blackhole is the sink that swallows everything.
package blackhole

import (
	"context"

	"fsql/connector"
	"fsql/internal/option"
	"fsql/row"
)

// Connector returns the blackhole connector.
func Connector() *connector.Connector {
	return &connector.Connector{
		Name:    "blackhole",
		Options: &option.Set{},
		Sink:    func(*connector.Table) (connector.Sink, error) { return sink{}, nil },
	}
}

type sink struct{}

func (sink) OpenWriter(context.Context, int) (connector.Writer, error) { return sink{}, nil }

// Accepts upserts: like Flink's, it does not ask for old rows.
func (sink) Accepts() row.Kinds { return row.Upserts }

func (sink) Write(context.Context, *row.Batch) error { return nil }

func (sink) Flush(context.Context) error { return nil }

func (sink) Close() error { return nil }
