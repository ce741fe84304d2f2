package option

import (
	"math"
	"strings"
	"testing"

	"fsql/internal/diag"
)

// Values as Flink's TimeUtils, MemorySize and ConfigurationUtils read them.
func TestParseDuration(t *testing.T) {
	for in, want := range map[string]int64{
		"10 s": 10_000, "500ms": 500, "1 min": 60_000, "1d": 86_400_000, "2 h": 7_200_000, "7": 7,
		" 3 Seconds ": 3000, "1500 micros": 1, "1 µs": 0, "0 ms": 0, "999999 ns": 0,
	} {
		if got, ok := ParseDuration(in); !ok || got != want {
			t.Errorf("ParseDuration(%q) = %d, %v; want %d", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "s", "-1 s", "1.5 s", "10 parsecs", "1 s s", "9223372036854775807 d", "1 milli s"} {
		if got, ok := ParseDuration(in); ok {
			t.Errorf("ParseDuration(%q) = %d, want none", in, got)
		}
	}
}

func TestParseBytes(t *testing.T) {
	for in, want := range map[string]int64{"128 mb": 128 << 20, "64kb": 64 << 10, "5": 5, "1 g": 1 << 30, "2 bytes": 2, "3 Tebibytes": 3 << 40} {
		if got, ok := ParseBytes(in); !ok || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "mb", "-1", "1 pb", "9223372036854775807 kb"} {
		if _, ok := ParseBytes(in); ok {
			t.Errorf("ParseBytes(%q) succeeds", in)
		}
	}
}

func sample() (Scope, Scope) {
	conn := &Set{Defs: []Def{
		{Key: "path", Required: true, Doc: "A folder or file."},
		{Key: "source.monitor-interval", Type: Duration},
		{Key: "fields.#.kind", Type: Enum, Choices: []string{"random", "sequence"}, Default: "random"},
		{Key: "password", Secret: true, Type: Int},
		{Key: "new", Alias: []string{"old"}, Type: Int, Default: "3"},
		{Key: "share", Type: Int, From: -1, To: 100},
		{Key: "count", Type: Int, To: math.MaxInt64},
	}}
	form := &Set{Defs: []Def{{Key: "ignore-parse-errors", Type: Bool, Default: "false"}}}
	return Scope{Set: conn, Owner: "connector 'filesystem'"}, Scope{Set: form, Prefix: "csv.", Owner: "format 'csv'"}
}

func TestCheckValues(t *testing.T) {
	conn, form := sample()
	vals, err := Check([]Entry{
		{Key: "path", Value: "x"}, {Key: "csv.ignore-parse-errors", Value: "TRUE"},
		{Key: "fields.r.x.kind", Value: "SEQUENCE"}, {Key: "old", Value: "7"}, {Key: "share", Value: "-1"}, {Key: "count", Value: "0"},
	}, conn, form)
	if err != nil {
		t.Fatal(err)
	}
	v := vals[0]
	if v.String("path") != "x" || v.Int("new") != 7 || !v.Has("new") || v.Has("source.monitor-interval") {
		t.Errorf("values of the connector: %v", v.vals)
	}
	if kind, set := v.Named("fields.#.kind", "r.x"); kind != "SEQUENCE" || !set {
		t.Errorf("pattern: %q %v", kind, set)
	}
	if kind, set := v.Named("fields.#.kind", "y"); kind != "random" || set {
		t.Errorf("default of a pattern: %q %v", kind, set)
	}
	if !vals[1].Bool("ignore-parse-errors") {
		t.Error("option with a prefix is lost")
	}
	if conn.Set.None().Int("new") != 3 {
		t.Error("no default")
	}
}

func TestCheckProblems(t *testing.T) {
	conn, form := sample()
	for _, c := range []struct {
		name    string
		entries []Entry
		code    diag.Code
		words   []string
	}{
		{"near name", []Entry{{Key: "path", Value: "x"}, {Key: "source.monitor-intervall", Value: "5 s"}},
			diag.UnknownOption, []string{"unknown option 'source.monitor-intervall'", "connector 'filesystem'", "did you mean 'source.monitor-interval'?"}},
		{"near name of the format", []Entry{{Key: "path", Value: "x"}, {Key: "csv.ignore-parse-error", Value: "true"}},
			diag.UnknownOption, []string{"did you mean 'csv.ignore-parse-errors'?"}},
		{"list of keys", []Entry{{Key: "path", Value: "x"}, {Key: "colour", Value: "red"}},
			diag.UnknownOption, []string{"colour", "path, source.monitor-interval, fields.<name>.kind", "csv.ignore-parse-errors"}},
		{"missing", nil, diag.MissingOption, []string{"'path'", "missing", "A folder or file."}},
		{"bad value", []Entry{{Key: "path", Value: "x"}, {Key: "csv.ignore-parse-errors", Value: "perhaps"}},
			diag.BadOption, []string{"csv.ignore-parse-errors", "perhaps", "true or false"}},
		{"bad duration", []Entry{{Key: "path", Value: "x"}, {Key: "source.monitor-interval", Value: "soon"}},
			diag.BadOption, []string{"soon", "'10 s'"}},
		{"bad choice", []Entry{{Key: "path", Value: "x"}, {Key: "fields.a.kind", Value: "odd"}},
			diag.BadOption, []string{"fields.a.kind", "one of random, sequence"}},
		{"above its bounds", []Entry{{Key: "path", Value: "x"}, {Key: "share", Value: "101"}},
			diag.BadOption, []string{"'101'", "'share'", "from -1 to 100"}},
		{"below its bounds", []Entry{{Key: "path", Value: "x"}, {Key: "count", Value: "-1"}},
			diag.BadOption, []string{"'-1'", "'count'", "from 0 on"}},
		{"several", []Entry{{Key: "csv.ignore-parse-errors", Value: "no"}, {Key: "colour", Value: "red"}},
			diag.BadOption, []string{"'no'", "also unknown option 'colour'", "also connector 'filesystem' needs the option 'path'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Check(c.entries, conn, form)
			e := diag.Of(err)
			if e.Code != c.code {
				t.Fatalf("code %s, want %s: %v", e.Code, c.code, err)
			}
			for _, w := range c.words {
				if !strings.Contains(e.Msg+" "+e.Hint, w) {
					t.Errorf("%q lacks %q", e.Msg+" | "+e.Hint, w)
				}
			}
		})
	}
}

func TestSecretsAreMasked(t *testing.T) {
	conn, form := sample()
	_, err := Check([]Entry{{Key: "path", Value: "x"}, {Key: "password", Value: "hunter2"}}, conn, form)
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the message shows the secret: %v", err)
	}
	for _, key := range []string{"password", "properties.sasl.jaas.config", "s3.secret-key"} {
		if got := Mask(nil, key, "hunter2"); got != "******" {
			t.Errorf("Mask(%s) = %s", key, got)
		}
	}
	if got := Mask(conn.Set, "path", "x"); got != "x" {
		t.Errorf("Mask(path) = %s", got)
	}
}

func TestSessionKeys(t *testing.T) {
	s := SessionKeys()
	seen := map[string]bool{}
	for _, d := range s.Defs {
		if seen[d.Key] {
			t.Errorf("%s is declared twice", d.Key)
		}
		seen[d.Key] = true
		if d.Doc == "" {
			t.Errorf("%s has no doc", d.Key)
		}
		if d.Default != "" && !d.parses(d.Default) {
			t.Errorf("%s: default %q is not of its type", d.Key, d.Default)
		}
	}
	scope := Scope{Set: s, Owner: "the session"}
	for key, value := range map[string]string{
		"execution.checkpointing.unaligned": "true", "state.checkpoints.dir": "x", "taskmanager.numberOfTaskSlots": "4",
		"table.exec.resource.hash-agg.memory": "1 gb", "state.backend.rocksdb.block.cache-size": "8 mb", "execution.runtime-mode": "BATCH",
		"table.exec.topn-cache-size": "5", "metrics.reporter.prom.port": "9",
	} {
		if _, err := Check([]Entry{{Key: key, Value: value}}, scope); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	for key, near := range map[string]string{
		"table.exec.mini-batch.enable": "table.exec.mini-batch.enabled", "paralelism.default": "parallelism.default",
		"pipeline.nam": "pipeline.name",
	} {
		_, err := Check([]Entry{{Key: key, Value: "1"}}, scope)
		if e := diag.Of(err); e.Code != diag.UnknownOption || !strings.Contains(e.Hint, near) {
			t.Errorf("%s: %v (%s)", key, err, e.Hint)
		}
	}
	vals, err := Check([]Entry{{Key: "execution.savepoint.path", Value: "p"}}, scope)
	if err != nil || vals[0].String("execution.state-recovery.path") != "p" {
		t.Errorf("alias: %v %v", vals, err)
	}
}
