package format

// base64Digits are the values of the alphabet, 64 for other bytes.
func base64Digit(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c - 'A'
	case 'a' <= c && c <= 'z':
		return c - 'a' + 26
	case '0' <= c && c <= '9':
		return c - '0' + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return 64
}

// AppendBase64 decodes BYTES of a text format by the rules of Jackson, Flink's
// library: the standard alphabet, padding required, blanks and control
// characters allowed between groups of four only.
func AppendBase64(dst, b []byte) (out []byte, ok bool) {
	for {
		for len(b) > 0 && b[0] <= ' ' {
			b = b[1:]
		}
		if len(b) == 0 {
			return dst, true
		}
		if len(b) < 4 {
			return dst, false
		}
		d0, d1, d2, d3 := base64Digit(b[0]), base64Digit(b[1]), base64Digit(b[2]), base64Digit(b[3])
		if d0|d1 >= 64 {
			return dst, false
		}
		dst = append(dst, d0<<2|d1>>4)
		switch {
		case b[2] == '=' && b[3] == '=':
		case d2 >= 64:
			return dst, false
		case b[3] == '=':
			dst = append(dst, d1<<4|d2>>2)
		case d3 >= 64:
			return dst, false
		default:
			dst = append(dst, d1<<4|d2>>2, d2<<6|d3)
		}
		b = b[4:]
	}
}
