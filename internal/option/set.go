package option

import "strings"

// Lookup finds the declaration of a key: by its name, an older name, or a
// pattern. It returns the key under its present name.
func (s *Set) Lookup(key string) (d *Def, present string) {
	for i := range s.Defs {
		d := &s.Defs[i]
		if d.Key == key {
			return d, key
		}
		for _, a := range d.Alias {
			if a == key {
				return d, d.Key
			}
		}
	}
	for i := range s.Defs {
		if _, ok := matchName(s.Defs[i].Key, key); ok {
			return &s.Defs[i], key
		}
	}
	return nil, ""
}

// matchName matches a key with a pattern and returns what stands for its '#',
// which may hold points itself ("fields.r.x.kind" sets the field x of r).
func matchName(pattern, key string) (name string, ok bool) {
	before, after, found := strings.Cut(pattern, "#")
	if !found || len(key) <= len(before)+len(after) {
		return "", false
	}
	if !strings.HasPrefix(key, before) || !strings.HasSuffix(key, after) {
		return "", false
	}
	return key[len(before) : len(key)-len(after)], true
}

// Def returns the declaration of exactly that key, or nil.
func (s *Set) Def(key string) *Def {
	for i := range s.Defs {
		if s.Defs[i].Key == key {
			return &s.Defs[i]
		}
	}
	return nil
}

// Keys lists the keys as declared, patterns with <name>.
func (s *Set) Keys() []string {
	keys := make([]string, 0, len(s.Defs))
	for i := range s.Defs {
		keys = append(keys, strings.ReplaceAll(s.Defs[i].Key, "#", "<name>"))
	}
	return keys
}
