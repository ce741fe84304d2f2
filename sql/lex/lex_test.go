package lex

import (
	"strings"
	"testing"

	"fsql/internal/diag"
)

// dump writes tokens as kind:text, parted by blanks.
func dump(s *Source) string {
	names := map[Kind]string{Word: "w", Quoted: "q", Number: "n", String: "s", Binary: "x", Symbol: "", HintBegin: "", HintEnd: "", Bad: "bad"}
	var parts []string
	for i, t := range s.Tokens {
		switch {
		case t.Kind == EOF:
		case t.Kind == Bad:
			parts = append(parts, "bad:"+string(s.Err(i).Code))
		case names[t.Kind] == "":
			parts = append(parts, t.Text)
		default:
			parts = append(parts, names[t.Kind]+":"+t.Text)
		}
	}
	return strings.Join(parts, " ")
}

// What Flink 2.3.0 makes of these texts was asked of its parser.
func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"SELECT a,b", "w:SELECT w:a , w:b"},
		{"größe 名前 $a a$b _x", "w:größe w:名前 w:$a w:a$b w:_x"},
		{"`a b` `a``b` `ä`", "q:a b q:a`b q:ä"},
		{"1 12.50 5. .5 1e3 1.5E-2 1e 1e+ 1.a", "n:1 n:12.50 n:5. n:.5 n:1e3 n:1.5E-2 n:1 w:e n:1 w:e + n:1. w:a"},
		{"0x10 1..2 5a t.1", "n:0 w:x10 n:1. n:.2 n:5 w:a w:t n:.1"},
		{"<> <= >= || => = < > + - * / % ( ) [ ] { } . , ; : ?", "<> <= >= || => = < > + - * / % ( ) [ ] { } . , ; : ?"},
		{"ARRAY<ARRAY<INT>>", "w:ARRAY < w:ARRAY < w:INT > >"},
		{"a -- c\nb // d\r\nc /* e\n*/ d /**/ e", "w:a w:b w:c w:d w:e"},
		{"5--3", "n:5"},
		{"10//2", "n:10"},
		{"a /*+ OPTIONS('k'='v') */ b", "w:a /*+ w:OPTIONS ( s:k = s:v ) */ w:b"},
		{"a /* + */ b", "w:a w:b"},
		{"a */ b", "w:a bad:syntax w:b"},
		{"'it''s' '' ", "bad:syntax"}, // two strings on one line
		{"'it''s'", "s:it's"},
		{"''", "s:"},
		{"'a'\n'b' -- c\n 'c'", "s:abc"},
		{"'a\\n'", `s:a\n`},
		{"x'0aFF' X'' x'41'\n'42'", "x:0aFF x: x:4142"},
		{"x'0' x'0G'", "bad:bad-literal bad:bad-literal"},
		{"x '41'", "w:x s:41"},
		{`U&'\00e4\20AC' u&'x\\y'`, `s:ä€ s:x\y`},
		{`U&'#263A' UESCAPE '#' U&'\d83d\de00' U&'\d83d'`, "s:☺ s:😀 s:?"},
		{`U&'a'`, "s:a"},
		{`U&'\0041\+000042c'`, "s:A\x00042c"},
		{`U&'!0041!+01F600' UESCAPE '!'`, "s:A\x1f600"},
		{`U&'\00e' `, "bad:bad-literal"},
		{`U&'x' UESCAPE 'ab'`, "bad:bad-literal"},
		{`U&'x' UESCAPE '1'`, "bad:bad-literal"},
		{`'a' UESCAPE '!'`, "s:a w:UESCAPE s:!"},
		{`e'a\tb\n' E'\u00e4\U0001F600'`, "s:a\tb\n s:ä😀"},
		{`e'\x41\101\'' e'a\\' e'a''b'`, `s:AA' s:a\ s:a'b`},
		{`e'[\7\8\q\"\X41\a]'`, `s:[\7\8\q\"\X41\a]`},
		{`e'[\1234]' e'[\378]' e'[\x412]' e'[\xg]'`, "s:[S4] s:[\x1f8] s:[A2] s:[xg]"},
		{`e'\u00e'`, "bad:bad-literal"},
		{`e'\U00110000'`, "bad:bad-literal"},
		{`e'abc' 'def'`, "s:abc s:def"},
		{"N'x' n'y' _utf8'z' _UTF-16LE'w' _latin1'é'", "s:x s:y s:z s:w s:é"},
		{"_latin1'€' _foo'x' _'x' _utf8 'x'", "bad:bad-literal bad:bad-literal w:_ s:x w:_utf8 s:x"},
		{"b'01'", "w:b s:01"},
		{"'open", "bad:syntax"},
		{"e'open\\'", "bad:syntax"},
		{"`open", "bad:syntax"},
		{"`a\nb`", "bad:syntax w:b bad:syntax"},
		{"``", "bad:syntax"},
		{"/* open", "bad:syntax"},
		{"a != b == c && d :: e := f -> g ->> h <=> i << j", "w:a bad:other-dialect w:b bad:other-dialect w:c bad:other-dialect w:d bad:other-dialect w:e bad:other-dialect w:f bad:other-dialect w:g bad:other-dialect w:h bad:other-dialect w:i bad:other-dialect w:j"},
		{"! ~ & @ # \\ \"a\" \"", "bad:other-dialect bad:other-dialect bad:other-dialect bad:other-dialect bad:other-dialect bad:other-dialect bad:other-dialect bad:other-dialect"},
		{"| ^", "| ^"},
		{"\uFEFFSELECT 1", "w:SELECT n:1"},
		{"a\u00a0b 가 \x00 ‘", "w:a bad:syntax w:b bad:syntax bad:syntax bad:syntax"},
		{"'\xff' \xff", "bad:syntax bad:syntax"},
	} {
		if got := dump(Scan(c.text)); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestKeywords(t *testing.T) {
	for _, c := range []struct {
		word     string
		key      string
		reserved bool
	}{
		{"SELECT", "SELECT", true}, {"select", "SELECT", true}, {"count", "COUNT", true}, {"VALUE", "VALUE", true},
		{"week", "WEEK", false}, {"type", "TYPE", false}, {"MAP", "MAP", false}, {"Options", "OPTIONS", false}, {"timestampadd", "TIMESTAMPADD", false},
		{"city", "", false}, {"selectx", "", false}, {"lımıt", "", false},
		{"DEDUPLICATE", "DEDUPLICATE", false}, {"bitmap", "BITMAP", true},
	} {
		tok := Scan(c.word).Tokens[0]
		if tok.Key != c.key || IsReserved(c.word) != c.reserved {
			t.Errorf("%s: keyword %q, reserved %v", c.word, tok.Key, IsReserved(c.word))
		}
	}
	for _, list := range [][]string{reserved[:], open[:], callable[:]} {
		for i, w := range list {
			if i > 0 && list[i-1] >= w || len(w) > longest {
				t.Errorf("%s is out of order or too long", w)
			}
		}
	}
}

func TestIsBareName(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "a1": true, "$x": true, "größe": true, "1a": false, "a b": false, "": false, "order": false, "week": true} {
		if IsBareName(name) != want {
			t.Errorf("IsBareName(%q) = %v", name, !want)
		}
	}
}

func TestMatch(t *testing.T) {
	s := Scan("f(a, (b)) ; g( ; )")
	got := map[int]int{}
	for i, tok := range s.Tokens {
		if tok.Is("(") {
			got[i] = s.Match(i)
		}
	}
	if got[1] != 7 || got[4] != 6 || got[10] != 0 {
		t.Errorf("%v", got)
	}
}

// FuzzScan checks that tokens lie in the text one behind the other and that
// every Bad token has an error with a place in it.
func FuzzScan(f *testing.F) {
	for _, text := range []string{"SELECT 'a' /*+ h */ FROM `b`", `e'\x4' U&'\d83d' UESCAPE '!'`, "x'0' _utf8'é' N'x' -- c", "a != b \"c\" 1.5e3 {d '2024-01-01'}", "'a'\n'b' /* c"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := Scan(text)
		end := 0
		for i, tok := range s.Tokens {
			if tok.Start < end || tok.End < tok.Start || tok.End > len(text) {
				t.Fatalf("token %d %v behind %d", i, tok, end)
			}
			end = tok.End
			if tok.Kind == Bad {
				if e := s.Err(i); e.Span == (diag.Span{}) || e.Span.Start < 0 || e.Span.End > len(text) || e.Span.End < e.Span.Start {
					t.Fatalf("token %d: error at %v", i, e.Span)
				}
			}
		}
		if last := s.Tokens[len(s.Tokens)-1]; last.Kind != EOF || last.Start != len(text) {
			t.Fatalf("the last token is %v", last)
		}
	})
}
