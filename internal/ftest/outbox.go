package ftest

import (
	"regexp"
	"strings"
	"unicode"
)

// withOutbox makes the checked query explicit: a script that ends with an
// INSERT or a statement set is followed by a look at the table outbox.
func withOutbox(script string) string {
	if !regexp.MustCompile(`(?i)^(INSERT|EXECUTE\s+STATEMENT|BEGIN|END)`).MatchString(lastStatement(script)) {
		return script
	}
	script = strings.TrimRightFunc(script, unicode.IsSpace)
	if !strings.HasSuffix(script, ";") {
		script += ";"
	}
	return script + "\nSELECT * FROM outbox;\n"
}

// lastStatement finds the last statement well enough to tell its kind; a
// statement set counts as one, whatever stands in it.
func lastStatement(script string) string {
	text := regexp.MustCompile(`(?s)/\*[^+].*?\*/`).ReplaceAllString(script, " ")
	text = regexp.MustCompile(`--[^\n]*`).ReplaceAllString(text, "")
	text = strings.TrimRight(strings.TrimSpace(text), ";")
	if regexp.MustCompile(`(?i)\bEND\s*$`).MatchString(text) && regexp.MustCompile(`(?i)STATEMENT\s+SET`).MatchString(text) {
		return "EXECUTE STATEMENT SET"
	}
	return strings.TrimSpace(text[strings.LastIndex(text, ";")+1:])
}
