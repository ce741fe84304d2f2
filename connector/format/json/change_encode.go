package json

import (
	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Flink writes every change as an insert or a delete; an update is a delete of
// the old row and an insert of the new one.

// images writes messages with the row before or after.
type images struct {
	*Encoder
	op, insert, remove string
}

func newImages(s *types.Schema, o *option.Values, op, insert, remove string) (format.Encoder, error) {
	e, err := NewEncoder(s, o)
	return images{e, `"` + op + `":"`, insert, remove}, err
}

func (w images) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	var err error
	for i := from; i < to; i++ {
		adds := b.Kind(i).Adds()
		dst = append(dst, '{')
		if adds {
			if !w.skipNulls {
				dst = append(dst, `"before":null,`...)
			}
			dst = append(dst, `"after":`...)
		} else {
			dst = append(dst, `"before":`...)
		}
		if dst, err = w.Object(dst, b, i); err != nil {
			return dst, err
		}
		dst = append(dst, ',')
		if !adds && !w.skipNulls {
			dst = append(dst, `"after":null,`...)
		}
		dst = append(dst, w.op...)
		if adds {
			dst = append(dst, w.insert...)
		} else {
			dst = append(dst, w.remove...)
		}
		dst = append(dst, "\"}\n"...)
	}
	return dst, nil
}

// typed writes messages with the row and the type of the change.
type typed struct {
	*Encoder
	open, shut, insert, remove string
}

func newTyped(s *types.Schema, o *option.Values, open, shut, insert, remove string) (format.Encoder, error) {
	e, err := NewEncoder(s, o)
	return typed{e, open, shut, insert, remove}, err
}

func (w typed) Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error) {
	var err error
	for i := from; i < to; i++ {
		dst = append(append(dst, '{'), w.open...)
		if dst, err = w.Object(dst, b, i); err != nil {
			return dst, err
		}
		dst = append(dst, w.shut...)
		if b.Kind(i).Adds() {
			dst = append(dst, w.insert...)
		} else {
			dst = append(dst, w.remove...)
		}
		dst = append(dst, "\"}\n"...)
	}
	return dst, nil
}
