package spectest

import (
	"fmt"
	"regexp"
	"strings"
)

// Colours paint parts of a report; nil paints nothing.
type Colours struct{ Good, Bad, Dim, Off string }

// ANSI are the colours of terminals.
func ANSI() *Colours {
	return &Colours{Good: "\x1b[32m", Bad: "\x1b[31m", Dim: "\x1b[2m", Off: "\x1b[0m"}
}

func (c *Colours) paint(which func(*Colours) string, s string) string {
	if c == nil {
		return s
	}
	return which(c) + s + c.Off
}

func (c *Colours) good(s string) string { return c.paint(func(c *Colours) string { return c.Good }, s) }
func (c *Colours) bad(s string) string  { return c.paint(func(c *Colours) string { return c.Bad }, s) }
func (c *Colours) dim(s string) string  { return c.paint(func(c *Colours) string { return c.Dim }, s) }

// mostLines of a difference are shown.
const mostLines = 30

// Text is a failure as people read it.
func (f *Failure) Text(c *Colours) string {
	var b strings.Builder
	where := fmt.Sprintf("--- FAIL %s:%d  %s", f.File, f.Line, f.What)
	b.WriteString(c.bad(where))
	if !f.Variant.plain() {
		b.WriteString("   [" + f.Variant.String() + "]")
	}
	b.WriteString("\n  " + strings.ReplaceAll(f.Message, "\n", "\n  ") + "\n")
	if f.Detail != "" {
		b.WriteString("  " + strings.ReplaceAll(f.Detail, "\n", "\n  ") + "\n")
	}
	for i, d := range f.Diff {
		if i == mostLines {
			fmt.Fprintf(&b, "  ... %d more lines\n", len(f.Diff)-i)
			break
		}
		switch d.Sign {
		case '-':
			b.WriteString(c.good("- "+d.Text) + "\n")
		case '+':
			b.WriteString(c.bad("+ "+d.Text) + "\n")
		default:
			b.WriteString(c.dim("  "+d.Text) + "\n")
		}
	}
	for _, n := range f.Notes {
		b.WriteString("  " + n + "\n")
	}
	b.WriteString("  repeat: " + f.Repeat() + "\n")
	return b.String()
}

// Repeat is the command that shows the failure again.
func (f *Failure) Repeat() string {
	s := "fsql test " + quoted(f.Unit.File)
	if _, sub, ok := strings.Cut(strings.TrimPrefix(f.Unit.Name, f.Unit.File), ":"); ok {
		s += " --run " + quoted(":"+regexp.QuoteMeta(sub)+"$")
	}
	if f.Variant.Parallelism > 0 && f.Unit.run == nil {
		s += f.Variant.flags()
	}
	return s
}

// quoted is a word for a shell.
func quoted(s string) string {
	if s != "" && !strings.ContainsAny(s, " '\"$&;|<>()*?[]#~`\\!{}") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
