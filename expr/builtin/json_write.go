package builtin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"fsql/internal/value"
)

// append writes a value of the document as Jackson does: without blanks, keys
// in order.
func (d *jsonDoc) append(dst []byte, at int32) []byte {
	n := d.nodes[at]
	switch n.kind {
	case jsonString:
		return value.AppendJSONString(dst, n.text)
	case jsonArray:
		dst = append(dst, '[')
		for i := n.first; i >= 0; i = d.nodes[i].next {
			if i != n.first {
				dst = append(dst, ',')
			}
			dst = d.append(dst, i)
		}
		return append(dst, ']')
	case jsonObject:
		dst = append(dst, '{')
		if d.inOrder(at) {
			for i := n.first; i >= 0; i = d.nodes[i].next {
				dst = d.appendMember(dst, i, i == n.first)
			}
			return append(dst, '}')
		}
		for i, k := range d.sorted(at) {
			dst = d.appendMember(dst, k, i == 0)
		}
		return append(dst, '}')
	}
	return append(dst, n.text...)
}

func (d *jsonDoc) appendMember(dst []byte, at int32, first bool) []byte {
	if !first {
		dst = append(dst, ',')
	}
	dst = append(value.AppendJSONString(dst, d.nodes[at].key), ':')
	return d.append(dst, at)
}

func (d *jsonDoc) inOrder(at int32) bool {
	i := d.nodes[at].first
	if i < 0 {
		return true
	}
	for j := d.nodes[i].next; j >= 0; i, j = j, d.nodes[j].next {
		if value.CompareJava(d.nodes[i].key, d.nodes[j].key) > 0 {
			return false
		}
	}
	return true
}

// sorted lists the members of an object in the order of their keys.
func (d *jsonDoc) sorted(at int32) []int32 {
	kids := make([]int32, 0, d.nodes[at].count)
	for i := d.nodes[at].first; i >= 0; i = d.nodes[i].next {
		kids = append(kids, i)
	}
	slices.SortStableFunc(kids, func(a, b int32) int { return value.CompareJava(d.nodes[a].key, d.nodes[b].key) })
	return kids
}

// appendJSONQuoted writes JSON_QUOTE: with \/ and with \u escapes beyond ASCII,
// but control characters as they are.
func appendJSONQuoted(dst []byte, s string) []byte {
	const special, letters, digits = "\"\\/\b\f\n\r\t", `"\/bfnrt`, "0123456789abcdef"
	unit := func(dst []byte, u rune) []byte {
		return append(dst, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r >= 0x10000:
			r -= 0x10000
			dst = unit(unit(dst, 0xd800+r>>10), 0xdc00+r&0x3ff)
		case r >= utf8.RuneSelf:
			dst = unit(dst, r)
		default:
			if k := strings.IndexByte(special, byte(r)); k >= 0 {
				dst = append(dst, '\\', letters[k])
			} else {
				dst = append(dst, byte(r))
			}
		}
	}
	return append(dst, '"')
}
