package filesystem

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"

	"fsql/connector"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func newSource(t *connector.Table) (connector.Source, error) {
	path, err := location(t)
	if err != nil {
		return nil, err
	}
	re, err := pattern(t)
	if err != nil {
		return nil, err
	}
	s := &source{table: t, path: path, pattern: re, layout: newLayout(t), now: clock(t)}
	// What the format cannot read is said when the query is planned.
	if _, err := t.Format.OfFile(s.layout.physical, s.layout.wanted, t.FormatOpts); err != nil {
		return nil, err
	}
	if t.Options.Has("source.monitor-interval") {
		return newMonitored(s)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, missing(t, path)
	}
	if s.files, err = list(path, re); err != nil {
		return nil, &diag.Error{Code: diag.InputOutput, Msg: "the path '" + path + "' cannot be listed", Cause: err}
	}
	if len(t.Partitions) > 0 {
		s.partitions(t)
	}
	s.pipes = slices.ContainsFunc(s.files, live)
	return s, nil
}

type source struct {
	table   *connector.Table
	path    string
	pattern *regexp.Regexp // of the paths to read, nil: all
	files   []string
	values  map[string][]string // of a file: its partition values
	stray   int64               // files that lie outside the partitions
	pipes   bool                // some file is no regular one
	layout  *layout
	now     func() types.Time
}

// partitions keeps the files that lie in a folder per partition column.
func (s *source) partitions(t *connector.Table) {
	s.values = map[string][]string{}
	kept := s.files[:0]
	for _, f := range s.files {
		if v, ok := partitionValues(s.path, f, t.Partitions); ok {
			s.values[f] = v
			kept = append(kept, f)
		} else {
			s.stray++
		}
	}
	s.files = kept
}

func (s *source) Splits(context.Context) ([]connector.Split, error) {
	out := make([]connector.Split, len(s.files))
	for i, f := range s.files {
		out[i] = connector.Split{ID: f}
	}
	return out, nil
}

// Readers is one per file at most.
func (s *source) Readers(most int) int { return max(1, min(most, len(s.files))) }

func (s *source) Bounded() bool { return true }

// Live implements connector.Live: of named pipes and the like.
func (s *source) Live() bool { return s.pipes }

func (s *source) Kinds() row.Kinds { return s.table.Format.Kinds }

func (s *source) Open(_ context.Context, own []connector.Split) (connector.Reader, error) {
	return s.reader(own), nil
}

func (s *source) reader(own []connector.Split) *reader {
	r := &reader{source: s, splits: own, left: s.table.Limit}
	if s.table.Limit < 0 {
		r.left = 1<<63 - 1
	}
	if s.pipes {
		r.wake = make(chan struct{}, 1)
	}
	return r
}

// layout says which of the table's columns come from the file's bytes; the
// others are metadata or partition columns, constant per file.
type layout struct {
	physical *types.Schema
	columns  []int // of the table, per physical column
	wanted   []bool
	constant []int // of the table
}

func newLayout(t *connector.Table) *layout {
	l := &layout{physical: &types.Schema{}}
	for i, c := range t.Schema.Columns {
		switch {
		case t.Metadata != nil && t.Metadata[i] != "", index(t.Partitions, c.Name) >= 0:
			if t.Wanted == nil || t.Wanted[i] {
				l.constant = append(l.constant, i)
			}
		default:
			l.physical.Columns = append(l.physical.Columns, c)
			l.columns = append(l.columns, i)
			l.wanted = append(l.wanted, t.Wanted == nil || t.Wanted[i])
		}
	}
	return l
}

func index(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}
