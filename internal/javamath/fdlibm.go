package javamath

import "math"

// Sinh is Math.sinh.
func Sinh(x float64) float64 {
	a, half := math.Abs(x), math.Copysign(0.5, x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || a < 0x1p-28:
		return x
	case a < 22:
		t := math.Expm1(a)
		if a < 1 {
			return half * (2*t - float64(t*t)/(t+1))
		}
		return half * (t + t/(t+1))
	case a < 709.782712893384:
		return half * fdExp(a)
	}
	w := fdExp(0.5 * a)
	return half * w * w
}

// Cosh is Math.cosh.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x):
		return x
	case a < 0.5*math.Ln2:
		t := math.Expm1(a)
		w := 1 + t
		if a < 0x1p-55 {
			return w
		}
		return 1 + float64(t*t)/(w+w)
	case a < 22:
		t := fdExp(a)
		return float64(0.5*t) + 0.5/t
	case a < 709.782712893384:
		return 0.5 * fdExp(a)
	}
	w := fdExp(0.5 * a)
	return 0.5 * w * w
}

// Tanh is Math.tanh.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	var z float64
	switch {
	case math.IsNaN(x):
		return x
	case a < 0x1p-55:
		return x * (1 + x)
	case a >= 22:
		z = 1
	case a >= 1:
		z = 1 - 2/(math.Expm1(2*a)+2)
	default:
		t := math.Expm1(-2 * a)
		z = -t / (t + 2)
	}
	return math.Copysign(z, x)
}

// fdExp is StrictMath.exp.
func fdExp(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		p1    = 1.66666666666666019037e-01
		p2    = -2.77777777770155933842e-03
		p3    = 6.61375632143793436117e-05
		p4    = -1.65339022054652515390e-06
		p5    = 4.13813679705723846039e-08
	)
	if !(math.Abs(x) < 709) || math.Abs(x) < 0x1p-28 {
		return math.Exp(x)
	}
	hi, lo, k := x, 0.0, 0
	if a := math.Abs(x); a > 0.5*math.Ln2 {
		if a < 1.5*math.Ln2 {
			k = 1
			if x < 0 {
				k = -1
			}
		} else {
			k = int(x/math.Ln2 + math.Copysign(0.5, x))
		}
		hi, lo = x-float64(float64(k)*ln2Hi), float64(k)*ln2Lo
	}
	r := hi - lo
	t := float64(r * r)
	c := r - float64(t*(p1+float64(t*(p2+float64(t*(p3+float64(t*(p4+float64(t*p5)))))))))
	if k == 0 {
		return 1 - (float64(r*c)/(c-2) - r)
	}
	return math.Ldexp(1-((lo-float64(r*c)/(2-c))-hi), k)
}

// Atan is Math.atan.
func Atan(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	a := math.Abs(x)
	var hi, lo float64
	reduced := true
	switch {
	case a >= 0x1p66:
		return math.Copysign(1.57079632679489655800e+00, x)
	case a < 0x1p-29:
		return x
	case a < 0.4375:
		reduced = false
		a = x
	case a < 0.6875:
		hi, lo = 4.63647609000806093515e-01, 2.26987774529616870924e-17
		a = (2*a - 1) / (2 + a)
	case a < 1.1875:
		hi, lo = 7.85398163397448278999e-01, 3.06161699786838301793e-17
		a = (a - 1) / (a + 1)
	case a < 2.4375:
		hi, lo = 9.82793723247329054082e-01, 1.39033110312309984516e-17
		a = (a - 1.5) / (1 + float64(1.5*a))
	default:
		hi, lo = 1.57079632679489655800e+00, 6.12323399573676603587e-17
		a = -1 / a
	}
	z := float64(a * a)
	w := float64(z * z)
	s1 := z * horner(w, 3.33333333333329318027e-01, 1.42857142725034663711e-01, 9.09088713343650656196e-02, 6.66107313738753120669e-02, 4.97687799461593236017e-02, 1.62858201153657823623e-02)
	s2 := w * horner(w, -1.99999999998764832476e-01, -1.11111104054623557880e-01, -7.69187620504482999495e-02, -5.83357013379057348645e-02, -3.65315727442169155270e-02)
	if !reduced {
		return a - float64(a*(s1+s2))
	}
	return math.Copysign(hi-((float64(a*(s1+s2))-lo)-a), x)
}

// horner is c[0] + w (c[1] + w (c[2] + ...)).
func horner(w float64, c ...float64) float64 {
	s := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		s = c[i] + float64(w*s)
	}
	return s
}

// Atan2 is Math.atan2.
func Atan2(y, x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsNaN(y) || x == 0 || y == 0 || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Atan2(y, x) // multiples of pi/4
	case x == 1:
		return Atan(y)
	}
	const piLo = 1.2246467991473531772e-16
	_, ey := math.Frexp(y)
	_, ex := math.Frexp(x)
	var z float64
	switch k := ey - ex; {
	case k > 60:
		z = math.Pi/2 + 0.5*piLo
	case x < 0 && k < -60:
		z = 0
	default:
		z = Atan(math.Abs(y / x))
	}
	switch {
	case x > 0:
		return math.Copysign(z, y)
	case y > 0:
		return math.Pi - (z - piLo)
	}
	return (z - piLo) - math.Pi
}

// rational is the part that asin and acos have in common.
func rational(t float64) float64 {
	p := t * horner(t, 1.66666666666666657415e-01, -3.25565818622400915405e-01, 2.01212532134862925881e-01, -4.00555345006794114027e-02, 7.91534994289814532176e-04, 3.47933107596021167570e-05)
	q := horner(t, 1, -2.40339491173441421878e+00, 2.02094576023350569471e+00, -6.88283971605453293030e-01, 7.70381505559019352791e-02)
	return p / q
}

const (
	pio2Hi = 1.57079632679489655800e+00
	pio2Lo = 6.12323399573676603587e-17
	pio4Hi = 7.85398163397448278999e-01
)

// upper is x without the lower half of its bits.
func upper(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ 0xffffffff)
}

// Asin is Math.asin.
func Asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a == 1:
		return float64(x*pio2Hi) + float64(x*pio2Lo)
	case !(a < 1):
		return math.NaN()
	case a < 0x1p-27:
		return x
	case a < 0.5:
		return x + float64(x*rational(x*x))
	}
	w := 1 - a
	t := w * 0.5
	s := math.Sqrt(t)
	r := rational(t)
	if math.Float64bits(a)>>32 >= 0x3FEF3333 { // above about 0.975
		t = pio2Hi - (2*(s+float64(s*r)) - pio2Lo)
	} else {
		w = upper(s)
		c := (t - float64(w*w)) / (s + w)
		p := float64(2*s*r) - (pio2Lo - 2*c)
		q := pio4Hi - 2*w
		t = pio4Hi - (p - q)
	}
	return math.Copysign(t, x)
}

// Acos is Math.acos.
func Acos(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x == 1:
		return 0
	case x == -1:
		return math.Pi
	case !(a < 1):
		return math.NaN()
	case a <= 0x1p-57:
		return pio2Hi + pio2Lo
	case a < 0.5:
		return pio2Hi - (x - (pio2Lo - float64(x*rational(x*x))))
	case x < 0:
		z := (1 + x) * 0.5
		s := math.Sqrt(z)
		w := float64(rational(z)*s) - pio2Lo
		return math.Pi - 2*(s+w)
	}
	z := (1 - x) * 0.5
	s := math.Sqrt(z)
	df := upper(s)
	c := (z - float64(df*df)) / (s + df)
	w := float64(rational(z)*s) + c
	return 2 * (df + w)
}
