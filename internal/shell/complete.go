package shell

import (
	"os"
	"path/filepath"
	"strings"

	"fsql/internal/option"
	"fsql/session"
	"fsql/sql/lex"
)

// completer finds what may stand at the cursor from the tokens in front of it
// and from what the session knows. It reads memory (and folders where a file
// name stands), so that it never makes anybody wait.
type completer struct {
	session *session.Session
	metas   []meta
	dir     func() string
}

// place is where the cursor stands.
type place struct {
	candidates
	before []lex.Token // of the statement, in front of the word
	all    []lex.Token // of the statement
}

// prev is the nth token in front of the word, counted from 1.
func (p *place) prev(n int) lex.Token {
	if n < 1 || n > len(p.before) {
		return lex.Token{}
	}
	return p.before[len(p.before)-n]
}

func (c *completer) complete(text string, at int) Completion {
	head := text[:at]
	if line := strings.TrimLeft(head, " \t"); isMeta(line+" ") && !strings.Contains(line, "\n") {
		return c.meta(line, at)
	}
	src := lex.Scan(head)
	tokens := src.Tokens[:len(src.Tokens)-1]
	p := &place{}
	from := at
	switch unclosed(src) {
	case openComment:
		return Completion{From: at}
	case openString:
		t := tokens[len(tokens)-1]
		from = t.Start + 1
		p.before = statement(tokens[:len(tokens)-1])
		p.typed = head[from:]
		p.all = p.before
		c.inString(p)
	default:
		if n := len(tokens); n > 0 && tokens[n-1].End == at && (tokens[n-1].Kind == lex.Word || strings.HasPrefix(head[tokens[n-1].Start:], "`") && tokens[n-1].Kind == lex.Bad) {
			from = tokens[n-1].Start
			tokens = tokens[:n-1]
		}
		p.before = statement(tokens)
		p.all = around(lex.Scan(text), at)
		p.typed = head[from:]
		c.inText(p)
	}
	return Completion{From: from, Items: p.items}
}

// statement is the part of the tokens that belongs to the last statement.
func statement(tokens []lex.Token) []lex.Token {
	for i := len(tokens) - 1; i >= 0; i-- {
		if tokens[i].Is(";") {
			return tokens[i+1:]
		}
	}
	return tokens
}

// around is the statement that holds a place of the text.
func around(src *lex.Source, at int) []lex.Token {
	start := 0
	for i, t := range src.Tokens {
		if t.Kind == lex.EOF || t.Is(";") && t.Start >= at {
			return src.Tokens[start:i]
		}
		if t.Is(";") {
			start = i + 1
		}
	}
	return src.Tokens[start:]
}

// inString completes inside a string: keys and values of options, file names.
func (c *completer) inString(p *place) {
	p1 := p.prev(1)
	switch {
	case p1.Key == "SET" || p1.Key == "RESET":
		for _, d := range c.session.Settings().Defs {
			if !d.Ignored {
				p.key(d.Key, p1.Key == "SET")
			}
		}
		if len(p.items) == 0 {
			for _, d := range c.session.Settings().Defs {
				p.key(d.Key, p1.Key == "SET")
			}
		}
		p.stepwise()
	case p1.Is("=") && p.prev(3).Key == "SET" && len(p.before) == 3:
		d, _ := c.session.Settings().Lookup(p.prev(2).Text)
		c.values(p, d)
	case p.enclosedBy("WITH") && p1.Is("="):
		c.optionValues(p, p.prev(2).Text)
	case p.enclosedBy("WITH") && (p1.Is("(") || p1.Is(",")):
		c.optionKeys(p)
	}
}

// key adds a key, with what follows it.
func (p *place) key(key string, assigned bool) {
	i := Item{Text: strings.ReplaceAll(key, "#", "<name>")}
	i.Show = i.Text
	if assigned {
		i.Text += "' = '"
	}
	p.add(i)
}

// enclosedBy tells that the innermost open parenthesis stands behind a word.
func (p *place) enclosedBy(key string) bool {
	depth := 0
	for i := len(p.before) - 1; i > 0; i-- {
		switch t := p.before[i]; {
		case t.Is(")"):
			depth++
		case t.Is("(") && depth > 0:
			depth--
		case t.Is("("):
			return p.before[i-1].Key == key
		}
	}
	return false
}

// options are the connector's and the format's options of the WITH clause.
func (c *completer) options(p *place) (sets []option.Set, prefixes []string) {
	reg := c.session.Connectors()
	if conn := reg.Connector(p.option("connector")); conn != nil {
		sets, prefixes = append(sets, *conn.Options), append(prefixes, "")
	}
	if f := reg.Format(p.option("format")); f != nil {
		sets, prefixes = append(sets, *f.Options), append(prefixes, f.Name+".")
	}
	return sets, prefixes
}

// option is the value of a key of the WITH clause.
func (p *place) option(key string) string {
	for i := 2; i < len(p.before); i++ {
		if p.before[i-2].Kind == lex.String && p.before[i-2].Text == key && p.before[i-1].Is("=") && p.before[i].Kind == lex.String {
			return p.before[i].Text
		}
	}
	return ""
}

func (c *completer) optionKeys(p *place) {
	add := func(key string) {
		if p.option(key) == "" {
			p.key(key, true)
		}
	}
	add("connector")
	if conn := c.session.Connectors().Connector(p.option("connector")); conn == nil || conn.Formatted {
		add("format")
	}
	sets, prefixes := c.options(p)
	for i, s := range sets {
		for _, d := range s.Defs {
			add(prefixes[i] + d.Key)
		}
	}
}

func (c *completer) optionValues(p *place, key string) {
	reg := c.session.Connectors()
	switch key {
	case "connector":
		for _, conn := range reg.Connectors {
			p.add(Item{Text: conn.Name + "'", Show: conn.Name})
		}
		return
	case "format":
		for _, f := range reg.Formats {
			p.add(Item{Text: f.Name + "'", Show: f.Name})
		}
		return
	case "path":
		c.files(p)
		return
	}
	sets, prefixes := c.options(p)
	for i := range sets {
		if k, ok := strings.CutPrefix(key, prefixes[i]); ok {
			if d, _ := sets[i].Lookup(k); d != nil {
				c.values(p, d)
			}
		}
	}
}

// values adds the values that an option may have.
func (c *completer) values(p *place, d *option.Def) {
	if d == nil {
		return
	}
	choices := d.Choices
	if d.Type == option.Bool {
		choices = []string{"true", "false"}
	}
	if len(choices) == 0 && d.Default != "" {
		choices = []string{d.Default}
	}
	for _, v := range choices {
		p.add(Item{Text: v + "'", Show: v})
	}
}

// files adds the names in the folder that was typed.
func (c *completer) files(p *place) {
	dir, base := filepath.Split(p.typed)
	look := dir
	if !filepath.IsAbs(look) {
		look = filepath.Join(c.dir(), look)
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		if strings.HasPrefix(name, base) {
			p.add(Item{Text: dir + name, Show: name})
		}
	}
}

// meta completes a command of the shell.
func (c *completer) meta(line string, at int) Completion {
	cmd, arg, spaced := strings.Cut(line, " ")
	p := &place{}
	if !spaced {
		p.typed = cmd
		for _, m := range c.metas {
			for _, n := range m.names {
				if strings.HasPrefix(n, cmd) {
					text := n
					if m.args != "" {
						text += " "
					}
					p.add(Item{Text: text, Show: n})
				}
			}
		}
		return Completion{From: at - len(cmd), Items: p.items}
	}
	p.typed = strings.TrimLeft(arg, " ")
	m, err := findMeta(c.metas, cmd)
	if err != nil {
		return Completion{From: at}
	}
	switch m.takes {
	case takesFile:
		c.files(p)
	case takesTable:
		c.tables(p)
	case takesSaved:
		for _, n := range savedNames() {
			p.name(n)
		}
	case takesWord:
		for _, w := range m.choices {
			p.name(w)
		}
	case takesSQL:
		inner := c.complete(p.typed, len(p.typed))
		return Completion{From: at - len(p.typed) + inner.From, Items: inner.Items}
	}
	return Completion{From: at - len(p.typed), Items: p.items}
}
