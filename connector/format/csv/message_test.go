package csv

import (
	"testing"

	"fsql/connector/format/formattest"
)

// Of several records in a message the first one counts, as in Flink.
func TestMessages(t *testing.T) {
	formattest.Messages(t, Format(), "a STRING, b STRING", nil, []string{"a,b\nc,d", "-", "e,f\n", "\"g\nh\",i", ""},
		[]string{"a,b", "e,f", "g\nh,i"}, 4)
}
