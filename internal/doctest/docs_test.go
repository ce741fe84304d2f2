package doctest_test

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsql/internal/doctest"
)

// show prints what the commands print, for whoever writes a document.
var show = flag.Bool("show", false, "print the output of every command")

const root = "../.."

// buildLine is the command of the README that the test has done already.
const buildLine = "go build -o fsql ./cmd/fsql"

// commands asks for what the documents need: a POSIX shell and go.
func commands(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds fsql")
	}
	for _, c := range []string{"sh", "go"} {
		if _, err := exec.LookPath(c); err != nil {
			t.Skipf("THE DOCUMENTS ARE NOT TESTED: there is no command %s", c)
		}
	}
}

func build(t *testing.T, dir, out string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-o", out, "./cmd/fsql")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func blocks(t *testing.T, doc string) []doctest.Block {
	t.Helper()
	out, err := doctest.Blocks(doc, read(t, filepath.Join(root, doc)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// documents are all but the guides that change the code.
func documents(t *testing.T) []string {
	t.Helper()
	out := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/guide/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if !strings.HasPrefix(filepath.Base(f), "add-") {
				rel, _ := filepath.Rel(root, f)
				out = append(out, filepath.ToSlash(rel))
			}
		}
	}
	return out
}

// TestDocuments does what the documents say, each in a folder with the built
// command and a copy of the examples, and compares what they show.
func TestDocuments(t *testing.T) {
	commands(t)
	bin := filepath.Join(t.TempDir(), "fsql")
	build(t, root, bin)
	ran := 0
	for _, doc := range documents(t) {
		t.Run(doc, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(bin, filepath.Join(dir, "fsql")); err != nil {
				t.Fatal(err)
			}
			ran += follow(t, dir, blocks(t, doc))
		})
	}
	if ran < 20 {
		t.Errorf("only %d commands were found", ran)
	}
}

// TestGuides follows the guides that change the code, all of them in one copy of
// the repository, and builds it.
func TestGuides(t *testing.T) {
	commands(t)
	dir := t.TempDir()
	copyTree(t, dir)
	guides, err := filepath.Glob(filepath.Join(root, "docs/guide/add-*.md"))
	if err != nil || len(guides) < 6 {
		t.Fatalf("%d guides, %v", len(guides), err)
	}
	docs := map[string][]doctest.Block{}
	for _, g := range guides {
		rel, _ := filepath.Rel(root, g)
		docs[rel] = blocks(t, rel)
		for _, b := range docs[rel] {
			change(t, dir, &b)
		}
	}
	build(t, dir, "fsql")
	for doc, list := range docs {
		t.Run(doc, func(t *testing.T) {
			if follow(t, dir, list) == 0 {
				t.Error("the guide shows nothing that runs")
			}
		})
	}
}

// change does a block of kind file or in.
func change(t *testing.T, dir string, b *doctest.Block) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(b.Path))
	text := strings.Join(b.Text, "\n") + "\n"
	switch b.What {
	case "in":
		var err error
		if text, err = doctest.Inserted(b, read(t, path)); err != nil {
			t.Fatal(err)
		}
	case "file":
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	default:
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// follow does the blocks in a folder and returns the number of commands.
func follow(t *testing.T, dir string, list []doctest.Block) (ran int) {
	t.Helper()
	for _, b := range list {
		switch b.What {
		case "from":
			if !doctest.Quoted(b.Text, read(t, filepath.Join(root, filepath.FromSlash(b.Path)))) {
				t.Errorf("%s:%d: %s does not have these lines", b.Doc, b.Line, b.Path)
			}
			continue
		case "file":
			change(t, dir, &b)
			continue
		case "in":
			continue
		}
		steps, err := b.Steps()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			ran++
			if s.Command == buildLine {
				continue // the binary is there
			}
			got := run(t, dir, s.Command)
			if *show {
				t.Logf("$ %s\n%s", s.Command, got)
			}
			if !doctest.Match(s.Want, strings.Split(got, "\n")) {
				t.Errorf("%s:%d: $ %s\nprints\n%s\nand not\n%s", b.Doc, s.Line, s.Command, got, strings.Join(s.Want, "\n"))
			}
		}
	}
	return ran
}

// run runs a command as a newcomer would type it. "go run ./cmd/fsql" is the
// command that was built.
func run(t *testing.T, dir, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(command, "go run ./cmd/fsql", "./fsql"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=dumb", "TZ=UTC", "HOME="+dir, "GOFLAGS=-trimpath", "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOPATH="+goEnv(t, "GOPATH"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // a mistake that is shown ends with a status
	if ctx.Err() != nil {
		t.Errorf("$ %s does not end", command)
	}
	return out.String()
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// copyTree copies what is needed to build.
func copyTree(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if rel != "." && strings.HasPrefix(d.Name(), ".") || rel == filepath.Join("testdata", "conformance") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, rel), 0o755)
		}
		if !d.Type().IsRegular() || d.Name() == "fsql" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, rel), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
