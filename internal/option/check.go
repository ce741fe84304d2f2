package option

import (
	"fmt"
	"strings"

	"fsql/internal/diag"
)

// Scope is a set of options as they are written in one place: with a prefix
// ("csv.") and the name of what they belong to for messages.
type Scope struct {
	Set    *Set
	Prefix string
	Owner  string // "connector 'filesystem'", "format 'csv'"; "": not worth a word
}

// Check sorts options as written into the values of their scopes and validates
// them. Every problem is found at once: the error is one *diag.Error that
// begins with the first problem (unknown-option, missing-option, bad-option)
// and names the others behind it. The values come in the order of the scopes.
func Check(entries []Entry, scopes ...Scope) ([]*Values, error) {
	out := make([]*Values, len(scopes))
	for i, s := range scopes {
		out[i] = &Values{set: s.Set, vals: map[string]string{}}
	}
	var found problems
	for _, e := range entries {
		i, d, key := find(e.Key, scopes)
		if d == nil {
			found.add(unknown(e, scopes))
			continue
		}
		if !d.parses(e.Value) {
			found.add(bad(e, d))
			continue
		}
		out[i].vals[key] = e.Value
	}
	for i, s := range scopes {
		for j := range s.Set.Defs {
			d := &s.Set.Defs[j]
			if d.Required && !out[i].Has(d.Key) && !given(entries, s.Prefix, d) {
				found.add(missing(s, d))
			}
		}
	}
	return out, found.err()
}

// find returns the scope and the declaration that an option belongs to.
func find(key string, scopes []Scope) (scope int, d *Def, present string) {
	for i, s := range scopes {
		rest, ok := strings.CutPrefix(key, s.Prefix)
		if !ok {
			continue
		}
		if d, present := s.Set.Lookup(rest); d != nil {
			return i, d, present
		}
	}
	return 0, nil, ""
}

// given tells whether an option was written, be it with a bad value.
func given(entries []Entry, prefix string, d *Def) bool {
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Key, prefix); ok && rest == d.Key {
			return true
		}
	}
	return false
}

func unknown(e Entry, scopes []Scope) *diag.Error {
	var owners, keys []string
	for _, s := range meant(e.Key, scopes) {
		if s.Owner != "" {
			owners = append(owners, s.Owner)
		}
		for _, k := range s.Set.Keys() {
			keys = append(keys, s.Prefix+k)
		}
	}
	err := diag.New(diag.UnknownOption, e.KeyPos, "unknown option '%s' of %s", e.Key, strings.Join(owners, " and "))
	if near := diag.Nearest(e.Key, keys); near != "" {
		return err.WithLabel("did you mean '%s'?", near).WithHint("did you mean '%s'?", near)
	}
	// A long list helps nobody: the session has hundreds of keys.
	if len(keys) <= 40 {
		return err.WithHint("the options are %s", strings.Join(keys, ", "))
	}
	return err
}

// meant are the scopes that a key may have been meant for: the one whose prefix
// it has, else all.
func meant(key string, scopes []Scope) []Scope {
	for _, s := range scopes {
		if s.Prefix != "" && strings.HasPrefix(key, s.Prefix) {
			return []Scope{s}
		}
	}
	return scopes
}

func bad(e Entry, d *Def) *diag.Error {
	shown := e.Value
	if d.Secret {
		shown = hidden
	}
	return diag.New(diag.BadOption, e.ValuePos, "bad value '%s' for option '%s', which is %s", shown, e.Key, d.wants())
}

func missing(s Scope, d *Def) *diag.Error {
	return diag.New(diag.MissingOption, diag.Span{}, "%s needs the option '%s', which is missing", s.Owner, s.Prefix+d.Key).
		WithHint("add '%s' = '...': %s", s.Prefix+d.Key, d.Doc)
}

// problems collects errors into one.
type problems struct{ list []*diag.Error }

func (p *problems) add(e *diag.Error) { p.list = append(p.list, e) }

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	e := *p.list[0]
	hints := []string{e.Hint}
	for _, other := range p.list[1:] {
		e.Msg += fmt.Sprintf("; also %s", other.Msg)
		if other.Hint != "" && len(hints) < 3 {
			hints = append(hints, other.Hint)
		}
	}
	e.Hint = strings.Trim(strings.Join(hints, "; "), "; ")
	return &e
}
