package lint

import (
	"go/ast"
	"path"
	"slices"
	"strings"
)

// deterministicRooms hold the state machines that the driver and the simulator
// step: the same input in the same order gives the same output, byte for byte.
var deterministicRooms = []string{"row", "expr", "op", "relop", "window", "join", "state", "checkpoint", "exec"}

// driverFile is the one file of these rooms that starts goroutines.
const driverFile = "exec/driver.go"

// ban is a name that a deterministic room must not use, and the replacement.
type ban struct {
	pkg     string
	names   []string // the names that are banned; nil: all but those in except
	except  []string // nil as well: the import itself is banned
	instead string
}

func bans() []ban {
	const (
		stepped = "an operator is stepped by one task at a time and needs no lock; what tasks share belongs to " + driverFile
		clock   = "ask the clock of op.Context; timers are registered with it"
		seeded  = "use a generator seeded from op.Context (rand.New with a rand.NewPCG of that seed)"
		files   = "files and sockets belong to connectors and format; stored state goes through the state backend"
	)
	return []ban{
		{pkg: "sync", except: []string{"Once", "OnceFunc", "OnceValue", "OnceValues", "Pool"}, instead: stepped},
		{pkg: "time", names: []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}, instead: clock},
		{pkg: "math/rand", except: []string{"New", "NewSource", "NewZipf", "Rand", "Source", "Source64", "Zipf"}, instead: seeded},
		{pkg: "math/rand/v2", except: []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "PCG", "ChaCha8", "Zipf"}, instead: seeded},
		{pkg: "crypto/rand", instead: seeded},
		{pkg: "hash/maphash", instead: "its seed differs from process to process: use the frozen hash of package row"},
		{pkg: "os", instead: files},
		{pkg: "net", instead: files},
	}
}

// harmless are packages below a banned one that touch nothing outside.
var harmless = []string{"net/url", "net/netip"}

// Determinism checks the deterministic rooms, tests left out.
func (t *Tree) Determinism() []string {
	var found []string
	for _, f := range t.files {
		if f.test || f.path == driverFile || !slices.ContainsFunc(deterministicRooms, func(room string) bool { return within(f.pkg, room) }) {
			continue
		}
		found = append(found, t.concurrency(f)...)
		found = append(found, t.banned(f)...)
	}
	return found
}

// concurrency finds goroutines and channels.
func (t *Tree) concurrency(f file) []string {
	var found []string
	add := func(n ast.Node, what, instead string) {
		found = append(found, t.at(n, "%s in a deterministic room: %s", what, instead))
	}
	const queue = "hand over elements through the emitter of op; queues between tasks belong to " + driverFile
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.GoStmt:
			add(n, "a go statement", "return from the step and let the driver ("+driverFile+") call again")
		case *ast.ChanType:
			add(n, "a channel", queue)
		case *ast.SelectStmt:
			add(n, "a select statement", queue)
		}
		return true
	})
	return found
}

// banned finds imports and names of the ban list.
func (t *Tree) banned(f file) []string {
	var found []string
	local := map[string]ban{} // by the name the file gives to the package
	specs, paths := f.imports()
	for i, spec := range specs {
		for _, b := range bans() {
			switch whole := b.names == nil && b.except == nil; {
			case whole && within(paths[i], b.pkg) && !slices.Contains(harmless, paths[i]):
				found = append(found, t.at(spec, "import of %s in a deterministic room: %s", paths[i], b.instead))
			case !whole && paths[i] == b.pkg:
				name := path.Base(strings.TrimSuffix(paths[i], "/v2"))
				if spec.Name != nil {
					name = spec.Name.Name
				}
				local[name] = b
			}
		}
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		b, ok := local[x.Name]
		if !ok {
			return true
		}
		if b.names == nil && !slices.Contains(b.except, sel.Sel.Name) || slices.Contains(b.names, sel.Sel.Name) {
			found = append(found, t.at(sel, "%s.%s in a deterministic room: %s", b.pkg, sel.Sel.Name, b.instead))
		}
		return true
	})
	return found
}
