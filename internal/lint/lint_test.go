package lint

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// plant makes a module of the given files.
func plant(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	fsys := fstest.MapFS{"go.mod": {Data: []byte("module m\n\ngo 1.26\n")}}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// want compares findings with the beginnings of what is wanted, in any order.
func want(t *testing.T, found []string, starts ...string) {
	t.Helper()
	for _, s := range starts {
		i := slices.IndexFunc(found, func(f string) bool { return strings.HasPrefix(f, s) })
		if i < 0 {
			t.Errorf("not found: %s", s)
			continue
		}
		found = slices.Delete(found, i, i+1)
	}
	for _, f := range found {
		t.Errorf("found without reason: %s", f)
	}
}

func TestImportFindings(t *testing.T) {
	tree := plant(t, map[string]string{
		"a/a.go":          "package a\n\nimport (\n\t\"fmt\"\n\t\"m/b\"\n\t\"m/c\"\n)\n",
		"b/b.go":          "package b\n\nimport \"m/b2\"\n",
		"b/b_test.go":     "package b\n\nimport \"m/a\"\n",
		"b2/b.go":         "package b2\n\nimport \"m/b\"\n",
		"c/c.go":          "package c\n\nimport \"m/a\"\n",
		"k/one/one.go":    "package one\n\nimport \"m/k/two\"\n",
		"k/two/two.go":    "package two\n\nimport \"m/c\"\n",
		"new/n.go":        "package new\n\nimport \"m/a\"\n",
		"tests/t_test.go": "package tests\n",
	})
	found := tree.Imports("# Title\n\n```imports\n9  a k/two\n8  b b2   # a comment\n8  k/...\n1  c gone\n\nb -> b2\nb -> k/one\n```\n")
	want(t, found,
		"b2/b.go:3: b2 imports b of its own level 8",
		"c/c.go:3: c (level 1) imports a (level 9), which stands above it",
		"k/one/one.go:3: k/one (level 8) imports k/two (level 9)",
		"ARCHITECTURE.md: package new is in no line",
		"ARCHITECTURE.md: the table of imports names gone, which does not exist",
		"ARCHITECTURE.md: the arrow b -> k/one is not used",
	)
}

func TestBadTables(t *testing.T) {
	for text, complaint := range map[string]string{
		"nothing":                             "no block fenced",
		"\n```imports\n1 a\n":                 "not closed",
		"\n```imports\n1 a\n2 b\n```":         "level 2 stands below level 1",
		"\n```imports\n2 a\n1 a\n```":         "a is named twice",
		"\n```imports\n2 a\n1 b\na -> b\n```": "a -> b: an arrow joins two packages of one level",
		"\n```imports\n2 a\na -> x\n```":      "a -> x: an arrow joins",
		"\n```imports\nlow a\n```":            "neither LEVEL PACKAGE",
		"\n```imports\n2\n```":                "neither LEVEL PACKAGE",
	} {
		if _, err := parseTable(text); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%q: %v, want %s", text, err, complaint)
		}
	}
}

func TestDeterminismFindings(t *testing.T) {
	const src = `package p

import (
	crand "crypto/rand"
	"hash/maphash"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"sync"
	clock "time"
)

var once sync.Once
var mu sync.Mutex
var c chan int

func f() {
	go f()
	select {}
	_ = clock.Now()
	_ = clock.Second
	_ = rand.IntN(3)
	_ = rand.New(rand.NewPCG(1, 2)).IntN(3)
}
`
	tree := plant(t, map[string]string{
		"expr/builtin/f.go":      src,
		"expr/builtin/f_test.go": src,
		"exec/driver.go":         src,
		"server/f.go":            src,
		"opera/f.go":             src,
	})
	const in = "expr/builtin/f.go:"
	want(t, tree.Determinism(),
		in+"4: import of crypto/rand in a deterministic room: use a generator seeded",
		in+"5: import of hash/maphash in a deterministic room: its seed differs",
		in+"7: import of net/http in",
		in+"9: import of os in",
		in+"15: sync.Mutex in",
		in+"16: a channel in",
		in+"19: a go statement in",
		in+"20: a select statement in",
		in+"21: time.Now in a deterministic room: ask the clock",
		in+"23: math/rand/v2.IntN in",
	)
}

func TestDoorFindings(t *testing.T) {
	const src = "package p\n\nimport (\n\t_ \"github.com/pingcap/tidb/pkg/parser\"\n\t_ \"github.com/cockroachdb/pebble\"\n)\n"
	tree := plant(t, map[string]string{"sql/expr/p.go": src, "state/p_test.go": src, "sqlx/p.go": "package p\n\nimport \"github.com/cockroachdb/pebbles\"\n"})
	want(t, tree.Doors(),
		"sql/expr/p.go:5: github.com/cockroachdb/pebble is imported under state/ only",
		"state/p_test.go:4: github.com/pingcap/tidb is imported under sql/ only",
	)
}

func TestShapeFindings(t *testing.T) {
	long := "package p\n" + strings.Repeat("\n", 600)
	tree := plant(t, map[string]string{
		"a/long.go":        long,
		"a/long_test.go":   long,
		"testdata/long.go": long,
		".hidden/long.go":  long,
		"a/fitting.go":     long[:len(long)-1],
		"b/b.go":           "package b\n\nimport (\n\t_ \"embed\"\n\t_ \"image/png\"\n)\n\ntype t struct{}\n\nfunc (t) init() {}\n\nfunc init() {}\n",
	})
	want(t, tree.Length(), "a/long.go: 601 lines, more than 600")
	want(t, tree.HiddenWork(), "b/b.go:5: a blank import of image/png", "b/b.go:12: an init function")
}
