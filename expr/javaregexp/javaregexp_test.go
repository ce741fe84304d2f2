package javaregexp

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The answers are those of java.util.regex in JDK 17: all matches, each with
// its groups; "error" for an expression that does not compile.
var answers = []struct{ re, text, want string }{
	{`b*`, "abc", "[] [b] [] []"},
	{`a*`, "aab", "[aa] [] []"},
	{`(X|)`, "aXbXc", "[ ] [X X] [ ] [X X] [ ] [ ]"},
	{`(|X)`, "aXb", "[ ] [ ] [ ] [ ]"},
	{``, "ab", "[] [] []"},
	{`$`, "abc", "[]"},
	{`\b`, "abc d", "[] [] [] []"},
	{`a(?=b)`, "abab", "[a] [a]"},
	{`(?<=a)b`, "abab", "[b] [b]"},
	{`(?<!a)b`, "abbb", "[b] [b]"},
	{`(a)b\1`, "abab", "[aba a]"},
	{`(a)\1`, "aa", "[aa a]"},
	{`foo(?!x)(bar)`, "foobar", "[foobar bar]"},
	{`a++`, "aaa", "[aaa]"},
	{`a++a`, "aaa", ""},
	{`a?+`, "aaa", "[a] [a] [a] []"},
	{`[\w&&[^x]]`, "x-y", "[y]"},
	{`[a-z&&b]`, "ab", "[b]"},
	{`[a-z&&[def]&&[^e]]+`, "abcdef", "[d] [f]"},
	{`[^a-c&&b]+`, "abx", "[a] [x]"},
	{`\p{L}+`, "äb", "[äb]"},
	{`\w+`, "äb", "[b]"},
	{`(?iu)ä`, "Äb", "[Ä]"},
	{`(?i)ä`, "Äb", ""},
	{`(?i)AbC`, "aBc", "[aBc]"},
	{`(?<n>b)\k<n>`, "abb", "[bb b]"},
	{`\Qb.\E+`, "ab..", "[b..]"},
	{`(?x) a b # c`, "ab", "[ab]"},
	{`\\`, `a\b`, `[\]`},
	{`(?>a+)b`, "aab", "[aab]"},
	{`(?>a+)ab`, "aab", ""},
	{`\bé`, "héllo", ""},
	{`(?s).*`, "a\nb", "[a\nb] []"},
	{`.*`, "a\nb", "[a] [] [b] []"},
	{`\x61\u0062\x{63}`, "abc", "[abc]"},
	{`\uD83D\uDE00`, "x😀", "[😀]"},
	{`.`, "😀", "[😀]"},
	{`\d+`, "1٣", "[1]"},
	{`(?U)\d+`, "1٣", "[1٣]"},
	{`\h`, "a b", "[ ]"},
	{`\p{Alpha}+\p{Digit}`, "ab12", "[ab1]"},
	{`[]]`, "a]b", "[]]"},
	{`[a-]+`, "a-b", "[a-]"},
	{`a{,2}`, "aa", "error"},
	{`a{2}`, "aaa", "[aa]"},
	{`a{2,}?`, "aaa", "[aa]"},
	{`a{1,2}`, "aaa", "[aa] [a]"},
	{`b\z`, "ab", "[b]"},
	{`b\Z`, "ab\n", "[b]"},
	{`b$`, "ab\n", "[b]"},
	{`b$`, "ab\nc", ""},
	{`(?m)^.`, "ab\ncd\n", "[a] [c]"},
	{`(?m).$`, "ab\ncd\n", "[b] [d]"},
	{`\Aa`, "aa", "[a]"},
	{`\Ga`, "aaba", "[a] [a]"},
	{`\R`, "a\r\nb\n", "[\r\n] [\n]"},
	{`(a|ab)(c|bcd)(d*)`, "abcd", "[abcd a bcd ]"},
	{`(a*)*`, "aab", "[aa ] [ ] [ ]"},
	{`(a|b)*?c`, "abc", "[abc b]"},
	{`(?:a|b)+`, "abab", "[abab]"},
	{`(a)|(b)`, "ab", "[a a -] [b - b]"},
	{`(?i:a)b`, "AbAB", "[Ab]"},
	{`a(?i)b`, "aBAB", "[aB]"},
	{`((?i)a)b`, "AbaB", "[Ab A]"},
	{`\07`, "\a", "[\a]"},
	{`\cA`, "\x01", "[\x01]"},
	{`[\Qa-c\E]+`, "abc-", "[a] [c-]"},
	{`[a[bc]]+`, "abcd", "[abc]"},
	{`[\d-x]+`, "1-x", "[1-x]"},
	{`\1(a)`, "aa", ""},
	{`(?=(a))ab`, "ab", "[ab a]"},
	{`(?!(a))b`, "b", "[b -]"},
	{`(?<=a{1,3})b`, "aaab", "[b]"},
	{`x*y`, "xxy", "[xxy]"},
	{`x*x`, "xxx", "[xxx]"},
	{`[ab]*b`, "abab", "[abab]"},
	{`ä*b`, "ääb", "[ääb]"},
	{`(ab)+?c`, "ababc", "[ababc ab]"},
	{`^a|b`, "ab", "[a] [b]"},
	{`\p{IsGreek}\p{Lu}`, "αA", "[αA]"},
	{`\P{L}+`, "a1b", "[1]"},
	{`[^\P{L}]+`, "a1b", "[a] [b]"},
	{`(?d).+`, "a\rb\nc", "[a\rb] [c]"},
	{`(`, "", "error"}, {`)`, "", "error"}, {`[a`, "", "error"}, {`*a`, "", "error"}, {`a**`, "", "error"}, {`a{2,1}`, "", "error"}, {`\`, "", "error"},
	{`\y`, "", "error"}, {`[b-a]`, "", "error"}, {`(?<=a*)b`, "", "error"}, {`(?<n>a)(?<n>b)`, "", "error"}, {`\k<x>`, "", "error"}, {`(?z)`, "", "error"}, {`\p{Nope}`, "", "error"}, {`{`, "", "error"},
}

func TestAnswers(t *testing.T) {
	for _, c := range answers {
		if got := matches(c.re, c.text); got != c.want {
			t.Errorf("%q in %q gives %q, Java %q", c.re, c.text, got, c.want)
		}
	}
}

func matches(re, text string) string {
	r, err := Compile(re)
	if err != nil {
		return "error"
	}
	var all []string
	err = r.Matcher().All(text, func(loc []int) bool {
		var parts []string
		for g := 0; g < len(loc); g += 2 {
			if loc[g] < 0 {
				parts = append(parts, "-")
			} else {
				parts = append(parts, text[loc[g]:loc[g+1]])
			}
		}
		all = append(all, "["+strings.Join(parts, " ")+"]")
		return true
	})
	if err != nil {
		return err.Error()
	}
	return strings.Join(all, " ")
}

// What goes back and forth for ever is given up.
func TestTooLong(t *testing.T) {
	re, err := Compile(`(a*)*b`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := re.Matcher().Find(strings.Repeat("a", 5000), 0); !errors.Is(err, ErrTooLong) {
		t.Errorf("%v", err)
	}
}

// Long texts need memory, not stack.
func TestLongText(t *testing.T) {
	re, err := Compile(`(?:ab|c)*d`)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("abc", 200_000) + "d"
	if loc, err := re.Matcher().Find(text, 0); err != nil || loc == nil || loc[1] != len(text) {
		t.Errorf("%v, %v", loc, err)
	}
}

func TestNothingIsAllocatedPerText(t *testing.T) {
	re, err := Compile(`(\w+)@(\w+)\.com`)
	if err != nil {
		t.Fatal(err)
	}
	m := re.Matcher()
	if n := testing.AllocsPerRun(100, func() { _, _ = m.Find("mail to somebody@example.com, please", 0) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzCompile(f *testing.F) {
	for _, c := range answers {
		f.Add(c.re, c.text)
	}
	f.Fuzz(func(t *testing.T, re, text string) {
		if len(re) > 60 || len(text) > 60 {
			return
		}
		r, err := Compile(re)
		if err != nil {
			return
		}
		last := -1
		_ = r.Matcher().All(text, func(loc []int) bool {
			if loc[0] < last || loc[1] < loc[0] || loc[1] > len(text) {
				t.Fatalf("%q in %q: %v after %d", re, text, loc, last)
			}
			last = loc[1]
			return true
		})
	})
}

func BenchmarkFind(b *testing.B) {
	for _, re := range []string{`\d+`, `(\w+)@(\w+)\.com`, `[a-z]+ing\b`, `needle`} {
		r, err := Compile(re)
		if err != nil {
			b.Fatal(err)
		}
		text := strings.Repeat("some words and one word being there ", 3) + "mail to somebody@example.com 42"
		b.Run(fmt.Sprintf("%.10s", re), func(b *testing.B) {
			m := r.Matcher()
			b.SetBytes(int64(len(text)))
			for range b.N {
				if _, err := m.Find(text, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
