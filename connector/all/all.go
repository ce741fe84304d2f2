// Package all is the list of the connectors that are shipped.
package all

import (
	"fsql/connector"
	"fsql/connector/blackhole"
	"fsql/connector/datagen"
	"fsql/connector/filesystem"
	formats "fsql/connector/format/all"
	"fsql/connector/kafka"
	"fsql/connector/print"
)

// Registry returns the connectors and formats in the order in which they are
// documented.
func Registry() *connector.Registry {
	return &connector.Registry{
		Connectors: []*connector.Connector{
			filesystem.Connector(),
			datagen.Connector(),
			print.Connector(),
			blackhole.Connector(),
			kafka.Connector(),
			kafka.Upsert(),
		},
		Formats: formats.Formats(),
	}
}
