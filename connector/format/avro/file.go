package avro

import (
	"bytes"
	"fmt"

	"fsql/connector/format"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// magic begins an object container file.
const magic = "Obj\x01"

const syncSize = 16

// fileDecoder reads an object container file: a header with the schema, then
// blocks of records. The bytes of a block are used when its last record is given,
// so that a reader can resume at a block.
type fileDecoder struct {
	*root
	unpack unpacker // nil: the header was not read yet
	sync   [syncSize]byte
	end    int    // bytes of the block that is being read, 0: none
	count  int64  // records of the block
	left   int64  // of those, still to be given
	memory []byte // content of the block
	number int64  // records read
}

func newFileDecoder(s *types.Schema, wanted []bool, _ *option.Values) (format.Decoder, error) {
	r, err := newRoot(s, wanted, mapping{legacy: true, file: true})
	if err != nil {
		return nil, err
	}
	return &fileDecoder{root: r}, nil
}

func (d *fileDecoder) Skipped() int64 { return 0 }

// Midway implements format.Midway: the position is the begin of the block.
func (d *fileDecoder) Midway() (back int64, rows int) {
	if d.end == 0 {
		return 0, 0
	}
	return 0, int(d.count - d.left)
}

// Header implements format.Headed.
func (d *fileDecoder) Header(data []byte) (size int, err error) {
	if n := min(len(data), len(magic)); string(data[:n]) != magic[:n] {
		return 0, &format.Bad{Reason: "this is no Avro file: it does not begin with 'Obj' and the version 1"}
	}
	c := cursor{data: data, at: min(len(data), len(magic))}
	var schema, codec []byte
	for !c.failed() {
		n, _ := c.count()
		if n == 0 {
			break
		}
		for ; n > 0 && !c.failed(); n-- {
			switch key, value := c.bytes(), c.bytes(); string(key) {
			case "avro.schema":
				schema = value
			case "avro.codec":
				codec = value
			}
		}
	}
	copy(d.sync[:], c.take(syncSize))
	if c.short {
		return 0, nil
	}
	if c.bad != "" {
		return 0, &format.Bad{Reason: "the header of the Avro file is broken: " + c.bad}
	}
	w, err := parseSchema(schema)
	if err != nil {
		return 0, &format.Bad{Reason: "the header of the Avro file is broken: " + err.Error()}
	}
	d.resolve(w)
	if d.unpack, err = newUnpacker(string(codec)); err != nil && diag.Of(err).Code == diag.Internal {
		return 0, &format.Bad{Reason: err.Error()}
	}
	return c.at, err
}

// Decode reads records.
func (d *fileDecoder) Decode(data []byte, last bool, out *row.Builder, max int) (consumed int, err error) {
	if d.unpack == nil {
		n, err := d.Header(data)
		if n == 0 && err == nil && last {
			err = &format.Bad{Reason: "this is no Avro file: it ends within the header"}
		}
		return n, err
	}
	d.attach(out)
	rows := 0
	for rows < max {
		if d.end == 0 {
			if d.end, err = d.block(data[consumed:], last); d.end == 0 {
				break
			}
		}
		for d.left > 0 && rows < max && err == nil {
			if !d.record(rows) {
				err = d.broken(d.reason())
				break
			}
			d.number++
			d.left--
			rows++
		}
		if d.left > 0 {
			break
		}
		consumed, d.end = consumed+d.end, 0
	}
	d.finish()
	out.Added(rows, row.Insert)
	return consumed, err
}

// block unpacks the block that data begins with and returns its size, 0 if it
// is not complete.
func (d *fileDecoder) block(data []byte, last bool) (size int, err error) {
	if len(data) == 0 {
		return 0, nil
	}
	c := cursor{data: data}
	d.count = c.long()
	body := c.bytes()
	end := c.take(syncSize)
	switch {
	case c.short && last:
		return 0, d.broken("the file ends within a block")
	case c.short:
		return 0, nil
	case c.bad != "" || d.count < 0:
		return 0, d.broken("the block does not begin with its number of records and its size")
	case !bytes.Equal(end, d.sync[:]):
		return 0, d.broken("the block does not end with the marker of the file")
	}
	if d.memory, err = d.unpack(d.memory, body); err != nil {
		return 0, d.broken("the block cannot be unpacked: " + err.Error())
	}
	d.cur = cursor{data: d.memory}
	d.left = d.count
	return c.at, nil
}

// broken is an error of the next record, or of the block that begins with it.
func (d *fileDecoder) broken(reason string) error {
	return &format.Bad{Reason: fmt.Sprintf("record %d: %s", d.number+1, reason)}
}
