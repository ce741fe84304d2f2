package corpus

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"fsql/internal/ftest"
)

// Known lists the cases that still fail: a reason word by name.
type Known map[string]string

const knownHead = `# Cases that fsql does not answer as Flink does yet, each with a reason word. A case that is not listed must pass, a
# listed one must fail, but for the reason order-dependent. go test . -run TestCorpus -update-known rewrites the list; reason words that a person chose stay.
`

// ReadKnown reads a known.txt: lines "GROUP/NAME reason-word" in order of
// name, and comments.
func ReadKnown(path string) (Known, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := Known{}
	last := ""
	for i, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, " ")
		if !ok || reason == "" || strings.Contains(reason, " ") {
			return nil, fmt.Errorf("%s:%d: not GROUP/NAME and one reason word: %s", path, i+1, line)
		}
		if name <= last {
			return nil, fmt.Errorf("%s:%d: %s is not in order", path, i+1, name)
		}
		known[name], last = reason, name
	}
	return known, nil
}

// Format writes the list in order of name.
func (k Known) Format() []byte {
	var b strings.Builder
	b.WriteString(knownHead)
	for _, name := range slices.Sorted(maps.Keys(k)) {
		fmt.Fprintf(&b, "%s %s\n", name, k[name])
	}
	return []byte(b.String())
}

// Update takes in what a run found. Cases that did not run keep their line; a
// reason word chosen by a person outlives a failure for any derived reason.
func (k Known) Update(verdicts map[string]ftest.Verdict) {
	for name, v := range verdicts {
		old, listed := k[name]
		switch {
		case v.OK:
			delete(k, name)
		case !listed || old == operator || ftest.DerivedReason(old):
			k[name] = reasonFor(name, v.Reason)
		}
	}
}

// operator is the reason of a case about scalars whose statement needs an
// operator, a connector or a format that is not there: the scalar language is
// not what fails.
const operator = "operator"

// reasonFor gives a case of the groups about scalars the reason operator where
// what lacks is none of theirs: all but a function.
func reasonFor(name, reason string) string {
	switch group, _, _ := strings.Cut(name, "/"); group {
	case "types", "lexical", "functions", "errors":
		what, lacks := strings.CutPrefix(reason, "not-implemented:")
		if lacks && !strings.HasPrefix(what, "the-function-") {
			return operator
		}
	}
	return reason
}
