package output

import (
	"bytes"
	"io"
)

// rowBuffer collects text and passes it on between rows only, however long they
// are: what a job prints to the same stream at the same time must not stand
// inside a row.
type rowBuffer struct {
	bytes.Buffer
	to io.Writer
	// passed tells that some text was.
	passed bool
}

// enough is how much text is passed on at once.
const enough = 64 << 10

// rowEnds passes the text on if it is much.
func (b *rowBuffer) rowEnds() error {
	if b.Len() < enough {
		return nil
	}
	return b.Flush()
}

// Flush passes the text on.
func (b *rowBuffer) Flush() error {
	if b.Len() == 0 {
		return nil
	}
	_, err := b.to.Write(b.Bytes())
	b.passed = b.passed || err == nil
	b.Reset()
	return err
}
