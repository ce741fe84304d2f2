package expr

import "testing"

func TestArity(t *testing.T) {
	for _, x := range []struct {
		name, syntax string
		least, most  int
		ok           bool
	}{
		{"REPLACE", "REPLACE(s, a, b)", 3, 3, true}, {"INSTR", "INSTR(s, a [, n [, k]])", 2, 4, true}, {"LOG", "LOG([b,] x)", 1, 2, true},
		{"CONCAT", "CONCAT(a, ...)", 1, -1, true}, {"UUID", "UUID()", 0, 0, true}, {"ARRAY_SORT", "ARRAY_SORT(array [, ascending [, nullsFirst]])", 1, 3, true},
		{"FLOOR TO", "FLOOR(t TO unit)", 0, 0, false}, {"OVERLAY", "OVERLAY(s PLACING r FROM i [FOR n])", 0, 0, false}, {"+", "a + b", 0, 0, false},
	} {
		least, most, ok := arity(&Func{Name: x.name, Syntax: x.syntax})
		if ok != x.ok || ok && (least != x.least || most != x.most) {
			t.Errorf("%s: %d %d %v", x.syntax, least, most, ok)
		}
	}
}
