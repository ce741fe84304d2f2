package javamath

import "math"

// far is where the sum of three parts of pi no longer holds enough digits.
const far = 1 << 30

// Exp is Math.exp.
func Exp(x float64) float64 {
	if !(math.Abs(x) < 708) || math.Abs(x) < 0x1p-54 {
		return math.Exp(x) // too large, too small, or no number
	}
	m, k := single(x).exp()
	return math.Ldexp(m.hi, k)
}

// Log is Math.log.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return logOf(x).hi
}

// Log10 is Math.log10.
func Log10(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log10(x)
	}
	return logOf(x).div(ln10).hi
}

// Pow is Math.pow.
func Pow(x, y float64) float64 {
	rough := math.Pow(x, y)
	if size := math.Abs(rough); !(size > 0x1p-1000 && size < 0x1p1000) || y == 0 || math.Abs(x) == 1 {
		if math.Abs(x) == 1 && (math.IsInf(y, 0) || math.IsNaN(y)) {
			return math.NaN() // where C and Go say 1
		}
		return rough
	}
	m, k := logOf(math.Abs(x)).mul(single(y)).exp()
	return math.Copysign(math.Ldexp(m.hi, k), rough)
}

// Sin is Math.sin.
func Sin(x float64) float64 {
	if !(math.Abs(x) < far) || math.Abs(x) < 0x1p-27 {
		return math.Sin(x)
	}
	r, n := angle(x)
	s, c := sinCos(r)
	switch n & 3 {
	case 0:
		return s.hi
	case 1:
		return c.hi
	case 2:
		return -s.hi
	}
	return -c.hi
}

// Cos is Math.cos.
func Cos(x float64) float64 {
	if !(math.Abs(x) < far) {
		return math.Cos(x)
	}
	r, n := angle(x)
	s, c := sinCos(r)
	switch n & 3 {
	case 0:
		return c.hi
	case 1:
		return -s.hi
	case 2:
		return -c.hi
	}
	return s.hi
}

// Tan is Math.tan.
func Tan(x float64) float64 {
	if !(math.Abs(x) < far) || math.Abs(x) < 0x1p-27 {
		return math.Tan(x)
	}
	r, n := angle(x)
	s, c := sinCos(r)
	if n&1 == 0 {
		return s.div(c).hi
	}
	return c.div(s).neg().hi
}
