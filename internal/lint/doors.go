package lint

// door is the one room that may import a library.
type door struct {
	library string
	room    string
	instead string
}

func doors() []door {
	return []door{
		{"github.com/pingcap/tidb", "sql", "its trees carry the rules of MySQL; take the trees of sql/ast"},
		{"github.com/cockroachdb/pebble", "state", "take the store and the backend of package state"},
	}
}

// Doors checks that libraries behind a door are imported there only, tests
// included.
func (t *Tree) Doors() []string {
	var found []string
	for _, f := range t.files {
		specs, paths := f.imports()
		for i, spec := range specs {
			for _, d := range doors() {
				if within(paths[i], d.library) && !within(f.pkg, d.room) {
					found = append(found, t.at(spec, "%s is imported under %s/ only: %s", d.library, d.room, d.instead))
				}
			}
		}
	}
	return found
}
