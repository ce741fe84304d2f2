package filesystem

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"compress/zlib"
	"io"
	"path/filepath"

	"fsql/internal/diag"
)

// unpack returns the content of a file that is packed, by its name as in Flink.
func unpack(name string, f io.Reader) (io.Reader, error) {
	var err error
	switch ext := filepath.Ext(name); ext {
	case ".gz", ".gzip":
		f, err = gzip.NewReader(bufio.NewReaderSize(f, chunk))
	case ".deflate":
		f, err = zlib.NewReader(bufio.NewReaderSize(f, chunk))
	case ".bz2":
		f = bzip2.NewReader(bufio.NewReaderSize(f, chunk))
	case ".xz", ".zst":
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "file %s: unpacking %s is not implemented yet", name, ext)
	}
	if err != nil {
		return nil, &diag.Error{Code: diag.InputOutput, Msg: "file " + name + " cannot be unpacked", Cause: err}
	}
	return f, nil
}
