package corpus

import (
	"fmt"
	"regexp"
	"strings"
)

// States computes the state of every feature that a case shows.
func States(cases []Case, known Known, differ Differences) map[string]State {
	states := map[string]State{}
	for _, c := range cases {
		for _, number := range c.File.Header.Features() {
			s := states[number]
			switch {
			case differ[c.Name]:
				s.Differ++
			case known[c.Name] != "":
				s.Cases++
			default:
				s.Cases++
				s.Right++
			}
			states[number] = s
		}
	}
	return states
}

// State counts the cases of one feature: those that should come out as
// Flink's, how many of them do, and those that are meant to differ.
type State struct{ Cases, Right, Differ int }

func (s State) String() string {
	switch {
	case s == State{}:
		return "no case"
	case s.Cases == 0:
		return "differs on purpose"
	case s.Right == s.Cases:
		return "right"
	case s.Right == 0:
		return "not yet"
	}
	return fmt.Sprintf("partly (%d of %d)", s.Right, s.Cases)
}

const summaryStart = "Now: "

// RewriteFeatures returns the text of docs/features.md with the columns of
// cases and state, and the line that starts with "Now: ", computed anew. It
// fails when a case shows a feature that the table lacks, or the numbers do
// not run from 001 to 276.
func RewriteFeatures(text string, states map[string]State) (string, error) {
	// Number, name, what it holds (written by hand), number of cases, state.
	featureRow := regexp.MustCompile(`^(\| (\d{3}) \| .* \| .* \| )[^|]*( \| )[^|]*( \|)$`)
	lines := strings.Split(text, "\n")
	seen := 0
	count := map[string]int{}
	summary := -1
	for i, line := range lines {
		if strings.HasPrefix(line, summaryStart) {
			summary = i
		}
		m := featureRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		seen++
		if m[2] != fmt.Sprintf("%03d", seen) {
			return "", fmt.Errorf("line %d: feature %s stands where %03d belongs", i+1, m[2], seen)
		}
		s := states[m[2]]
		word, _, _ := strings.Cut(s.String(), " (")
		count[word]++
		lines[i] = fmt.Sprintf("%s%d%s%s%s", m[1], s.Cases+s.Differ, m[3], s, m[4])
	}
	if seen != featureCount {
		return "", fmt.Errorf("%d features in the table, there are %d", seen, featureCount)
	}
	for number := range states {
		if !isFeature(number) {
			return "", fmt.Errorf("a case shows feature %s, which does not exist", number)
		}
	}
	if summary < 0 {
		return "", fmt.Errorf("no line starts with %q", summaryStart)
	}
	lines[summary] = fmt.Sprintf("%s%d right, %d partly, %d not yet, %d without a case, %d differ on purpose.", summaryStart,
		count["right"], count["partly"], count["not yet"], count["no case"], count["differs on purpose"])
	return strings.Join(lines, "\n"), nil
}

// featureCount is how many features the dialect has been divided into. The
// numbers are stable: a feature is never renumbered.
const featureCount = 276

// isFeature says whether three digits are the number of a feature.
func isFeature(number string) bool {
	return number >= "001" && number <= fmt.Sprintf("%03d", featureCount)
}
