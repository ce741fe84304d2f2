package session

import (
	"sort"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/sql/ast"
)

// settings are the session properties that SET wrote, in no order.
type settings struct {
	set     *option.Set
	written map[string]string
}

func newSettings() *settings {
	return &settings{set: option.SessionKeys(), written: map[string]string{}}
}

// put validates one property and keeps it under its present name.
func (s *settings) put(e option.Entry) error {
	if _, err := option.Check([]option.Entry{e}, s.scope()); err != nil {
		return err
	}
	if e.Key == "table.local-time-zone" && e.Value != "default" {
		if _, err := value.LoadZone(e.Value); err != nil {
			return diag.Of(err).At(e.ValuePos)
		}
	}
	_, key := s.set.Lookup(e.Key)
	s.written[key] = e.Value
	return nil
}

func (s *settings) scope() option.Scope {
	return option.Scope{Set: s.set, Owner: "the session"}
}

// values are all properties with their defaults.
func (s *settings) values() (*option.Values, error) {
	entries := make([]option.Entry, 0, len(s.written))
	for k, v := range s.written {
		entries = append(entries, option.Entry{Key: k, Value: v})
	}
	vals, err := option.Check(entries, s.scope())
	if err != nil {
		return nil, err
	}
	return vals[0], nil
}

func (s *Session) set(st *ast.Set) (*Result, error) {
	if st.Key == "" {
		return s.listSettings(), nil
	}
	return ok(s.settings.put(option.Entry{Key: st.Key, Value: st.Value, KeyPos: st.KeyPos.Pos, ValuePos: st.ValuePos.Pos}))
}

func (s *Session) reset(st *ast.Reset) (*Result, error) {
	if st.Key == "" {
		clear(s.settings.written)
		return &Result{}, nil
	}
	d, key := s.settings.set.Lookup(st.Key)
	if d == nil {
		_, err := option.Check([]option.Entry{{Key: st.Key, KeyPos: st.KeyPos.Pos}}, s.settings.scope())
		return nil, err
	}
	delete(s.settings.written, key)
	return &Result{}, nil
}

// listSettings shows what was set, secrets masked.
func (s *Session) listSettings() *Result {
	keys := make([]string, 0, len(s.settings.written))
	for k := range s.settings.written {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	rows := make([][]*string, len(keys))
	for i, k := range keys {
		rows[i] = []*string{str(k), str(option.Mask(s.settings.set, k, s.settings.written[k]))}
	}
	return listing([]string{"key", "value"}, rows)
}

// Zone is the session time zone. The default is UTC, never the environment's
// zone: a script must give the same answer everywhere.
func (s *Session) Zone() expr.Zone {
	name := s.settings.written["table.local-time-zone"]
	if name == "" || name == "default" {
		return value.UTC()
	}
	z, err := value.LoadZone(name)
	if err != nil { // validated when it was set
		return value.UTC()
	}
	return z
}

// MaxColumnWidth is table.display.max-column-width.
func (s *Session) MaxColumnWidth() int {
	v, err := s.settings.values()
	if err != nil {
		return 0
	}
	return int(v.Int("table.display.max-column-width"))
}

// SetDir changes the folder in which relative paths of options start.
func (s *Session) SetDir(dir string) { s.cfg.Dir = dir }

// SetScript tells which script file the next statements are from, by its
// absolute path; "": none. Jobs with checkpoints are found again by it.
func (s *Session) SetScript(path string) { s.script, s.inserts = path, 0 }
