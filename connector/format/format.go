// Package format is the contract of encodings. A message format turns bytes
// into rows and back; scanners decode only the columns that are read.
package format

import (
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// Format is one registered encoding.
type Format struct {
	Name    string
	Options *option.Set // keys without the format's prefix: "ignore-parse-errors"
	// Decoder makes a decoder for the physical columns of a table. wanted[i]
	// tells whether column i is read; the others stay nil in the output and
	// only their syntax is checked. nil: the format cannot read.
	Decoder func(s *types.Schema, wanted []bool, o *option.Values) (Decoder, error)
	// Encoder; nil: the format cannot write.
	Encoder func(s *types.Schema, o *option.Values) (Encoder, error)
	// Lines tells that Encode ends every row with a line end, which is no part of
	// a message.
	Lines bool
	// Kinds the format's rows may carry (InsertOnly for plain formats).
	Kinds row.Kinds
	// FileDecoder and FileEncoder are for files that are more than messages one
	// behind the other; nil: Decoder and Encoder do.
	FileDecoder func(s *types.Schema, wanted []bool, o *option.Values) (Decoder, error)
	FileEncoder func(s *types.Schema, o *option.Values) (FileEncoder, error)
}

// OfFile makes a decoder of files.
func (f *Format) OfFile(s *types.Schema, wanted []bool, o *option.Values) (Decoder, error) {
	if f.FileDecoder != nil {
		return f.FileDecoder(s, wanted, o)
	}
	return f.Decoder(s, wanted, o)
}

// Decoder turns the bytes of a file or message into rows. It is used by one
// goroutine and keeps the state between chunks (a quoted line break).
type Decoder interface {
	// Decode reads complete records from data and appends at most max rows to
	// out: to the wanted columns, with out.Added for the kinds. It returns the
	// bytes consumed: fewer than given when max was reached or the last
	// record is incomplete; with last set the rest is a record, too.
	// Errors are *Bad.
	Decode(data []byte, last bool, out *row.Builder, max int) (consumed int, err error)
	// Skipped counts the records and fields that ignore-parse-errors let go.
	Skipped() int64
}

// Messages is an optional part of a Decoder that takes messages as well: each is
// a whole by itself, whatever line ends it holds.
type Messages interface {
	Decoder
	// Begin makes out what rows are appended to, until End, which tells out how
	// many there are.
	Begin(out *row.Builder)
	// Message appends the rows of a message and returns how many they are; nil
	// is a message that has no bytes at all, which is not the same as an empty
	// one. If there is an error, nothing was appended.
	Message(data []byte) (rows int, err error)
	End()
}

// Midway is an optional part of a Decoder whose records may hold several rows,
// of which a call may give some only.
type Midway interface {
	// Midway tells where the record begins that has not been given completely:
	// back bytes before the position reached, and how many rows of it were given.
	// Both are 0 between records. A reader that resumes there has to drop as many
	// rows.
	Midway() (back int64, rows int)
}

// Headed is an optional part of a Decoder of files that begin with a header,
// which Decode uses first. A reader that resumes behind it has to give it, too.
type Headed interface {
	// Header reads the header that data begins with and returns its size, 0 if it
	// is not complete.
	Header(data []byte) (size int, err error)
}

// Bad is a record that cannot be decoded. The connector adds the file.
type Bad struct {
	Line   int64  // from 1, within the input; 0: it is a message
	Column string // name, "" if the record as a whole
	Value  string // text of the field or record, cut to a readable length
	Reason string // "not a number", ...
}

// Error describes the record.
func (b *Bad) Error() string { return b.Reason }

// FileEncoder writes one file. Encode may keep rows back.
type FileEncoder interface {
	Encoder
	// End appends what the file lacks to be complete.
	End(dst []byte) ([]byte, error)
}

// Encoder turns rows into bytes: whole batches, no dispatch per cell.
type Encoder interface {
	Encode(dst []byte, b *row.Batch, from, to int) ([]byte, error)
}

// Nulls is an optional part of an Encoder some of whose rows are messages that
// have no bytes at all.
type Nulls interface {
	Null(b *row.Batch, i int) bool
}
