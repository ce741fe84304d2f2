package avro

import (
	"crypto/rand"
	"encoding/binary"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// blockSize is how many bytes a block has at least before it is packed.
const blockSize = 64000

// fileEncoder writes an object container file.
type fileEncoder struct {
	*writer
	pack    packer
	head    []byte // what the file begins with, nil: it is written
	sync    [syncSize]byte
	content []byte // of the block that is being filled
	count   int64  // records in it
	packed  []byte
}

func newFileEncoder(s *types.Schema, o *option.Values) (format.FileEncoder, error) {
	if _, err := derive(s, mapping{legacy: true, file: true}); err != nil {
		return nil, err
	}
	text, err := derive(s, mapping{legacy: o.Bool("timestamp_mapping.legacy"), file: true})
	if err != nil {
		return nil, err
	}
	e := &fileEncoder{writer: newWriter(s)}
	if e.pack, err = newPacker(o.String("codec")); err != nil {
		return nil, err
	}
	if _, err := rand.Read(e.sync[:]); err != nil {
		return nil, err
	}
	e.dst = append(e.dst, magic...)
	e.long(2)
	e.text("avro.schema")
	e.text(text)
	e.text("avro.codec")
	e.text(o.String("codec"))
	e.long(0)
	e.head = append(e.dst, e.sync[:]...)
	return e, nil
}

// Encode gives the blocks that have become full.
func (e *fileEncoder) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	dst = append(dst, e.head...)
	e.head = nil
	var err error
	for r := from; r < to; r++ {
		// A row of the file may be NULL by the schema, and never is.
		if e.content, err = e.record(append(e.content, 2), b, r); err != nil {
			return dst, err
		}
		if e.count++; len(e.content) >= blockSize {
			if dst, err = e.End(dst); err != nil {
				return dst, err
			}
		}
	}
	return dst, nil
}

// End gives the last block.
func (e *fileEncoder) End(dst []byte) ([]byte, error) {
	if e.count == 0 {
		return dst, nil
	}
	var err error
	if e.packed, err = e.pack(e.packed[:0], e.content); err != nil {
		return dst, err
	}
	dst = binary.AppendVarint(dst, e.count)
	dst = binary.AppendVarint(dst, int64(len(e.packed)))
	dst = append(append(dst, e.packed...), e.sync[:]...)
	e.content, e.count = e.content[:0], 0
	return dst, nil
}
