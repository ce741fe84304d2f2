package lint

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// table says which package may import which. It is written in ARCHITECTURE.md
// as a block fenced by ```imports:
//
//	9  cmd/fsql
//	4  window join          # a comment
//	4  connector/...
//	1  row
//	connector/all -> connector/print connector/datagen
//
// A line gives a level, highest first, and its packages; dir/... names dir and
// all packages below it that no line names more closely. A package may import
// every lower level, and of its own level what an arrow grants.
type table struct {
	levels   map[string]int
	sideways map[arrow]bool
}

type arrow struct{ from, to string }

func parseTable(architecture string) (table, error) {
	t := table{map[string]int{}, map[arrow]bool{}}
	_, block, ok := strings.Cut(architecture, "\n```imports\n")
	if !ok {
		return t, errors.New("no block fenced by ```imports")
	}
	block, _, ok = strings.Cut(block, "\n```")
	if !ok {
		return t, errors.New("the block of imports is not closed")
	}
	last := -1
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) > 2 && words[1] == "->":
			for _, to := range words[2:] {
				t.sideways[arrow{words[0], to}] = true
			}
		default:
			level, err := strconv.Atoi(words[0])
			if err != nil || level < 0 || len(words) < 2 {
				return t, fmt.Errorf("neither LEVEL PACKAGE... nor PACKAGE -> PACKAGE: %s", strings.TrimSpace(line))
			}
			if last >= 0 && level > last {
				return t, fmt.Errorf("level %d stands below level %d: highest first", level, last)
			}
			last = level
			for _, pkg := range words[1:] {
				if _, ok := t.levels[pkg]; ok {
					return t, fmt.Errorf("%s is named twice", pkg)
				}
				t.levels[pkg] = level
			}
		}
	}
	for a := range t.sideways {
		from, okFrom := t.level(a.from)
		to, okTo := t.level(a.to)
		if !okFrom || !okTo || from != to {
			return t, fmt.Errorf("%s -> %s: an arrow joins two packages of one level", a.from, a.to)
		}
	}
	return t, nil
}

// level returns the level of a package by the closest line.
func (t table) level(pkg string) (int, bool) {
	entry, ok := t.entry(pkg)
	return t.levels[entry], ok
}

// entry returns the name in the table that speaks of a package.
func (t table) entry(pkg string) (string, bool) {
	if _, ok := t.levels[pkg]; ok {
		return pkg, true
	}
	for dir := pkg; ; {
		if _, ok := t.levels[dir+"/..."]; ok {
			return dir + "/...", true
		}
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			return "", false
		}
		dir = dir[:i]
	}
}
