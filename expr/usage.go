package expr

import (
	"fmt"
	"strings"
)

// arity reads from a Syntax of the form NAME(a, b [, c]) how many operands the
// function takes; most is -1 for any number, ok is false for other forms.
func arity(f *Func) (least, most int, ok bool) {
	rest, found := strings.CutPrefix(f.Syntax, f.Name+"(")
	inner, found2 := strings.CutSuffix(rest, ")")
	if !found || !found2 || strings.ContainsAny(inner, "()|") || keyWords(inner) {
		return 0, 0, false
	}
	if inner == "" {
		return 0, 0, true
	}
	depth, required, optional, open := 0, 0, 0, false
	word := false
	for _, r := range inner + "," {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == '.':
			open = true
		case r == ',' || r == ' ':
			word = false
		case !word:
			word = true
			if depth > 0 {
				optional++
			} else {
				required++
			}
		}
	}
	if open {
		return required, -1, true
	}
	return required, required + optional, true
}

// keyWords tells forms such as "t TO unit".
func keyWords(s string) bool {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '[' || r == ']' }) {
		if len(w) > 1 && w == strings.ToUpper(w) && w[0] >= 'A' {
			return true
		}
	}
	return false
}

// countText says how many operands a function takes if n is a wrong number.
func countText(f *Func, n int) (string, bool) {
	least, most, ok := arity(f)
	if !ok || n >= least && (most < 0 || n <= most) {
		return "", false
	}
	want := fmt.Sprint(least)
	switch {
	case most < 0:
		want = "at least " + want
	case most > least:
		want = fmt.Sprintf("%d to %d", least, most)
	}
	noun := "arguments"
	if least == 1 && most == 1 {
		noun = "argument"
	}
	return fmt.Sprintf("%s takes %s %s, not %d", f.Name, want, noun, n), true
}

// legend tells what the short names in a Syntax stand for.
func legend(syntax string) string {
	kinds := [][2]string{{"s", "a STRING"}, {"pattern", "a STRING"}, {"separator", "a STRING"}, {"re", "a STRING"}, {"n", "an INT"}, {"i", "an INT"}, {"t", "a time"}}
	var parts []string
	for _, k := range kinds {
		for _, word := range strings.FieldsFunc(syntax, func(r rune) bool { return strings.ContainsRune("()[],| ", r) }) {
			if word == k[0] {
				parts = append(parts, k[0]+" is "+k[1])
				break
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", where " + strings.Join(parts, ", ")
}
