package catalog

import "fsql/internal/diag"

// Create adds a table or view; kind is "table" or "view" for messages. It
// reports false without an error when the name is taken and ifNotExists is
// set. Temporary objects may have a path whose catalog and database do not
// exist (flink-sql 1.3).
func (c *Catalog) Create(o Object, ifNotExists bool) (created bool, err error) {
	p, temporary := describe(o)
	if temporary {
		if _, taken := c.temporary[p]; taken {
			if ifNotExists {
				return false, nil
			}
			return false, diag.New(diag.AlreadyExists, diag.Span{}, "a temporary %s '%s' already exists", noun(c.temporary[p]), p)
		}
		c.temporary[p] = o
		return true, nil
	}
	d, err := c.databaseOf(p.Catalog, p.Database)
	if err != nil {
		return false, err
	}
	if old, taken := d.objects[p.Name]; taken {
		if ifNotExists {
			return false, nil
		}
		return false, diag.New(diag.AlreadyExists, diag.Span{}, "a %s '%s' already exists", noun(old), p).
			WithHint("drop it first, or write CREATE %s IF NOT EXISTS", upperNoun(o))
	}
	d.objects[p.Name] = o
	return true, nil
}

// Drop removes a table (view false) or a view.
func (c *Catalog) Drop(p Path, view, temporary, ifExists bool) error {
	is := func(o Object) bool { _, v := o.(*View); return v == view }
	want := map[bool]string{false: "table", true: "view"}[view]
	hidden, hides := c.temporary[p]
	if temporary {
		if hides && is(hidden) {
			delete(c.temporary, p)
			return nil
		}
		if ifExists {
			return nil
		}
		return diag.New(unknown(view), diag.Span{}, "there is no temporary %s '%s'", want, p)
	}
	o := c.permanent(p)
	if o != nil && is(o) && hides {
		return diag.New(diag.AlreadyExists, diag.Span{}, "a temporary %s '%s' exists and hides the permanent %s", noun(hidden), p, want).
			WithHint("DROP TEMPORARY %s `%s` first", upperNoun(hidden), p.Name)
	}
	if o == nil || !is(o) {
		if ifExists && o == nil {
			return nil
		}
		if o == nil && hides {
			return diag.New(unknown(view), diag.Span{}, "'%s' is a temporary %s", p, noun(hidden)).
				WithHint("write DROP TEMPORARY %s", upperNoun(hidden))
		}
		if o != nil {
			if ifExists {
				return nil
			}
			return diag.New(unknown(view), diag.Span{}, "'%s' is a %s, not a %s", p, noun(o), want).
				WithHint("write DROP %s", upperNoun(o))
		}
		return c.missing(p, want, unknown(view))
	}
	delete(c.catalogs[p.Catalog].databases[p.Database].objects, p.Name)
	return nil
}

// Replace puts an object in the place of one of the same path and kind of
// life (ALTER, CREATE OR REPLACE).
func (c *Catalog) Replace(o Object) error {
	p, temporary := describe(o)
	if temporary {
		c.temporary[p] = o
		return nil
	}
	d, err := c.databaseOf(p.Catalog, p.Database)
	if err != nil {
		return err
	}
	d.objects[p.Name] = o
	return nil
}

// missing is the error for a name that nothing has, with the nearest name.
func (c *Catalog) missing(p Path, what string, code diag.Code) *diag.Error {
	e := diag.New(code, diag.Span{}, "%s '%s' does not exist", what, p)
	names := c.Names(p.Catalog, p.Database, false)
	if near := diag.Nearest(p.Name, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e
}

// Missing is the error for a table or view that a query names and nobody
// declared.
func (c *Catalog) Missing(p Path) *diag.Error {
	e := c.missing(p, "table", diag.UnknownTable)
	if names := c.Names(p.Catalog, p.Database, false); len(names) > 0 {
		list := names[0]
		for i, n := range names[1:] {
			if i == 11 {
				list += ", ..."
				break
			}
			list += ", " + n
		}
		e.WithHint("tables and views there: %s", list)
	} else {
		e.WithHint("declare it with CREATE TABLE first")
	}
	return e
}

func describe(o Object) (Path, bool) {
	switch o := o.(type) {
	case *Table:
		return o.Path, o.Temporary
	case *View:
		return o.Path, o.Temporary
	}
	panic("catalog: unknown object")
}

func noun(o Object) string {
	if _, ok := o.(*View); ok {
		return "view"
	}
	return "table"
}

func upperNoun(o Object) string {
	if _, ok := o.(*View); ok {
		return "VIEW"
	}
	return "TABLE"
}

func unknown(view bool) diag.Code {
	if view {
		return diag.UnknownObject
	}
	return diag.UnknownTable
}
