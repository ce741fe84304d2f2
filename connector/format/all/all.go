// Package all is the list of the formats that are shipped.
package all

import (
	"fsql/connector/format"
	"fsql/connector/format/avro"
	"fsql/connector/format/csv"
	"fsql/connector/format/json"
	"fsql/connector/format/raw"
)

// Formats returns the formats in the order in which they are documented.
func Formats() []*format.Format {
	return []*format.Format{
		json.Format(), csv.Format(), raw.Format(), avro.Format(),
		json.Debezium(), json.Canal(), json.Maxwell(), json.Ogg(),
	}
}
