package json

import (
	"testing"

	"fsql/connector/format/formattest"
)

// Messages are read as Flink reads them from Kafka: line ends are blanks, or part
// of a text, no bytes are no row, and a failure takes nothing along.
func TestMessages(t *testing.T) {
	formattest.Messages(t, Format(), "id INT, name STRING", nil,
		[]string{"{\"id\":1,\n \"name\":\"a\nb\"}", "-", "", `[{"id":51},{"id":52}]`, "\xef\xbb\xbf{\"id\":6} more\n{\"id\":7}", `{"id":"x"}`},
		[]string{"1,a\nb", "51,NULL", "52,NULL", "6,NULL"}, 5)
	formattest.Messages(t, Debezium(), "id INT", nil,
		[]string{`{"before":null,"after":{"id":1},"op":"c"}`, "-", "{\"before\":{\"id\":1},\n\"after\":{\"id\":2},\"op\":\"u\"}", `{"op":"?"}`},
		[]string{"1", "-U 1", "+U 2"}, 3)
}

// A last line without an end that cannot be read takes nothing along.
func TestBrokenEnd(t *testing.T) {
	formattest.Run(t, Format(), formattest.Case{Columns: "id INT", Options: []string{"ignore-parse-errors=true"}, In: "{\"id\":1}\n{\"id\":2}\n{\"id\":", Rows: []string{"1", "2"}, Skipped: 1})
}
