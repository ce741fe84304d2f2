package spectest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// Suites of flink-unittest (a package for Python, 0.2.1) are read as they are:
//
//	tests:
//	  - name: revenue
//	    given: {orders: {schema: [{name: id, type: INT}], watermark: "ts AS ts", primary_key: [id], rows: [{id: 1}]}}
//	    sql: SELECT COUNT(*) AS n FROM orders
//	    expect: {rows: [{n: 1}], ordered: false, strict: false}
//
// The given rows are written to JSON files and read by a streaming job.

func isYAML(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".yaml" || ext == ".yml"
}

// looksLikeTests tells suites from other YAML files of a folder.
func looksLikeTests(path string) bool {
	text, err := os.ReadFile(path)
	return err == nil && (bytes.HasPrefix(text, []byte("tests:")) || bytes.Contains(text, []byte("\ntests:")))
}

// yamlTest is one test.
type yamlTest struct {
	Name    string    `yaml:"name"`
	SQL     string    `yaml:"sql"`
	SQLFile string    `yaml:"sql_file"`
	Given   yaml.Node `yaml:"given"`
	Expect  struct {
		Rows     []yaml.Node `yaml:"rows"`
		RowsFile string      `yaml:"rows_file"`
		Ordered  bool        `yaml:"ordered"`
		Strict   bool        `yaml:"strict"`
	} `yaml:"expect"`
	line int
}

// yamlTable is a given table.
type yamlTable struct {
	Name       string
	Schema     []yamlColumn
	Watermark  string
	PrimaryKey []string
	Rows       []*yaml.Node // mappings
}

type yamlColumn struct{ name, typ string }

func loadYAML(o *Options, path string, text []byte) ([]*Unit, error) {
	var suite struct {
		Tests []yaml.Node `yaml:"tests"`
	}
	if err := yaml.Unmarshal(text, &suite); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(suite.Tests) == 0 {
		return nil, fmt.Errorf("%s: there is no list of tests", path)
	}
	var units []*Unit
	for i := range suite.Tests {
		t := &yamlTest{line: suite.Tests[i].Line}
		if err := suite.Tests[i].Decode(t); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		u, err := yamlUnit(o, path, t)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: test %s: %w", path, t.line, t.Name, err)
		}
		units = append(units, u)
	}
	return units, nil
}

func yamlUnit(o *Options, path string, t *yamlTest) (*Unit, error) {
	base := filepath.Dir(path)
	if (t.SQL == "") == (t.SQLFile == "") {
		return nil, fmt.Errorf("it needs either sql or sql_file")
	}
	if t.SQLFile != "" {
		text, err := os.ReadFile(filepath.Join(base, t.SQLFile))
		if err != nil {
			return nil, fmt.Errorf("there is no file %s", t.SQLFile)
		}
		t.SQL = string(text)
	}
	tables, err := yamlTables(&t.Given, base)
	if err != nil {
		return nil, err
	}
	rows, err := yamlRows(t.Expect.Rows, t.Expect.RowsFile, base)
	if err != nil {
		return nil, fmt.Errorf("expect: %w", err)
	}
	set, err := headerless(o, t.Expect.Ordered)
	if err != nil {
		return nil, err
	}
	u := &Unit{File: path, Name: path + ":" + t.Name, path: path, settings: set}
	u.run = func(u *Unit, v Variant) *Result { return runYAML(o, u, v, t, tables, rows) }
	return u, nil
}

// yamlTables reads the tables of given.
func yamlTables(given *yaml.Node, base string) ([]yamlTable, error) {
	var out []yamlTable
	for i := 0; i+1 < len(given.Content); i += 2 {
		t, def := yamlTable{Name: given.Content[i].Value}, given.Content[i+1]
		if def.Kind == yaml.SequenceNode {
			t.Rows = def.Content
			out = append(out, t)
			continue
		}
		var d struct {
			Schema     []map[string]string `yaml:"schema"`
			Watermark  string              `yaml:"watermark"`
			PrimaryKey []string            `yaml:"primary_key"`
			Rows       []yaml.Node         `yaml:"rows"`
			RowsFile   string              `yaml:"rows_file"`
		}
		err := def.Decode(&d)
		if err == nil {
			t.Watermark, t.PrimaryKey = d.Watermark, d.PrimaryKey
			for _, c := range d.Schema {
				if c["watermark"] != "" {
					t.Watermark = c["watermark"]
				} else if c["name"] != "" && c["type"] != "" {
					t.Schema = append(t.Schema, yamlColumn{c["name"], c["type"]})
				}
			}
			t.Rows, err = yamlRows(d.Rows, d.RowsFile, base)
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// yamlRows are rows that are given, or those of a file. JSON is YAML.
func yamlRows(given []yaml.Node, file, base string) ([]*yaml.Node, error) {
	if file == "" {
		out := make([]*yaml.Node, len(given))
		for i := range given {
			out[i] = &given[i]
		}
		return out, nil
	}
	if given != nil {
		return nil, fmt.Errorf("it has rows and rows_file")
	}
	text, err := os.ReadFile(filepath.Join(base, file))
	if err != nil {
		return nil, fmt.Errorf("there is no file %s", file)
	}
	var out []*yaml.Node
	switch filepath.Ext(file) {
	case ".csv":
		return csvNodes(text)
	case ".json":
		var list []yaml.Node
		if err := yaml.Unmarshal(text, &list); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return yamlRows(list, "", base)
	case ".jsonl", ".ndjson":
		for l := range bytes.Lines(text) {
			var n yaml.Node
			if len(bytes.TrimSpace(l)) == 0 {
				continue
			}
			if err := yaml.Unmarshal(l, &n); err != nil || len(n.Content) != 1 {
				return nil, fmt.Errorf("%s: no JSON object: %s", file, bytes.TrimSpace(l))
			}
			out = append(out, n.Content[0])
		}
		return out, nil
	}
	return nil, fmt.Errorf("%s: rows are read from files that end in .csv, .json or .jsonl", file)
}

// csvNodes reads a file with a header; a cell is a number or a boolean if it
// looks like one, NULL if it is empty.
func csvNodes(text []byte) ([]*yaml.Node, error) {
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(records) == 0 {
		return nil, err
	}
	var out []*yaml.Node
	for _, rec := range records[1:] {
		n := &yaml.Node{Kind: yaml.MappingNode}
		for i, cell := range rec {
			v := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: cell}
			switch {
			case cell == "":
				v.Tag = "!!null"
			case json.Valid([]byte(cell)) && !strings.ContainsAny(cell[:1], `"[{n`):
				v.Tag = "!!float"
				if cell == "true" || cell == "false" {
					v.Tag = "!!bool"
				} else if !strings.ContainsAny(cell, ".eE") {
					v.Tag = "!!int"
				}
			}
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: records[0][i]}, v)
		}
		out = append(out, n)
	}
	return out, nil
}

// columns are those of a table: as declared, else as the first row has them.
func (t *yamlTable) columns() []yamlColumn {
	if t.Schema != nil || len(t.Rows) == 0 {
		return t.Schema
	}
	var out []yamlColumn
	for i := 0; i+1 < len(t.Rows[0].Content); i += 2 {
		v := t.Rows[0].Content[i+1]
		typ := "STRING"
		switch v.ShortTag() {
		case "!!bool":
			typ = "BOOLEAN"
		case "!!int":
			typ = "INT"
		case "!!float":
			typ = "DOUBLE"
		case "!!timestamp":
			if typ = "DATE"; len(v.Value) > len("2026-01-01") {
				typ = "TIMESTAMP(3)"
			}
		}
		out = append(out, yamlColumn{t.Rows[0].Content[i].Value, typ})
	}
	return out
}

// ddl declares a table over its file.
func (t *yamlTable) ddl() string {
	name := func(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }
	var parts []string
	for _, c := range t.columns() {
		parts = append(parts, name(c.name)+" "+c.typ)
	}
	if t.PrimaryKey != nil {
		var key []string
		for _, k := range t.PrimaryKey {
			key = append(key, name(k))
		}
		parts = append(parts, "PRIMARY KEY ("+strings.Join(key, ", ")+") NOT ENFORCED")
	}
	if t.Watermark != "" {
		parts = append(parts, "WATERMARK FOR "+t.Watermark)
	}
	return "CREATE TEMPORARY TABLE " + name(t.Name) + " (" + strings.Join(parts, ", ") +
		") WITH ('connector' = 'filesystem', 'path' = '" + strings.ReplaceAll(t.Name, "'", "''") + ".json', 'format' = 'json');"
}
