package doctest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// gocmd runs the go command in the repository; overlay names a file with the
// changes that it shall see, "": none.
func gocmd(t *testing.T, overlay, verb string, args ...string) {
	t.Helper()
	args = append([]string{verb, "-overlay=" + overlay}, args...)
	if overlay == "" {
		args = append(args[:1:1], args[2:]...)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
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
	gocmd(t, "", "build", "-o", bin, "./cmd/fsql")
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
			ran += follow(t, dir, blocks(t, doc), "")
		})
	}
	if ran < 20 {
		t.Errorf("only %d commands were found", ran)
	}
}

// TestGuides follows the guides that change the code, all of them together, and
// builds the result. The repository stays as it is: the go command is told of
// the changes by an overlay.
func TestGuides(t *testing.T) {
	commands(t)
	dir := t.TempDir()
	guides, err := filepath.Glob(filepath.Join(root, "docs/guide/add-*.md"))
	if err != nil || len(guides) < 6 {
		t.Fatalf("%d guides, %v", len(guides), err)
	}
	docs := map[string][]doctest.Block{}
	changed := map[string]string{}
	for _, g := range guides {
		rel, _ := filepath.Rel(root, g)
		docs[rel] = blocks(t, rel)
		for _, b := range docs[rel] {
			if b.What == "in" || b.What == "file" {
				path := change(t, dir, &b)
				abs, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(b.Path)))
				if err != nil {
					t.Fatal(err)
				}
				changed[abs] = path
			}
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": changed})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		t.Fatal(err)
	}
	gocmd(t, overlay, "build", "-o", filepath.Join(dir, "fsql"), "./cmd/fsql")
	for doc, list := range docs {
		t.Run(doc, func(t *testing.T) {
			if follow(t, dir, list, overlay) == 0 {
				t.Error("the guide shows nothing that runs")
			}
		})
	}
}

// change does a block of the kind file or in below dir and returns the path of
// the changed file.
func change(t *testing.T, dir string, b *doctest.Block) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(b.Path))
	text := strings.Join(b.Text, "\n") + "\n"
	if b.What == "in" {
		from := path
		if _, err := os.Stat(from); err != nil { // not changed yet
			from = filepath.Join(root, filepath.FromSlash(b.Path))
		}
		var err error
		if text, err = doctest.Inserted(b, read(t, from)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// follow does the blocks in a folder and returns the number of commands.
func follow(t *testing.T, dir string, list []doctest.Block, overlay string) (ran int) {
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
			var got string
			if m := goTest.FindStringSubmatch(s.Command); m != nil {
				got = test(t, dir, overlay, m[1], m[2])
			} else {
				got = run(t, dir, s.Command)
			}
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

// goTest is a command that runs tests of one package.
var goTest = regexp.MustCompile(`^go test \./(\S+) -run (\S+)$`)

// test does it for a package with changes: its files of test data are below dir.
func test(t *testing.T, dir, overlay, pkg, name string) string {
	t.Helper()
	bin := filepath.Join(dir, "test.exe")
	gocmd(t, overlay, "test", "-c", "-o", bin, "./"+pkg)
	cmd := exec.Command(bin, "-test.run", name)
	cmd.Dir = filepath.Join(dir, filepath.FromSlash(pkg))
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "no tests to run") {
		return string(out)
	}
	return "ok  \tfsql/" + pkg
}

// run runs a command as a newcomer would type it. "go run ./cmd/fsql" is the
// command that was built.
func run(t *testing.T, dir, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.ReplaceAll(command, "go run ./cmd/fsql", "./fsql"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1", "TERM=dumb", "TZ=UTC", "HOME="+dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // a mistake that is shown ends with a status
	if ctx.Err() != nil {
		t.Errorf("$ %s does not end", command)
	}
	return out.String()
}
