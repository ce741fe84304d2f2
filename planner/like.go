package planner

import (
	"fsql/internal/catalog"
	"fsql/internal/diag"
	"fsql/sql/ast"
)

// likeFeatures are the parts of a table that LIKE takes over, each with its
// default: options are overwritten, the rest may not clash.
var likeFeatures = map[string]string{
	"CONSTRAINTS": "INCLUDING", "DISTRIBUTION": "INCLUDING", "PARTITIONS": "INCLUDING", "METADATA": "INCLUDING",
	"GENERATED": "INCLUDING", "WATERMARKS": "INCLUDING", "OPTIONS": "OVERWRITING",
}

// overwritable are the features of which a new declaration may win.
var overwritable = map[string]bool{"OPTIONS": true, "GENERATED": true, "METADATA": true, "WATERMARKS": true}

// likeModes says for every feature how LIKE merges it.
func likeModes(l *ast.LikeClause) (map[string]string, error) {
	given := map[string]string{}
	for _, o := range l.Options {
		if _, ok := likeFeatures[o.Feature]; !ok && o.Feature != "ALL" {
			return nil, diag.New(diag.Syntax, o.Pos, "LIKE has no feature %s", o.Feature)
		}
		if given[o.Feature] != "" {
			return nil, diag.New(diag.DuplicateName, o.Pos, "LIKE mentions %s twice", o.Feature)
		}
		if o.Mode == "OVERWRITING" && !overwritable[o.Feature] {
			return nil, diag.New(diag.NotSupported, o.Pos, "OVERWRITING is not allowed for %s in LIKE", o.Feature).
				WithHint("INCLUDING and EXCLUDING are")
		}
		given[o.Feature] = o.Mode
	}
	modes := map[string]string{}
	for f, mode := range likeFeatures {
		if given["ALL"] != "" {
			mode = given["ALL"]
		}
		if given[f] != "" {
			mode = given[f]
		}
		modes[f] = mode
	}
	return modes, nil
}

// like starts a declaration with the parts of another table.
func (d *tableDef) like(l *ast.LikeClause) error {
	modes, err := likeModes(l)
	if err != nil {
		return err
	}
	path, o, err := d.lookup(&l.Table)
	if err != nil {
		return err
	}
	base, ok := o.(*catalog.Table)
	if !ok {
		return diag.New(diag.NotSupported, l.Table.Pos, "LIKE takes a table, '%s' is a view", path.Name)
	}
	d.overwrite = map[string]bool{}
	for f, m := range modes {
		d.overwrite[f] = m == "OVERWRITING"
	}
	for _, c := range base.Columns {
		if c.As != nil && modes["GENERATED"] == "EXCLUDING" || c.Metadata != "" && modes["METADATA"] == "EXCLUDING" {
			continue
		}
		c.Type = c.Type.Plain()
		d.t.Columns = append(d.t.Columns, c)
	}
	if modes["CONSTRAINTS"] != "EXCLUDING" {
		d.t.PrimaryKey, d.t.KeyName = base.PrimaryKey, base.KeyName
	}
	if modes["WATERMARKS"] != "EXCLUDING" {
		d.t.Watermark = base.Watermark
	}
	if modes["PARTITIONS"] == "INCLUDING" && d.t.PartitionedBy != nil && base.PartitionedBy != nil {
		return diag.New(diag.DuplicateName, l.Pos, "both the new table and '%s' have partitions: PARTITIONED BY comes from LIKE already", path.Name).
			WithHint("write LIKE .. (EXCLUDING PARTITIONS)")
	}
	if modes["DISTRIBUTION"] == "INCLUDING" && d.t.Distribution != nil && base.Distribution != nil {
		return diag.New(diag.DuplicateName, l.Pos, "both the new table and '%s' are DISTRIBUTED into buckets: that comes from LIKE already", path.Name).
			WithHint("write LIKE .. (EXCLUDING DISTRIBUTION)")
	}
	// Partitions and buckets are inherited even when they are excluded, unless
	// the new table has its own (so Flink does).
	if d.t.PartitionedBy == nil {
		d.t.PartitionedBy = base.PartitionedBy
	}
	if d.t.Distribution == nil {
		d.t.Distribution = base.Distribution
	}
	return d.likeOptions(base, modes["OPTIONS"])
}

func (d *tableDef) likeOptions(base *catalog.Table, mode string) error {
	if mode == "EXCLUDING" {
		return nil
	}
	own := d.t.Options
	d.t.Options = nil
	for _, o := range base.Options {
		clash := false
		for _, p := range own {
			if p.Key != o.Key {
				continue
			}
			if mode == "INCLUDING" {
				return diag.New(diag.DuplicateName, p.KeyPos, "the option '%s' comes from LIKE already", p.Key).
					WithHint("write LIKE .. (OVERWRITING OPTIONS)")
			}
			clash = true
		}
		if !clash {
			d.t.Options = append(d.t.Options, o)
		}
	}
	d.t.Options = append(d.t.Options, own...)
	return nil
}
