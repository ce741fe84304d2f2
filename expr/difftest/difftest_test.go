// Package difftest holds a test only: random expressions over every signature
// of every function, evaluated by fsql and by a real Flink.
package difftest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"fsql/expr/builtin"
)

// TestEveryFunctionHasSignatures keeps the table of signatures whole: it needs
// no oracle.
func TestEveryFunctionHasSignatures(t *testing.T) {
	listed := map[string]bool{"CAST": true, "TRY_CAST": true}
	for _, s := range signatures() {
		listed[s.fn] = true
	}
	out := exempt()
	for _, f := range builtin.All().All() {
		if !listed[f.Name] && out[f.Name] == "" {
			t.Errorf("%s has no signature here: add lines of how it is called (signatures_test.go), or a reason to exempt", f.Name)
		}
		delete(listed, f.Name)
		delete(out, f.Name)
	}
	delete(listed, "CAST")
	delete(listed, "TRY_CAST")
	for name := range listed {
		t.Errorf("%s is no function", name)
	}
	for name := range out {
		t.Errorf("%s is exempt, but no function", name)
	}
}

// TestEveryExpressionAnswers grows a few expressions of each signature: none
// may panic, and of each signature one must be understood.
func TestEveryExpressionAnswers(t *testing.T) {
	g, e := newGarden(1), newEngine(t)
	for i := range g.sigs {
		s := &g.sigs[i]
		last := ""
		for n := 0; n < 12; n++ {
			q := zoned{zones()[n%len(zones())], g.root(s, n, 1+n%2).text}
			a := e.ask(q)
			if a.Type == "panic" {
				t.Fatalf("%s: %s", q.text, strings.Join(a.Cells, "\n"))
			}
			if last = a.Err; last == "" {
				break
			}
		}
		if last != "" && !s.risky {
			t.Errorf("%s: every expression fails, the last with: %s", strings.Join(s.parts, "x"), last)
		}
	}
}

func zones() []string { return []string{"UTC", "Europe/Berlin", "America/New_York"} }

// TestAgainstFlink is the long one. FSQL_ORACLE names the command that asks a
// real Flink, FSQL_SEED the expressions, FSQL_EACH how many each signature
// gets. FSQL_ANSWERS names a file that keeps Flink's answers between runs;
// FSQL_ORACLE=kept compares with those alone.
// Seed 1 with 46 each are 20369 expressions, the run that docs/differences.md
// accounts for. The next line is what to type:
//
//	FSQL_ORACLE=/path/to/oracle go test ./expr/difftest -run Flink -v -timeout 3h
func TestAgainstFlink(t *testing.T) {
	command := os.Getenv("FSQL_ORACLE")
	if command == "" {
		t.Skip("NOT RUN: random expressions against a real Flink need FSQL_ORACLE, the command that asks one")
	}
	seed, each := number(t, "FSQL_SEED", 1), number(t, "FSQL_EACH", 46)
	g := newGarden(uint64(seed))
	roots := g.roots(each)
	perFn := map[string]bool{}
	for i := range g.sigs {
		perFn[g.sigs[i].fn] = true
	}
	b := newBook(t, command)
	questions := map[*node]zoned{}
	var all []zoned
	for i, r := range roots {
		q := zoned{zones()[i%len(zones())], r.text}
		questions[r] = q
		all = append(all, q)
	}
	b.answer(all)
	counts := map[verdict]int{}
	refused := 0
	var differ []*node
	asked := 0
	for _, r := range roots {
		if _, ok := b.flink[questions[r]]; ok {
			asked++
		}
		v := b.verdict(questions[r])
		counts[v]++
		if b.flink[questions[r]].Err != "" {
			refused++
		}
		if v == other {
			differ = append(differ, r)
		}
	}
	// Of what differs, ask for the parts: the smallest one is to blame.
	var parts []zoned
	for _, r := range differ {
		r.walk(func(n *node) { parts = append(parts, zoned{questions[r].zone, n.text}) })
	}
	b.answer(parts)
	found := map[zoned]*node{}
	for _, r := range differ {
		b.blame(questions[r].zone, r, found)
	}
	b.report(found)
	census(t, g, roots)
	t.Logf("%d expressions of %d signatures of %d functions: %d agree (%d of them refused by both), %d but for the last digit, %d differ in %d places",
		asked, len(g.sigs), len(perFn), counts[same], refused, counts[inexact], counts[other], len(found))
}

// census tells how often each signature occurs and what its operands are.
func census(t *testing.T, g *garden, roots []*node) {
	times := occurrences(roots)
	var leaves [3]int
	for _, r := range roots {
		for k, c := range r.leaves {
			leaves[k] += c
		}
	}
	var list strings.Builder
	fewest := len(roots)
	for i := range g.sigs {
		s := &g.sigs[i]
		fewest = min(fewest, times[s])
		fmt.Fprintf(&list, "\n%6d %s | %s", times[s], s.fn, strings.Join(s.parts, "{}"))
	}
	t.Logf("times that each signature occurs:%s", list.String())
	t.Logf("the rarest signature occurs %d times; of %d operands that are no calls %d are NULL, %d edge values and %d columns, half of whose values are NULL or edge values",
		fewest, leaves[nullLeaf]+leaves[edgeLeaf]+leaves[columnLeaf], leaves[nullLeaf], leaves[edgeLeaf], leaves[columnLeaf])
}

func number(t *testing.T, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// book holds the answers of both.
type book struct {
	t           *testing.T
	oracle      *oracle
	engine      *engine
	ours, flink map[zoned]answer
	file        string
}

func newBook(t *testing.T, command string) *book {
	b := &book{t: t, oracle: &oracle{command: command, dir: t.TempDir(), t: t}, engine: newEngine(t),
		ours: map[zoned]answer{}, flink: map[zoned]answer{}, file: os.Getenv("FSQL_ANSWERS")}
	b.oracle.keep = b.save
	b.load()
	return b
}

// answer fills in the answers that are not there yet.
func (b *book) answer(qs []zoned) {
	var apart, together []zoned
	for _, q := range qs {
		if _, ok := b.ours[q]; !ok {
			b.ours[q] = b.engine.ask(q)
			if b.ours[q].Type == "panic" {
				b.t.Errorf("%s: %s", q.text, strings.Join(b.ours[q].Cells, "\n"))
			}
		} else if _, ok := b.flink[q]; !ok {
			continue // asked for twice
		}
		if _, ok := b.flink[q]; ok {
			continue
		}
		if b.ours[q].Err != "" {
			apart = append(apart, q)
		} else {
			together = append(together, q)
		}
	}
	if len(apart)+len(together) == 0 || b.oracle.command == kept {
		return
	}
	b.t.Logf("Flink is asked for %d expressions, %d of them apart", len(apart)+len(together), len(apart))
	for q, a := range b.oracle.ask(apart, together) {
		b.flink[q] = a
	}
}

// verdict compares the answers; what Flink was not asked counts as the same.
func (b *book) verdict(q zoned) verdict {
	flink, ok := b.flink[q]
	if !ok {
		return same
	}
	return compare(b.ours[q], flink)
}

// kept stands for the command: only answers of earlier runs are compared.
const kept = "kept"

// walk visits a node and all that it is made of.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.walk(visit)
	}
}

// blame finds the smallest parts of n that differ, and tells whether a part
// differs or is inexact.
func (b *book) blame(zone string, n *node, found map[zoned]*node) bool {
	below := false
	for _, k := range n.kids {
		if b.blame(zone, k, found) {
			below = true
		}
	}
	q := zoned{zone, n.text}
	switch b.verdict(q) {
	case other:
		if !below {
			found[q] = n
		}
		return true
	case inexact:
		return true
	}
	return below
}

// entry is one line of the file of answers.
type entry struct {
	Zone, Text string
	Answer     answer
}

func (b *book) load() {
	text, err := os.ReadFile(b.file)
	if err != nil {
		return // the first run
	}
	for line := range strings.Lines(string(text)) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			b.t.Fatalf("%s: %v", b.file, err)
		}
		b.flink[zoned{e.Zone, e.Text}] = e.Answer
	}
}

func (b *book) save(got map[zoned]answer) {
	if b.file == "" {
		return
	}
	f, err := os.OpenFile(filepath.Clean(b.file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		b.t.Fatal(err)
	}
	enc := json.NewEncoder(f)
	for q, a := range got {
		if err := enc.Encode(entry{q.zone, q.text, a}); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		b.t.Fatal(err)
	}
}

// report fails the test for every difference that nobody intends.
func (b *book) report(found map[zoned]*node) {
	var list []zoned
	for q := range found {
		list = append(list, q)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := found[list[i]].fn+"\x00"+list[i].text, found[list[j]].fn+"\x00"+list[j].text
		return a < b
	})
	meant := map[string]int{}
	for _, q := range list {
		ours, flink := b.ours[q], b.flink[q]
		if why := b.intended(q, ours, flink); why != "" {
			meant[why]++
			continue
		}
		b.t.Errorf("%s (%s)\n%s", q.text, q.zone, contrast(ours, flink))
	}
	for why, n := range meant {
		b.t.Logf("%d differ on purpose: %s", n, why)
	}
}

// contrast shows where two answers differ.
func contrast(ours, flink answer) string {
	var b strings.Builder
	if ours.Err != "" || flink.Err != "" {
		fmt.Fprintf(&b, "  fsql:  %s\n  Flink: %s", ours.short(), flink.short())
		return b.String()
	}
	if ours.Type != flink.Type {
		fmt.Fprintf(&b, "  fsql:  type %s\n  Flink: type %s\n", ours.Type, flink.Type)
	}
	shown := 0
	for _, i := range differing(ours, flink) {
		if shown++; shown <= 2 {
			fmt.Fprintf(&b, "  row %d\n    fsql:  %q\n    Flink: %q\n", i, ours.Cells[i], flink.Cells[i])
		}
	}
	return b.String()
}

// differing are the rows whose values differ.
func differing(ours, flink answer) []int {
	var rows []int
	for i := range min(len(ours.Cells), len(flink.Cells)) {
		if canonical(ours.Cells[i]) != canonical(flink.Cells[i]) {
			rows = append(rows, i)
		}
	}
	return rows
}

func (a answer) short() string {
	if a.Err != "" {
		text := a.Err
		if len(text) > 400 {
			text = text[:400]
		}
		return "refused: " + strings.TrimSpace(text)
	}
	return fmt.Sprintf("%s %q", a.Type, a.Cells)
}
