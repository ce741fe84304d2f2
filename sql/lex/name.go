package lex

// isLetter tells the characters a bare name may begin with: the ranges of
// Calcite's lexer, which leave out Hangul and everything beyond the basic plane.
func isLetter(r rune) bool {
	switch {
	case r < 0x80:
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '$'
	case r < 0x100:
		return r >= 0xC0 && r != 0xD7 && r != 0xF7
	}
	return r <= 0x1FFF || r >= 0x3040 && r <= 0x318F || r >= 0x3300 && r <= 0x337F ||
		r >= 0x3400 && r <= 0x3D2D || r >= 0x4E00 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// IsBareName tells whether a text can be written as a name without
// back-quotes.
func IsBareName(s string) bool {
	for i, r := range s {
		if !isLetter(r) && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && !IsReserved(s)
}
