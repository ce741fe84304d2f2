package planner

import (
	"strings"

	"fsql/internal/diag"
	"fsql/internal/option"
	"fsql/planner/logical"
	"fsql/sql/ast"
)

// hintedOptions are a table's options under its OPTIONS hints: the hint wins
// over the declaration, the first of several hints wins, and within one hint
// the last value (flink-sql 3.2, 4.19).
func hintedOptions(declared []option.Entry, hints []ast.Hint) ([]option.Entry, error) {
	out := declared
	seen := map[string]bool{}
	for _, h := range hints {
		if !strings.EqualFold(h.Name, "OPTIONS") {
			if !queryHints[strings.ToUpper(h.Name)] {
				return nil, unknownHint(h)
			}
			continue
		}
		mine := map[string]bool{}
		for _, a := range h.Args {
			if !a.Pair {
				return nil, diag.New(diag.BadOption, a.Pos, "the hint OPTIONS takes 'key' = 'value' pairs")
			}
			if seen[a.Key] && !mine[a.Key] {
				continue
			}
			seen[a.Key], mine[a.Key] = true, true
			out = append(out[:len(out):len(out)], option.Entry{Key: a.Key, Value: a.Value, KeyPos: a.Pos, ValuePos: a.Pos})
		}
	}
	return out, nil
}

// queryHints are the hints that a SELECT may carry; those that choose between
// batch algorithms mean nothing in streaming and are accepted.
var queryHints = map[string]bool{
	"STATE_TTL": true, "LOOKUP": true, "MULTI_JOIN": true,
	"BROADCAST": true, "SHUFFLE_HASH": true, "SHUFFLE_MERGE": true, "NEST_LOOP": true,
}

func unknownHint(h ast.Hint) error {
	names := []string{"OPTIONS", "STATE_TTL", "LOOKUP", "MULTI_JOIN", "BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP"}
	e := diag.New(diag.UnknownOption, h.Pos, "the hint '%s' does not exist", h.Name)
	if near := diag.Nearest(strings.ToUpper(h.Name), names); near != "" {
		e.WithLabel("did you mean %s?", near)
	}
	return e.WithHint("hints: %s", join(names))
}

// checkHints refuses unknown hints of a SELECT and hints for tables that it
// does not read.
func (b *binder) checkHints(s *ast.Select) error {
	for _, h := range s.Hints {
		name := strings.ToUpper(h.Name)
		if !queryHints[name] {
			return unknownHint(h)
		}
		tables := fromNames(s.From)
		if name == "LOOKUP" {
			if err := checkLookupHint(h, tables); err != nil {
				return err
			}
			continue
		}
		for _, a := range h.Args {
			table := a.Value
			if a.Pair {
				table = a.Key
			}
			if !contains(tables, table) {
				return noHintTable(a, name, table, tables)
			}
			if name == "STATE_TTL" {
				if _, ok := option.ParseDuration(a.Value); !ok {
					return diag.New(diag.BadOption, a.Pos, "the hint STATE_TTL needs a duration, not '%s'", a.Value).WithHint("for instance '1 d' or '30 min'")
				}
			}
		}
	}
	return nil
}

// stateTTL is the retention that the STATE_TTL hints of a SELECT give what reads
// an item of its FROM, in milliseconds, -1 without one. A join has no name that a
// hint could call it by. Of several hints that name the item the first wins, of
// equal keys in one the last.
func stateTTL(s *ast.Select, item ast.TableRef) int64 {
	names := fromNames(item)
	if _, joined := item.(*ast.Join); joined || len(names) == 0 {
		return -1
	}
	for _, h := range s.Hints {
		ttl := int64(-1)
		for _, a := range h.Args {
			if ms, ok := option.ParseDuration(a.Value); ok && a.Key == names[0] && strings.EqualFold(h.Name, "STATE_TTL") {
				ttl = ms
			}
		}
		if ttl >= 0 {
			return ttl
		}
	}
	return -1
}

// retain gives the joins of a FROM the retentions that hints name for their
// sides.
func retain(s *ast.Select, from ast.TableRef, n logical.Node) {
	t, ok := from.(*ast.Join)
	j, joined := n.(*logical.Join)
	if !ok || !joined {
		return
	}
	for side, item := range []ast.TableRef{t.L, t.R} {
		if ttl := stateTTL(s, item); ttl >= 0 {
			j.TTL[side] = &ttl
		}
		retain(s, item, j.Inputs()[side])
	}
}

// fromNames are the names by which the items of a FROM go.
func fromNames(t ast.TableRef) []string {
	alias := func(a ast.Alias, or string) []string {
		if a.Name.Text != "" {
			return []string{a.Name.Text}
		}
		if or == "" {
			return nil
		}
		return []string{or}
	}
	switch t := t.(type) {
	case *ast.Table:
		return alias(t.Alias, t.Path.Parts[len(t.Path.Parts)-1].Text)
	case *ast.Derived:
		return alias(t.Alias, "")
	case *ast.TableFunc:
		return alias(t.Alias, "")
	case *ast.Unnest:
		return alias(t.Alias, "")
	case *ast.Match:
		return alias(t.Alias, "")
	case *ast.Join:
		return append(fromNames(t.L), fromNames(t.R)...)
	}
	return nil
}
