package difftest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"fsql/internal/value"
	"fsql/row"
	"fsql/session"
	"fsql/sql"
)

func jsonNumber(s string) json.Number { return json.Number(s) }

// tableDDL is the table that the expressions read, from a file t.json beside
// the script.
func tableDDL() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE t (id INT")
	for _, c := range columns() {
		fmt.Fprintf(&b, ", %s %s", c.name, c.sql)
	}
	b.WriteString(") WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = 't.json')")
	return b.String()
}

// tableRows is the content of the file.
func tableRows() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for r := range 6 {
		o := obj{"id": r}
		for _, c := range columns() {
			o[c.name] = c.values[r]
		}
		if err := enc.Encode(o); err != nil {
			panic(err)
		}
	}
	return b.Bytes()
}

// engine is fsql in process, one session per time zone.
type engine struct {
	dir      string
	sessions map[string]*session.Session
}

func newEngine(t testing.TB) *engine {
	e := &engine{dir: t.TempDir(), sessions: map[string]*session.Session{}}
	if err := os.WriteFile(filepath.Join(e.dir, "t.json"), tableRows(), 0o600); err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *engine) session(zone string) (*session.Session, error) {
	if s := e.sessions[zone]; s != nil {
		return s, nil
	}
	s, err := session.New(session.Config{Dir: e.dir, Settings: map[string]string{"table.local-time-zone": zone}})
	if err != nil {
		return nil, err
	}
	e.sessions[zone] = s
	script, err := sql.Parse(tableDDL())
	if err != nil {
		return nil, err
	}
	_, err = s.Execute(context.Background(), script.Statements[0])
	return s, err
}

// ask evaluates an expression; a panic is an answer too, one that nobody wants.
func (e *engine) ask(q zoned) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = answer{Type: "panic", Err: "", Cells: []string{fmt.Sprint(p), string(debug.Stack())}}
		}
	}()
	s, err := e.session(q.zone)
	if err != nil {
		return answer{Err: err.Error()}
	}
	script, err := sql.Parse("SELECT id, " + q.text + " AS e FROM t")
	if err != nil {
		return answer{Err: err.Error()}
	}
	r, err := s.Execute(context.Background(), script.Statements[0])
	if err != nil {
		return answer{Err: err.Error()}
	}
	a.Type = r.Schema.Columns[1].Type.Short()
	if !r.Schema.Columns[1].Type.Nullable {
		a.Type += " NOT NULL"
	}
	err = r.Each(context.Background(), func(b *row.Batch) error {
		for i := range b.Rows {
			if b.Cols[1].IsNull(i) {
				a.Cells = append(a.Cells, "NULL")
				continue
			}
			a.Cells = append(a.Cells, "="+string(value.AppendText(nil, b.Cols[1], i, s.Zone())))
		}
		return nil
	})
	if err != nil {
		return answer{Err: err.Error()}
	}
	return a
}
