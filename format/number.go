package format

// ParseInt reads a whole number as Java's parseInt does: a sign and digits,
// nothing else. bits is the width of the type.
func ParseInt(b []byte, bits int) (int64, bool) {
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, false
	}
	limit := uint64(1) << (bits - 1) // of the magnitude
	if !neg {
		limit--
	}
	var v uint64
	for _, c := range b {
		d := c - '0'
		if d > 9 || v > limit/10 {
			return 0, false
		}
		if v = v*10 + uint64(d); v > limit {
			return 0, false
		}
	}
	if neg {
		return -int64(v), true
	}
	return int64(v), true
}
