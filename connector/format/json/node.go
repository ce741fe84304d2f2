package json

import (
	"encoding/binary"
	"strings"

	"fsql/connector/format"
	"fsql/types"
)

// kind is how a value is decoded.
type kind uint8

const (
	kindBool kind = iota
	kindTiny
	kindSmall
	kindInt
	kindBig
	kindFloat
	kindDouble
	kindDecimal
	kindString
	kindBytes
	kindDate
	kindTime
	kindMoment // TIMESTAMP and TIMESTAMP_LTZ up to 6 digits
	kindNano   // beyond
	kindArray
	kindMap // and MULTISET
	kindRow
	kindRaw // remembered where it stands, to be decoded later
)

// node is a value of the schema that is decoded into a column.
type node struct {
	kind kind
	typ  types.Type
	name string // path of names, for messages
	col  *format.Column
	seen uint64          // number of the object that last held the field
	zone *format.Moments // how timestamps are written
	obj  *object         // of a ROW
	kids []*node         // element; key and value
	at   int             // of kindRaw: position in the buffer, -1 when the field is absent
}

// object is a ROW, or the record itself: the fields that are read, and the names
// in the order in which objects of the input have held them.
type object struct {
	fields []*node
	keys   []key
	byText map[string]int32
	count  uint64 // of objects read
}

// key is a name met in the input. Objects of one file mostly have the same
// names in the same order: every key knows the two that followed it last, so
// that a name is recognised by one comparison in place, read or not.
type key struct {
	text        string // with its quotes
	node        *node  // nil: nobody reads it
	next, other int32
	// The first 16 bytes of the text for a comparison without a call.
	word, mask [2]uint64
}

// is tells whether the key stands at p.
func (k *key) is(b []byte, p int) bool {
	if len(b)-p >= 16 {
		x := binary.LittleEndian.Uint64(b[p:])
		y := binary.LittleEndian.Uint64(b[p+8:])
		if (x&k.mask[0]^k.word[0])|(y&k.mask[1]^k.word[1]) != 0 {
			return false
		}
		if len(k.text) <= 16 {
			return true
		}
	}
	return len(b)-p > len(k.text) && string(b[p:p+len(k.text)]) == k.text
}

func newKey(text string, n *node) key {
	k := key{text: text, node: n}
	for i := 0; i < min(len(text), 16); i++ {
		k.word[i/8] |= uint64(text[i]) << (8 * (i % 8))
		k.mask[i/8] |= 0xff << (8 * (i % 8))
	}
	return k
}

// Keys 0 and 1 stand for the start of an object and for names beyond maxKeys.
const (
	startKey = 0
	otherKey = 1
	maxKeys  = 512
	never    = "\n" // a text that no record holds
)

func newObject(fields []*node, names []string) *object {
	o := &object{fields: fields, keys: []key{newKey(never, nil), newKey(never, nil)}, byText: map[string]int32{}}
	for i, n := range fields {
		o.add(`"`+names[i]+`"`, n)
	}
	// The declared order is the first guess.
	for i := range fields {
		prev, this := int32(startKey), o.byText[`"`+names[i]+`"`]
		if i > 0 {
			prev = o.byText[`"`+names[i-1]+`"`]
		}
		o.keys[prev].next = this
	}
	return o
}

func (o *object) add(text string, n *node) int32 {
	i := int32(len(o.keys))
	place := text
	if strings.ContainsAny(text[1:len(text)-1], "\"\\") {
		place = never // only found by way of its escapes
	}
	o.keys = append(o.keys, newKey(place, n))
	o.byText[text] = i
	return i
}

// newNode makes the decoder of a type; err names a type that JSON has no form for.
func (d *decoder) newNode(t types.Type, path string) (*node, error) {
	n := &node{typ: t, name: path, col: format.NewColumn(t)}
	if err := d.fill(n); err != nil {
		return nil, err
	}
	return n, nil
}

// fill sets what depends on the type, for n whose column is there.
func (d *decoder) fill(n *node) error {
	t := n.typ
	switch t.Kind {
	case types.Boolean:
		n.kind = kindBool
	case types.TinyInt:
		n.kind = kindTiny
	case types.SmallInt:
		n.kind = kindSmall
	case types.Int:
		n.kind = kindInt
	case types.BigInt:
		n.kind = kindBig
	case types.Float:
		n.kind = kindFloat
	case types.Double:
		n.kind = kindDouble
	case types.Decimal:
		n.kind = kindDecimal
		d.decimals = true
	case types.Char, types.VarChar:
		n.kind = kindString
	case types.Binary, types.VarBinary:
		n.kind = kindBytes
	case types.Date:
		n.kind = kindDate
	case types.TimeOfDay:
		n.kind = kindTime
	case types.Timestamp, types.TimestampLTZ:
		n.kind = kindMoment
		if t.Precision > 6 {
			n.kind = kindNano
		}
		n.zone = &format.Moments{Style: d.style(t.Kind == types.TimestampLTZ)}
	case types.Array:
		n.kind = kindArray
		return d.fillKids(n, t.Elem())
	case types.Map:
		n.kind = kindMap
		if !t.Elem().IsString() {
			return badKey(t)
		}
		return d.fillKids(n, t.Elem(), t.Value())
	case types.Multiset:
		n.kind = kindMap
		if !t.Elem().IsString() {
			return badKey(t)
		}
		return d.fillKids(n, t.Elem(), types.Of(types.Int).NotNull())
	case types.Row:
		n.kind = kindRow
		names := make([]string, len(t.Fields))
		for i, f := range t.Fields {
			names[i] = f.Name
			kid := &node{typ: f.Type, name: n.name + "." + f.Name, col: n.col.Kids[i]}
			if err := d.fill(kid); err != nil {
				return err
			}
			n.kids = append(n.kids, kid)
		}
		n.obj = newObject(n.kids, names)
	default:
		return noType(t)
	}
	return nil
}

func (d *decoder) fillKids(n *node, kids ...types.Type) error {
	for i, t := range kids {
		kid := &node{typ: t, name: n.name, col: n.col.Kids[i]}
		if err := d.fill(kid); err != nil {
			return err
		}
		n.kids = append(n.kids, kid)
	}
	return nil
}

func (d *decoder) style(zone bool) format.Style {
	switch {
	case d.iso && zone:
		return format.ISOZone
	case d.iso:
		return format.ISO
	case zone:
		return format.SQLZone
	}
	return format.SQL
}
