package option

// None returns the values of a set of which no option was written.
func (s *Set) None() *Values { return &Values{set: s} }

// Has tells whether the option was written.
func (v *Values) Has(key string) bool {
	_, ok := v.vals[key]
	return ok
}

// get returns the value as written, or the default.
func (v *Values) get(key string) string {
	if s, ok := v.vals[key]; ok {
		return s
	}
	if d, _ := v.set.Lookup(key); d != nil {
		return d.Default
	}
	return ""
}

// String returns the option's text; of an enum the spelling of its
// declaration.
func (v *Values) String(key string) string {
	s := v.get(key)
	if d, _ := v.set.Lookup(key); d != nil && d.Type == Enum {
		if c, ok := d.choice(s); ok {
			return c
		}
	}
	return s
}

// Bool returns a boolean, false when there is neither a value nor a default.
func (v *Values) Bool(key string) bool {
	b, _ := ParseBool(v.get(key))
	return b
}

// Int returns a whole number, 0 when there is neither a value nor a default.
func (v *Values) Int(key string) int64 {
	n, _ := ParseInt(v.get(key))
	return n
}

// Float returns a number, 0 when there is neither a value nor a default.
func (v *Values) Float(key string) float64 {
	f, _ := ParseFloat(v.get(key))
	return f
}

// Duration returns milliseconds, 0 when there is neither a value nor a default.
func (v *Values) Duration(key string) int64 {
	ms, _ := ParseDuration(v.get(key))
	return ms
}

// Bytes returns a size, 0 when there is neither a value nor a default.
func (v *Values) Bytes(key string) int64 {
	n, _ := ParseBytes(v.get(key))
	return n
}

// Named returns the value of a pattern's option for a name: Named("fields.#.kind", "id").
func (v *Values) Named(pattern, name string) (value string, set bool) {
	for key, s := range v.vals {
		if n, ok := matchName(pattern, key); ok && n == name {
			return s, true
		}
	}
	if d := v.set.Def(pattern); d != nil {
		return d.Default, false
	}
	return "", false
}

// Names lists the names that options of a pattern were written for, in no
// particular order.
func (v *Values) Names(pattern string) []string {
	var names []string
	for key := range v.vals {
		if n, ok := matchName(pattern, key); ok {
			names = append(names, n)
		}
	}
	return names
}
