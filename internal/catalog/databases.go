package catalog

import (
	"sort"

	"fsql/internal/diag"
	"fsql/internal/option"
)

func (c *Catalog) databaseOf(catalog, name string) (*database, error) {
	e := c.catalogs[catalog]
	if e == nil {
		return nil, c.noCatalog(catalog)
	}
	d := e.databases[name]
	if d == nil {
		return nil, c.noDatabase(catalog, name)
	}
	return d, nil
}

func (c *Catalog) noCatalog(name string) *diag.Error {
	e := diag.New(diag.UnknownObject, diag.Span{}, "catalog '%s' does not exist", name)
	if near := diag.Nearest(name, c.Catalogs()); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e
}

func (c *Catalog) noDatabase(catalog, name string) *diag.Error {
	e := diag.New(diag.UnknownObject, diag.Span{}, "database '%s' does not exist in catalog '%s'", name, catalog)
	names := sorted(c.catalogs[catalog].databases)
	if near := diag.Nearest(name, names); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return e
}

// Catalogs lists the catalogs by name.
func (c *Catalog) Catalogs() []string { return sorted(c.catalogs) }

// Databases lists the databases of a catalog by name.
func (c *Catalog) Databases(catalog string) ([]string, error) {
	e := c.catalogs[catalog]
	if e == nil {
		return nil, c.noCatalog(catalog)
	}
	return sorted(e.databases), nil
}

// CheckDatabase tells whether a database exists.
func (c *Catalog) CheckDatabase(catalog, name string) error {
	_, err := c.databaseOf(catalog, name)
	return err
}

// UseCatalog makes a catalog current, with its default database.
func (c *Catalog) UseCatalog(name string) error {
	e := c.catalogs[name]
	if e == nil {
		return c.noCatalog(name)
	}
	c.current, c.database = name, e.defaultDB
	return nil
}

// UseDatabase makes a database current.
func (c *Catalog) UseDatabase(catalog, name string) error {
	if _, err := c.databaseOf(catalog, name); err != nil {
		return err
	}
	c.current, c.database = catalog, name
	return nil
}

// The options of the only kind of catalog there is.
const (
	catalogType    = "type"
	catalogDefault = "default-database"
	inMemory       = "generic_in_memory"
)

// CreateCatalog creates an in-memory catalog.
func (c *Catalog) CreateCatalog(name, comment string, options []option.Entry, ifNotExists bool) error {
	if c.catalogs[name] != nil {
		if ifNotExists {
			return nil
		}
		return diag.New(diag.AlreadyExists, diag.Span{}, "catalog '%s' already exists", name)
	}
	kind, def := "", "default"
	for _, o := range options {
		switch o.Key {
		case catalogType:
			kind = o.Value
		case catalogDefault:
			def = o.Value
		default:
			return unknownCatalogOption(o)
		}
	}
	if kind == "" {
		return diag.New(diag.MissingOption, diag.Span{}, "the option 'type' of catalog '%s' is missing", name).
			WithHint("write WITH ('type' = '%s')", inMemory)
	}
	if kind != inMemory {
		return diag.New(diag.UnknownObject, diag.Span{}, "catalog type '%s' is not supported", kind).
			WithHint("the only type is '%s'", inMemory)
	}
	c.catalogs[name] = &catalogEntry{comment: comment, options: options, defaultDB: def,
		databases: map[string]*database{def: {objects: map[string]Object{}}}}
	return nil
}

// DropCatalog removes a catalog that is not current.
func (c *Catalog) DropCatalog(name string, ifExists bool) error {
	if c.catalogs[name] == nil {
		if ifExists {
			return nil
		}
		return c.noCatalog(name)
	}
	if name == c.current {
		return diag.New(diag.NotSupported, diag.Span{}, "catalog '%s' is in use and cannot be dropped", name).
			WithHint("USE CATALOG another one first")
	}
	delete(c.catalogs, name)
	return nil
}

// CreateDatabase creates an empty database.
func (c *Catalog) CreateDatabase(catalog, name, comment string, options []option.Entry, ifNotExists bool) error {
	e := c.catalogs[catalog]
	if e == nil {
		return c.noCatalog(catalog)
	}
	if e.databases[name] != nil {
		if ifNotExists {
			return nil
		}
		return diag.New(diag.AlreadyExists, diag.Span{}, "database '%s' already exists in catalog '%s'", name, catalog)
	}
	e.databases[name] = &database{comment: comment, options: options, objects: map[string]Object{}}
	return nil
}

// DropDatabase removes a database; one that is not empty only with cascade.
func (c *Catalog) DropDatabase(catalog, name string, ifExists, cascade bool) error {
	d, err := c.databaseOf(catalog, name)
	if err != nil {
		if ifExists {
			return nil
		}
		return err
	}
	if catalog == c.current && name == c.database {
		return diag.New(diag.NotSupported, diag.Span{}, "database '%s' is in use and cannot be dropped", name).
			WithHint("USE another database first")
	}
	if len(d.objects) > 0 && !cascade {
		return diag.New(diag.NotSupported, diag.Span{}, "database '%s' is not empty: it contains %d tables and views", name, len(d.objects)).
			WithHint("write DROP DATABASE `%s` CASCADE to drop them, too", name)
	}
	delete(c.catalogs[catalog].databases, name)
	return nil
}

// CatalogInfo returns what DESCRIBE CATALOG and SHOW CREATE CATALOG print:
// the comment and the options sorted by key.
func (c *Catalog) CatalogInfo(name string) (comment string, options []option.Entry, err error) {
	e := c.catalogs[name]
	if e == nil {
		return "", nil, c.noCatalog(name)
	}
	options = append([]option.Entry{}, e.options...)
	if len(options) == 0 {
		options = []option.Entry{{Key: catalogType, Value: inMemory}}
	}
	sort.Slice(options, func(i, j int) bool { return options[i].Key < options[j].Key })
	return e.comment, options, nil
}
