package difftest

import (
	"os"
	"strings"
	"testing"
)

// TestAsk puts expressions of one's own to both: FSQL_ASK names a file with one
// a line, with an @zone in front where it is not UTC. It shows the answers and
// fails for those that differ.
func TestAsk(t *testing.T) {
	file, command := os.Getenv("FSQL_ASK"), os.Getenv("FSQL_ORACLE")
	if file == "" || command == "" {
		t.Skip("NOT RUN: needs FSQL_ORACLE, the command that asks a real Flink, and FSQL_ASK, a file of expressions")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var qs []zoned
	for line := range strings.Lines(string(text)) {
		q := zoned{"UTC", strings.TrimSpace(line)}
		if zone, found := strings.CutPrefix(q.text, "@"); found {
			q.zone, q.text, _ = strings.Cut(zone, " ")
		}
		if q.text != "" {
			qs = append(qs, q)
		}
	}
	b := newBook(t, command)
	b.answer(qs)
	for _, q := range qs {
		if b.verdict(q) == same {
			t.Logf("%s\n  both:  %s", q.text, b.flink[q].short())
		} else {
			t.Errorf("%s\n  fsql:  %s\n  Flink: %s", q.text, b.ours[q].short(), b.flink[q].short())
		}
	}
}
