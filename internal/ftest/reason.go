package ftest

import (
	"regexp"
	"strings"
)

// Reason words for a list of failing cases. Others are "refused:CODE" for a
// query that was not answered, and "not-implemented:WHAT".
const (
	WrongResult = "wrong-result"
	WrongError  = "wrong-error"
	TimedOut    = "timeout"
	Panicked    = "panic"
)

// notImplemented is the code for what Flink has and fsql lacks. It never
// counts as a right refusal.
const notImplemented = "not-implemented"

// codeOf returns the code of a message, or "".
func codeOf(message string) string {
	m := regexp.MustCompile(`error\[([\w.-]+)\]`).FindStringSubmatch(message)
	if m == nil {
		return ""
	}
	return m[1]
}

// reasonOf makes a reason word from the message of a refusal.
func reasonOf(message, refused string) string {
	switch code := codeOf(message); code {
	case "":
		return refused
	case notImplemented:
		_, what, _ := strings.Cut(message, "error["+notImplemented+"]")
		return notImplemented + ":" + slug(what)
	default:
		return refused + ":" + code
	}
}

// slug makes one short word of a fact such as "MATCH_RECOGNIZE is not
// implemented yet".
func slug(fact string) string {
	fact, _, _ = strings.Cut(strings.TrimLeft(fact, ": "), "\n")
	fact = strings.ToLower(fact)
	for _, tail := range []string{" is not", " are not", " not implemented", " not yet"} {
		fact, _, _ = strings.Cut(fact, tail)
	}
	const most = 40
	var b strings.Builder
	for _, word := range strings.FieldsFunc(fact, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_'
	}) {
		if b.Len() > 0 {
			if b.Len()+len(word) >= most {
				break
			}
			b.WriteByte('-')
		}
		b.WriteString(word)
	}
	if b.Len() == 0 {
		return "something"
	}
	return b.String()
}

// DerivedReason says that a reason word was made from an outcome, not chosen
// by a person: it may change with the next outcome.
func DerivedReason(word string) bool {
	switch word {
	case WrongResult, WrongError, TimedOut, "refused":
		return true
	}
	return strings.HasPrefix(word, "refused:") || strings.HasPrefix(word, notImplemented+":")
}
