package expr

import "testing"

// The numbers are Flink's: RAND(1) over three rows, RAND(5), RAND_INTEGER(7, 10).
func TestJavaRand(t *testing.T) {
	r := NewJavaRand(1)
	for _, want := range []float64{0.7308781907032909, 0.41008081149220166, 0.20771484130971707} {
		if got := r.Float64(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if got := NewJavaRand(5).Float64(); got != 0.730519863614471 {
		t.Errorf("RAND(5) is %v", got)
	}
	if got := NewJavaRand(7).Int(10); got != 6 {
		t.Errorf("RAND_INTEGER(7, 10) is %d", got)
	}
}
