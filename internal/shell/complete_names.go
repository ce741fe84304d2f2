package shell

import (
	"sort"
	"strings"

	"fsql/internal/catalog"
	"fsql/sql/lex"
	"fsql/types"
)

// tables adds the tables and views of the current database, and the names of
// the statement's own WITH.
func (c *completer) tables(p *place) {
	cat, db := c.session.Catalog().Current()
	for _, n := range c.session.Catalog().Names(cat, db, false) {
		p.name(quotedName(n))
	}
	for i := 1; i+1 < len(p.all); i++ {
		if p.all[i].Key == "AS" && p.all[i+1].Is("(") && p.all[i-1].Kind == lex.Word && p.hasKey("WITH") {
			p.name(p.all[i-1].Text)
		}
	}
}

// columns adds the columns of the tables that the statement reads; of all
// tables as long as it names none.
func (c *completer) columns(p *place, timeOnly bool) {
	refs := references(p.all)
	if len(refs) == 0 {
		cat, db := c.session.Catalog().Current()
		for _, n := range c.session.Catalog().Names(cat, db, false) {
			refs = append(refs, reference{path: []string{n}})
		}
	}
	for _, r := range refs {
		for _, col := range c.columnsOf(r.path) {
			if !timeOnly || col.Type.Attr != types.NoAttr {
				p.name(quotedName(col.Name))
			}
		}
	}
	for _, t := range p.all {
		switch strings.ToUpper(t.Text) {
		case "TUMBLE", "HOP", "CUMULATE", "SESSION":
			if !timeOnly && t.Kind == lex.Word {
				p.name("window_start")
				p.name("window_end")
				p.name("window_time")
			}
		}
	}
	sort.SliceStable(p.items, func(i, j int) bool { return p.items[i].Text < p.items[j].Text })
}

func (c *completer) columnsOf(path []string) []types.Column {
	if len(path) > 3 {
		return nil
	}
	switch o := c.session.Catalog().Lookup(c.session.Catalog().Qualify(path)).(type) {
	case *catalog.Table:
		return o.Schema().Columns
	case *catalog.View:
		return o.Schema.Columns
	}
	return nil
}

// behindDot completes a qualified name.
func (c *completer) behindDot(p *place) {
	var path []string
	for i := len(p.before) - 1; i > 0 && p.before[i].Is("."); i -= 2 {
		path = append([]string{p.before[i-1].Text}, path...)
	}
	if len(path) == 0 {
		return
	}
	for _, r := range references(p.all) {
		if len(path) == 1 && (r.alias == path[0] || r.alias == "" && len(r.path) > 0 && r.path[len(r.path)-1] == path[0]) {
			for _, col := range c.columnsOf(r.path) {
				p.name(quotedName(col.Name))
			}
		}
	}
	if len(p.items) > 0 {
		return
	}
	for _, col := range c.columnsOf(path) {
		p.name(quotedName(col.Name))
	}
	cat, _ := c.session.Catalog().Current()
	db := path[len(path)-1]
	if len(path) == 2 {
		cat = path[0]
	}
	for _, n := range c.session.Catalog().Names(cat, db, false) {
		p.name(quotedName(n))
	}
	if names, err := c.session.Catalog().Databases(path[0]); err == nil && len(path) == 1 {
		for _, n := range names {
			p.name(quotedName(n))
		}
	}
}

// reference is a table that a statement reads.
type reference struct {
	path  []string
	alias string
}

// references finds the tables of a statement: behind FROM, JOIN, INTO and
// TABLE, and behind the commas of a FROM.
func references(tokens []lex.Token) []reference {
	var refs []reference
	name := func(i int) bool {
		return i < len(tokens) && (tokens[i].Kind == lex.Quoted || tokens[i].Kind == lex.Word && !lex.IsReserved(tokens[i].Text))
	}
	for i := 0; i < len(tokens); i++ {
		switch tokens[i].Key {
		case "FROM", "JOIN", "INTO", "TABLE", "DESCRIBE":
		default:
			continue
		}
		for name(i + 1) {
			r := reference{path: []string{tokens[i+1].Text}}
			i++
			for i+2 < len(tokens) && tokens[i+1].Is(".") && name(i+2) {
				r.path = append(r.path, tokens[i+2].Text)
				i += 2
			}
			if i+1 < len(tokens) && tokens[i+1].Key == "AS" {
				i++
			}
			if name(i + 1) {
				r.alias = tokens[i+1].Text
				i++
			}
			refs = append(refs, r)
			if i+1 >= len(tokens) || !tokens[i+1].Is(",") {
				break
			}
			i++
		}
	}
	return refs
}

// quotedName is a name as it must be written.
func quotedName(n string) string {
	if lex.IsBareName(n) && !lex.IsReserved(n) {
		return n
	}
	return "`" + strings.ReplaceAll(n, "`", "``") + "`"
}
