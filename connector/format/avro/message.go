package avro

import (
	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// messageDecoder reads messages that are one record each, of the schema that
// follows from the table.
type messageDecoder struct {
	*root
	out  *row.Builder
	rows int
}

func messageMapping(o *option.Values) (mapping, error) {
	if o.String("encoding") == "json" {
		return mapping{}, diag.New(diag.NotImplemented, diag.Span{}, "'avro.encoding' = 'json' is not implemented yet")
	}
	return mapping{legacy: o.Bool("timestamp_mapping.legacy")}, nil
}

func newMessageDecoder(s *types.Schema, wanted []bool, o *option.Values) (format.Decoder, error) {
	m, err := messageMapping(o)
	if err != nil {
		return nil, err
	}
	text, err := derive(s, m)
	if err != nil {
		return nil, err
	}
	r, err := newRoot(s, wanted, m)
	if err != nil {
		return nil, err
	}
	w, err := parseSchema([]byte(text))
	if err != nil {
		return nil, err
	}
	w.inMillis()
	r.resolve(w)
	return &messageDecoder{root: r}, nil
}

// inMillis makes all timestamps such of milliseconds, which Flink writes in
// messages whatever their schema says.
func (s *schema) inMillis() {
	s.micros = false
	for _, f := range s.fields {
		f.typ.inMillis()
	}
	for _, b := range s.branches {
		b.inMillis()
	}
	if s.items != nil {
		s.items.inMillis()
	}
}

func (d *messageDecoder) Skipped() int64 { return 0 }

// Decode takes the data as one message, when it is complete.
func (d *messageDecoder) Decode(data []byte, last bool, out *row.Builder, max int) (int, error) {
	if !last || len(data) == 0 || max == 0 {
		return 0, nil
	}
	d.Begin(out)
	_, err := d.Message(data)
	d.End()
	if err != nil {
		return 0, err
	}
	return len(data), nil
}

// Begin makes out what messages are appended to, until End.
func (d *messageDecoder) Begin(out *row.Builder) {
	d.out, d.rows = out, 0
	d.attach(out)
}

// Message appends the row of a message. One without bytes at all has none, as
// in Flink; what stands behind the record is not looked at.
func (d *messageDecoder) Message(data []byte) (rows int, err error) {
	if data == nil {
		return 0, nil
	}
	d.cur = cursor{data: data}
	if !d.record(d.rows) {
		return 0, &format.Bad{Reason: "this is no Avro record of the table's columns: " + d.reason()}
	}
	d.rows++
	return 1, nil
}

// End tells the rows.
func (d *messageDecoder) End() {
	d.finish()
	d.out.Added(d.rows, row.Insert)
}

// messageEncoder writes a record per row.
type messageEncoder struct{ *writer }

func newMessageEncoder(s *types.Schema, o *option.Values) (format.Encoder, error) {
	m, err := messageMapping(o)
	if err != nil {
		return nil, err
	}
	if _, err := derive(s, m); err != nil {
		return nil, err
	}
	return messageEncoder{newWriter(s)}, nil
}

// Encode writes records, one behind the other.
func (e messageEncoder) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	for r := from; r < to; r++ {
		var err error
		if dst, err = e.record(dst, b, r); err != nil {
			return dst, err
		}
	}
	return dst, nil
}
