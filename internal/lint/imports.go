package lint

import (
	"maps"
	"slices"
	"strings"
)

// Imports checks the imports of all packages, tests left out, against the
// table in the text of ARCHITECTURE.md, and the table against the packages.
func (t *Tree) Imports(architecture string) []string {
	const doc = "ARCHITECTURE.md: "
	table, err := parseTable(architecture)
	if err != nil {
		return []string{doc + err.Error()}
	}
	var found []string
	known := map[string]bool{} // packages that the table speaks of; false: it does not
	spoken := map[string]bool{}
	used := map[arrow]bool{}
	for _, f := range t.files {
		if f.test {
			continue
		}
		if _, ok := known[f.pkg]; !ok {
			var entry string
			entry, known[f.pkg] = table.entry(f.pkg)
			spoken[entry] = true
			if !known[f.pkg] {
				found = append(found, doc+"package "+f.pkg+" is in no line of the table of imports: give it a level")
			}
		}
		if !known[f.pkg] {
			continue
		}
		own, _ := table.level(f.pkg)
		specs, paths := f.imports()
		for i, spec := range specs {
			to, ok := strings.CutPrefix(paths[i], t.module+"/")
			if !ok {
				continue
			}
			level, ok := table.level(to)
			side := arrow{f.pkg, to}
			used[side] = true
			switch {
			case !ok || level < own: // a package without a level has its own finding
			case level > own:
				found = append(found, t.at(spec, "%s (level %d) imports %s (level %d), which stands above it: "+
					"move the shared part down, or let the upper package hand it in as a value or interface", f.pkg, own, to, level))
			case !table.sideways[side]:
				found = append(found, t.at(spec, "%s imports %s of its own level %d: move the shared part down, "+
					"or grant it in ARCHITECTURE.md with the line \"%s -> %s\"", f.pkg, to, own, f.pkg, to))
			}
		}
	}
	for _, entry := range slices.Sorted(maps.Keys(table.levels)) {
		if !spoken[entry] {
			found = append(found, doc+"the table of imports names "+entry+", which does not exist: remove it")
		}
	}
	for a := range table.sideways {
		if !used[a] {
			found = append(found, doc+"the arrow "+a.from+" -> "+a.to+" is not used: remove it")
		}
	}
	return found
}
