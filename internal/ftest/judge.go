package ftest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Outcome is what a run of a script left behind.
type Outcome struct {
	Stdout  string
	Message string // standard error
	Failed  bool   // exit status not 0
}

// Verdict says whether an outcome is right and, if not, why: a reason of one
// word for a list, and a detail for a reader.
type Verdict struct {
	OK     bool
	Reason string
	Detail string
}

var right = Verdict{OK: true}

// Judge compares an outcome with what a check asks for.
func (c Check) Judge(o Outcome) Verdict {
	if at := regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d+ \[)`).FindString(o.Message); at != "" {
		return Verdict{Reason: Panicked, Detail: clip(o.Message, 4000)}
	}
	if c.Mode == Error {
		return c.judgeError(o)
	}
	if o.Failed {
		return Verdict{Reason: reasonOf(o.Message, "refused"), Detail: "refused: " + clip(o.Message, 400)}
	}
	return c.judgeRows(o)
}

// judgeError wants a refusal with a code, for a reason of Flink's.
func (c Check) judgeError(o Outcome) Verdict {
	switch code := codeOf(o.Message); {
	case !o.Failed:
		return Verdict{Reason: WrongError, Detail: "accepted, must be refused"}
	case code == "":
		return Verdict{Reason: WrongError, Detail: "failed without error[CODE]: " + clip(o.Message, 300)}
	case code == notImplemented:
		return Verdict{Reason: reasonOf(o.Message, ""), Detail: "refused only because it is not implemented: " + clip(o.Message, 300)}
	}
	if missing := missingWords(c.Contains, o.Message); len(missing) > 0 {
		return Verdict{Reason: WrongError, Detail: "message lacks " + strings.Join(missing, ", ") + ": " + clip(o.Message, 300)}
	}
	return right
}

// missingWords returns the parts of contains (parted by " ; ") of which the
// message holds no alternative (parted by |). Case does not matter.
func missingWords(contains, message string) []string {
	if contains == "" {
		return nil
	}
	var missing []string
	message = strings.ToLower(message)
parts:
	for part := range strings.SplitSeq(contains, " ; ") {
		for word := range strings.SplitSeq(part, "|") {
			if strings.Contains(message, strings.ToLower(strings.TrimSpace(word))) {
				continue parts
			}
		}
		missing = append(missing, strings.TrimSpace(part))
	}
	return missing
}

// judgeRows compares header and rows.
func (c Check) judgeRows(o Outcome) Verdict {
	wrong := func(format string, args ...any) Verdict {
		return Verdict{Reason: WrongResult, Detail: fmt.Sprintf(format, args...)}
	}
	want, got := Rows(c.Answer), Rows(o.Stdout)
	if len(want) == 0 {
		return wrong("the answer has no header")
	}
	if len(got) == 0 {
		return wrong("printed nothing")
	}
	if !slices.Equal(want[0], got[0]) {
		return wrong("header %s instead of %s", strings.Join(got[0], ","), strings.Join(want[0], ","))
	}
	missing, extra := multisetDifference(want[1:], got[1:])
	if len(missing)+len(extra) > 0 {
		return wrong("%d rows missing, %d too many%s%s", len(missing), len(extra), rowLines("-", missing), rowLines("+", extra))
	}
	switch c.Mode {
	case Changelog:
		if complaint := replay(got[1:]); complaint != "" {
			return wrong("%s", complaint)
		}
	case Ordered:
		for i, row := range want[1:] {
			if rowKey(row) != rowKey(got[i+1]) {
				return wrong("row %d is %s instead of %s", i+1, strings.Join(got[i+1], ","), strings.Join(row, ","))
			}
		}
	}
	return right
}

// multisetDifference returns what want has more of and what got has more of.
func multisetDifference(want, got [][]string) (missing, extra [][]string) {
	count := map[string]int{}
	for _, row := range got {
		count[rowKey(row)]++
	}
	for _, row := range want {
		if k := rowKey(row); count[k] > 0 {
			count[k]--
		} else {
			missing = append(missing, row)
		}
	}
	for i := len(got) - 1; i >= 0; i-- { // what is left over are the last ones
		if k := rowKey(got[i]); count[k] > 0 {
			count[k]--
			extra = append(extra, got[i])
		}
	}
	return missing, extra
}

// replay returns a complaint if a -U or -D removes a row that is not there.
func replay(changes [][]string) string {
	live := map[string]int{}
	for _, change := range changes {
		op, row := change[0], change[1:]
		k := rowKey(row)
		switch op {
		case "+I", "+U":
			live[k]++
		case "-U", "-D":
			if live[k] == 0 {
				return fmt.Sprintf("%s %s removes a row that is not there", op, strings.Join(row, ","))
			}
			live[k]--
		default:
			return "not a row kind: " + op
		}
	}
	return ""
}

func rowLines(sign string, rows [][]string) string {
	const most = 6
	var b strings.Builder
	for _, row := range rows[:min(most, len(rows))] {
		b.WriteString("\n  " + sign + " " + strings.Join(row, ","))
	}
	return b.String()
}

func clip(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "..."
	}
	return s
}
