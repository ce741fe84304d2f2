// Package javamath computes the functions of java.lang.Math to the digit. Java
// takes powers, logarithms and the functions of angles from Intel's library,
// which is all but always correctly rounded: they are computed here with twice
// the digits. The others it takes from fdlibm, which is followed step by step.
package javamath

import "math"

// pair is the unevaluated sum of two numbers, about 106 bits.
type pair struct{ hi, lo float64 }

var (
	ln2    = pair{0.6931471805599453, 2.3190468138462996e-17}
	ln10   = pair{2.302585092994046, -2.1707562233822494e-16}
	halfPi = [3]float64{1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33}
)

func single(x float64) pair { return pair{x, 0} }

// ordered adds two numbers of which the first is not the smaller one.
func ordered(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

func sum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

func product(a, b float64) pair {
	p := float64(a * b)
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) add(b pair) pair {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = ordered(s.hi, s.lo+t.hi)
	return ordered(s.hi, s.lo+t.lo)
}

func (a pair) neg() pair { return pair{-a.hi, -a.lo} }

func (a pair) mul(b pair) pair {
	p := product(a.hi, b.hi)
	return ordered(p.hi, p.lo+(float64(a.hi*b.lo)+float64(a.lo*b.hi)))
}

func (a pair) div(b pair) pair {
	q1 := a.hi / b.hi
	r := a.add(b.mul(single(-q1)))
	q2 := r.hi / b.hi
	r = r.add(b.mul(single(-q2)))
	return ordered(q1, q2).add(single(r.hi / b.hi))
}

// scale multiplies by a power of two.
func (a pair) scale(f float64) pair { return pair{a.hi * f, a.lo * f} }

// exp is e to the power of x as m times 2 to the power of k.
func (x pair) exp() (m pair, k int) {
	n := math.RoundToEven(x.hi / ln2.hi)
	r := x.add(ln2.mul(single(-n))).scale(1.0 / 256)
	// e^r - 1 by its series, then squared eight times.
	s, term := r, r
	for i := 2; i <= 9; i++ {
		term = term.mul(r).div(single(float64(i)))
		s = s.add(term)
	}
	for range 8 {
		s = s.scale(2).add(s.mul(s))
	}
	return s.add(single(1)), int(n)
}

// logOf is the logarithm of a positive finite number.
func logOf(x float64) pair {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	var y pair
	if math.Abs(m-1) < 0.01 {
		// 2 artanh((m-1)/(m+1)), whose terms fall fast here.
		s := single(m - 1).div(sum(m, 1))
		square, power := s.mul(s), s
		y = s
		for i := 3; i <= 17; i += 2 {
			power = power.mul(square)
			y = y.add(power.div(single(float64(i))))
		}
		y = y.scale(2)
	} else {
		// One step of Newton's from a good guess.
		guess := math.Log(m)
		back, k := single(-guess).exp()
		t := back.scale(math.Ldexp(1, k)).mul(single(m)).add(single(-1))
		y = single(guess).add(t).add(t.mul(t).scale(-0.5))
	}
	return ln2.mul(single(float64(e))).add(y)
}

// angle is x less the nearest multiple of pi/2, and which quarter that is.
func angle(x float64) (r pair, quarter int64) {
	n := math.RoundToEven(x / halfPi[0])
	r = single(x)
	for _, part := range halfPi {
		r = r.add(product(-n, part))
	}
	return r, int64(n)
}

// sinCos are the sine and cosine of a small angle by their series.
func sinCos(r pair) (sin, cos pair) {
	square := r.mul(r)
	sin, cos = r, single(1)
	term := single(1)
	for i := 1; i <= 28; i += 2 {
		term = term.mul(square).neg().div(single(float64(i * (i + 1))))
		cos = cos.add(term)
	}
	term = r
	for i := 2; i <= 28; i += 2 {
		term = term.mul(square).neg().div(single(float64(i * (i + 1))))
		sin = sin.add(term)
	}
	return sin, cos
}
