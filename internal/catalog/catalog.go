// Package catalog knows tables and views by name: catalogs, databases and the
// temporary objects that hide permanent ones. It lives in memory.
package catalog

import (
	"sort"
	"strings"

	"fsql/internal/option"
	"fsql/sql/ast"
	"fsql/types"
)

// Defaults of names (table.builtin-catalog-name, table.builtin-database-name).
const (
	DefaultCatalog  = "default_catalog"
	DefaultDatabase = "default_database"
)

// Path is a fully qualified name.
type Path struct{ Catalog, Database, Name string }

// String joins the parts with dots, as messages show them.
func (p Path) String() string { return p.Catalog + "." + p.Database + "." + p.Name }

// Quoted joins the parts back-quoted, as SHOW CREATE shows them.
func (p Path) Quoted() string {
	q := func(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }
	return q(p.Catalog) + "." + q(p.Database) + "." + q(p.Name)
}

// Object is a *Table or a *View.
type Object interface{ object() }

// Table is a declared table with resolved column types.
type Table struct {
	Path          Path
	Temporary     bool
	Columns       []Column
	PrimaryKey    []string
	KeyName       string // constraint's name, "PK_..." generated as Flink does when not written
	Watermark     *Watermark
	PartitionedBy []string
	Distribution  *ast.Distribution
	Options       []option.Entry
	Comment       string
}

// Column of a declared table.
type Column struct {
	Name    string
	Type    types.Type // with the time attribute it has in queries
	Comment string
	// Computed columns have As; AsText is the expression as SHOW CREATE
	// prints it. Metadata columns have Metadata (the key).
	As       ast.Expr
	AsText   string
	Metadata string
	// MetadataFrom tells that FROM was written.
	MetadataFrom bool
	Virtual      bool
}

// Physical tells a column that is stored.
func (c *Column) Physical() bool { return c.As == nil && c.Metadata == "" }

// Watermark is the WATERMARK clause.
type Watermark struct {
	Column string
	As     ast.Expr
	Text   string
}

// View is a named query with the schema it had when it was created.
type View struct {
	Path      Path
	Temporary bool
	Query     ast.Query
	Text      string   // as written
	Columns   []string // column list, nil if none
	Comment   string
	Schema    *types.Schema
	// Within is where the view was created: unqualified names in its query
	// mean objects there, whatever is current when it is used.
	Within Scope
}

// Scope completes unqualified names.
type Scope struct{ Catalog, Database string }

func (*Table) object() {}
func (*View) object()  {}

// Column returns the column of that exact name and its index, or nil, -1.
func (t *Table) Column(name string) (*Column, int) {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i], i
		}
	}
	return nil, -1
}

// Schema is what a query over the table sees.
func (t *Table) Schema() *types.Schema {
	s := &types.Schema{}
	for _, c := range t.Columns {
		s.Columns = append(s.Columns, types.Column{Name: c.Name, Type: c.Type})
	}
	return s
}

// Option returns the value of a WITH key.
func (t *Table) Option(key string) (string, bool) {
	for i := len(t.Options) - 1; i >= 0; i-- {
		if t.Options[i].Key == key {
			return t.Options[i].Value, true
		}
	}
	return "", false
}

type database struct {
	comment string
	options []option.Entry
	objects map[string]Object
}

type catalogEntry struct {
	comment   string
	options   []option.Entry
	defaultDB string
	databases map[string]*database
}

// Catalog is the name space of one session.
type Catalog struct {
	catalogs  map[string]*catalogEntry
	temporary map[Path]Object
	functions map[Path]Function
	current   string
	database  string
}

// New returns the name space of a fresh session.
func New() *Catalog {
	c := &Catalog{catalogs: map[string]*catalogEntry{}, temporary: map[Path]Object{}, functions: map[Path]Function{}, current: DefaultCatalog, database: DefaultDatabase}
	c.catalogs[DefaultCatalog] = &catalogEntry{defaultDB: DefaultDatabase,
		databases: map[string]*database{DefaultDatabase: {objects: map[string]Object{}}}}
	return c
}

// Current returns the current catalog and database.
func (c *Catalog) Current() (catalog, database string) { return c.current, c.database }

// Scope returns the current catalog and database as a scope of names.
func (c *Catalog) Scope() Scope { return Scope{c.current, c.database} }

// Qualify completes a name of one to three parts in the current scope.
func (c *Catalog) Qualify(parts []string) Path { return c.Scope().Qualify(parts) }

// Qualify completes a name of one to three parts.
func (s Scope) Qualify(parts []string) Path {
	switch len(parts) {
	case 1:
		return Path{s.Catalog, s.Database, parts[0]}
	case 2:
		return Path{s.Catalog, parts[0], parts[1]}
	default:
		return Path{parts[0], parts[1], parts[2]}
	}
}

// Lookup finds a table or view: temporary ones hide permanent ones.
func (c *Catalog) Lookup(p Path) Object {
	if o, ok := c.temporary[p]; ok {
		return o
	}
	return c.permanent(p)
}

func (c *Catalog) permanent(p Path) Object {
	if e := c.catalogs[p.Catalog]; e != nil {
		if d := e.databases[p.Database]; d != nil {
			if o, ok := d.objects[p.Name]; ok {
				return o
			}
		}
	}
	return nil
}

// Names lists the tables and views of a database, temporary ones included, in
// order of their names; views only if asked.
func (c *Catalog) Names(catalog, database string, viewsOnly bool) []string {
	seen := map[string]bool{}
	add := func(name string, o Object) {
		if _, view := o.(*View); view || !viewsOnly {
			seen[name] = true
		}
	}
	if e := c.catalogs[catalog]; e != nil && e.databases[database] != nil {
		for n, o := range e.databases[database].objects {
			add(n, o)
		}
	}
	for p, o := range c.temporary {
		if p.Catalog == catalog && p.Database == database {
			add(p.Name, o)
		}
	}
	return sorted(seen)
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for n := range m {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
