package javamath

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestJava compares with numbers that a JDK printed. Of the functions that
// Java takes from Intel's library, which does not always round correctly, two
// in a thousand may be off by the last bit.
func TestJava(t *testing.T) {
	text, err := os.ReadFile("testdata/java.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields("Sin Cos Tan Cot Exp Log Log10 Log2 Sinh Cosh Tanh Asin Acos Atan Atan2 Pow Pow")
	wrong, count := 0, 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var v []float64
		for _, hex := range strings.Fields(line) {
			bits, err := strconv.ParseUint(hex, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, math.Float64frombits(bits))
		}
		x, a := v[0], math.Abs(v[0])
		for i, got := range []float64{Sin(x), Cos(x), Tan(x), 1 / Tan(x), Exp(x), Log(a), Log10(a), Log(a) / Log(2), Sinh(x), Cosh(x), Tanh(x),
			Asin(x / 10), Acos(x / 10), Atan(x), Atan2(x, 1.25), Pow(a, 1.7), Pow(1.1, x)} {
			count++
			want := v[i+1]
			if got == want || math.IsNaN(got) && math.IsNaN(want) {
				continue
			}
			wrong++
			if fdlibm := strings.HasSuffix(names[i], "h") || names[i][0] == 'A'; fdlibm || math.Abs(got-want) > 3e-16*math.Abs(want) {
				t.Errorf("%s(%v) is %v, Java says %v", names[i], x, got, want)
			}
		}
	}
	if count < 2000 || wrong > count/500 {
		t.Errorf("%d of %d differ", wrong, count)
	}
}

func TestSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, ok := range map[string]bool{
		"sin 0": Sin(0) == 0, "sin inf": math.IsNaN(Sin(inf)), "exp -inf": Exp(-inf) == 0, "exp 0": Exp(0) == 1, "log 0": Log(0) == -inf, "log -1": math.IsNaN(Log(-1)),
		"log inf": Log(inf) == inf, "log small": Log(5e-324) == -744.4400719213812, "log10 1000": Log10(1000) == 3, "log10 1e-5": Log10(1e-5) == -5,
		"pow 2 10": Pow(2, 10) == 1024, "pow -2 3": Pow(-2, 3) == -8, "pow -8 1/3": math.IsNaN(Pow(-8, 1.0/3)), "pow 0 0": Pow(0, 0) == 1, "pow 0 -1": Pow(0, -1) == inf,
		"pow 1 nan": math.IsNaN(Pow(1, nan)), "pow nan 0": Pow(nan, 0) == 1, "pow 10 200": Pow(10, 200) == 1e200, "pow 10 -5": Pow(10, -5) == 1e-5,
		"tanh inf": Tanh(inf) == 1, "cosh -inf": Cosh(-inf) == inf, "sinh -inf": Sinh(-inf) == -inf, "acos -1": Acos(-1) == math.Pi, "asin 2": math.IsNaN(Asin(2)),
		"atan inf": Atan(inf) == math.Pi/2, "atan2 0 -1": Atan2(0, -1) == math.Pi, "tan nan": math.IsNaN(Tan(nan)), "sin 1e300": !math.IsNaN(Sin(1e300)),
	} {
		if !ok {
			t.Error(name)
		}
	}
}

func BenchmarkPow(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		Pow(float64(i%1000)+0.5, 1.7)
	}
}
