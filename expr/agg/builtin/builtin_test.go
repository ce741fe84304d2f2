package builtin_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"fsql/expr/agg"
	"fsql/expr/agg/builtin"
	"fsql/internal/rowtext"
	"fsql/row"
	"fsql/types"
)

// TestFunctions runs the files of testdata: what a function gives after each
// row, as Flink does. A case is a line `SUM(x DECIMAL(5,2)) WORDS...` with words
// out of distinct, retract, ignore, sep='..', nomerge; then one row a line, with
// its sign and the result after it:
//
//   - 1.50 => 1.50
//   - 1.50 => NULL
//
// Every case runs in several ways: row by row, with AddEach, many groups at
// once, hashes that are 0, through Save and Load after every row, through Merge,
// and again in a slot that was reset.
func TestFunctions(t *testing.T) {
	files, err := os.ReadDir("testdata")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, f := range files {
		text, err := os.ReadFile("testdata/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range parseCases(t, f.Name(), string(text)) {
			t.Run(c.name, func(t *testing.T) {
				for _, zero := range []bool{false, true} {
					c.opts.ZeroHash = zero
					c.rowByRow(t)
					c.manyGroups(t)
					c.reset(t)
					c.saved(t)
					if !c.opts.Retract && !c.noMerge {
						c.merged(t)
					}
				}
			})
		}
	}
}

type funcCase struct {
	name    string
	fn      *agg.Func
	in      *types.Schema
	result  types.Type
	opts    agg.Options
	noMerge bool // the result depends on where rows were merged
	rows    *row.Batch
	signs   []int8
	want    []string // after each row
}

func parseCases(t *testing.T, file, text string) []*funcCase {
	var cases []*funcCase
	var c *funcCase
	lines := ""
	flush := func() {
		if c != nil {
			b, err := rowtext.Parse(c.in, lines)
			if err != nil {
				t.Fatalf("%s: %s: %v", file, c.name, err)
			}
			c.rows, lines = b, ""
			cases = append(cases, c)
		}
	}
	for n, line := range strings.Split(text, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '+' || line[0] == '-':
			args, want, ok := strings.Cut(line[1:], "=>")
			if !ok {
				t.Fatalf("%s:%d: no =>", file, n+1)
			}
			c.signs = append(c.signs, map[byte]int8{'+': 1, '-': -1}[line[0]])
			c.want = append(c.want, strings.TrimSpace(want))
			if args = strings.TrimSpace(args); args != "" {
				args = " | " + args
			}
			lines += "+I" + args + "\n"
		default:
			flush()
			c = parseCase(t, fmt.Sprintf("%s:%d", file, n+1), line)
		}
	}
	flush()
	return cases
}

func parseCase(t *testing.T, place, line string) *funcCase {
	name, rest, _ := strings.Cut(line, "(")
	end := strings.LastIndex(rest, ")")
	c := &funcCase{name: place + " " + line, fn: agg.NewRegistry(builtin.All()...).Lookup(name), in: &types.Schema{}}
	if args := rest[:end]; args == "*" {
		c.opts.Star = true
	} else {
		var err error
		if c.in, err = rowtext.ParseSchema(args); err != nil {
			t.Fatalf("%s: %v", place, err)
		}
	}
	c.opts.Literals = make([]*row.Vec, 2)
	types := c.argTypes()
	for _, w := range strings.Fields(rest[end+1:]) {
		switch w {
		case "distinct":
			c.opts.Distinct = true
		case "retract":
			c.opts.Retract = true
		case "ignore":
			c.opts.IgnoreNulls = true
		case "nomerge":
			c.noMerge = true
		default:
			sep := strings.Trim(strings.TrimPrefix(w, "sep="), "'")
			c.opts.Literals[1] = &row.Vec{Type: stringType(), Len: 1, Str: []string{sep}}
			types = append(types, stringType())
		}
	}
	var err error
	if c.result, err = c.fn.Returns(types, c.opts); err != nil {
		t.Fatalf("%s: %v", place, err)
	}
	return c
}

func stringType() types.Type { return types.String().NotNull() }

func (c *funcCase) argTypes() []types.Type {
	ts := make([]types.Type, len(c.in.Columns))
	for i, col := range c.in.Columns {
		ts[i] = col.Type
	}
	return ts
}

func (c *funcCase) accumulator(t *testing.T, slots int) agg.Accumulator {
	acc, err := c.fn.New(c.argTypes(), c.result, c.opts)
	if err != nil {
		t.Fatal(err)
	}
	if c.opts.Distinct {
		acc = agg.Distinct(acc, c.argTypes(), c.opts)
	}
	acc.Grow(slots)
	return acc
}

func (c *funcCase) add(t *testing.T, acc agg.Accumulator, slot int32, r int) {
	var signs []int8
	if c.opts.Retract {
		signs = c.signs[r : r+1]
	}
	if err := acc.Add(c.rows.Cols, []int32{int32(r)}, []int32{slot}, signs); err != nil {
		t.Fatal(err)
	}
}

func (c *funcCase) check(t *testing.T, how string, acc agg.Accumulator, slot int32, r int) {
	t.Helper()
	out := row.NewVec(c.result, 0)
	acc.Result([]int32{slot}, out)
	if got := rowtext.Value(out, 0); got != c.want[r] {
		t.Fatalf("%s, after row %d: %s, want %s", how, r+1, got, c.want[r])
	}
}

func (c *funcCase) rowByRow(t *testing.T) {
	acc := c.accumulator(t, 3)
	for r := range c.want {
		c.add(t, acc, 1, r)
		c.check(t, "row by row", acc, 1, r)
	}
	step, ok := acc.(agg.Stepper)
	if !ok {
		return
	}
	step.(agg.Accumulator).Reset([]int32{1})
	sel, slots := make([]int32, 0), make([]int32, 0)
	for r := range c.want {
		// Each row is followed by one that a FILTER keeps away.
		sel, slots = append(sel, int32(r), -1), append(slots, 1, 1)
	}
	var signs []int8
	if c.opts.Retract {
		for _, s := range c.signs {
			signs = append(signs, s, 1)
		}
	}
	out := row.NewVec(c.result, 0)
	if err := step.AddEach(c.rows.Cols, sel, slots, signs, out); err != nil {
		t.Fatal(err)
	}
	for i := range sel {
		if got := rowtext.Value(out, i); got != c.want[i/2] {
			t.Fatalf("AddEach, row %d: %s, want %s", i, got, c.want[i/2])
		}
	}
}

// manyGroups gives the rows to five groups in one call, each a different number
// of them.
func (c *funcCase) manyGroups(t *testing.T) {
	const groups = 5
	acc := c.accumulator(t, groups)
	var sel, slots []int32
	var signs []int8
	for r := range c.want {
		for g := int32(0); g < groups; g++ {
			if r < len(c.want)-int(g) {
				sel, slots, signs = append(sel, int32(r)), append(slots, g), append(signs, c.signs[r])
			}
		}
	}
	if !c.opts.Retract {
		signs = nil
	}
	if err := acc.Add(c.rows.Cols, sel, slots, signs); err != nil {
		t.Fatal(err)
	}
	for g := 0; g < groups; g++ {
		if r := len(c.want) - 1 - g; r >= 0 {
			c.check(t, "many groups at once", acc, int32(g), r)
		}
	}
	if acc.Bytes() <= 0 {
		t.Error("no memory is held")
	}
}

func (c *funcCase) reset(t *testing.T) {
	acc := c.accumulator(t, 2)
	for round := 0; round < 2; round++ {
		for r := range c.want {
			c.add(t, acc, 0, r)
			c.add(t, acc, 1, r)
		}
		c.check(t, fmt.Sprintf("round %d", round), acc, 0, len(c.want)-1)
		acc.Reset([]int32{0})
	}
}

func (c *funcCase) saved(t *testing.T) {
	acc := c.accumulator(t, 1)
	for r := range c.want {
		saved := acc.Save(nil, 0)
		acc = c.accumulator(t, 2)
		if err := acc.Load(0, saved); err != nil {
			t.Fatalf("Load after row %d: %v", r, err)
		}
		if err := acc.Load(1, saved[:len(saved)-1]); err == nil && len(saved) > 2 {
			t.Errorf("Load of %d of %d bytes is no error", len(saved)-1, len(saved))
		}
		c.add(t, acc, 0, r)
		c.check(t, "saved and loaded", acc, 0, r)
	}
}

// merged puts the rows after k into another group and merges it.
func (c *funcCase) merged(t *testing.T) {
	for k := 0; k <= len(c.want); k++ {
		acc := c.accumulator(t, 4)
		for r := range c.want {
			slot := int32(2)
			if r >= k {
				slot = 3
			}
			c.add(t, acc, slot, r)
		}
		// Group 0 is empty: merging into and from an empty group.
		if err := acc.Merge([]int32{0, 0, 2}, []int32{2, 3, 1}); err != nil {
			t.Fatal(err)
		}
		c.check(t, fmt.Sprintf("merged after %d rows", k), acc, 0, len(c.want)-1)
		if k > 0 {
			c.check(t, "source of a merge", acc, 2, k-1)
		}
	}
}
