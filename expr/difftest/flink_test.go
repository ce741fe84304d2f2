package difftest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fsql/internal/ftest"
)

// oracle asks a real Flink through the command that FSQL_ORACLE names.
//
//	oracle record FOLDER...
//
// runs script.sql of each folder and writes its last result to expected.txt,
// as CSV below a line "mode: final"; of those that fail it prints a line
// "NOT RECORDED name ..." and the messages, indented by four blanks.
type oracle struct {
	command string
	dir     string
	t       testing.TB
	round   int
	keep    func(map[zoned]answer) // takes the answers of one process
}

// group is a set of expressions that are put into one statement.
type group struct {
	zone  string
	texts []string
}

// most is how many expressions one statement holds: many for the sake of
// speed, few so that one that fails leaves little to ask again.
const most = 30

// ask answers the questions. Where a statement fails, the expression that the
// message places is set aside; where it places none the statement is parted,
// until each failing expression is alone.
func (o *oracle) ask(apart, together []zoned) map[zoned]answer {
	answers := map[zoned]answer{}
	var groups []group
	byZone := map[string][]string{}
	var zones []string
	for _, q := range together {
		if byZone[q.zone] == nil {
			zones = append(zones, q.zone)
		}
		byZone[q.zone] = append(byZone[q.zone], q.text)
	}
	for _, z := range zones {
		groups = append(groups, parted(group{z, byZone[z]}, most)...)
	}
	for _, q := range apart {
		groups = append(groups, group{q.zone, []string{q.text}})
	}
	for len(groups) > 0 {
		// A process a few hundred statements keeps Flink's memory in bounds.
		now := groups[:min(len(groups), 120)]
		groups = append([]group{}, groups[len(now):]...)
		got := map[zoned]answer{}
		groups = append(o.run(now, got), groups...)
		for q, a := range got {
			answers[q] = a
		}
		o.keep(got)
		o.t.Logf("Flink has answered %d, %d statements to go", len(answers), len(groups))
	}
	return answers
}

// parted cuts a group into groups of n.
func parted(g group, n int) []group {
	var out []group
	for texts := g.texts; len(texts) > 0; texts = texts[min(n, len(texts)):] {
		out = append(out, group{g.zone, texts[:min(n, len(texts))]})
	}
	return out
}

// run asks for the groups once and returns what has to be asked again.
func (o *oracle) run(groups []group, answers map[zoned]answer) []group {
	o.round++
	root := filepath.Join(o.dir, fmt.Sprint("round", o.round))
	args := []string{"record"}
	for i, g := range groups {
		list := make([]string, len(g.texts))
		for n, text := range g.texts {
			list[n] = fmt.Sprintf("%s AS e%d", text, n)
		}
		// Each expression has a line, the first one line 2.
		body := " SELECT\n" + strings.Join(list, ",\n") + "\nFROM t"
		head := fmt.Sprintf("SET 'table.local-time-zone' = '%s';\n%s;\n", g.zone, tableDDL())
		for name, script := range map[string]string{
			"t": head + "CREATE TEMPORARY VIEW v AS" + body + ";\nDESCRIBE v;\n",
			"v": head + strings.Replace(body[1:], "SELECT\n", "SELECT id,\n", 1) + ";\n",
		} {
			dir := filepath.Join(root, fmt.Sprint(name, i))
			o.write(dir, "script.sql", script)
			o.write(dir, "expected.txt", "mode: final\n")
			o.write(dir, "t.json", string(tableRows()))
			args = append(args, dir)
		}
	}
	out, err := exec.Command(o.command, args...).Output()
	if len(out) == 0 {
		o.t.Fatalf("the oracle says nothing: %v", err)
	}
	failed := failures(out)
	var again []group
	for i, g := range groups {
		why, bad := failed[fmt.Sprint("v", i)]
		if !bad {
			why, bad = failed[fmt.Sprint("t", i)]
		}
		switch {
		case bad && len(g.texts) == 1:
			answers[zoned{g.zone, g.texts[0]}] = answer{Err: why}
		case bad:
			again = append(again, rest(g, why, answers)...)
		default:
			o.read(root, i, g, answers)
		}
	}
	return again
}

// rest sets aside the expression that a message places and parts the others.
func rest(g group, why string, answers map[zoned]answer) []group {
	if m := place.FindStringSubmatch(why); m != nil {
		line, _ := strconv.Atoi(m[1])
		if n := line - 2; n >= 0 && n < len(g.texts) {
			answers[zoned{g.zone, g.texts[n]}] = answer{Err: why}
			left := append(append([]string{}, g.texts[:n]...), g.texts[n+1:]...)
			return parted(group{g.zone, left}, (len(left)+1)/2)
		}
	}
	return parted(g, (len(g.texts)+5)/6)
}

var place = regexp.MustCompile(`(?:[Ff]rom|at) line (\d+), column`)

// failures reads the names and messages of failed folders.
func failures(out []byte) map[string]string {
	failed := map[string]string{}
	var name string
	for line := range strings.SplitSeq(string(bytes.TrimSpace(out)), "\n") {
		switch {
		case strings.HasPrefix(line, "NOT RECORDED "):
			name, _, _ = strings.Cut(line[len("NOT RECORDED "):], ":")
			failed[name] = ""
		case strings.HasPrefix(line, "recorded "):
			name = ""
		case name != "":
			failed[name] += strings.TrimSpace(line) + "\n"
		}
	}
	return failed
}

func (o *oracle) write(dir, name, text string) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		o.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		o.t.Fatal(err)
	}
}

// read takes the answers of a group from its two files.
func (o *oracle) read(root string, i int, g group, answers map[zoned]answer) {
	rows := func(name string) [][]string {
		text, err := os.ReadFile(filepath.Join(root, fmt.Sprint(name, i), "expected.txt"))
		if err != nil {
			o.t.Fatal(err)
		}
		_, csv, _ := strings.Cut(string(text), "\n")
		all := ftest.Rows(csv)
		if len(all) < 2 {
			o.t.Fatalf("the oracle wrote %q", text)
		}
		return all[1:]
	}
	types, values := map[string]string{}, rows("v")
	for _, r := range rows("t") {
		types[r[0]] = r[1]
		if r[2] == "FALSE" {
			types[r[0]] += " NOT NULL"
		}
	}
	for n, text := range g.texts {
		a := answer{Type: types[fmt.Sprint("e", n)]}
		for _, r := range values {
			cell := r[n+1]
			if cell == `"NULL"` {
				cell = "=NULL"
			} else if cell != "NULL" {
				cell = "=" + cell
			}
			a.Cells = append(a.Cells, cell)
		}
		answers[zoned{g.zone, text}] = a
	}
}
