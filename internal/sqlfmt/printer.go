package sqlfmt

import (
	"strings"
	"unicode/utf8"

	"fsql/sql/lex"
)

// printer writes tokens, knows where it stands on the line, and keeps the
// comments behind a token back until it is known that no comma follows.
type printer struct {
	strings.Builder
	col    int
	indent int // of the current line
	last   token
	behind []comment
	// carried are comments of which an earlier one has ended the line: the
	// next token has them above it.
	carried []comment
	broken  bool // a comment reaches to the end of the line
	named   name // whether the last tokens name a table whose columns may follow
}

// name is how far the name of a table has come.
type name uint8

const (
	unwanted name = iota
	wanted        // a keyword stood that a table follows
	given         // and the table
)

func (p *printer) put(s string) {
	p.WriteString(s)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		p.col = utf8.RuneCountInString(s[i+1:])
		return
	}
	p.col += utf8.RuneCountInString(s)
}

// line starts a new line, unless one has just been started.
func (p *printer) line(indent int) {
	p.settle()
	p.indent, p.broken, p.last = indent, false, token{}
	if p.col > 0 {
		p.WriteByte('\n')
		p.col = 0
	}
}

// settle writes the comments that were kept back.
func (p *printer) settle() {
	for _, c := range p.behind {
		if p.broken {
			p.carried = append(p.carried, c)
			continue
		}
		p.put(" " + c.text)
		p.broken = c.line()
	}
	p.behind = nil
}

func (p *printer) pad(n int) {
	if p.col == 0 {
		p.put(strings.Repeat(" ", n))
	}
}

// token writes one token with its comments.
func (p *printer) token(t *token) {
	if !t.Is(",") && !t.Is(";") {
		p.settle()
	}
	above := append(p.carried, t.above...)
	p.carried = nil
	if len(above) > 0 {
		p.line(p.indent)
		p.above(above, false)
	}
	if p.broken {
		p.WriteByte('\n')
		p.col, p.broken, p.last = 0, false, token{}
		p.pad(p.indent + 2)
	}
	space := p.last.text != "" && blank(&p.last, t, p.named == given)
	if p.col == 0 {
		p.pad(p.indent)
	} else if space {
		p.put(" ")
	}
	p.put(t.text)
	switch {
	case t.word == "TABLE", t.word == "VIEW", t.word == "INTO", t.word == "OVERWRITE":
		p.named = wanted
	case t.word == "IF", t.word == "NOT", t.word == "EXISTS", p.named == given && t.Is("."):
	case p.named != unwanted && t.word == "" && (t.Kind == lex.Word || t.Kind == lex.Quoted):
		p.named = given
	default:
		p.named = unwanted
	}
	p.last = *t
	p.behind = append(p.behind, t.after...)
}

// above writes comments on lines of their own, with the empty lines between
// them if they stand between statements.
func (p *printer) above(list []comment, empty bool) {
	for i, c := range list {
		if i > 0 && c.blank && empty {
			p.WriteByte('\n')
		}
		if c.text == "" {
			continue
		}
		p.pad(p.indent)
		p.put(c.text)
		p.WriteByte('\n')
		p.col = 0
	}
}

// between starts the line of the next statement.
func (p *printer) between(first bool, t token) {
	p.line(0)
	p.above(p.carried, false)
	if p.carried = nil; t.blank && !first {
		p.WriteByte('\n')
	}
}

// embed writes the text of a whole statement; behind are comments that follow.
func (p *printer) embed(text string, behind []comment) {
	p.put(text)
	p.last, p.broken, p.indent, p.behind = token{}, false, 0, behind
}

// trail adds a comment behind what was written last.
func (p *printer) trail(c comment) { p.behind = append(p.behind, c) }
