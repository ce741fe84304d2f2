package catalog

import (
	"sort"
	"strings"

	"fsql/internal/diag"
)

// Function is a user function by name: a class of a Java library, which fsql can
// list and describe but not run.
type Function struct {
	Path       Path // Name in lower case: function names are case-insensitive
	Identifier string
	Language   string
	Temporary  bool
	System     bool // has no catalog and database
}

func functionKey(p Path, system bool) Path {
	p.Name = strings.ToLower(p.Name)
	if system {
		return Path{Name: p.Name}
	}
	return p
}

// CreateFunction registers a user function.
func (c *Catalog) CreateFunction(f Function, ifNotExists bool) error {
	k := functionKey(f.Path, f.System)
	if _, taken := c.functions[k]; taken {
		if ifNotExists {
			return nil
		}
		return diag.New(diag.AlreadyExists, diag.Span{}, "a function '%s' already exists", f.Path.Name)
	}
	if !f.System && !f.Temporary {
		if _, err := c.databaseOf(f.Path.Catalog, f.Path.Database); err != nil {
			return err
		}
	}
	f.Path.Name = k.Name
	c.functions[k] = f
	return nil
}

// AlterFunction changes what a user function stands for.
func (c *Catalog) AlterFunction(p Path, system, ifExists bool, identifier, language string) error {
	k := functionKey(p, system)
	f, found := c.functions[k]
	if !found {
		if ifExists {
			return nil
		}
		return c.noFunction(p.Name)
	}
	f.Identifier, f.Language = identifier, language
	c.functions[k] = f
	return nil
}

// DropFunction forgets a user function.
func (c *Catalog) DropFunction(p Path, system, ifExists bool) error {
	k := functionKey(p, system)
	if _, found := c.functions[k]; !found && !ifExists {
		return c.noFunction(p.Name)
	}
	delete(c.functions, k)
	return nil
}

func (c *Catalog) noFunction(name string) error {
	return diag.New(diag.UnknownFunction, diag.Span{}, "function '%s' does not exist", name)
}

// Function finds a user function as a query in the current scope sees it.
func (c *Catalog) Function(parts []string) (Function, bool) {
	if len(parts) == 1 {
		if f, ok := c.functions[functionKey(Path{Name: parts[0]}, true)]; ok {
			return f, true
		}
	}
	f, ok := c.functions[functionKey(c.Qualify(parts), false)]
	return f, ok
}

// UserFunctions lists the names of the user functions of the current database
// and of the system ones.
func (c *Catalog) UserFunctions() []string {
	var out []string
	for k := range c.functions {
		if k.Catalog == "" || k.Catalog == c.current && k.Database == c.database {
			out = append(out, k.Name)
		}
	}
	sort.Strings(out)
	return out
}
