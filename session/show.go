package session

import (
	"sort"
	"strings"

	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/sql/ast"
)

// show answers the SHOW statements. Headers are Flink's.
func (s *Session) show(st *ast.Show) (*Result, error) {
	switch st.What {
	case "TABLES", "VIEWS":
		return s.showTables(st)
	case "CATALOGS":
		return column("catalog name", filter(st, s.catalog.Catalogs())), nil
	case "DATABASES":
		c, _ := s.catalog.Current()
		if len(st.Name.Parts) > 0 {
			c = st.Name.Parts[0].Text
		}
		names, err := s.catalog.Databases(c)
		if err != nil {
			return nil, atName(err, st.Name)
		}
		return column("database name", filter(st, names)), nil
	case "CURRENT CATALOG":
		c, _ := s.catalog.Current()
		return column("current catalog name", []string{c}), nil
	case "CURRENT DATABASE":
		_, d := s.catalog.Current()
		return column("current database name", []string{d}), nil
	case "FUNCTIONS":
		names := append(s.funcs.Names(), s.aggs.Names()...)
		sort.Strings(names)
		return column("function name", filter(st, names)), nil
	case "USER FUNCTIONS":
		return column("function name", filter(st, s.catalog.UserFunctions())), nil
	case "COLUMNS":
		r, err := s.describeObject(st.Name)
		if err != nil {
			return nil, err
		}
		return r.only(func(name string) bool { return matches(st, name) }), nil
	case "MODULES":
		return column("module name", []string{"core"}), nil
	case "FULL MODULES":
		return listing([]string{"module name", "used"}, [][]*string{{str("core"), str("TRUE")}}), nil
	case "PROCEDURES":
		c, _ := s.catalog.Current()
		return nil, diag.New(diag.NotSupported, st.Span(), "the catalog '%s' has no procedures: it does not support them", c)
	case "JARS":
		return column("jars", nil), nil
	case "CREATE TABLE", "CREATE VIEW", "CREATE CATALOG":
		return s.showCreate(st)
	case "JOBS":
		return s.showJobs(), nil
	}
	return nil, diag.New(diag.NotImplemented, st.Span(), "SHOW %s is not implemented yet", st.What)
}

func str(s string) *string { return &s }

func (s *Session) showTables(st *ast.Show) (*Result, error) {
	c, d := s.catalog.Current()
	switch parts := text(st.Name); len(parts) {
	case 1:
		d = parts[0]
	case 2:
		c, d = parts[0], parts[1]
	}
	if err := s.catalog.CheckDatabase(c, d); err != nil {
		return nil, atName(err, st.Name)
	}
	head := "table name"
	if st.What == "VIEWS" {
		head = "view name"
	}
	return column(head, filter(st, s.catalog.Names(c, d, st.What == "VIEWS"))), nil
}

// filter keeps the names that the statement's LIKE clause takes.
func filter(st *ast.Show, names []string) []string {
	var out []string
	for _, n := range names {
		if matches(st, n) {
			out = append(out, n)
		}
	}
	return out
}

func matches(st *ast.Show, name string) bool {
	if st.Like == "" {
		return true
	}
	pattern := st.Pattern
	if st.Like == "ILIKE" {
		pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	}
	return like([]rune(pattern), []rune(name)) != st.Not
}

// like matches with % and _, and \ as escape: SHOW takes MySQL's patterns, not
// those of the LIKE operator.
func like(p, s []rune) bool {
	for len(p) > 0 {
		switch {
		case p[0] == '%':
			for i := 0; i <= len(s); i++ {
				if like(p[1:], s[i:]) {
					return true
				}
			}
			return false
		case len(s) == 0:
			return false
		case p[0] == '_':
		case p[0] == '\\' && len(p) > 1:
			if p[1] != s[0] {
				return false
			}
			p = p[1:]
		case p[0] != s[0]:
			return false
		}
		p, s = p[1:], s[1:]
	}
	return len(s) == 0
}

// object finds the table or view that a statement names.
func (s *Session) object(name ast.Path) (catalog.Object, error) {
	p, err := s.path(name)
	if err != nil {
		return nil, err
	}
	o := s.catalog.Lookup(p)
	if o == nil {
		return nil, s.catalog.Missing(p).At(name.Span())
	}
	return o, nil
}
