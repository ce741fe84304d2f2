package builtin_test

import (
	"errors"
	"testing"

	"fsql/expr"
	"fsql/internal/diag"
)

// Kernels that may make much of one row stop soon after they are told to: they ask
// once for about a mebibyte of work.
func TestKernelsStop(t *testing.T) {
	b, columns := benchBatch()
	stop := errors.New("stop")
	for _, text := range []string{
		"REPEAT(s, 20000)", "LPAD(s, 100000, 'ab')", "REPEAT(s, 100000) || s", "CAST(s AS CHAR(100000))",
		"REPLACE(s, 'e', REPEAT('x', 50000))", "REGEXP_REPLACE(s, 'e', REPEAT('x', 50000))",
		"REGEXP(REPEAT('a', 40), '(a*)*(a*)*(a*)*b' || t)", "ARRAY_DISTINCT(SPLIT(REPEAT(s || ',', 3000), ','))",
	} {
		p := benchProgram(t, text, b, columns)
		asked := 0
		c := &expr.Ctx{Stop: func() error {
			if asked++; asked > 2 {
				return stop
			}
			return nil
		}}
		if _, err := p.Eval(c, b, nil); !errors.Is(err, stop) || asked != 3 {
			t.Errorf("%s: asked %d times, %v", text, asked, err)
		}
		// The program is whole afterwards.
		if _, err := benchProgram(t, "i + 1", b, columns).Eval(c, b, nil); err != nil {
			t.Error(err)
		}
	}
}

// A value beyond what functions make is refused, and so are values that are
// too much together, which those who set a budget evaluate in parts.
func TestValuesAreBounded(t *testing.T) {
	b, columns := benchBatch()
	for _, text := range []string{
		"REPEAT(s, 2147483647)", "LPAD(s, 2147483647, 'ab')", "RPAD(s, 2147483647, 'ab')",
		"REPLACE(REPEAT('e', 100000), 'e', REPEAT(s, 10000))", "REGEXP_REPLACE(REPEAT('e', 100000), 'e', REPEAT(s, 10000))",
		"PRINTF('%2000000000s', s)", "CAST(s AS CHAR(2147483647))", "CAST(CAST(s AS BYTES) AS BINARY(2000000000))",
	} {
		_, err := benchProgram(t, text, b, columns).Eval(&expr.Ctx{}, b, nil)
		var e *diag.Error
		if !errors.As(err, &e) || e.Code != diag.ValueTooLarge {
			t.Errorf("%s: %v", text, err)
		}
	}
	var e *diag.Error
	_, err := benchProgram(t, "SPLIT(REPEAT(',', 10000000), ',')", b, columns).Eval(&expr.Ctx{}, b.Slice(0, 1), nil)
	if !errors.As(err, &e) || e.Code != diag.ValueTooLarge {
		t.Errorf("ten million parts: %v", err)
	}
	p := benchProgram(t, "REPEAT(s, 1000)", b, columns)
	if _, err := p.Eval(&expr.Ctx{Budget: 1 << 20}, b, nil); !errors.Is(err, expr.ErrMuch) {
		t.Errorf("4096 texts of 10 KB within 1 MiB: %v", err)
	}
	if out, err := p.Eval(&expr.Ctx{Budget: 1 << 20}, b.Slice(0, 64), nil); err != nil || out[0].Len != 64 {
		t.Errorf("64 of them: %v", err)
	}
}

// What is evaluated again in parts gives the random numbers it would have given.
func TestBudgetTakesRandomNumbersBack(t *testing.T) {
	b, columns := benchBatch()
	want, err := benchProgram(t, "RAND()", b, columns).Eval(&expr.Ctx{Rand: expr.NewRand(3)}, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &expr.Ctx{Rand: expr.NewRand(3), Budget: 1 << 20}
	if _, err := benchProgram(t, "REPEAT(s, 1000 + CAST(RAND() AS INT))", b, columns).Eval(c, b, nil); !errors.Is(err, expr.ErrMuch) {
		t.Fatal(err)
	}
	c.Budget = 0
	got, err := benchProgram(t, "RAND()", b, columns).Eval(c, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].F64[0] != want[0].F64[0] {
		t.Errorf("first number %v, then %v", want[0].F64[0], got[0].F64[0])
	}
}
