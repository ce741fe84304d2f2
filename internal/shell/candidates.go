package shell

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsql/internal/diag"
)

// candidates collects what may stand in place of a typed word: what begins with
// it, in whatever case. Names replace the word as they are, because case counts
// in them; words of the language follow the case that was typed.
type candidates struct {
	typed string
	items []Item
	seen  map[string]bool
}

func (c *candidates) begins(text string) bool {
	return len(text) >= len(c.typed) && strings.EqualFold(text[:len(c.typed)], c.typed)
}

// name adds a name.
func (c *candidates) name(text string) { c.add(Item{Text: text}) }

// word adds a word of the language.
func (c *candidates) word(text string) {
	show := text
	if c.lower() {
		text, show = strings.ToLower(text), strings.ToLower(text)
	}
	i := Item{Text: text, Show: show}
	if !strings.HasSuffix(text, "(") && !strings.HasSuffix(text, " ") {
		i.After = " "
	}
	c.add(i)
}

func (c *candidates) words(list ...string) {
	for _, w := range list {
		c.word(w)
	}
}

// function adds a function by its signature: "SUBSTRING(s, from [, length])".
func (c *candidates) function(name, syntax string) {
	text, show := name, name
	if strings.HasPrefix(syntax, name+"(") {
		text, show = name+"(", syntax
	}
	if syntax == name+"()" {
		text = syntax
	}
	if c.lower() {
		text = strings.ToLower(text)
		show = strings.ToLower(name) + strings.TrimPrefix(show, name)
	}
	c.add(Item{Text: text, Show: show})
}

func (c *candidates) add(i Item) {
	if !c.begins(i.Text) || c.seen[i.Text] {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[i.Text] = true
	c.items = append(c.items, i)
}

// lower tells that the word was typed in small letters.
func (c *candidates) lower() bool {
	return strings.IndexFunc(c.typed, unicode.IsLower) >= 0 && strings.IndexFunc(c.typed, unicode.IsUpper) < 0
}

// stepwise shortens a long list of dotted keys to their next part.
func (c *candidates) stepwise() {
	const long = 30
	if len(c.items) <= long {
		return
	}
	short := candidates{typed: c.typed}
	for _, i := range c.items {
		if n := strings.IndexByte(i.Text[len(c.typed):], '.'); n >= 0 {
			i = Item{Text: i.Text[:len(c.typed)+n+1]}
		}
		short.add(i)
	}
	c.items = short.items
}

// commonPrefix is what all candidates begin with.
func commonPrefix(items []Item) string {
	common := items[0].Text
	for _, i := range items[1:] {
		n := 0
		for n < len(common) && n < len(i.Text) && common[n] == i.Text[n] {
			n++
		}
		common = common[:n]
	}
	for !utf8.ValidString(common) {
		common = common[:len(common)-1]
	}
	return common
}

// columns lays at most most candidates out in columns that fit the width.
func columns(items []Item, width, most int) string {
	list := make([]string, 0, len(items))
	widest := 0
	for _, i := range items[:min(len(items), most)] {
		s := i.Show
		if s == "" {
			s = i.Text
		}
		list = append(list, s)
	}
	if len(items) > 8 { // signatures only where they leave an overview
		for i := range list {
			if items[i].Show != "" {
				list[i] = items[i].Text
			}
		}
	}
	sort.Strings(list)
	for i, s := range list {
		if diag.Width(s) >= width {
			list[i] = clip(s, width-1)
		}
		widest = max(widest, diag.Width(list[i]))
	}
	n := max(1, (width-1)/(widest+2))
	lines := (len(list) + n - 1) / n
	var b strings.Builder
	for l := range lines {
		for k := l; k < len(list); k += lines {
			b.WriteString(list[k])
			if k+lines < len(list) {
				b.WriteString(strings.Repeat(" ", widest+2-diag.Width(list[k])))
			}
		}
		b.WriteByte('\n')
	}
	if more := len(items) - len(list); more > 0 {
		fmt.Fprintf(&b, "... and %d more\n", more)
	}
	return b.String()
}

// clip shortens text to a width.
func clip(s string, width int) string {
	if diag.Width(s) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	for diag.Width(s) > width-1 {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return s + "…"
}
