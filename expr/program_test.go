package expr_test

import (
	"fmt"
	"testing"

	"fsql/expr"
	"fsql/expr/builtin"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

var reg = builtin.All()

func call(t testing.TB, name string, args ...expr.Node) expr.Node {
	t.Helper()
	n, err := expr.NewCall(reg, name, args)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func lit(t testing.TB, typ types.Type, text string) expr.Node {
	t.Helper()
	n, err := expr.NewLiteral(typ, text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func intLit(t testing.TB, text string) expr.Node { return lit(t, types.Of(types.Int), text) }

// ints makes a batch of INT columns; -1 is NULL.
func ints(cols ...[]int32) (*row.Batch, []expr.Node) {
	s := &types.Schema{}
	b := &row.Batch{Schema: s, Rows: len(cols[0])}
	var nodes []expr.Node
	for i, c := range cols {
		name := string(rune('a' + i))
		s.Columns = append(s.Columns, types.Column{Name: name, Type: types.Of(types.Int)})
		v := row.NewVec(types.Of(types.Int), len(c))
		copy(v.I32, c)
		for r, x := range c {
			if x == -1 {
				v.SetNull(r)
			}
		}
		b.Cols = append(b.Cols, v)
		nodes = append(nodes, expr.NewColumn(i, name, types.Of(types.Int)))
	}
	return b, nodes
}

func show(v *row.Vec, rows []int32) string {
	s := ""
	for _, r := range rows {
		s += string(value.AppendText(nil, v, int(r), value.UTC())) + " "
	}
	return s
}

func compile(t testing.TB, b *row.Batch, nodes ...expr.Node) *expr.Program {
	t.Helper()
	p, err := expr.Compile(nodes, b.Schema)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var all = []int32{0, 1, 2, 3}

// A guard keeps the division from rows that it must not see, in AND, OR, CASE
// and IF, also under a selection and inside another guard.
func TestGuards(t *testing.T) {
	b, c := ints([]int32{6, 6, 6, 6}, []int32{0, 2, -1, 3})
	zero := intLit(t, "0")
	quotient := call(t, "/", c[0], c[1])
	isZero, notZero := call(t, "=", c[1], zero), call(t, "<>", c[1], zero)
	big := call(t, ">", quotient, intLit(t, "2"))
	for _, x := range []struct {
		n    expr.Node
		want string
	}{
		{call(t, "AND", notZero, big), "FALSE TRUE NULL FALSE "},
		{call(t, "OR", isZero, big), "TRUE TRUE NULL FALSE "},
		{call(t, "CASE", isZero, zero, big, quotient, intLit(t, "9")), "0 3 9 9 "},
		{call(t, "IF", isZero, zero, quotient), "0 3 NULL 2 "},
		{call(t, "AND", notZero, call(t, "OR", call(t, "IS NULL", c[1]), big)), "FALSE TRUE NULL FALSE "},
	} {
		p := compile(t, b, x.n)
		for round := 0; round < 2; round++ { // scratch memory is used again
			out, err := p.Eval(&expr.Ctx{}, b, nil)
			if err != nil {
				t.Fatalf("%s: %v", x.n, err)
			}
			if got := show(out[0], all); got != x.want {
				t.Errorf("%s is %s, want %s", x.n, got, x.want)
			}
		}
	}
	if _, err := compile(t, b, quotient).Eval(&expr.Ctx{}, b, nil); err == nil {
		t.Error("a division by zero passed")
	}
	// Outside the selection nothing is computed.
	out, err := compile(t, b, quotient).Eval(&expr.Ctx{}, b, []int32{1, 3})
	if err != nil || show(out[0], []int32{1, 3}) != "3 2 " {
		t.Errorf("%v, %v", out, err)
	}
}

func TestSelect(t *testing.T) {
	b, c := ints([]int32{1, 2, -1, 4}, []int32{0, 1, 1, 2})
	cond := call(t, "AND", call(t, ">", c[1], intLit(t, "0")), call(t, ">", call(t, "/", c[0], c[1]), intLit(t, "0")))
	p := compile(t, b, cond)
	for round := 0; round < 2; round++ {
		got, err := p.Select(&expr.Ctx{}, b, []int32{7})
		if err != nil || fmt.Sprint(got) != "[7 1 3]" {
			t.Errorf("%v, %v", got, err)
		}
	}
	all, err := compile(t, b, expr.Bool(true)).Select(&expr.Ctx{}, b, nil)
	if err != nil || len(all) != 4 {
		t.Errorf("%v, %v", all, err)
	}
}

// Common parts run once; a RAND runs for every use.
func TestSharing(t *testing.T) {
	b, c := ints([]int32{1, 2, 3, 4})
	runs := 0
	f := &expr.Func{Name: "F", Resolve: func(args []expr.Node) (*expr.Call, error) {
		return &expr.Call{Args: args, T: args[0].Type(), Eval: func(_ *expr.Ctx, _ *expr.Call, args []*row.Vec, _ []int32, out *row.Vec) error {
			runs++
			copy(out.I32, args[0].I32)
			return nil
		}}, nil
	}}
	own := expr.NewRegistry(f, reg.Lookup("+"))
	x, _ := expr.NewCall(own, "F", []expr.Node{c[0]})
	y, _ := expr.NewCall(own, "F", []expr.Node{expr.NewColumn(0, "another name", c[0].Type())})
	sum, _ := expr.NewCall(own, "+", []expr.Node{x, y})
	out, err := compile(t, b, sum, x).Eval(&expr.Ctx{}, b, nil)
	if err != nil || runs != 1 || show(out[0], all) != "2 4 6 8 " {
		t.Errorf("%d runs, %v, %v", runs, out, err)
	}
	r := call(t, "RAND")
	two, err := compile(t, b, r, r).Eval(&expr.Ctx{Rand: expr.NewRand(1)}, b, nil)
	if err != nil || two[0].F64[0] == two[1].F64[0] {
		t.Errorf("%v, %v", two, err)
	}
}

// What Eval returned stays as it is when the program runs again: also where it
// shares memory with inner results.
func TestResultsAreFresh(t *testing.T) {
	b, c := ints([]int32{1, 2, 3, 4})
	b2, _ := ints([]int32{5, 6, 7, 8})
	one := intLit(t, "1")
	sum := call(t, "+", c[0], one)
	wide, err := expr.NewCast(sum, types.Of(types.BigInt), false)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := expr.NewCast(sum, types.String(), false)
	r := call(t, "ROW", call(t, "*", sum, one), call(t, "||", text, text))
	small, _ := expr.NewCast(call(t, "+", c[0], c[0]), types.Of(types.Int).NotNull(), true)
	nodes := []expr.Node{r, wide, text, small, call(t, "ARRAY", sum, c[0]), expr.NewField(r, 0), c[0], one}
	p := compile(t, b, nodes...)
	first, err := p.Eval(&expr.Ctx{}, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, v := range first {
		want = append(want, show(v, all))
	}
	if first[6] != b.Cols[0] {
		t.Error("a plain column was copied")
	}
	if _, err := p.Eval(&expr.Ctx{}, b2, nil); err != nil {
		t.Fatal(err)
	}
	for i, v := range first {
		if got := show(v, all); got != want[i] {
			t.Errorf("%s changed from %s to %s", nodes[i], want[i], got)
		}
	}
}

func TestFold(t *testing.T) {
	_, c := ints([]int32{1})
	fails := call(t, "/", intLit(t, "1"), intLit(t, "0"))
	yes, no := expr.Node(expr.Bool(true)), expr.Node(expr.Bool(false))
	cond := call(t, "=", c[0], intLit(t, "1"))
	for _, x := range []struct {
		n    expr.Node
		want string
	}{
		{call(t, "+", c[0], call(t, "*", intLit(t, "2"), intLit(t, "3"))), "(a + 6)"},
		{call(t, "AND", yes, cond), "(a = 1)"}, {call(t, "AND", cond, no), "false"},
		{call(t, "OR", no, cond), "(a = 1)"}, {call(t, "OR", cond, yes), "true"},
		{call(t, "CASE", no, fails, c[0]), "a"}, {call(t, "CASE", yes, c[0], fails), "a"},
		{call(t, "CASE", cond, c[0], no, fails, intLit(t, "2")), "CASE WHEN (a = 1) THEN a ELSE 2 END"},
		{call(t, "=", c[0], expr.NullLiteral(types.Of(types.Int))), "null:BOOLEAN"},
		{call(t, "NOW"), "NOW()"}, {call(t, "RAND"), "RAND()"},
	} {
		got, err := expr.Fold(x.n, value.UTC())
		if err != nil || got.String() != x.want {
			t.Errorf("%s folds to %v, %v; want %s", x.n, got, err, x.want)
		}
	}
	// A branch that may be taken must not fail (Flink: Division by zero).
	if _, err := expr.Fold(call(t, "CASE", cond, fails, c[0]), value.UTC()); err == nil {
		t.Error("a failing constant passed")
	}
	half, _ := expr.NewLiteral(types.Of(types.Double), "1")
	if _, err := expr.Fold(call(t, "/", half, intLit(t, "0")), value.UTC()); err == nil {
		t.Error("1E0 / 0 is a constant that fails in Flink")
	}
}

func TestStore(t *testing.T) {
	dec := types.DecimalOf
	for _, x := range []struct {
		from, to types.Type
		ok       bool
	}{
		{types.Of(types.Int), types.Of(types.BigInt), true}, {types.Of(types.BigInt), types.Of(types.Int), false},
		{dec(10, 4), dec(6, 1), true}, {types.Of(types.Double), dec(6, 1), true}, {types.Of(types.Double), types.Of(types.Float), false},
		{types.String(), types.VarCharOf(3), true}, {types.String(), types.CharOf(3), false}, {types.CharOf(2), types.CharOf(3), true},
		{types.TimestampOf(6), types.TimestampOf(3), true}, {types.TimestampOf(3), types.Of(types.Date), true}, {types.Of(types.Date), types.TimestampOf(3), false},
		{types.TimestampOf(3), types.TimestampLTZOf(3), true}, {types.Of(types.Boolean), types.Of(types.Int), false}, {types.String(), types.Of(types.Int), false},
		{types.ArrayOf(types.Of(types.Int)), types.ArrayOf(types.Of(types.BigInt)), true},
	} {
		if got := expr.CanStore(x.from, x.to); got != x.ok {
			t.Errorf("%s as %s: %v", x.from, x.to, got)
		}
	}
}

// What COALESCE cannot reach is not computed: Flink answers COALESCE(a, 7, 1 / 0)
// and fails for COALESCE(a, 1 / 0) when it plans.
func TestCoalesceFoldsWhatItReaches(t *testing.T) {
	_, c := ints([]int32{1})
	fails := call(t, "/", intLit(t, "1"), intLit(t, "0"))
	n, err := expr.Fold(call(t, "COALESCE", c[0], intLit(t, "7"), fails), value.UTC())
	if err != nil || n.String() != "COALESCE(a, 7)" {
		t.Errorf("%v, %v", n, err)
	}
	if n, err := expr.Fold(call(t, "COALESCE", c[0], fails), value.UTC()); err == nil {
		t.Errorf("%v is computed", n)
	}
}
