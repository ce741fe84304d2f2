package cli

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"fsql/internal/diag"
	"fsql/internal/ftest/corpus"
	"fsql/session"
	"fsql/sql/lex"
)

// TestMutatedScripts plans scripts of the corpus in which tokens are left out,
// doubled, swapped or taken from other scripts: mistakes that the bytes of
// FuzzScript seldom make. What must hold is the same.
func TestMutatedScripts(t *testing.T) {
	cases, err := corpus.Load("../../testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range cases {
		checks, err := c.File.Checks()
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range checks {
			texts = append(texts, check.Script)
		}
	}
	rounds := 2_000
	if *mutations > 0 {
		rounds = *mutations
	}
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(1, uint64(rounds)))
	for range rounds {
		text := mutated(rnd, texts)
		s, err := session.New(session.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic %v in\n%s", p, text)
				}
			}()
			for _, err := range checkScript(context.Background(), s, script{src: diag.Source{Name: "x.sql", Text: text}, dir: dir}) {
				var e *diag.Error
				if !errors.As(err, &e) {
					t.Fatalf("%v is no *diag.Error", err)
				}
				if complaint := badError(e, text); complaint != "" {
					t.Errorf("%s: %s", complaint, diag.Render(e, diag.Source{Text: text}))
				}
			}
		}()
	}
}

// mutated is a script with one to three changes of its tokens, most of them
// behind its CREATE statements.
func mutated(rnd *rand.Rand, texts []string) string {
	words := tokens(texts[rnd.IntN(len(texts))])
	other := tokens(texts[rnd.IntN(len(texts))])
	for range 1 + rnd.IntN(3) {
		if len(words) < 2 || len(other) == 0 {
			break
		}
		i := rnd.IntN(len(words) - 1)
		if rnd.IntN(3) > 0 {
			i = max(0, len(words)-2-rnd.IntN(min(40, len(words)-1)))
		}
		switch rnd.IntN(5) {
		case 0:
			words = append(words[:i:i], words[i+1:]...)
		case 1:
			words[i], words[i+1] = words[i+1], words[i]
		case 2:
			words = append(words[:i+1:i+1], words[i:]...)
		case 3:
			words[i] = other[rnd.IntN(len(other))]
		default:
			j := rnd.IntN(len(other))
			words = append(append(words[:i:i], other[j:min(len(other), j+1+rnd.IntN(6))]...), words[i:]...)
		}
	}
	return strings.Join(words, " ")
}

// tokens are the texts of the tokens of a script.
func tokens(text string) []string {
	var out []string
	for _, t := range lex.Scan(text).Tokens {
		if t.Kind != lex.EOF {
			out = append(out, text[t.Start:t.End])
		}
	}
	return out
}
