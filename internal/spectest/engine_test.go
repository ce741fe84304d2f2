package spectest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func writeTest(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.ftest")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const lateRow = `exec
CREATE TABLE t (v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'test');

query w
SELECT window_start, SUM(v) AS s FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end;

feed t
1 | 2026-03-01 10:00:00
2 | 2026-03-01 10:05:00
4 | 2026-03-01 10:00:30

%s

table w
----
window_start        | s
2026-03-01 10:00:00 | %d
2026-03-01 10:05:00 | 2
`

// In a batch no row is late: a test that shows one must say so of itself, and
// the variant tells the two answers apart.
func TestBatchVariant(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		mode string
		want string // of the failure or of why it was left out; "": it passes
	}{
		"a late row is dropped":     {fmt.Sprintf(lateRow, "end t", 1), "streaming", ""},
		"a batch knows no lateness": {fmt.Sprintf(lateRow, "end all", 1), "batch", "expected | actual"},
		"and counts it":             {fmt.Sprintf(lateRow, "end all", 5), "batch", ""},
		"a table without an end":    {fmt.Sprintf(lateRow, "silent x", 5), "batch", "no batch: table default_catalog.default_database.t does not end"},
		"the clock":                 {fmt.Sprintf(lateRow, "advance 5 s", 5), "batch", "no batch: the clock is moved"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, r := range results(t, &Options{Paths: []string{writeTest(t, c.text)}, Mode: []string{c.mode}}) {
				if got += r.Skipped; len(r.Failures) > 0 {
					got += r.Failures[0].Message
				}
			}
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestUpdateErrors(t *testing.T) {
	const before = `exec error code=unknown-table
CREATE TABLE t (v INT) WITH ('connector' = 'test');

exec error code=unknown-column contains="nope" at=9:9
SELECT nope FROM t;

exec
SELECT v FROM ordres;
`
	const after = `exec
CREATE TABLE t (v INT) WITH ('connector' = 'test');

exec error code=unknown-column contains=nope at=1:8
SELECT nope FROM t;

exec error code=unknown-table
SELECT v FROM ordres;
`
	path := writeTest(t, before)
	ups, _, err := Updates(context.Background(), &Options{Paths: []string{path}}, true)
	if err != nil || len(ups) != 1 || ups[0].Refused == "" {
		t.Fatalf("without --update-errors: %v %+v", err, ups)
	}
	ups, _, err = Updates(context.Background(), &Options{Paths: []string{path}, UpdateErrors: true}, true)
	if err != nil || ups[0].Refused != "" || string(ups[0].New) != after {
		t.Fatalf("%v %s\n%s", err, ups[0].Refused, ups[0].New)
	}
	if err := os.WriteFile(path, ups[0].New, 0o600); err != nil {
		t.Fatal(err)
	}
	if f := failures(results(t, &Options{Paths: []string{path}})); f != nil {
		t.Errorf("what was written fails: %s", f[0].Text(nil))
	}
}

const clusterTest = `exec
CREATE TABLE t (k STRING, v INT) WITH ('connector' = 'test');

query q
SELECT k, SUM(v) AS s FROM t GROUP BY k;

feed t
a | 1
a | 2
b | NULL

changes q compact
----
op | k | s
+I | a | 99
+I | b | 99

end t

table q
----
k | s
a | 3
b | NULL
`

// fakeGateway answers as a Flink SQL gateway: sum is what it says of a.
func fakeGateway(t *testing.T, sum string) (address string, said *[]string) {
	t.Helper()
	said = &[]string{}
	answer := func(w http.ResponseWriter, text string) { fmt.Fprint(w, text) }
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/sessions", func(w http.ResponseWriter, _ *http.Request) { answer(w, `{"sessionHandle":"S"}`) })
	mux.HandleFunc("DELETE /v2/sessions/S", func(w http.ResponseWriter, _ *http.Request) { answer(w, `{"status":"CLOSED"}`) })
	mux.HandleFunc("POST /v2/sessions/S/statements", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Statement string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		*said = append(*said, in.Statement)
		if path := regexp.MustCompile(`'file://(.*?)'`).FindStringSubmatch(in.Statement); path != nil {
			*said = append(*said, path[1])
		}
		answer(w, fmt.Sprintf(`{"operationHandle":"%d"}`, len(*said)))
	})
	mux.HandleFunc("GET /v2/sessions/S/operations/{op}/result/{token}", func(w http.ResponseWriter, r *http.Request) {
		last := (*said)[len(*said)-1]
		switch token := r.PathValue("token"); {
		case !strings.HasPrefix(last, "SELECT"):
			answer(w, `{"resultType":"EOS","results":{"data":[]}}`)
		case token == "0":
			answer(w, `{"resultType":"NOT_READY","nextResultUri":"/v2/x/result/1?rowFormat=PLAIN_TEXT"}`)
		case token == "1":
			b, err := os.ReadFile((*said)[1])
			*said = append(*said, fmt.Sprint(string(b), err), last)
			answer(w, `{"resultType":"PAYLOAD","results":{"data":[{"kind":"INSERT","fields":["a","1"]},{"kind":"INSERT","fields":["b",null]}]},"nextResultUri":"/v2/x/result/2"}`)
		default:
			answer(w, `{"resultType":"EOS","results":{"data":[{"kind":"UPDATE_BEFORE","fields":["a","1"]},{"kind":"UPDATE_AFTER","fields":["a","`+sum+`"]}]}}`)
		}
	})
	mux.HandleFunc("DELETE /v2/sessions/S/operations/{op}/close", func(w http.ResponseWriter, _ *http.Request) { answer(w, `{"status":"CLOSED"}`) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, said
}

// The parts of a test that a cluster can run are run there: statements with the
// test tables as files, and the tables at the end.
func TestFlinkEngine(t *testing.T) {
	path := writeTest(t, clusterTest)
	address, said := fakeGateway(t, "3")
	s := results(t, &Options{Paths: []string{path}, Endpoint: address})
	if f := failures(s); len(s) != 1 || f != nil || s[0].Checks != 1 {
		t.Fatalf("%d results: %v", len(s), f)
	}
	text := strings.Join(*said, "\n")
	for _, want := range []string{"'connector' = 'filesystem', 'path' = 'file:///", "\"k\":\"a\",\"v\":2}\n", "{\"k\":\"b\",\"v\":null}", "SELECT k, SUM(v) AS s FROM t GROUP BY k"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	address, _ = fakeGateway(t, "4")
	f := failures(results(t, &Options{Paths: []string{path}, Endpoint: address}))
	if len(f) != 1 || !strings.Contains(f[0].Text(nil), "+ a | 4") || !strings.Contains(f[0].Repeat(), "--engine=flink") {
		t.Errorf("another answer is not noticed: %v", f)
	}
	f = failures(results(t, &Options{Paths: []string{path}, Endpoint: "127.0.0.1:1"}))
	if len(f) != 1 || !strings.Contains(f[0].Message, "there is no Flink SQL gateway at http://127.0.0.1:1") {
		t.Errorf("nobody there: %v", f)
	}
}

// TestAgainstFlink runs the tests here on the cluster that FSQL_FLINK_ENDPOINT
// names: what they expect must be what Flink gives.
func TestAgainstFlink(t *testing.T) {
	address := os.Getenv("FSQL_FLINK_ENDPOINT")
	if address == "" {
		t.Skip("NOTHING IS COMPARED WITH FLINK: FSQL_FLINK_ENDPOINT names no SQL gateway (such as localhost:8083)")
	}
	compared := 0
	for _, r := range results(t, &Options{Paths: []string{"testdata", "../../examples/tests", writeTest(t, strings.ReplaceAll(clusterTest, "99", "0"))}, Endpoint: address}) {
		t.Logf("%s: %s %s", r.Unit.Name, r.Status(), r.Skipped)
		compared += r.Checks
		for _, f := range r.Failures {
			t.Errorf("%s", f.Text(nil))
		}
	}
	if compared == 0 {
		t.Error("no test had anything to compare")
	}
}
