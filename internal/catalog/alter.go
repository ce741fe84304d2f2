package catalog

import (
	"slices"

	"fsql/internal/diag"
	"fsql/internal/option"
)

// AlterDatabase changes options of a database; they mean nothing to fsql.
func (c *Catalog) AlterDatabase(catalog, name string, set []option.Entry) error {
	d, err := c.databaseOf(catalog, name)
	if err != nil {
		return err
	}
	d.options = merge(d.options, set)
	return nil
}

// AlterCatalog changes options or the comment of a catalog. The built-in one
// cannot be changed (flink-sql 1.3).
func (c *Catalog) AlterCatalog(name string, set []option.Entry, reset []string, comment *string) error {
	e := c.catalogs[name]
	if e == nil {
		return c.noCatalog(name)
	}
	if name == DefaultCatalog {
		return diag.New(diag.NotSupported, diag.Span{}, "the built-in catalog '%s' cannot be altered", name)
	}
	for _, o := range set {
		if o.Key != catalogType && o.Key != catalogDefault {
			return unknownCatalogOption(o)
		}
		if o.Key == catalogType && o.Value != inMemory {
			return diag.New(diag.NotSupported, o.ValuePos, "the type of a catalog cannot be changed")
		}
	}
	for _, k := range reset {
		if k == catalogType {
			return diag.New(diag.NotSupported, diag.Span{}, "the option 'type' of a catalog cannot be reset")
		}
	}
	e.options = slices.DeleteFunc(merge(e.options, set), func(o option.Entry) bool { return slices.Contains(reset, o.Key) })
	if comment != nil {
		e.comment = *comment
	}
	return nil
}

func unknownCatalogOption(o option.Entry) error {
	return diag.New(diag.UnknownOption, o.KeyPos, "unknown option '%s' of a catalog: it does not exist", o.Key).
		WithHint("options: '%s', '%s'", catalogType, catalogDefault)
}

// merge returns old with the changes; of a key written twice the last holds.
func merge(old, changes []option.Entry) []option.Entry {
	out := slices.Clone(old)
	for _, c := range changes {
		if i := slices.IndexFunc(out, func(o option.Entry) bool { return o.Key == c.Key }); i >= 0 {
			out[i] = c
		} else {
			out = append(out, c)
		}
	}
	return out
}

// MergeOptions is how ALTER ... SET changes the options of anything.
func MergeOptions(old, changes []option.Entry) []option.Entry { return merge(old, changes) }
