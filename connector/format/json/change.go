package json

import (
	"bytes"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/row"
	"fsql/types"
)

// changes decodes a format of changes: every line is a message, an object that
// says what happened and holds rows.
type changes struct {
	*decoder
	envelope *object
	fields   map[string]*node // of the envelope: where their values stand
	read     func(c *changes, b []byte) (ok bool)

	kinds []row.Kind // of the rows appended in this call
	most  int        // rows that this call may append
	// A message may hold more rows than the caller takes: then it is read again
	// in the next call, and the rows given before are passed over.
	begun int  // rows of the message that earlier calls gave
	index int  // of the next row of the message
	full  bool // the rest of the message has to wait
}

// change describes a format of changes.
type change struct {
	name    string
	fields  []string // of the envelope that read looks at
	options []option.Def
	// read gives the rows of the message whose fields have been found; when it
	// fails, the decoder knows why.
	read    func(c *changes, b []byte) (ok bool)
	prepare func(c *changes, o *option.Values) error // nil: nothing to do
	encoder func(s *types.Schema, o *option.Values) (format.Encoder, error)
}

func (f change) format() *format.Format {
	return &format.Format{
		Name:    f.name,
		Options: &option.Set{Defs: append(f.options, Shared()...)},
		Decoder: func(s *types.Schema, wanted []bool, o *option.Values) (format.Decoder, error) {
			d, err := newDecoder(s, wanted, o)
			if err != nil {
				return nil, err
			}
			d.respell = true
			c := &changes{decoder: d, read: f.read}
			c.envelope, c.fields = raws(f.fields)
			if f.prepare != nil {
				err = f.prepare(c, o)
			}
			return c, err
		},
		Encoder: f.encoder,
		Lines:   true,
		Kinds:   row.AllKinds,
	}
}

// raws makes an object whose fields are only found.
func raws(names []string) (*object, map[string]*node) {
	fields := map[string]*node{}
	var nodes []*node
	for _, name := range names {
		n := &node{kind: kindRaw, name: name}
		fields[name], nodes = n, append(nodes, n)
	}
	return newObject(nodes, names), fields
}

// Decode reads whole messages.
func (c *changes) Decode(data []byte, last bool, out *row.Builder, max int) (consumed int, err error) {
	c.attach(out)
	c.kinds, c.most = c.kinds[:0], max
	end := bytes.LastIndexByte(data, '\n') + 1
	consumed, err = c.messages(data[:end])
	if last && err == nil && consumed == end && end < len(data) && len(c.kinds) < max {
		c.tail = append(append(c.tail[:0], data[end:]...), '\n')
		var n int
		n, err = c.messages(c.tail)
		consumed += min(n, len(data)-end)
	}
	c.finish()
	c.added(out)
	return consumed, err
}

// added tells out about the rows that were appended.
func (c *changes) added(out *row.Builder) {
	for from, to := 0, 0; from < len(c.kinds); from = to {
		for to = from; to < len(c.kinds) && c.kinds[to] == c.kinds[from]; to++ {
		}
		out.Added(to-from, c.kinds[from])
	}
}

// Midway tells how many rows of the message at hand have been given.
func (c *changes) Midway() (back int64, rows int) { return 0, c.begun }

func (c *changes) messages(b []byte) (consumed int, err error) {
	p := 0
	for len(c.kinds) < c.most && p < len(b) {
		if c.begun == 0 {
			c.line++
		}
		c.index, c.full = 0, false
		before := len(c.kinds)
		ok := c.message(b, p)
		if c.full {
			c.begun += len(c.kinds) - before
			return p, nil
		}
		c.begun = 0
		if !ok {
			if err := c.failed(b, p, len(c.kinds)); err != nil {
				return p, err
			}
		}
		p = nextLine(b, p)
	}
	return p, nil
}

// message reads the message at p.
func (c *changes) message(b []byte, p int) (ok bool) {
	if bytes.HasPrefix(b[p:], []byte(mark)) {
		p += len(mark)
	}
	if b[p] == '\n' || b[p] == '\r' && b[p+1] == '\n' {
		return true // an empty message, such as a tombstone, means nothing
	}
	if p = space(b, p); b[p] != '{' {
		if c.skip(b, p, 0) >= 0 {
			c.corrupt("a JSON object is needed, this is another value")
		}
		return false
	}
	return c.object(c.envelope, b, p+1, 1) >= 0 && c.read(c, b)
}

// corrupt fails a message that is JSON but not of the format.
func (c *changes) corrupt(why string) bool {
	c.bad = &format.Bad{Reason: "not a change message: " + why}
	return false
}

// present tells whether a field of the envelope has a value.
func (c *changes) present(b []byte, field string) bool {
	at := c.fields[field].at
	return at >= 0 && b[at] != 'n'
}

// word returns the text of a field; ok is false, and the message corrupt, when
// there is none.
func (c *changes) word(b []byte, field string) (s string, ok bool) {
	if !c.present(b, field) {
		return "", c.corrupt(`the field "` + field + `" is missing or null`)
	}
	at := c.fields[field].at
	if b[at] != '"' {
		return string(b[at:c.skip(b, at, 0)]), true
	}
	text, _ := c.text(b, at)
	return string(text), true
}

// takes tells whether the next row of the message is to be decoded now.
func (c *changes) takes() bool {
	i := c.index
	c.index++
	if i < c.begun || c.full {
		return false
	}
	c.full = len(c.kinds) >= c.most
	return !c.full
}

// row gives the row that is the object at position at.
func (c *changes) row(b []byte, at int, kind row.Kind) bool {
	if !c.takes() {
		return true
	}
	if b[at] != '{' {
		return c.corrupt("a row has to be a JSON object")
	}
	if c.object(c.root, b, at+1, 2) < 0 {
		return false
	}
	c.kinds = append(c.kinds, kind)
	return true
}

// rowOf gives the row in a field of the envelope, which must be there.
func (c *changes) rowOf(b []byte, field string, kind row.Kind, what string) bool {
	if !c.present(b, field) {
		return c.corrupt(`the field "` + field + `" of ` + what + ` is missing or null`)
	}
	return c.row(b, c.fields[field].at, kind)
}

// elements calls f with the position of every element of the array at p.
func (c *changes) elements(b []byte, p int, f func(at int) bool) bool {
	if b[p] != '[' {
		return c.corrupt("an array of rows is needed")
	}
	if p = space(b, p+1); b[p] == ']' {
		return true
	}
	for {
		if !f(p) {
			return false
		}
		if p = space(b, c.skip(b, p, 0)); b[p] != ',' {
			return true
		}
		p = space(b, p+1)
	}
}
