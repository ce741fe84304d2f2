package raw

import (
	"testing"

	"fsql/connector/format/formattest"
)

// A message is a value with its line ends; without bytes it is NULL.
func TestMessages(t *testing.T) {
	formattest.Messages(t, Format(), "line STRING", nil, []string{"a\nb\n", "-", ""}, []string{"a\nb\n", "NULL", ""}, -1)
}
