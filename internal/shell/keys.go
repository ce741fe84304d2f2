package shell

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
)

// Characters that stand for keys between the filter and the editor: the line
// editor inserts them like letters, and the listener that sees every change
// takes them out again and does what they mean. They are control characters
// that no keyboard sends, and the editor gives such characters no width.
const (
	keyTab     = '\u0091'
	keyDelete  = '\u0092'
	keyPaste   = '\u0093' // a piece of pasted text waits in keys.pasted
	keySwap    = '\u0094' // Ctrl-T
	keyNothing = '\u0095' // a key that has no meaning here
)

func isKey(r rune) bool { return r >= keyTab && r <= keyNothing }

// pasteMark ends a line that was pasted: a line break inside a paste is no
// Enter. It takes no room on the screen.
const pasteMark = '\u2060'

const (
	ctrlC = 0x03
	ctrlD = 0x04
	ctrlT = 0x14
	ctrlZ = 0x1a
	esc   = 0x1b
)

// keys turns what a terminal sends into what the line editor understands:
//   - pasted text (between ESC[200~ and ESC[201~) becomes one key per line, so
//     that its tabs are no request for completion and its line breaks no Enter;
//   - Home, End and Ctrl with an arrow in all their spellings become the ones
//     that the editor knows, Delete becomes a key of its own (the editor takes
//     it for Ctrl-D, which leaves);
//   - other sequences, which would end up as letters in the line, vanish.
//
// It gives at most one line at a time: what follows an Enter may be meant for
// somebody else.
type keys struct {
	mu      sync.Mutex
	pasted  []string // pieces whose keyPaste is on its way
	in      []byte   // not yet looked at
	pasting bool
	piece   []byte // of the paste, the line so far
	cr      bool   // the last byte of the paste was CR
}

// feed takes bytes from the terminal.
func (k *keys) feed(b []byte) { k.in = append(k.in, b...) }

// next appends the keys up to the end of a line to out. ok is false when
// nothing is left to give; the bytes of an unfinished sequence stay.
func (k *keys) next(out []byte) (_ []byte, ok bool) {
	n := len(out)
	for len(k.in) > 0 {
		if k.pasting {
			before := len(out)
			if out = k.paste(out); len(out) > before && out[len(out)-1] == '\r' {
				return out, true
			}
			if k.pasting {
				break
			}
			continue
		}
		c := k.in[0]
		if c == esc {
			size := sequence(k.in)
			if size == 0 {
				break
			}
			out = k.translate(out, k.in[:size])
			k.in = k.in[size:]
			continue
		}
		k.in = k.in[1:]
		switch c {
		case '\t':
			out = append(out, string(keyTab)...)
		case ctrlT:
			out = append(out, string(keySwap)...)
		case 0:
			// The editor takes it for the end of the input.
		default:
			out = append(out, c)
		}
		if c == '\r' || c == '\n' || c == ctrlC || c == ctrlD {
			return out, true
		}
	}
	return out, len(out) > n
}

// rest gives back the bytes that were not looked at.
func (k *keys) rest() []byte {
	b := k.in
	k.in = nil
	return b
}

// paste takes bytes of a paste, up to the end of a line or of the paste.
func (k *keys) paste(out []byte) []byte {
	const end = "\x1b[201~"
	for len(k.in) > 0 {
		c := k.in[0]
		if c == esc {
			if bytes.HasPrefix(k.in, []byte(end)) {
				k.in = k.in[len(end):]
				k.pasting, k.cr = false, false
				return k.flush(out, "")
			}
			if bytes.HasPrefix([]byte(end), k.in) {
				return out // it may become one
			}
		}
		k.in = k.in[1:]
		switch {
		case c == '\n' && k.cr:
			k.cr = false
		case c == '\r' || c == '\n':
			k.cr = c == '\r'
			return append(k.flush(out, string(pasteMark)), '\r')
		case c < ' ' && c != '\t' || c == 0x7f:
			// Control characters have no place in a statement, and a terminal
			// would act on them.
			k.cr = false
		default:
			k.cr = false
			k.piece = append(k.piece, c)
		}
	}
	return out
}

// flush hands the piece over.
func (k *keys) flush(out []byte, mark string) []byte {
	if len(k.piece) == 0 && mark == "" {
		return out
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return -1
		}
		return r
	}, string(k.piece))
	k.mu.Lock()
	k.pasted = append(k.pasted, text+mark)
	k.mu.Unlock()
	k.piece = k.piece[:0]
	return append(out, string(keyPaste)...)
}

// takePaste is the piece that a keyPaste stands for.
func (k *keys) takePaste() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.pasted) == 0 {
		return ""
	}
	s := k.pasted[0]
	k.pasted = k.pasted[1:]
	return s
}

// sequence is the length of the escape sequence at the begin of b, 0 when its
// end has not come yet.
func sequence(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return 0
	case 'O':
		if len(b) < 3 {
			return 0
		}
		return 3
	}
	return 2
}

func (k *keys) translate(out, seq []byte) []byte {
	switch string(seq) {
	case "\x1b[200~":
		k.pasting = true
		return out
	case "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F":
		return append(out, seq...)
	case "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1bOH", "\x1bOF":
		return append(out, esc, '[', seq[2])
	case "\x1b[1~", "\x1b[7~":
		return append(out, "\x1b[H"...)
	case "\x1b[4~", "\x1b[8~":
		return append(out, "\x1b[F"...)
	case "\x1b[3~":
		return append(out, string(keyDelete)...)
	case "\x1b[1;5D", "\x1b[1;3D", "\x1b[5D", "\x1bOd", "\x1bb":
		return append(out, "\x1bb"...)
	case "\x1b[1;5C", "\x1b[1;3C", "\x1b[5C", "\x1bOc", "\x1bf":
		return append(out, "\x1bf"...)
	case "\x1b[3;5~", "\x1b[3;3~", "\x1bd":
		return append(out, "\x1bd"...)
	case "\x1b\x7f", "\x1b\x08":
		return append(out, esc, 0x7f)
	}
	return out
}
