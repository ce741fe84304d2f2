package avro

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/zstd"

	"fsql/internal/diag"
)

// codecNames are the codecs that a table may name.
var codecNames = []string{"null", "deflate", "snappy", "bzip2", "xz", "zstandard"}

// largest is the size that the content of a block may have.
const largest = 1 << 30

var errSize = errors.New("it holds too much")

// unpacker returns the content of a block; dst is memory that it may use.
type unpacker func(dst, block []byte) ([]byte, error)

func newUnpacker(codec string) (unpacker, error) {
	switch codec {
	case "", "null":
		return func(dst, block []byte) ([]byte, error) { return append(dst[:0], block...), nil }, nil
	case "deflate":
		return streamed(func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }), nil
	case "bzip2":
		return streamed(func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }), nil
	case "snappy":
		return unsnap, nil
	case "zstandard":
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(largest))
		if err != nil {
			return nil, err
		}
		return func(dst, block []byte) ([]byte, error) { return d.DecodeAll(block, dst[:0]) }, nil
	case "xz":
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "reading the codec xz of avro is not implemented yet")
	}
	return nil, fmt.Errorf("the codec '%s' is not known", codec)
}

func streamed(open func(io.Reader) (io.Reader, error)) unpacker {
	return func(dst, block []byte) ([]byte, error) {
		in, err := open(bytes.NewReader(block))
		if err != nil {
			return nil, err
		}
		out := bytes.NewBuffer(dst[:0])
		n, err := out.ReadFrom(io.LimitReader(in, largest+1))
		if err == nil && n > largest {
			err = errSize
		}
		return out.Bytes(), err
	}
}

// unsnap takes a block of snappy with the checksum of its content behind it.
func unsnap(dst, block []byte) ([]byte, error) {
	if len(block) < 4 {
		return nil, io.ErrUnexpectedEOF
	}
	body, sum := block[:len(block)-4], binary.BigEndian.Uint32(block[len(block)-4:])
	if n, err := snappy.DecodedLen(body); err != nil {
		return nil, err
	} else if n > largest {
		return nil, errSize
	}
	out, err := snappy.Decode(dst[:cap(dst)], body)
	if err == nil && crc32.ChecksumIEEE(out) != sum {
		err = errors.New("the checksum of its content is another")
	}
	return out, err
}

// packer appends the packed form of the content of a block.
type packer func(dst, content []byte) ([]byte, error)

func newPacker(codec string) (packer, error) {
	switch codec {
	case "null":
		return func(dst, content []byte) ([]byte, error) { return append(dst, content...), nil }, nil
	case "snappy":
		var buf []byte
		return func(dst, content []byte) ([]byte, error) {
			buf = snappy.Encode(buf[:cap(buf)], content)
			return binary.BigEndian.AppendUint32(append(dst, buf...), crc32.ChecksumIEEE(content)), nil
		}, nil
	case "deflate":
		w, err := flate.NewWriter(nil, flate.DefaultCompression)
		return func(dst, content []byte) ([]byte, error) {
			out := bytes.NewBuffer(dst)
			w.Reset(out)
			_, err := w.Write(content)
			err = errors.Join(err, w.Close())
			return out.Bytes(), err
		}, err
	case "zstandard":
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		return func(dst, content []byte) ([]byte, error) { return w.EncodeAll(content, dst), nil }, err
	}
	return nil, diag.New(diag.NotImplemented, diag.Span{}, "writing the codec %s of avro is not implemented yet", codec).
		WithHint("null, deflate, snappy and zstandard can be written")
}
