package agg

import "strings"

// Registry is a set of functions by name.
type Registry struct {
	funcs map[string]*Func
	names []string
}

// NewRegistry makes a registry. Names must differ.
func NewRegistry(funcs ...*Func) *Registry {
	r := &Registry{funcs: make(map[string]*Func, len(funcs))}
	for _, f := range funcs {
		r.funcs[f.Name] = f
		r.names = append(r.names, f.Name)
	}
	return r
}

// Lookup finds a function by name in any case, or returns nil.
func (r *Registry) Lookup(name string) *Func { return r.funcs[strings.ToUpper(name)] }

// Names lists the functions in the order they were given: what a misspelt name
// is compared with (diag.Nearest).
func (r *Registry) Names() []string { return r.names }
