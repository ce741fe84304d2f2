package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/session"
)

// exampleTables are the tables of the examples of aggregate functions.
var exampleTables = []struct{ name, columns, row string }{
	{"trips", "city STRING, driver STRING, fare DECIMAL(8, 2), stops INT", `{"city": "Rome", "driver": "Ann", "fare": 12.5, "stops": 3}`},
	{"reviews", "city STRING, stars INT", `{"city": "Rome", "stars": 4}`},
	{"readings", "sensor STRING, celsius DECIMAL(5, 2)", `{"sensor": "s1", "celsius": 20.5}`},
	{"ticks", "sym STRING, px DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts", `{"sym": "A", "px": 1.5, "ts": "2024-01-01 00:00:00"}`},
}

// TestAggregateExamples runs the example of every aggregate function, which
// DESCRIBE FUNCTION and docs/functions.md show.
func TestAggregateExamples(t *testing.T) {
	dir := t.TempDir()
	head := ""
	for _, e := range exampleTables {
		file := e.name + ".json"
		if err := os.WriteFile(filepath.Join(dir, file), []byte(e.row+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		head += "CREATE TABLE " + e.name + " (" + e.columns + ") WITH ('connector' = 'filesystem', 'path' = '" + file + "', 'format' = 'json');\n"
	}
	s, err := session.New(session.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range s.Aggregates().Names() {
		example := s.Aggregates().Lookup(name).Example
		if !strings.HasPrefix(example, "SELECT") { // a call with OVER
			example = "SELECT " + example + " FROM ticks"
		}
		if said, status := complain(t, dir, head+example+";"); status != 0 {
			t.Errorf("%s: %s", name, said)
		}
	}
}
