// Package golden runs operators by files: the cases of an operator are text
// that lists what goes in and what comes out.
//
//	# what the case is about
//	operator ARGS...
//	input k STRING, n BIGINT
//
//	batch
//	+I | 'a' | 1
//	-- 12:00:00.000
//	----
//	+I | 'a' | 1
//
//	watermark 12:00:05
//	----
//	-- 12:00:05.000
//
// Blocks end at an empty line. `operator` begins a case; below it stand one
// `input` line per input, and perhaps `unordered` (the order of rows between
// two marks is free), `zone NAME`. Then come steps:
//
//	batch [IN]         rows and marks (package rowtext) of input IN, 0 if not said
//	watermark TIME     the event time of the operator reaches TIME
//	clock TIME         processing time moves
//	counters           the operator's counters that are not 0
//	describe           how the spec prints itself, what it needs and gives
//
// Every case runs many times: with input batches cut into pieces of 1, 2, 7 and
// 1024 rows, output batches of as many, real hashes and hashes that are all 0;
// always under op.Checked. Each run must give the same text.
//
// `go test ./ROOM -update` writes what came out into the files.
package golden

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"fsql/op"
	"fsql/types"
)

var update = flag.Bool("update", false, "write the output of golden tests into their files")

// Update tells that files are to be rewritten.
func Update() bool { return *update }

// Case is what a spec is built from.
type Case struct {
	Args   []string        // of the operator line, split at blanks
	Inputs []*types.Schema // of the input lines
}

// Arg is the value of an argument KEY=VALUE, "" if it is not there.
func (c *Case) Arg(key string) string {
	for _, a := range c.Args {
		if v, ok := strings.CutPrefix(a, key+"="); ok {
			return v
		}
	}
	return ""
}

// Has tells that a bare argument is there.
func (c *Case) Has(word string) bool {
	for _, a := range c.Args {
		if a == word {
			return true
		}
	}
	return false
}

// RunOperator runs the cases of a file; build makes the spec of a case.
func RunOperator(t *testing.T, file string, build func(c *Case) op.Spec) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := parseBlocks(string(text))
	cases, err := parseCases(blocks)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("line%d", c.line), func(t *testing.T) { c.run(t, file, build) })
	}
	if *update && !t.Failed() {
		if out := formatBlocks(blocks); out != string(text) {
			if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// block is a run of lines up to an empty one.
type block struct {
	line   int      // of its first line in the file
	head   []string // before ----
	expect string   // after it
	lines  bool     // ---- is there
	gap    int      // empty lines after it
}

func parseBlocks(text string) []*block {
	var blocks []*block
	var cur *block
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		switch {
		case line == "":
			if cur == nil && len(blocks) > 0 {
				blocks[len(blocks)-1].gap++
			} else if cur != nil {
				cur.gap, cur = 1, nil
			}
			continue
		case cur == nil:
			cur = &block{line: n + 1}
			blocks = append(blocks, cur)
		}
		switch {
		case line == "----" && !cur.lines:
			cur.lines = true
		case cur.lines:
			cur.expect += line + "\n"
		default:
			cur.head = append(cur.head, line)
		}
	}
	return blocks
}

func formatBlocks(blocks []*block) string {
	var out strings.Builder
	for _, b := range blocks {
		for _, l := range b.head {
			out.WriteString(l + "\n")
		}
		if b.lines {
			out.WriteString("----\n" + b.expect)
		}
		out.WriteString(strings.Repeat("\n", b.gap))
	}
	return out.String()
}
