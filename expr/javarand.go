package expr

// JavaRand is java.util.Random: what a seed gives is the same in Flink.
type JavaRand struct{ state uint64 }

const (
	javaMultiplier = 0x5deece66d
	javaMask       = 1<<48 - 1
)

// NewJavaRand returns the generator of a seed.
func NewJavaRand(seed int64) *JavaRand {
	return &JavaRand{(uint64(seed) ^ javaMultiplier) & javaMask}
}

func (r *JavaRand) next(bits int) int32 {
	r.state = (r.state*javaMultiplier + 0xb) & javaMask
	return int32(r.state >> (48 - bits))
}

// Float64 is nextDouble: from 0 to below 1.
func (r *JavaRand) Float64() float64 {
	high := int64(r.next(26)) << 27
	return float64(high+int64(r.next(27))) / (1 << 53)
}

// Int is nextInt: from 0 to below bound, which is positive.
func (r *JavaRand) Int(bound int32) int32 {
	n := r.next(31)
	if bound&(bound-1) == 0 {
		return int32(int64(bound) * int64(n) >> 31)
	}
	for n-n%bound+bound-1 < 0 { // of the last, short run of numbers: try again
		n = r.next(31)
	}
	return n % bound
}
