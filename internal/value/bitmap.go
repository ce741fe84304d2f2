package value

import (
	"encoding/binary"
	"slices"
	"strconv"
)

// A BITMAP is a set of unsigned numbers of 32 bits. It lies in a column in the
// portable form of Roaring bitmaps, which BITMAP_TO_BYTES gives: always the
// smallest one, so that equal sets have equal bytes.
//
// The form cuts the numbers by their upper 16 bits into containers. A container
// is a list of the lower halves, a bitmap of 8 KiB if there are more than 4096
// of them, or a list of runs if that is smaller.

const (
	roaringPlain     = 12346 // cookie: no container has runs
	roaringRuns      = 12347 // cookie in the lower half: some may have
	roaringArrayMax  = 4096
	roaringBitsBytes = 8192
	roaringOffsets   = 4 // containers from which on a form with runs has offsets
)

// BitmapBuilder builds BITMAPs one after the other in memory of its own.
type BitmapBuilder struct {
	ends []int // of the containers in the numbers
	runs []int // of each container, 0 where runs do not pay
}

// Append writes the set of numbers, which must be in order and unique.
func (b *BitmapBuilder) Append(dst []byte, set []uint32) []byte {
	b.cut(set)
	le := binary.LittleEndian
	n := len(b.ends)
	withRuns := slices.ContainsFunc(b.runs, func(r int) bool { return r > 0 })
	start := len(dst)
	if withRuns {
		dst = le.AppendUint32(dst, roaringRuns|uint32(n-1)<<16)
		flags := len(dst)
		dst = append(dst, make([]byte, (n+7)/8)...)
		for i, r := range b.runs {
			if r > 0 {
				dst[flags+i/8] |= 1 << (i % 8)
			}
		}
	} else {
		dst = le.AppendUint32(le.AppendUint32(dst, roaringPlain), uint32(n))
	}
	from := 0
	for _, end := range b.ends {
		dst = le.AppendUint16(le.AppendUint16(dst, uint16(set[from]>>16)), uint16(end-from-1))
		from = end
	}
	if !withRuns || n >= roaringOffsets {
		at := len(dst) - start + 4*n
		from = 0
		for i, end := range b.ends {
			dst = le.AppendUint32(dst, uint32(at))
			at += containerBytes(end-from, b.runs[i])
			from = end
		}
	}
	from = 0
	for i, end := range b.ends {
		dst = appendContainer(dst, set[from:end], b.runs[i])
		from = end
	}
	return dst
}

// cut finds the containers.
func (b *BitmapBuilder) cut(set []uint32) {
	b.ends, b.runs = b.ends[:0], b.runs[:0]
	for from := 0; from < len(set); {
		end, runs := from+1, 1
		for ; end < len(set) && set[end]>>16 == set[from]>>16; end++ {
			if set[end] != set[end-1]+1 {
				runs++
			}
		}
		if 2+4*runs >= containerBytes(end-from, 0) {
			runs = 0
		}
		b.ends, b.runs = append(b.ends, end), append(b.runs, runs)
		from = end
	}
}

func containerBytes(n, runs int) int {
	switch {
	case runs > 0:
		return 2 + 4*runs
	case n > roaringArrayMax:
		return roaringBitsBytes
	}
	return 2 * n
}

func appendContainer(dst []byte, set []uint32, runs int) []byte {
	le := binary.LittleEndian
	switch {
	case runs > 0:
		dst = le.AppendUint16(dst, uint16(runs))
		for i := 0; i < len(set); {
			j := i + 1
			for j < len(set) && set[j] == set[j-1]+1 {
				j++
			}
			dst = le.AppendUint16(le.AppendUint16(dst, uint16(set[i])), uint16(j-i-1))
			i = j
		}
	case len(set) > roaringArrayMax:
		at := len(dst)
		dst = append(dst, make([]byte, roaringBitsBytes)...)
		for _, v := range set {
			dst[at+int(v&0xffff)/8] |= 1 << (v % 8)
		}
	default:
		for _, v := range set {
			dst = le.AppendUint16(dst, uint16(v))
		}
	}
	return dst
}

// bitmapReader reads the portable form; ok turns false where it ends too early
// or says something impossible.
type bitmapReader struct {
	s  string
	ok bool
}

func (r *bitmapReader) u16() uint32 {
	if len(r.s) < 2 {
		r.ok, r.s = false, ""
		return 0
	}
	v := uint32(r.s[0]) | uint32(r.s[1])<<8
	r.s = r.s[2:]
	return v
}

func (r *bitmapReader) skip(n int) string {
	if n > len(r.s) {
		r.ok, r.s = false, ""
		return ""
	}
	head := r.s[:n]
	r.s = r.s[n:]
	return head
}

// head reads up to the containers: their number, which of them are runs, and
// keys and sizes.
func (r *bitmapReader) head() (n int, flags, keys string) {
	r.ok = true
	cookie := r.u16()
	upper := r.u16()
	switch {
	case cookie == roaringPlain && upper == 0:
		n = int(r.u16() | r.u16()<<16)
	case cookie == roaringRuns:
		n = int(upper) + 1
		flags = r.skip((n + 7) / 8)
	default:
		r.ok = false
	}
	if n > 1<<16 {
		r.ok = false
	}
	if !r.ok {
		return 0, "", ""
	}
	keys = r.skip(4 * n)
	if flags == "" || n >= roaringOffsets {
		r.skip(4 * n)
	}
	return n, flags, keys
}

// AppendBitmapNumbers appends the numbers of a BITMAP, or of what claims to be
// one, in order; bytes behind it are ignored.
func AppendBitmapNumbers(dst []uint32, s string) (_ []uint32, ok bool) {
	r := bitmapReader{s: s}
	n, flags, head := r.head()
	keys := bitmapReader{s: head, ok: true}
	start := len(dst)
	for i := 0; i < n && r.ok; i++ {
		key, count := keys.u16()<<16, int(keys.u16())+1
		switch {
		case flags != "" && flags[i/8]>>(i%8)&1 == 1:
			for runs := r.u16(); runs > 0 && r.ok; runs-- {
				v, more := r.u16(), r.u16()
				for ; r.ok; v, more = v+1, more-1 {
					dst = append(dst, key|v&0xffff)
					if more == 0 {
						break
					}
				}
			}
		case count > roaringArrayMax:
			bits := r.skip(roaringBitsBytes)
			for j := 0; j < len(bits)*8; j++ {
				if bits[j/8]>>(j%8)&1 == 1 {
					dst = append(dst, key|uint32(j))
				}
			}
		default:
			for ; count > 0 && r.ok; count-- {
				dst = append(dst, key|r.u16())
			}
		}
	}
	for i := start + 1; i < len(dst) && r.ok; i++ {
		r.ok = dst[i-1] < dst[i]
	}
	return dst, r.ok
}

// BitmapCardinality is how many numbers a BITMAP holds.
func BitmapCardinality(s string) int64 {
	r := bitmapReader{s: s}
	n, _, head := r.head()
	keys := bitmapReader{s: head, ok: true}
	sum := int64(n)
	for i := 0; i < n; i++ {
		keys.u16()
		sum += int64(keys.u16())
	}
	return sum
}

// AppendBitmapText writes a BITMAP as it is printed: {1,5}.
func AppendBitmapText(dst []byte, s string) []byte {
	set, _ := AppendBitmapNumbers(nil, s)
	dst = append(dst, '{')
	for i, v := range set {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, uint64(v), 10)
	}
	return append(dst, '}')
}
