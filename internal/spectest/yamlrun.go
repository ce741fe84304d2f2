package spectest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"fsql/connector/feed"
	"fsql/internal/diag"
	"fsql/internal/ftest"
	"fsql/sql/ast"
	"fsql/types"
)

// headerless are the variants of a test that has no header.
func headerless(o *Options, ordered bool) (settings, error) {
	s, err := readHeader(&ftest.File{}, o)
	if ordered {
		s.variants = slices.DeleteFunc(s.variants, func(v Variant) bool { return v.Parallelism > 1 })
	}
	return s, err
}

// runYAML runs one test of a suite.
func runYAML(o *Options, u *Unit, v Variant, t *yamlTest, tables []yamlTable, expected []*yaml.Node) *Result {
	r := &run{
		opts: o, unit: u, variant: v, set: u.settings, world: feed.New(), outputs: map[string]*output{}, mocked: map[string]bool{},
		result: &Result{Unit: u, Variant: v, Checks: 1},
	}
	r.file = &ftest.File{Name: u.File}
	ctx := context.Background()
	err := r.yaml(ctx, t, tables, expected)
	r.close()
	if gone := r.folder.remove(); err == nil {
		err = gone
	}
	switch {
	case lacksCheckpoints(err):
		r.result.Skipped = diag.Of(err).Msg
	case err != nil:
		r.result.fail(&Failure{Line: t.line, What: t.Name, Message: err.Error(), Notes: r.notes(nil)})
	}
	return r.result
}

func (r *run) yaml(ctx context.Context, t *yamlTest, tables []yamlTable, expected []*yaml.Node) error {
	dir, err := os.MkdirTemp("", "fsql-test-")
	if err != nil {
		return err
	}
	r.folder = &folder{dir: dir, temp: true, base: filepath.Dir(r.unit.path)}
	if err := r.open(); err != nil {
		return err
	}
	r.spell.decimals = 6 // as flink-unittest compares
	for i := range tables {
		var b bytes.Buffer
		for _, row := range tables[i].Rows {
			appendJSON(&b, row)
			b.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(dir, tables[i].Name+".json"), b.Bytes(), 0o600); err != nil {
			return err
		}
		if err := r.exec(ctx, tables[i].ddl()); err != nil {
			return fmt.Errorf("table %s: %w", tables[i].Name, err)
		}
	}
	var o *output
	text := strings.TrimRight(strings.TrimSpace(t.SQL), ";") + ";"
	err = r.statements(ctx, text, func(stmt ast.Statement) error {
		q, ok := stmt.(*ast.QueryStatement)
		if !ok {
			_, err := r.start(ctx, t.Name, stmt, nil)
			return err
		}
		o, err = r.once(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	if o == nil {
		return fmt.Errorf("its sql has no query")
	}
	return r.compareYAML(t, o, expected)
}

// compareYAML compares the columns that the first expected row has, or with
// strict all of them.
func (r *run) compareYAML(t *yamlTest, o *output, expected []*yaml.Node) error {
	rows, bad := o.content(nil)
	if bad != "" {
		return fmt.Errorf("%s takes back a row that is not there", bad)
	}
	columns := make([]int, len(o.schema.Columns))
	for i := range columns {
		columns[i] = i
	}
	if len(expected) > 0 {
		var names, have []string
		columns = nil
		for i := 0; i+1 < len(expected[0].Content); i += 2 {
			name := expected[0].Content[i].Value
			names = append(names, name)
			columns = append(columns, o.schema.Index(name))
		}
		for _, c := range o.schema.Columns {
			have = append(have, c.Name)
		}
		if i := slices.Index(columns, -1); i >= 0 {
			return fmt.Errorf("the result has no column %s; it has %s", names[i], strings.Join(have, ", "))
		}
		if t.Expect.Strict && !slices.Equal(names, have) {
			return fmt.Errorf("strict: the columns are %s, not %s", strings.Join(have, ", "), strings.Join(names, ", "))
		}
	}
	s := sides{ordered: t.Expect.Ordered}
	var head []string
	for _, c := range columns {
		head = append(head, o.schema.Columns[c].Name)
	}
	s.head = strings.Join(head, " | ")
	for _, c := range rows {
		var cells []string
		for _, i := range columns {
			cells = append(cells, c.cells[i])
		}
		s.actual = append(s.actual, strings.Join(cells, " | "))
	}
	for _, row := range expected {
		var cells []string
		for _, i := range columns {
			cells = append(cells, r.yamlCell(field(row, o.schema.Columns[i].Name), o.schema.Columns[i].Type.Plain()))
		}
		s.expected = append(s.expected, strings.Join(cells, " | "))
	}
	r.compare(nil, t.line, &ftest.Expected{}, s, o, nil)
	if n := len(r.result.Failures); n > 0 {
		r.result.Failures[n-1].What = t.Name
	}
	return nil
}

// field is the value of a key, nil if there is none.
func field(row *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(row.Content); i += 2 {
		if row.Content[i].Value == name {
			return row.Content[i+1]
		}
	}
	return nil
}

// yamlCell writes an expected value as speller.cell writes an actual one. What
// is no value of the type stays as it is, and differs.
func (r *run) yamlCell(n *yaml.Node, t types.Type) string {
	c := yamlText(n)
	if n != nil && n.ShortTag() == "!!float" && t.IsInteger() {
		c.Text = strings.TrimSuffix(c.Text, ".0")
	}
	text, err := r.spell.expected(c, t)
	if err != nil {
		return ftest.FormatCell(c.Text, c.Null)
	}
	return text
}

func yamlText(n *yaml.Node) ftest.Cell {
	if n == nil || n.ShortTag() == "!!null" {
		return ftest.Cell{Null: true}
	}
	part := func(n *yaml.Node) string {
		if c := yamlText(n); c.Null {
			return "NULL"
		} else if n.ShortTag() == "!!str" {
			return "'" + strings.ReplaceAll(c.Text, "'", "''") + "'"
		} else {
			return c.Text
		}
	}
	var parts []string
	switch n.Kind {
	case yaml.SequenceNode:
		for _, x := range n.Content {
			parts = append(parts, part(x))
		}
		return ftest.Cell{Text: "[" + strings.Join(parts, ", ") + "]"}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			parts = append(parts, part(n.Content[i])+"="+part(n.Content[i+1]))
		}
		return ftest.Cell{Text: "{" + strings.Join(parts, ", ") + "}"}
	}
	if n.ShortTag() == "!!timestamp" {
		return ftest.Cell{Text: moments(n.Value)}
	}
	return ftest.Cell{Text: strings.TrimSpace(n.Value)}
}

// moments writes a timestamp of YAML as SQL does.
func moments(s string) string {
	return strings.TrimSuffix(strings.Replace(s, "T", " ", 1), "Z")
}

// appendJSON writes a value as JSON.
func appendJSON(b *bytes.Buffer, n *yaml.Node) {
	text := func(s string) {
		j, err := json.Marshal(s)
		if err != nil { // a string always can be written
			j = []byte(`""`)
		}
		b.Write(j)
	}
	switch n.Kind {
	case yaml.AliasNode:
		appendJSON(b, n.Alias)
		return
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, x := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			appendJSON(b, x)
		}
		b.WriteByte(']')
		return
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			text(n.Content[i].Value)
			b.WriteByte(':')
			appendJSON(b, n.Content[i+1])
		}
		b.WriteByte('}')
		return
	}
	switch n.ShortTag() {
	case "!!null":
		b.WriteString("null")
	case "!!bool", "!!int", "!!float":
		var v any
		if err := n.Decode(&v); err == nil {
			if j, err := json.Marshal(v); err == nil && json.Valid([]byte(n.Value)) {
				b.WriteString(n.Value) // 1.10 stays 1.10
			} else if err == nil {
				b.Write(j)
			} else {
				text(n.Value)
			}
			return
		}
		text(n.Value)
	case "!!timestamp":
		text(moments(n.Value))
	default:
		text(n.Value)
	}
}

// atDecimals rounds to digits behind the point.
func atDecimals(f float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	if r := math.RoundToEven(f*scale) / scale; !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return f
}
