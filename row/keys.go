package row

import (
	"encoding/binary"
	"math"
	"math/bits"

	"fsql/types"
)

// Keys are the encoded keys of the rows of one batch: bytes that are equal
// exactly when the keys are equal by Flink's grouping rule (NULL equals NULL,
// all NaN are one, 0.0 and -0.0 differ, else bytes decide). Keys of different
// inputs compare if their columns have the same layouts.
//
// A key is: a prefix of 8 bytes if there is one; one bit per column, set for
// NULL, in whole bytes; then the columns' values. Fixed-width values take their
// width even when NULL, so keys without strings are all of one length. Strings
// are a length (uvarint) and bytes; nested values see nested.go. The form is
// stored with the state: it is frozen like Hash.
//
// A Keys is scratch: Encode reuses its memory and what was in it is gone.
type Keys struct {
	Data []byte   // key k is Data[Off[k]:Off[k+1]]
	Off  []int32  // one more than keys
	Hash []uint64 // Hash of each key
	Zero bool     // tests: every hash is 0

	ident  []int32  // 0, 1, 2, ...
	cur    []int32  // next byte of each key while columns are written
	fixed  []byte   // a column of fixed width among others
	nested []nested // encodings of nested columns
}

// Encode encodes the columns cols of the rows sel (nil: 0..n-1).
func (k *Keys) Encode(cols []*Vec, n int, sel []int32) { k.EncodeWith(nil, cols, n, sel) }

// EncodeWith encodes pairs of a number and a key: prefix[i], if prefix is not
// nil, goes before the key of the i-th row of sel. It is for keys like (window
// end, key); Prefix reads it back.
func (k *Keys) EncodeWith(prefix []int64, cols []*Vec, n int, sel []int32) {
	if sel == nil {
		sel = k.identity(n)
	}
	n = len(sel)
	k.Off = sized(k.Off, n+1)
	at := 0
	if prefix != nil {
		at = 8
	}
	head := (len(cols) + 7) / 8
	width, fixed := k.measure(cols, sel, at+head)
	if fixed {
		for i := range k.Off {
			k.Off[i] = int32(i * width)
		}
		k.Data = sized(k.Data, n*width)
		k.writeHead(prefix, at, head)
		value := at + head
		for c, v := range cols {
			k.writeNulls(v, sel, at+c/8, 1<<(c%8))
			writeFixed(k.Data[min(value, len(k.Data)):], width, v, sel)
			value += fixedWidth(v.Type.Layout())
		}
	} else {
		k.Data = sized(k.Data, int(k.Off[n]))
		k.writeHead(prefix, at, head)
		k.writeVarying(cols, sel, at, head)
	}
	k.hash(n, width, fixed)
}

// SetRaw makes keys of values that are encoded already, without prefix, such as
// come back from storage.
func (k *Keys) SetRaw(prefix []int64, values [][]byte) {
	k.Data, k.Off = k.Data[:0], append(k.Off[:0], 0)
	for i, v := range values {
		if prefix != nil {
			k.Data = binary.LittleEndian.AppendUint64(k.Data, uint64(prefix[i]))
		}
		k.Data = append(k.Data, v...)
		k.Off = append(k.Off, int32(len(k.Data)))
	}
	k.hash(len(values), 0, false)
}

// Prefix is the number that EncodeWith put before a key.
func Prefix(key []byte) int64 { return int64(binary.LittleEndian.Uint64(key)) }

// Len is the number of keys.
func (k *Keys) Len() int { return len(k.Hash) }

// At returns key i; it lives until the next Encode.
func (k *Keys) At(i int) []byte { return k.Data[k.Off[i]:k.Off[i+1]] }

func (k *Keys) identity(n int) []int32 {
	for len(k.ident) < n {
		k.ident = append(k.ident, int32(len(k.ident)))
	}
	return k.ident[:n]
}

// measure finds the length of each key and leaves the offsets in Off, or
// reports the one length that all keys have.
func (k *Keys) measure(cols []*Vec, sel []int32, base int) (width int, fixed bool) {
	width, fixed = base, true
	nest := 0
	for _, v := range cols {
		w := fixedWidth(v.Type.Layout())
		width += w
		fixed = fixed && w > 0
	}
	if fixed {
		return width, true
	}
	off := k.Off
	for i := range off {
		off[i] = int32(width)
	}
	for _, v := range cols {
		switch v.Type.Layout() {
		case types.LayoutStr:
			for i, r := range sel {
				n := len(v.Str[r])
				if v.IsNull(int(r)) {
					n = 0
				}
				off[i] += int32(uvarintLen(n) + n)
			}
		case types.LayoutList, types.LayoutRow:
			if nest == len(k.nested) {
				k.nested = append(k.nested, nested{})
			}
			k.nested[nest].encode(v, sel)
			for i := range sel {
				off[i] += int32(k.nested[nest].len(i))
			}
			nest++
		}
	}
	total := int32(0)
	for i, n := range off {
		off[i] = total
		total += n
	}
	return width, false
}

// fixedWidth is the number of bytes of a value in a key, 0 if they vary.
func fixedWidth(l types.Layout) int {
	switch l {
	case types.LayoutBool:
		return 1
	case types.LayoutI32, types.LayoutF32:
		return 4
	case types.LayoutI64, types.LayoutF64:
		return 8
	case types.LayoutDec:
		return 16
	case types.LayoutNano:
		return 12
	}
	return 0
}

func uvarintLen(n int) int { return (bits.Len64(uint64(n)|1) + 6) / 7 }

func (k *Keys) writeHead(prefix []int64, at, head int) {
	if prefix != nil {
		for i := range k.Off[1:] {
			binary.LittleEndian.PutUint64(k.Data[k.Off[i]:], uint64(prefix[i]))
		}
	}
	for j := at; j < at+head; j++ {
		for _, o := range k.Off[:len(k.Off)-1] {
			k.Data[int(o)+j] = 0
		}
	}
}

func (k *Keys) writeNulls(v *Vec, sel []int32, at int, bit byte) {
	if v.Valid == nil {
		return
	}
	for i, r := range sel {
		if v.IsNull(int(r)) {
			k.Data[int(k.Off[i])+at] |= bit
		}
	}
}

// writeVarying writes columns of which some vary in width, with a cursor for
// each key.
func (k *Keys) writeVarying(cols []*Vec, sel []int32, at, head int) {
	k.cur = sized(k.cur, len(sel))
	for i := range k.cur {
		k.cur[i] = k.Off[i] + int32(at+head)
	}
	nest := 0
	for c, v := range cols {
		k.writeNulls(v, sel, at+c/8, 1<<(c%8))
		switch layout := v.Type.Layout(); layout {
		case types.LayoutStr:
			k.writeStrings(v, sel)
		case types.LayoutList, types.LayoutRow:
			k.nested[nest].write(k)
			nest++
		default:
			w := fixedWidth(layout)
			k.fixed = sized(k.fixed, len(sel)*w)
			writeFixed(k.fixed, w, v, sel)
			for i, p := range k.cur {
				copy(k.Data[p:int(p)+w], k.fixed[i*w:])
				k.cur[i] += int32(w)
			}
		}
	}
}

// writeFixed writes values of one width, stride bytes apart.
func writeFixed(d []byte, stride int, v *Vec, sel []int32) {
	p, le := 0, binary.LittleEndian
	switch v.Type.Layout() {
	case types.LayoutBool:
		for _, r := range sel {
			d[p] = 0
			if v.Bool[r] {
				d[p] = 1
			}
			p += stride
		}
	case types.LayoutI32:
		for _, r := range sel {
			le.PutUint32(d[p:], uint32(v.I32[r]))
			p += stride
		}
	case types.LayoutI64:
		for _, r := range sel {
			le.PutUint64(d[p:], uint64(v.I64[r]))
			p += stride
		}
	case types.LayoutF32:
		for _, r := range sel {
			le.PutUint32(d[p:], bits32(v.F32[r]))
			p += stride
		}
	case types.LayoutF64:
		for _, r := range sel {
			le.PutUint64(d[p:], bits64(v.F64[r]))
			p += stride
		}
	case types.LayoutDec:
		for _, r := range sel {
			le.PutUint64(d[p:], v.Dec[r].Lo)
			le.PutUint64(d[p+8:], uint64(v.Dec[r].Hi))
			p += stride
		}
	case types.LayoutNano:
		for _, r := range sel {
			le.PutUint64(d[p:], uint64(v.I64[r]))
			le.PutUint32(d[p+8:], uint32(v.Nano[r]))
			p += stride
		}
	}
	if v.Valid != nil {
		w := fixedWidth(v.Type.Layout())
		for i, r := range sel {
			if v.IsNull(int(r)) { // a NULL's slot holds anything: its bytes are 0
				clear(d[i*stride : i*stride+w])
			}
		}
	}
}

// bits64 is the bit pattern of f with one pattern for all NaN; bits32 likewise.
func bits64(f float64) uint64 {
	if f != f {
		return 0x7ff8000000000000
	}
	return math.Float64bits(f)
}

func bits32(f float32) uint32 {
	if f != f {
		return 0x7fc00000
	}
	return math.Float32bits(f)
}

func (k *Keys) writeStrings(v *Vec, sel []int32) {
	for i, r := range sel {
		s := v.Str[r]
		if v.IsNull(int(r)) {
			s = ""
		}
		p := int(k.cur[i])
		if len(s) < 0x80 {
			k.Data[p] = byte(len(s))
			p++
		} else {
			p += binary.PutUvarint(k.Data[p:], uint64(len(s)))
		}
		k.cur[i] = int32(p + copy(k.Data[p:], s))
	}
}

func (k *Keys) hash(n, width int, fixed bool) {
	k.Hash = sized(k.Hash, n)
	switch {
	case k.Zero:
		clear(k.Hash)
	case fixed && width >= 8 && width <= 16: // Hash, without its branches
		for i := range k.Hash {
			p := k.Data[i*width : i*width+width]
			k.Hash[i] = finish(word(p), word(p[width-8:]), hashA, width)
		}
	default:
		for i := range k.Hash {
			k.Hash[i] = Hash(k.At(i))
		}
	}
}
