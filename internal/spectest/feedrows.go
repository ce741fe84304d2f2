package spectest

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"fsql/internal/catalog"
	"fsql/internal/ftest"
	"fsql/row"
	"fsql/types"
)

// feed appends rows to a test table.
func (r *run) feed(ctx context.Context, f *ftest.Feed) error {
	t, log, err := r.testTable(f.Table)
	if err != nil {
		return err
	}
	b, err := r.fedBatch(t, f)
	if err != nil {
		return err
	}
	r.tracef("feed %s: %d rows", f.Table, b.Rows)
	if f.Split != "" {
		s, err := splitOf(t, log, f.Split)
		if err != nil {
			return err
		}
		return s.Rows(b)
	}
	return log.Rows(b)
}

// fedBatch is what a feed holds.
func (r *run) fedBatch(t *catalog.Table, f *ftest.Feed) (*row.Batch, error) {
	rows, err := r.fedRows(f)
	if err != nil {
		return nil, err
	}
	if r.variant.Shuffle > 0 {
		rng := rand.New(rand.NewPCG(uint64(r.variant.Shuffle), 0))
		rest := rows
		if len(rest) > 0 && rest[0].header {
			rest = rest[1:]
		}
		rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
	}
	return r.batch(t, f, rows)
}

// fedRow is one row as written, or the names of the columns.
type fedRow struct {
	line   int // 0: of a file
	header bool
	cells  []ftest.Cell
}

// fedRows reads the rows of a feed.
func (r *run) fedRows(f *ftest.Feed) ([]fedRow, error) {
	if f.File != "" {
		return r.fileRows(f)
	}
	var rows []fedRow
	for i, line := range f.Rows {
		cells, err := ftest.Cells(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", f.From+i, err)
		}
		rows = append(rows, fedRow{f.From + i, f.Header && i == 0, cells})
	}
	return rows, nil
}

func (r *run) fileRows(f *ftest.Feed) ([]fedRow, error) {
	text, err := r.folder.read(f.File)
	if err != nil {
		return nil, err
	}
	switch filepath.Ext(f.File) {
	case ".csv":
		in := csv.NewReader(strings.NewReader(string(text)))
		records, err := in.ReadAll()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.File, err)
		}
		var rows []fedRow
		for i, rec := range records {
			row := fedRow{header: f.Header && i == 0}
			for _, c := range rec {
				row.cells = append(row.cells, ftest.Cell{Text: c, Null: c == "NULL" || c == ""})
			}
			rows = append(rows, row)
		}
		return rows, nil
	case ".json", ".ndjson", ".jsonl":
		return jsonRows(f.File, text)
	}
	return nil, fmt.Errorf("%s: rows are read from files that end in .csv, .json or .ndjson", f.File)
}

// jsonRows reads objects, one a line or in an array. The first row names the
// columns: all that some object has.
func jsonRows(name string, text []byte) ([]fedRow, error) {
	in := json.NewDecoder(strings.NewReader(string(text)))
	in.UseNumber()
	var objects []map[string]any
	for {
		var v any
		err := in.Decode(&v)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, x := range list {
			o, ok := x.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s: %v is no object", name, x)
			}
			objects = append(objects, o)
		}
	}
	var names []string
	seen := map[string]bool{}
	for _, o := range objects {
		for k := range o {
			if !seen[k] {
				seen[k] = true
				names = append(names, k)
			}
		}
	}
	names = sorted(names)
	head := fedRow{header: true}
	for _, n := range names {
		head.cells = append(head.cells, ftest.Cell{Text: n})
	}
	rows := []fedRow{head}
	for _, o := range objects {
		row := fedRow{}
		for _, n := range names {
			row.cells = append(row.cells, jsonCell(o[n]))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func jsonCell(v any) ftest.Cell {
	switch v := v.(type) {
	case nil:
		return ftest.Cell{Null: true}
	case string:
		return ftest.Cell{Text: v}
	case bool:
		return ftest.Cell{Text: fmt.Sprint(v)}
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = jsonPart(x)
		}
		return ftest.Cell{Text: "[" + strings.Join(parts, ", ") + "]"}
	case map[string]any:
		var parts []string
		for k, x := range v {
			parts = append(parts, jsonPart(k)+"="+jsonPart(x))
		}
		return ftest.Cell{Text: "{" + strings.Join(sorted(parts), ", ") + "}"}
	}
	return ftest.Cell{Text: fmt.Sprint(v)}
}

func jsonPart(v any) string {
	if s, ok := v.(string); ok {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	if c := jsonCell(v); !c.Null {
		return c.Text
	}
	return "NULL"
}

// batch makes a batch of rows: of the columns that the table stores.
func (r *run) batch(t *catalog.Table, f *ftest.Feed, rows []fedRow) (*row.Batch, error) {
	stored := &types.Schema{}
	for _, c := range t.Columns {
		if c.As == nil && c.Metadata == "" {
			stored.Columns = append(stored.Columns, types.Column{Name: c.Name, Type: c.Type.Plain()})
		}
	}
	given := make([]int, len(stored.Columns)) // column of each cell
	for i := range given {
		given[i] = i
	}
	if len(rows) > 0 && rows[0].header {
		var err error
		if given, err = named(rows[0], f.Op, stored, f.Table); err != nil {
			return nil, err
		}
		rows = rows[1:]
	}
	b := row.NewBuilder(stored)
	for _, rw := range rows {
		if err := r.append(b, rw, f.Op, given); err != nil {
			if rw.line > 0 {
				err = fmt.Errorf("line %d: %w", rw.line, err)
			}
			return nil, err
		}
	}
	if b.Len() == 0 {
		return row.New(stored, 0, b.Cols, nil), nil
	}
	return b.Flush(), nil
}

// named finds the columns that a header names.
func named(head fedRow, op bool, s *types.Schema, table string) ([]int, error) {
	cells := head.cells
	if op {
		cells = cells[1:]
	}
	var given []int
	for _, c := range cells {
		i := s.Index(c.Text)
		if i < 0 {
			return nil, fmt.Errorf("table %s stores no column %s", table, c.Text)
		}
		given = append(given, i)
	}
	return given, nil
}

func (r *run) append(b *row.Builder, rw fedRow, op bool, given []int) error {
	cells, kind := rw.cells, row.Insert
	if op {
		for kind.String() != cells[0].Text {
			if kind++; kind > row.Delete {
				return fmt.Errorf("%s is no row kind: +I, -U, +U or -D", cells[0].Text)
			}
		}
		cells = cells[1:]
	}
	if len(cells) != len(given) {
		return fmt.Errorf("%d values for %d columns", len(cells), len(given))
	}
	set := make([]bool, len(b.Cols))
	for i, c := range cells {
		at := given[i]
		if err := appendCell(b.Cols[at], c, r.spell.zone); err != nil {
			return fmt.Errorf("column %s: %w", b.Schema.Columns[at].Name, err)
		}
		set[at] = true
	}
	for i := range set {
		if !set[i] {
			b.Cols[i].AppendNull(1)
		}
	}
	b.Added(1, kind)
	return nil
}
