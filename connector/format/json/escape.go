package json

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unescape appends the characters that a string stands for. at is the position
// of a bad escape, -1 if there is none.
func unescape(dst, s []byte) (out []byte, at int) {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		// The scanner has seen that a character follows.
		switch s[i+1] {
		case '"', '\\', '/':
			dst = append(dst, s[i+1])
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, ok := hex4(s[i+2:])
			if !ok {
				return dst, i
			}
			if utf16.IsSurrogate(r) {
				r, i = pair(r, s, i)
			}
			dst = utf8.AppendRune(dst, r)
			i += 6
			continue
		default:
			return dst, i
		}
		i += 2
	}
	return dst, -1
}

// pair joins the surrogate r at i with one that follows. Half a pair becomes a
// question mark, as when Java writes it in UTF-8.
func pair(r rune, s []byte, i int) (rune, int) {
	if rest := s[i+6:]; len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
		if low, ok := hex4(rest[2:]); ok {
			if whole := utf16.DecodeRune(r, low); whole != utf8.RuneError {
				return whole, i + 6
			}
		}
	}
	return '?', i
}

func hex4(s []byte) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range s[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
