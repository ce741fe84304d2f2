package spectest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"fsql/internal/ftest"
)

// Update is what --update would write to a file.
type Update struct {
	File     string
	Old, New []byte
	Refused  string // why it is not written
}

// Updates runs tests and gives the files whose expected blocks are to be
// written anew. Nothing but these blocks differs. A file is refused if a part of
// it fails that has no block, if its variants disagree, or if it has edits that
// are not in the index of its repository (anyway: write nevertheless).
func Updates(ctx context.Context, o *Options, anyway bool) ([]Update, []error, error) {
	units, broken, err := Load(o)
	if err != nil {
		return nil, nil, err
	}
	var out []Update
	for from := 0; from < len(units); {
		to := from
		for to < len(units) && units[to].File == units[from].File {
			to++
		}
		u, err := updateFile(ctx, o, units[from:to])
		if err != nil {
			return nil, nil, err
		}
		if u.Refused == "" && !bytes.Equal(u.Old, u.New) && !anyway && edited(ctx, u.File) {
			u.Refused = "it has edits that are not staged; git add it first, or give --in-place-anyway"
		}
		out = append(out, u)
		from = to
	}
	return out, broken, nil
}

// updateFile finds the blocks of one file, whose tests are given.
func updateFile(ctx context.Context, o *Options, units []*Unit) (Update, error) {
	u := Update{File: units[0].File}
	var err error
	if u.Old, err = os.ReadFile(units[0].path); err != nil {
		return u, err
	}
	u.New = u.Old
	answer, rewrites := map[int][]string{}, map[int]string{}
	for _, unit := range units {
		if unit.run != nil {
			u.Refused = "it is not an .ftest file that people write"
			return u, nil
		}
		r := execute(ctx, o, unit, Variant{Parallelism: 1, Restart: "none"}, true)
		switch {
		case len(r.rewrites) > 0:
			// What follows fails for this reason: next time it is looked at.
		case len(r.Failures) > 0:
			f := r.Failures[0]
			u.Refused = fmt.Sprintf("line %d: %s: %s", f.Line, f.What, f.Message)
			return u, nil
		case r.broken != "":
			u.Refused = r.broken
			return u, nil
		}
		for at, lines := range r.answer {
			if old, ok := answer[at]; ok && !slices.Equal(old, lines) {
				u.Refused = fmt.Sprintf("the block at line %d has several answers in the subtests", at)
				return u, nil
			}
			answer[at] = lines
		}
		for at, line := range r.rewrites {
			if old, ok := rewrites[at]; ok && old != line {
				u.Refused = fmt.Sprintf("line %d ends in several ways in the subtests", at)
				return u, nil
			}
			rewrites[at] = line
		}
	}
	if len(rewrites) > 0 {
		u.New = rewritten(u.Old, rewrites)
		return u, nil
	}
	// The other variants must agree with what will be written.
	var blocks []ftest.Expected
	var with [][]string
	for _, rec := range units[0].main.Records {
		e := ftest.Blocks(rec)
		if e == nil || answer[e.From] == nil {
			continue
		}
		blocks, with = append(blocks, *e), append(with, answer[e.From])
		e.Lines = answer[e.From]
	}
	for _, unit := range units {
		for _, v := range unit.variants {
			if r := execute(ctx, o, unit, v, false); len(r.Failures) > 0 {
				f := r.Failures[0]
				u.Refused = fmt.Sprintf("line %d: %s comes out otherwise with %s", f.Line, f.What, v)
				return u, nil
			}
		}
	}
	u.New = ftest.Rewrite(u.Old, blocks, with)
	return u, nil
}

// rewritten is a file with other directives for statements that fail or succeed
// otherwise than written; the blocks of what follows from them are written by
// the next run.
func rewritten(old []byte, with map[int]string) []byte {
	lines := strings.Split(string(old), "\n")
	for at, line := range with {
		lines[at-1] = line
	}
	return []byte(strings.Join(lines, "\n"))
}

// edited says that a file differs from the index of its git repository.
func edited(ctx context.Context, file string) bool {
	git := exec.CommandContext(ctx, "git", "diff", "--quiet", "--", filepath.Base(file))
	git.Dir = filepath.Dir(file)
	err := git.Run()
	var status *exec.ExitError
	return errors.As(err, &status) && status.ExitCode() == 1
}

// Diff is what an update changes, line by line.
func (u *Update) Diff() []DiffLine {
	return inOrder(textLines(u.Old), textLines(u.New))
}

func textLines(text []byte) []string {
	var out []string
	for l := range bytes.Lines(text) {
		out = append(out, string(bytes.TrimSuffix(l, []byte("\n"))))
	}
	return out
}
