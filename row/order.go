package row

import (
	"encoding/binary"

	"fsql/types"
)

// OrderBy is one column of an order.
type OrderBy struct {
	Col       int
	Desc      bool
	NullsLast bool
}

// Order encodes the rows of one batch as sort keys: byte strings whose order
// (bytes.Compare) is that of the rows, and none of which is the beginning of
// another one. Numbers are ordered by value, text by its bytes, which is by code
// point, FALSE before TRUE, floating-point numbers as Java's compare orders them
// (-0.0 before 0.0, NaN last), arrays and rows element by element. Keys are part
// of what operators store: the form is frozen.
//
// A value is a byte, 0 for a NULL that comes first, 2 for one that comes last,
// else 1, and then the value itself, its bits turned round if the order is
// descending. An Order is scratch: Encode reuses its memory.
type Order struct {
	Data []byte
	Off  []int32

	cur    []int32
	nested []byte
	ends   []int32
}

const (
	nullFirst = 0
	present   = 1
	nullLast  = 2
)

// Encode encodes n rows by the columns of by.
func (o *Order) Encode(by []OrderBy, cols []*Vec, n int) {
	o.measure(by, cols, n)
	o.cur = append(o.cur[:0], o.Off[:n]...)
	at := 0
	for _, b := range by {
		v := cols[b.Col]
		null := byte(nullFirst)
		if b.NullsLast {
			null = nullLast
		}
		flip := byte(0)
		if b.Desc {
			flip = 0xff
		}
		switch layout := v.Type.Layout(); layout {
		case types.LayoutStr:
			o.strings(v, n, null, flip)
		case types.LayoutList, types.LayoutRow:
			at = o.copyNested(v, n, at, null)
		default:
			o.fixed(v, n, fixedWidth(layout), null, flip)
		}
	}
}

// At is the sort key of row i; it lives until the next Encode.
func (o *Order) At(i int) []byte { return o.Data[o.Off[i]:o.Off[i+1]] }

// measure finds the length of each key. Nested values are encoded already:
// their lengths are not known otherwise.
func (o *Order) measure(by []OrderBy, cols []*Vec, n int) {
	o.Off = sized(o.Off, n+1)
	off := o.Off
	clear(off)
	o.nested, o.ends = o.nested[:0], o.ends[:0]
	for _, b := range by {
		v := cols[b.Col]
		switch layout := v.Type.Layout(); layout {
		case types.LayoutStr:
			for i := range off[:n] {
				if off[i]++; !v.IsNull(i) {
					off[i] += int32(orderedLen(v.Str[i]))
				}
			}
		case types.LayoutList, types.LayoutRow:
			flip := byte(0)
			if b.Desc {
				flip = 0xff
			}
			for i := range off[:n] {
				from := len(o.nested)
				if off[i]++; !v.IsNull(i) {
					o.nested = appendOrdered(o.nested, v, i)
					turn(o.nested[from:], flip)
				}
				o.ends = append(o.ends, int32(len(o.nested)))
				off[i] += int32(len(o.nested) - from)
			}
		default:
			w := int32(fixedWidth(layout))
			for i := range off[:n] {
				if off[i]++; !v.IsNull(i) {
					off[i] += w
				}
			}
		}
	}
	total := int32(0)
	for i, l := range off {
		off[i] = total
		total += l
	}
	o.Data = sized(o.Data, int(total))
}

// begin writes the first byte of the value of row i, and returns where the rest
// goes, or -1 for a NULL.
func (o *Order) begin(v *Vec, i int, null byte) int32 {
	p := o.cur[i]
	o.cur[i]++
	if v.IsNull(i) {
		o.Data[p] = null
		return -1
	}
	o.Data[p] = present
	return p + 1
}

func (o *Order) fixed(v *Vec, n, w int, null, flip byte) {
	for i := 0; i < n; i++ {
		if p := o.begin(v, i, null); p >= 0 {
			to := o.Data[p : int(p)+w]
			putOrdered(to, v, i)
			turn(to, flip)
			o.cur[i] += int32(w)
		}
	}
}

func (o *Order) strings(v *Vec, n int, null, flip byte) {
	for i := 0; i < n; i++ {
		if p := o.begin(v, i, null); p >= 0 {
			end := len(appendText(o.Data[:p], v.Str[i]))
			turn(o.Data[p:end], flip)
			o.cur[i] = int32(end)
		}
	}
}

// copyNested writes the encodings of a nested column, the next n of ends.
func (o *Order) copyNested(v *Vec, n, at int, null byte) int {
	for i := 0; i < n; i++ {
		from := int32(0)
		if at > 0 {
			from = o.ends[at-1]
		}
		if p := o.begin(v, i, null); p >= 0 {
			o.cur[i] += int32(copy(o.Data[p:], o.nested[from:o.ends[at]]))
		}
		at++
	}
	return at
}

func turn(p []byte, flip byte) {
	if flip != 0 {
		for i := range p {
			p[i] ^= flip
		}
	}
}

// putOrdered writes a value of fixed width.
func putOrdered(to []byte, v *Vec, i int) {
	be := binary.BigEndian
	const top = 1 << 63
	switch v.Type.Layout() {
	case types.LayoutBool:
		to[0] = 0
		if v.Bool[i] {
			to[0] = 1
		}
	case types.LayoutI32:
		be.PutUint32(to, uint32(v.I32[i])^1<<31)
	case types.LayoutI64:
		be.PutUint64(to, uint64(v.I64[i])^top)
	case types.LayoutF32:
		b := bits32(v.F32[i])
		be.PutUint32(to, b^(uint32(int32(b)>>31)|1<<31))
	case types.LayoutF64:
		b := bits64(v.F64[i])
		be.PutUint64(to, b^(uint64(int64(b)>>63)|top))
	case types.LayoutDec:
		be.PutUint64(to, uint64(v.Dec[i].Hi)^top)
		be.PutUint64(to[8:], v.Dec[i].Lo)
	case types.LayoutNano:
		be.PutUint64(to, uint64(v.I64[i])^top)
		be.PutUint32(to[8:], uint32(v.Nano[i]))
	}
}

// orderedLen is the number of bytes that appendText appends.
func orderedLen(s string) int {
	n := len(s) + 2
	for i := 0; i < len(s); i++ {
		if s[i] == 0 {
			n++
		}
	}
	return n
}

// appendText appends bytes so that longer texts come after their beginnings: a
// zero byte becomes 0 ff, and 0 0 ends the text.
func appendText(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if dst = append(dst, s[i]); s[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0, 0)
}

// appendOrdered appends a value that is not NULL, as it is inside another one.
func appendOrdered(dst []byte, v *Vec, i int) []byte {
	switch layout := v.Type.Layout(); layout {
	case types.LayoutStr:
		return appendText(dst, v.Str[i])
	case types.LayoutRow:
		for _, k := range v.Kids {
			dst = appendElement(dst, k, i)
		}
		return dst
	case types.LayoutList:
		for e := v.Off[i]; e < v.Off[i]+v.Size[i]; e++ {
			for _, k := range v.Kids {
				dst = appendElement(dst, k, int(e))
			}
		}
		return append(dst, 0)
	default:
		var buf [16]byte
		w := fixedWidth(layout)
		putOrdered(buf[:w], v, i)
		return append(dst, buf[:w]...)
	}
}

// appendElement appends a value inside another one: NULL is the smallest, and
// comes after the end of a list.
func appendElement(dst []byte, v *Vec, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 1)
	}
	return appendOrdered(append(dst, 2), v, i)
}

// EncodeOrdered makes keys of the rows sel (nil: all n) that begin with their
// sort key: its length in four bytes, the sort key, the key that rows holds.
// Ordered takes them apart.
func (k *Keys) EncodeOrdered(o *Order, rows *Keys, n int, sel []int32) {
	if sel == nil {
		sel = k.identity(n)
	}
	k.Data, k.Off = k.Data[:0], append(k.Off[:0], 0)
	for _, r := range sel {
		sort := o.At(int(r))
		k.Data = binary.LittleEndian.AppendUint32(k.Data, uint32(len(sort)))
		k.Data = append(append(k.Data, sort...), rows.At(int(r))...)
		k.Off = append(k.Off, int32(len(k.Data)))
	}
	k.hash(len(sel), 0, false)
}

// Ordered are the parts of a key of EncodeOrdered.
func Ordered(key []byte) (sort, row []byte) {
	n := binary.LittleEndian.Uint32(key) + 4
	return key[4:n:n], key[n:]
}

// Orderable tells that values of a type have an order.
func Orderable(t types.Type) bool {
	switch t.Kind {
	case types.Map, types.Multiset, types.Variant, types.Bitmap:
		return false
	}
	for _, f := range t.Fields {
		if !Orderable(f.Type) {
			return false
		}
	}
	return true
}
