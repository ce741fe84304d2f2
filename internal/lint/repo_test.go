package lint

import (
	"errors"
	"io/fs"
	"os"
	"testing"
)

// root is the repository, seen from this package.
const root = "../.."

func repository(t *testing.T) *Tree {
	t.Helper()
	tree, err := Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func report(t *testing.T, found []string) {
	t.Helper()
	for _, f := range found {
		t.Error(f)
	}
}

func TestImports(t *testing.T) {
	text, err := os.ReadFile(root + "/ARCHITECTURE.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("NO IMPORT IS CHECKED: ARCHITECTURE.md, which holds the table of imports, is missing")
	}
	if err != nil {
		t.Fatal(err)
	}
	report(t, repository(t).Imports(string(text)))
}

func TestDeterminism(t *testing.T) { report(t, repository(t).Determinism()) }
func TestDoors(t *testing.T)       { report(t, repository(t).Doors()) }
func TestLength(t *testing.T)      { report(t, repository(t).Length()) }
func TestHiddenWork(t *testing.T)  { report(t, repository(t).HiddenWork()) }
