package difftest

import "regexp"

// intended names the reason of a difference that is meant, or "".
func intended(q zoned, ours, flink answer) string {
	for _, d := range differences() {
		if d.text.MatchString(q.text) {
			return d.reason
		}
	}
	return ""
}

// differences are those of docs/differences.md that random expressions meet.
func differences() []difference {
	d := func(text, reason string) difference { return difference{regexp.MustCompile(text), reason} }
	return []difference{
		d(`^EXTRACT\(EPOCH FROM`, "the epoch of a TIMESTAMP_LTZ has no zone"),
		d(`^(EXTRACT\((HOUR|MINUTE|SECOND|MILLISECOND|MICROSECOND|NANOSECOND)|HOUR\(|MINUTE\(|SECOND\()`, "times of day before 1970"),
		d(`^(FLOOR|CEIL)\(.* TO (YEAR|QUARTER|MONTH|DECADE)\)`, "units of times before 1970"),
		d(`^TO_DATE\(.*, `, "TO_DATE of a text that does not fit its pattern"),
	}
}

// difference is one that is meant, with the reason that docs/differences.md
// gives.
type difference struct {
	text   *regexp.Regexp // of the expression
	reason string
}
