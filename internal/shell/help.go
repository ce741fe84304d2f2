package shell

import (
	"fmt"
	"strings"
)

// help is .help: an overview that fits a screen, the list of all commands, or
// one of them.
func (s *Shell) help(arg string) error {
	switch {
	case arg == "":
		s.overview()
		return nil
	case strings.EqualFold(arg, "all"):
		s.describe(s.metas)
		return nil
	case !strings.HasPrefix(arg, ".") && !strings.HasPrefix(arg, `\`):
		arg = "." + arg
	}
	m, err := findMeta(s.metas, arg)
	if err == nil {
		s.describe([]meta{*m})
	}
	return err
}

// overview is what somebody sees who knows nothing yet.
func (s *Shell) overview() {
	width := s.room()
	say := func(text string) {
		for _, l := range wrap(text, width) {
			s.printf("%s\n", l)
		}
	}
	say("SQL ends with ; and may span lines. Tab completes, Ctrl-C cancels. Commands:")
	s.printf("\n")
	const indent = 11
	const together = "\u00a0" // where no line breaks
	for i := 0; i < len(s.metas); {
		group, line := s.metas[i].group, ""
		for ; i < len(s.metas) && s.metas[i].group == group; i++ {
			line += strings.Join(s.metas[i].names, together) + "  "
		}
		for k, l := range wrap(strings.TrimRight(line, " "), width-indent) {
			if k > 0 {
				group = ""
			}
			s.printf("%-*s%s\n", indent, group, strings.ReplaceAll(l, together, " "))
		}
	}
	s.printf("\n")
	say(".help all says what each does, .help mode what one does.")
}

// describe lists commands with what they do.
func (s *Shell) describe(list []meta) {
	wide := 0
	head := func(m meta) string { return strings.TrimSpace(strings.Join(m.names, " ") + " " + m.args) }
	for _, m := range list {
		wide = max(wide, len(head(m)))
	}
	indent := wide + 2
	narrow := s.room() < indent+27
	if narrow {
		indent = 4
	}
	for _, m := range list {
		doc := wrap(m.doc, s.room()-indent)
		if narrow {
			s.printf("%s\n", head(m))
		} else {
			s.printf("%s\n", fmt.Sprintf("%-*s%s", indent, head(m), doc[0]))
			doc = doc[1:]
		}
		for _, l := range doc {
			s.printf("%*s%s\n", indent, "", l)
		}
	}
}
