package sql

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"fsql/internal/diag"
)

// This is a second opinion on precedence: an own small reader of operators,
// whose levels are those of Flink (section 3 of its EXPLAINs: sign 80, * / % ||
// 60, + - 40, IN BETWEEN LIKE 32, comparison 30, IS 28, NOT 26, AND 24, OR 22).
// It shares nothing with the door that asks TiDB.

type opinion struct {
	tokens []string
	at     int
}

func (o *opinion) peek() string {
	if o.at < len(o.tokens) {
		return o.tokens[o.at]
	}
	return ""
}

func (o *opinion) take(words ...string) bool {
	for i, w := range words {
		if o.at+i >= len(o.tokens) || o.tokens[o.at+i] != w {
			return false
		}
	}
	o.at += len(words)
	return true
}

// read reads operators of at least a level, all from the left.
func (o *opinion) read(least int) string {
	left := o.prefix()
	for {
		at := o.at
		not := ""
		if o.take("NOT") {
			not = "NOT "
		}
		op := o.peek()
		level := map[string]int{"OR": 22, "AND": 24, "IS": 28, "=": 30, "<>": 30, "<": 30, "<=": 30, ">": 30, ">=": 30, "IN": 32,
			"BETWEEN": 32, "LIKE": 32, "SIMILAR": 32, "+": 40, "-": 40, "*": 60, "/": 60, "%": 60, "||": 60}[op]
		if op == "IS" && (o.at+1 < len(o.tokens) && o.tokens[o.at+1] == "DISTINCT" || o.at+2 < len(o.tokens) && o.tokens[o.at+2] == "DISTINCT") {
			level = 30
		}
		if level == 0 || level < least {
			o.at = at
			return left
		}
		o.at++
		switch op {
		case "IS":
			if o.take("NOT") {
				not = "NOT "
			}
			if o.take("DISTINCT", "FROM") {
				left = "(" + left + " IS " + not + "DISTINCT FROM " + o.read(31) + ")"
				continue
			}
			left = "(" + left + " IS " + not + o.tokens[o.at] + ")"
			o.at++
		case "IN":
			o.take("(")
			var items []string
			for {
				items = append(items, o.read(0))
				if !o.take(",") {
					break
				}
			}
			o.take(")")
			left = "(" + left + " " + not + "IN (" + strings.Join(items, ", ") + "))"
		case "BETWEEN":
			symm := ""
			if o.take("SYMMETRIC") {
				symm = "SYMMETRIC "
			}
			lo := o.read(33)
			o.take("AND")
			left = "(" + left + " " + not + "BETWEEN " + symm + lo + " AND " + o.read(33) + ")"
		case "LIKE", "SIMILAR":
			if o.take("TO") {
				op = "SIMILAR TO"
			}
			left = "(" + left + " " + not + op + " " + o.read(33)
			if o.take("ESCAPE") {
				left += " ESCAPE " + o.read(33)
			}
			left += ")"
		default:
			left = "(" + left + " " + op + " " + o.read(level+1) + ")"
		}
	}
}

func (o *opinion) prefix() string {
	switch {
	case o.take("NOT"):
		return "(NOT " + o.read(27) + ")"
	case o.take("-"):
		x := o.prefix()
		if x[0] >= '0' && x[0] <= '9' {
			return "-" + x // a sign belongs to the number
		}
		if x[0] == '-' {
			return x[1:]
		}
		return "(-" + x + ")"
	case o.take("("):
		x := o.read(0)
		o.take(")")
		return x
	case o.take("CASE"):
		s := "CASE"
		for o.take("WHEN") {
			s += " WHEN " + o.read(0)
			o.take("THEN")
			s += " THEN " + o.read(0)
		}
		if o.take("ELSE") {
			s += " ELSE " + o.read(0)
		}
		o.take("END")
		return s + " END"
	case o.take("f", "("):
		s := "f(" + o.read(0)
		for o.take(",") {
			s += ", " + o.read(0)
		}
		o.take(")")
		return s + ")"
	}
	o.at++
	if w := o.tokens[o.at-1]; w[0] >= 'a' && w[0] <= 'z' {
		return "`" + w + "`"
	} else {
		return w
	}
}

// randomExpr writes tokens of a random expression.
type randomExpr struct {
	*rand.Rand
	tokens []string
}

func (r *randomExpr) put(words ...string) { r.tokens = append(r.tokens, words...) }

func (r *randomExpr) expr(size int) {
	for n := r.Intn(size + 1); ; n-- {
		r.operand(size)
		if n <= 0 {
			return
		}
		r.operator(size)
	}
}

func (r *randomExpr) operand(size int) {
	switch k := r.Intn(20); {
	case k < 2:
		r.put("-")
		r.operand(size)
	case k == 2:
		r.put("NOT")
		r.operand(size)
	case k < 5 && size > 0:
		r.put("(")
		r.expr(size / 2)
		r.put(")")
	case k == 5 && size > 0:
		r.put("CASE", "WHEN")
		r.expr(size / 3)
		r.put("THEN")
		r.expr(size / 3)
		if r.Intn(2) == 0 {
			r.put("ELSE")
			r.expr(size / 3)
		}
		r.put("END")
	case k == 6 && size > 0:
		r.put("f", "(")
		r.expr(size / 3)
		r.put(",")
		r.expr(size / 3)
		r.put(")")
	case k == 7:
		r.put("'x'")
	case k == 8:
		r.put("7")
	default:
		r.put(string(rune('a' + r.Intn(5))))
	}
}

// operator writes an infix operator, or a postfix one and an infix one behind.
func (r *randomExpr) operator(size int) {
	not := func() {
		if r.Intn(3) == 0 {
			r.put("NOT")
		}
	}
	ops := []string{"+", "-", "*", "/", "%", "||", "=", "<>", "<", ">=", "AND", "OR", "AND", "OR"}
	switch k := r.Intn(24); {
	case k < 14:
		r.put(ops[k])
	case k < 16:
		not()
		r.put("BETWEEN")
		if r.Intn(4) == 0 {
			r.put("SYMMETRIC")
		}
		r.operand(size)
		r.put("AND")
	case k < 18:
		not()
		r.put("LIKE")
		if r.Intn(3) == 0 {
			r.operand(size)
			r.put("ESCAPE")
		}
	case k == 18:
		r.put("SIMILAR", "TO")
	case k == 19:
		r.put("IS")
		not()
		r.put("DISTINCT", "FROM")
	case k < 22:
		r.put("IS")
		not()
		r.put([]string{"NULL", "TRUE", "UNKNOWN"}[r.Intn(3)])
		r.operator(size)
	default:
		not()
		r.put("IN", "(")
		r.expr(size / 3)
		r.put(",")
		r.expr(0)
		r.put(")")
		r.operator(size)
	}
}

func TestPrecedenceAgreesWithSecondOpinion(t *testing.T) {
	r := &randomExpr{Rand: rand.New(rand.NewSource(1))}
	accepted := 0
	const n = 10_000
	for i := range n {
		r.tokens = r.tokens[:0]
		r.expr(8)
		text := strings.Join(r.tokens, " ")
		x, err := ParseExpr(text)
		if err != nil {
			// The difference that is meant: two predicates in a row.
			if e := diag.Of(err); e.Code != diag.Syntax || !strings.Contains(e.Msg, "parentheses") && !strings.Contains(e.Msg, "expected AND") &&
				!strings.Contains(e.Msg, "'ESCAPE'") {
				t.Errorf("%d: %s: %v", i, text, err)
			}
			continue
		}
		accepted++
		o := &opinion{tokens: r.tokens}
		if want, got := o.read(0), FormatExpr(x); got != want || o.at != len(r.tokens) {
			t.Errorf("%d: %s\n got %s\nwant %s", i, text, got, want)
		}
	}
	if accepted < n/3 {
		t.Errorf("only %d of %d accepted", accepted, n)
	}
	if testing.Verbose() {
		fmt.Printf("%d of %d accepted\n", accepted, n)
	}
}
