package builtin

import (
	"encoding/binary"
	"math"
)

// javaOrder is Double.compare: NaN equals itself and is above all, -0.0 is
// below 0.0.
func javaOrder[T float32 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b && a != 0:
		return 0
	}
	return rank(a) - rank(b)
}

// rank orders what < does not: the zeros and NaN.
func rank[T float32 | float64](x T) int {
	switch {
	case x != x:
		return 2
	case x == 0 && math.Signbit(float64(x)):
		return 0
	}
	return 1
}

func appendFloat(dst []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
}
