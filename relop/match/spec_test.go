package match

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"fsql/expr"
	"fsql/expr/agg"
	aggs "fsql/expr/agg/builtin"
	"fsql/expr/builtin"
	"fsql/op"
	"fsql/row"
	"fsql/types"
)

// pattern says in short what a Spec is:
//
//	by=k time=ts pattern=A_B+_C{1,2}? skip=past|next|first:B|last:B within=5m desc=v
//	clock=pt instead of time=ts: processing time
//	A:c='a' B:c='b'&v>LAST(B.v,1) measures=A.v;COUNT(B.v);ROWTIME
//
// The condition of a variable is a conjunction of comparisons. A column without
// a variable stands, in a condition, for the row at hand.
type pattern struct {
	t    testing.TB
	in   *types.Schema
	spec *Spec
	args map[string]string
	conds
}

type conds map[string]string

func newSpec(t testing.TB, in *types.Schema, words []string) *Spec {
	p := &pattern{t: t, in: in, args: map[string]string{}, conds: conds{}, spec: &Spec{In: in, Out: &types.Schema{}}}
	for _, w := range words {
		if k, v, ok := strings.Cut(w, "="); ok && !strings.Contains(k, ":") {
			p.args[k] = v
		} else if k, v, ok := strings.Cut(w, ":"); ok {
			p.conds[k] = v
		}
	}
	s := p.spec
	for _, c := range split(p.args["by"]) {
		s.Partition = append(s.Partition, p.column(c))
		s.Out.Columns = append(s.Out.Columns, types.Column{Name: c, Type: in.Columns[p.column(c)].Type})
	}
	if s.Proctime = p.args["clock"] != ""; s.Proctime {
		s.Time = p.column(p.args["clock"])
	} else {
		s.Time = p.column(p.args["time"])
	}
	for _, c := range split(p.args["desc"]) {
		s.OrderBy = append(s.OrderBy, row.OrderBy{Col: p.column(c), Desc: true, NullsLast: true})
	}
	p.variables()
	to, v, _ := strings.Cut(p.args["skip"], ":")
	s.Skip.To = map[string]SkipTo{"past": PastLast, "next": ToNext, "first": ToFirst, "last": ToLast}[to]
	if v != "" {
		s.Skip.Var = p.variable(v)
	}
	if w := p.args["within"]; w != "" {
		d, err := time.ParseDuration(w)
		if err != nil {
			t.Fatal(err)
		}
		s.Within = types.Time(d.Milliseconds())
	}
	for i := range s.Vars {
		for _, c := range strings.FieldsFunc(p.conds[s.Vars[i].Name], func(r rune) bool { return r == '&' }) {
			n := p.comparison(c, i)
			if s.Vars[i].Cond != nil {
				n = p.call("AND", s.Vars[i].Cond, n)
			}
			s.Vars[i].Cond = n
		}
	}
	for i, m := range strings.FieldsFunc(p.args["measures"], func(r rune) bool { return r == ';' }) {
		n := p.operand(m, All)
		s.Measures = append(s.Measures, n)
		s.Out.Columns = append(s.Out.Columns, types.Column{Name: "m" + strconv.Itoa(i), Type: n.Type()})
	}
	return s
}

func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

func (p *pattern) variables() {
	for _, term := range strings.FieldsFunc(p.args["pattern"], func(r rune) bool { return r == '_' }) {
		v := Var{Name: term[:1], Min: 1, Max: 1}
		q := term[1:]
		if len(q) > 1 && strings.HasSuffix(q, "?") {
			v.Reluctant, q = true, q[:len(q)-1]
		}
		switch {
		case q == "":
		case q == "?":
			v.Min = 0
		case q == "*":
			v.Min, v.Max = 0, -1
		case q == "+":
			v.Max = -1
		default:
			lo, hi, two := strings.Cut(strings.Trim(q, "{}"), ",")
			v.Min, _ = strconv.Atoi(lo)
			v.Max = v.Min
			if two {
				v.Max = -1
				if hi != "" {
					v.Max, _ = strconv.Atoi(hi)
				}
			}
		}
		p.spec.Vars = append(p.spec.Vars, v)
	}
}

func (p *pattern) column(name string) int {
	i := p.in.Index(name)
	if i < 0 {
		p.t.Fatalf("no column %q", name)
	}
	return i
}

func (p *pattern) variable(name string) int {
	for i := range p.spec.Vars {
		if p.spec.Vars[i].Name == name {
			return i
		}
	}
	p.t.Fatalf("no variable %q", name)
	return 0
}

func (p *pattern) comparison(c string, v int) expr.Node {
	at := strings.IndexAny(c, "<>=")
	op := c[at : at+1]
	if strings.HasPrefix(c[at:], "<>") || strings.HasPrefix(c[at:], "<=") || strings.HasPrefix(c[at:], ">=") {
		op = c[at : at+2]
	}
	return p.call(op, p.operand(c[:at], v), p.operand(c[at+len(op):], v))
}

func (p *pattern) call(name string, args ...expr.Node) expr.Node {
	n, err := expr.NewCall(builtin.All(), name, args)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

// operand is a number, a text, or a read.
func (p *pattern) operand(s string, v int) expr.Node {
	if strings.HasPrefix(s, "'") {
		return p.literal(types.String(), strings.Trim(s, "'"))
	}
	if _, err := strconv.Atoi(s); err == nil {
		return p.literal(types.Of(types.Int), s)
	}
	if s == "ROWTIME" {
		return p.read(Read{Kind: Rowtime, Name: s, Type: types.TimestampOf(3)})
	}
	r := Read{Kind: Last, Name: s, Var: v}
	name, rest, nav := strings.Cut(s, "(")
	if nav {
		col, offset, _ := strings.Cut(strings.TrimSuffix(rest, ")"), ",")
		r.Offset, _ = strconv.Atoi(offset)
		s, r.Var = col, All
	}
	if of, col, ok := strings.Cut(s, "."); ok {
		r.Var, s = p.variable(of), col
	}
	switch {
	case name == "FIRST" && nav:
		r.Kind = First
	case nav && name != "LAST":
		return p.aggregate(name, r, s)
	}
	r.Index = p.column(s)
	r.Type = p.in.Columns[r.Index].Type.Plain().AsNullable()
	if v != All && r.Var == v && !nav {
		r.Name = p.spec.Vars[v].Name + "." + s
	}
	return p.read(r)
}

func (p *pattern) aggregate(name string, r Read, col string) expr.Node {
	f := agg.NewRegistry(aggs.All()...).Lookup(name)
	arg := expr.NewColumn(p.column(col), col, p.in.Columns[p.column(col)].Type)
	t, err := f.Returns([]types.Type{arg.Type()}, agg.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	c := Call{Var: r.Var, Call: agg.Call{Fn: f, Args: []int{len(p.spec.Args)}, Filter: -1, Type: t.AsNullable(), Name: r.Name}}
	r.Kind, r.Index, r.Type = Aggregate, len(p.spec.Calls), c.Type
	p.spec.Args, p.spec.Calls = append(p.spec.Args, arg), append(p.spec.Calls, c)
	return p.read(r)
}

func (p *pattern) read(r Read) expr.Node {
	p.spec.Reads = append(p.spec.Reads, r)
	return expr.NewColumn(len(p.spec.Reads)-1, r.Name, r.Type)
}

func (p *pattern) literal(t types.Type, text string) expr.Node {
	n, err := expr.NewLiteral(t, text)
	if err != nil {
		p.t.Fatal(err)
	}
	return n
}

func testContext(batchRows int) *op.Context {
	now := types.Time(0)
	return &op.Context{BatchRows: batchRows, Zone: "UTC", ZeroHash: true, Parallel: 1, Now: func() types.Time { return now }}
}
