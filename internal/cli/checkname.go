package cli

import (
	"regexp"
	"strings"

	"fsql/internal/diag"
)

// createHead finds the head of a CREATE TABLE or CREATE VIEW.
var createHead = regexp.MustCompile("(?i)\\bCREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:TEMPORARY\\s+)?(?:TABLE|VIEW)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?((?:[\\w.]|`[^`]*`)+)")

// beginning is the name that a statement which does not parse would have
// created: that of the last CREATE before the error.
func beginning(text string, e *diag.Error) string {
	all := createHead.FindAllStringSubmatch(text[:min(e.Span.End, len(text))], -1)
	if len(all) == 0 {
		return ""
	}
	return tail(all[len(all)-1][1])
}

// tail is the last part of a dotted name.
func tail(name string) string {
	parts := strings.Split(strings.ReplaceAll(name, "`", ""), ".")
	return strings.TrimSpace(parts[len(parts)-1])
}
