package spectest

import (
	"fmt"
	"regexp"
	"strings"

	"fsql/internal/diag"
	"fsql/internal/ftest"
)

// rewrite notes what a directive ought to be.
func (r *run) rewrite(u unitRecord, line string) {
	if u.file != r.unit.main {
		r.result.broken = fmt.Sprintf("%s:%d is of another file", u.file.Name, u.line())
		return
	}
	r.rewrites[u.line()] = line
}

// errorDirective is the line for statements with that outcome: "exec", or "exec
// error" with the code and with what still holds of the conditions that were
// written.
func errorDirective(rec *ftest.Refused, err error, sql string) string {
	if err == nil {
		return "exec"
	}
	d := diag.Of(err)
	text := diag.Render(err, diag.Source{Text: sql})
	line := "exec error code=" + string(d.Code)
	if rec.Contains != "" && strings.Contains(strings.ToLower(text), strings.ToLower(rec.Contains)) {
		line += " contains=" + ftest.Quote(rec.Contains)
	}
	if form, bad := regexp.Compile(rec.Regex); rec.Regex != "" && bad == nil && form.MatchString(text) {
		line += " regex=" + ftest.Quote(rec.Regex)
	}
	if rec.At != "" {
		l, col := diag.Source{Text: sql}.Position(d.Span.Start)
		line += fmt.Sprintf(" at=%d:%d", l, col)
	}
	return line
}
