// Package datagen is the source that makes rows up: random values and
// sequences, at a rate.
package datagen

import (
	"context"
	"encoding/binary"
	"math"

	"fsql/connector"
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Connector returns the datagen connector.
func Connector() *connector.Connector {
	return &connector.Connector{Name: "datagen", Options: options(), Source: newSource}
}

func options() *option.Set {
	return &option.Set{Defs: []option.Def{
		{Key: "rows-per-second", Type: option.Int, Default: "10000", Doc: "Rows a second."},
		{Key: "number-of-rows", Type: option.Int, To: math.MaxInt64, Doc: "Rows in all; without it the source never ends."},
		{Key: "scan.parallelism", Type: option.Int, Doc: "Number of readers; fsql has one.", Ignored: true},
		{Key: "fields.#.kind", Type: option.Enum, Choices: []string{"random", "sequence"}, Default: "random", Doc: "How values are made."},
		{Key: "fields.#.min", Type: option.String, Doc: "Least random number; default: that of the type."},
		{Key: "fields.#.max", Type: option.String, Doc: "Greatest random number; default: that of the type."},
		{Key: "fields.#.max-past", Type: option.Duration, Default: "0 s", Doc: "How far random timestamps lie in the past at most."},
		{Key: "fields.#.length", Type: option.Int, Doc: "Length of random text, bytes and collections; default: that of the type, 100 for STRING and BYTES, 3 for collections."},
		{Key: "fields.#.var-len", Type: option.Bool, Default: "false", Doc: "Random lengths up to the length."},
		{Key: "fields.#.null-rate", Type: option.Float, Default: "0", Doc: "Share of NULLs, from 0 to 1."},
		{Key: "fields.#.start", Type: option.String, Doc: "First value of a sequence."},
		{Key: "fields.#.end", Type: option.String, Doc: "Last value of a sequence; the table ends with its shortest sequence."},
	}}
}

type source struct {
	table  *connector.Table
	fields []generator
	rows   int64 // in all, -1: endless
	rate   int64
}

// newSource makes a generator per column and finds how many rows there are.
func newSource(t *connector.Table) (connector.Source, error) {
	s := &source{table: t, rows: -1, rate: t.Options.Int("rows-per-second")}
	if t.Options.Has("number-of-rows") {
		s.rows = t.Options.Int("number-of-rows")
	}
	if s.rate <= 0 {
		return nil, diag.New(diag.BadOption, diag.Span{}, "'rows-per-second' of table '%s' must be above 0", t.Name)
	}
	if t.Limit >= 0 && (s.rows < 0 || t.Limit < s.rows) {
		s.rows = t.Limit
	}
	f := &fields{table: t, known: map[string]bool{}}
	for _, c := range t.Schema.Columns {
		g, err := newGenerator(f, c.Name, c.Type)
		if err != nil {
			return nil, err
		}
		if q, ok := g.(*sequence); ok && (s.rows < 0 || q.count() < s.rows) {
			s.rows = q.count()
		}
		s.fields = append(s.fields, g)
	}
	return s, f.check()
}

func (s *source) Splits(context.Context) ([]connector.Split, error) {
	return []connector.Split{{ID: "datagen"}}, nil
}

func (s *source) Bounded() bool { return s.rows >= 0 }

// Live implements connector.Live: its rows come by the clock.
func (s *source) Live() bool { return true }

func (s *source) Kinds() row.Kinds { return row.InsertOnly }

func (s *source) Open(_ context.Context, own []connector.Split) (connector.Reader, error) {
	r := &reader{source: s, own: len(own) > 0}
	for _, c := range s.table.Schema.Columns {
		r.columns = append(r.columns, format.NewColumn(c.Type))
	}
	if r.own && len(own[0].Offset) == 8 {
		r.done = int64(binary.BigEndian.Uint64(own[0].Offset))
	}
	return r, nil
}

// generator makes the values of one column for rows [from, from+n).
type generator interface {
	fill(to *format.Column, from int64, n int)
}

func newGenerator(f *fields, name string, typ types.Type) (generator, error) {
	if f.text(name, "kind") == "sequence" {
		return newSequence(f, name, typ)
	}
	return newRandom(f, name, typ)
}
