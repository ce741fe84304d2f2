package ftest

import (
	"strings"
	"testing"
)

func TestJudgeRows(t *testing.T) {
	const abc = "k,n\na,1\nb,NULL\na,1\n"
	const changes = "op,k\n+I,a\n-U,a\n+U,b\n-D,b\n"
	for _, c := range []struct {
		name         string
		mode         Mode
		answer, out  string
		reason, says string
	}{
		{"same", Final, abc, abc, "", ""},
		{"any order", Final, abc, "k,n\nb,NULL\na,1\na,1\n", "", ""},
		{"a row too few", Final, abc, "k,n\na,1\nb,NULL\n", WrongResult, "1 rows missing, 0 too many\n  - a,1"},
		{"a row too many", Final, abc, abc + "a,1\n", WrongResult, "0 rows missing, 1 too many\n  + a,1"},
		{"NULL is not the text", Final, abc, "k,n\na,1\nb,\"NULL\"\na,1\n", WrongResult, "- b,NULL"},
		{"NULL is not empty", Final, abc, "k,n\na,1\nb,\"\"\na,1\n", WrongResult, "+ b,"},
		{"header", Final, abc, strings.Replace(abc, "n", "m", 1), WrongResult, "header k,m instead of k,n"},
		{"nothing", Final, abc, "", WrongResult, "printed nothing"},
		{"no rows wanted", Final, "k\n", "k\n", "", ""},
		{"quoting does not matter", Final, "k\na b\n", "k\n\"a b\"\n", "", ""},
		{"ordered", Ordered, abc, abc, "", ""},
		{"ordered otherwise", Ordered, abc, "k,n\na,1\na,1\nb,NULL\n", WrongResult, "row 2 is a,1 instead of b,NULL"},
		{"changelog", Changelog, changes, changes, "", ""},
		{"other keys in between", Changelog, "op,k\n+I,a\n+I,b\n-U,a\n+U,c\n", "op,k\n+I,a\n-U,a\n+I,b\n+U,c\n", "", ""},
		{"removed before it came", Changelog, changes, "op,k\n-U,a\n+I,a\n+U,b\n-D,b\n", WrongResult, "-U a removes a row that is not there"},
		{"other row kind", Changelog, changes, strings.Replace(changes, "+U", "+I", 1), WrongResult, "1 rows missing"},
		{"replay counts rows", Changelog, "op,k\n+I,a\n+I,a\n-D,a\n-D,a\n", "op,k\n+I,a\n-D,a\n-D,a\n+I,a\n", WrongResult, "removes a row"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := Check{Mode: c.mode, Answer: c.answer}.Judge(Outcome{Stdout: c.out})
			if v.OK != (c.reason == "") || v.Reason != c.reason || !strings.Contains(v.Detail, c.says) {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestJudgeErrors(t *testing.T) {
	const must = `empty|''|"" ; DOUBLE|number`
	for _, c := range []struct {
		name     string
		mode     Mode
		contains string
		out      Outcome
		reason   string
	}{
		{"right", Error, must, Outcome{Message: `error[bad-cast]: '' is no double`, Failed: true}, ""},
		{"nothing must be mentioned", Error, "", Outcome{Message: `error[bad-cast]: no`, Failed: true}, ""},
		{"a part is missing", Error, must, Outcome{Message: `error[bad-cast]: bad double`, Failed: true}, WrongError},
		{"without a code", Error, must, Outcome{Message: `error: empty number`, Failed: true}, WrongError},
		{"accepted", Error, must, Outcome{Stdout: "a\n1\n"}, WrongError},
		{"not implemented", Error, must, Outcome{Message: "error[not-implemented]: CAST of empty DOUBLE is not implemented\n x", Failed: true}, "not-implemented:cast-of-empty-double"},
		{"crash", Error, "", Outcome{Message: "panic: error[bad-cast]\n\ngoroutine 1 [running]:", Failed: true}, Panicked},
		{"crash of a query", Final, "", Outcome{Message: "x\nfatal error: all goroutines are asleep", Failed: true}, Panicked},
		{"refused", Final, "", Outcome{Message: "error[unknown-function]: no function F", Failed: true}, "refused:unknown-function"},
		{"refused without code", Final, "", Outcome{Message: "no", Failed: true}, "refused"},
		{"query not implemented", Final, "", Outcome{Message: "error[not-implemented]: MATCH_RECOGNIZE (pattern)", Failed: true}, "not-implemented:match_recognize-pattern"},
		{"a wordless one", Final, "", Outcome{Message: "error[not-implemented]", Failed: true}, "not-implemented:something"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := Check{Mode: c.mode, Contains: c.contains, Answer: "a\n1\n"}.Judge(c.out)
			if v.OK != (c.reason == "") || v.Reason != c.reason {
				t.Errorf("%+v", v)
			}
			if !v.OK && v.Reason != Panicked && !DerivedReason(v.Reason) {
				t.Errorf("%s is not known as a derived reason", v.Reason)
			}
		})
	}
	if DerivedReason("needs-a-clock") {
		t.Error("a word of a person counts as derived")
	}
}
