package match

import "fsql/internal/diag"

// A pattern is compiled from its end to its beginning, as Flink does it, so that
// the states, and the order in which their edges are tried, are Flink's. States
// are numbers; the final one is 0.

// machine is a compiled pattern.
type machine struct {
	states []stateOf
	start  int32
}

const final int32 = 0

// stateOf is a state: the variable that its rows go to, and where from here.
type stateOf struct {
	edges []edge
}

// edge leads to the state to. A take edge maps the row to a variable whose
// condition must hold; another one is followed at once, with the same row. The
// conditions of the variables in not must not hold: a greedy variable before
// them does not give up a row that it can have.
type edge struct {
	take bool
	v    int // of a take edge
	to   int32
	not  []int
}

// compile makes the machine of a pattern.
func compile(vars []Var) *machine {
	m := &machine{states: make([]stateOf, 1)}
	sink := final
	for v := len(vars) - 1; v >= 0; v-- {
		sink = m.variable(v, &vars[v], sink)
	}
	m.start = sink
	return m
}

func (m *machine) add(edges ...edge) int32 {
	m.states = append(m.states, stateOf{edges: edges})
	return int32(len(m.states) - 1)
}

// variable adds the states of a variable that leads to sink.
func (m *machine) variable(v int, t *Var, sink int32) int32 {
	first := max(t.Min, 1)
	next := sink
	if t.greedy() {
		for i := range m.states[sink].edges {
			e := &m.states[sink].edges[i]
			e.not = append(e.not, v)
		}
	}
	if t.Max < 0 {
		loop := m.add(edge{to: sink})
		m.states[loop].edges = append(m.states[loop].edges, edge{take: true, v: v, to: loop})
		next = loop
	} else {
		for i := first; i < t.Max; i++ {
			next = m.add(edge{take: true, v: v, to: next}, edge{to: sink})
		}
	}
	for i := 1; i < first; i++ {
		next = m.add(edge{take: true, v: v, to: next})
	}
	if t.Min == 0 {
		return m.add(edge{take: true, v: v, to: next}, edge{to: sink})
	}
	return m.add(edge{take: true, v: v, to: next})
}

// greedy tells that the variable does not give up rows that it can have. To
// Flink a number of rows that is fixed is not greedy, and no variable that takes
// one row at most is.
func (v *Var) greedy() bool {
	return !v.Reluctant && v.Min != v.Max && !(v.Min == 0 && v.Max == 1)
}

// optional tells that Flink's check for what may stand behind a greedy variable
// looks at it: {0,n} passes it.
func (v *Var) optional() bool { return v.Min == 0 && (v.Max < 0 || v.Max == 1) }

// Check refuses the patterns that Flink refuses; at gives the place of a
// variable.
func Check(vars []Var, at func(v int) diag.Span) error {
	names := map[string]bool{}
	empty := true
	for i := range vars {
		v := &vars[i]
		switch {
		case names[v.Name]:
			return diag.New(diag.NotSupported, at(i), "the variable '%s' stands in the pattern more than once, it must be unique", v.Name).
				WithHint("use a second variable with the same condition in DEFINE")
		case i > 0 && v.optional() && vars[i-1].greedy():
			return diag.New(diag.NotSupported, at(i), "the optional variable '%s' cannot stand directly behind the greedy quantifier of '%s'", v.Name+v.Quantifier(), vars[i-1].Name+vars[i-1].Quantifier()).
				WithHint("make the quantifier before it reluctant: %s?", vars[i-1].Name+vars[i-1].Quantifier())
		case v.Reluctant && v.Min == 0 && v.Max == 1:
			return diag.New(diag.NotSupported, at(i), "a reluctant optional variable, '%s', is not supported", v.Name+v.Quantifier()).
				WithHint("write %s?", v.Name)
		}
		names[v.Name] = true
		empty = empty && v.Min == 0
	}
	last := &vars[len(vars)-1]
	switch {
	case last.greedy():
		return diag.New(diag.NotSupported, at(len(vars)-1), "the last variable of the pattern cannot have a greedy quantifier, '%s': where it ends is not known", last.Name+last.Quantifier()).
			WithHint("make it reluctant, %s?, or end the pattern with a variable for the row behind it", last.Name+last.Quantifier())
	case empty:
		return diag.New(diag.NotSupported, at(0).Join(at(len(vars)-1)), "the pattern may match no row at all (an empty match): at least one variable must not be optional")
	}
	return nil
}
