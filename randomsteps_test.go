package fsql_test

import (
	"fmt"
	"strings"
)

func (q *queries) project(r relation) relation {
	out := relation{updating: r.updating}
	var items []string
	for range 2 + q.r.IntN(3) {
		text, kind := q.value(q.one(r.cols))
		c := rcol{q.name("p"), kind}
		items, out.cols = append(items, text+" AS "+c.name), append(out.cols, c)
	}
	distinct := ""
	switch {
	case r.time != "" && q.r.IntN(5) > 0:
		out.time = q.name("rt")
		items, out.cols = append(items, r.time+" AS "+out.time), append(out.cols, rcol{out.time, 'T'})
	case q.r.IntN(4) == 0:
		distinct, out.updating = "DISTINCT ", true
	}
	out.sql = "SELECT " + distinct + strings.Join(items, ", ") + " FROM (" + r.sql + ")"
	return out
}

func (q *queries) filter(r relation) relation {
	r.sql = "SELECT * FROM (" + r.sql + ") WHERE " + q.condition(r)
	return r
}

// calls are aggregates with names, as items of a select list.
func (q *queries) calls(r relation) (items []string, cols []rcol) {
	for range 1 + q.r.IntN(3) {
		call, kind := q.aggregate(r)
		c := rcol{q.name("a"), kind}
		items, cols = append(items, call+" AS "+c.name), append(cols, c)
	}
	return items, cols
}

func (q *queries) group(r relation) relation {
	keys := q.pick(r, "ISBL", q.r.IntN(3))
	items, cols := q.calls(r)
	out := relation{cols: append(append([]rcol(nil), keys...), cols...), updating: true}
	for i := len(keys) - 1; i >= 0; i-- {
		items = append([]string{keys[i].name}, items...)
	}
	out.sql = "SELECT " + strings.Join(items, ", ") + " FROM (" + r.sql + ")"
	switch {
	case len(keys) == 2 && q.r.IntN(3) == 0:
		out.sql += " GROUP BY CUBE (" + list(keys) + ")"
	case len(keys) > 0:
		out.sql += " GROUP BY " + list(keys)
	}
	if len(keys) > 0 && q.r.IntN(3) == 0 {
		out.sql += " HAVING COUNT(*) > 1"
	}
	return out
}

func (q *queries) windowed(r relation) relation {
	if r.time == "" || r.updating {
		return q.group(r)
	}
	keys := q.pick(r, "ISB", q.r.IntN(3))
	view := q.name("v")
	q.views = append(q.views, "CREATE TEMPORARY VIEW "+view+" AS "+r.sql+";\n")
	partition := ""
	if len(keys) > 0 {
		partition = " PARTITION BY (" + list(keys) + ")"
	}
	of := fmt.Sprintf("(TABLE %s, DESCRIPTOR(%s), ", view, r.time)
	call := []string{
		"TUMBLE" + of + "INTERVAL '10' SECOND)", "HOP" + of + "INTERVAL '5' SECOND, INTERVAL '15' SECOND)",
		"CUMULATE" + of + "INTERVAL '5' SECOND, INTERVAL '20' SECOND)",
		fmt.Sprintf("SESSION(TABLE %s%s, DESCRIPTOR(%s), INTERVAL '5' SECOND)", view, partition, r.time),
	}[q.r.IntN(4)]
	items, cols := q.calls(r)
	end := rcol{q.name("wt"), 'T'}
	out := relation{cols: append(append([]rcol{end}, keys...), cols...), time: end.name}
	by := "window_start, window_end, window_time"
	head := "window_time AS " + end.name
	if len(keys) > 0 {
		by, head = by+", "+list(keys), head+", "+list(keys)
	}
	out.sql = "SELECT " + head + ", " + strings.Join(items, ", ") + " FROM TABLE(" + call + ") GROUP BY " + by
	return out
}

// over ranges over the time attribute, so that rows of one time count together.
func (q *queries) over(r relation) relation {
	if r.time == "" || r.updating {
		return q.top(r)
	}
	call, kind := q.aggregate(r)
	for strings.Contains(call, "DISTINCT") || strings.Contains(call, "FILTER") {
		call, kind = q.aggregate(r)
	}
	partition := ""
	if keys := q.pick(r, "IS", q.r.IntN(2)); len(keys) > 0 {
		partition = "PARTITION BY " + keys[0].name + " "
	}
	frame := []string{"", " RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW"}[q.r.IntN(2)]
	c := rcol{q.name("o"), kind}
	r.sql = fmt.Sprintf("SELECT %s, %s OVER (%sORDER BY %s%s) AS %s FROM (%s)", list(r.cols), call, partition, r.time, frame, c.name, r.sql)
	r.cols = append(append([]rcol(nil), r.cols...), c)
	return r
}

// top ranks by all columns: equal rows alone are equal in rank.
func (q *queries) top(r relation) relation {
	var order []string
	for _, c := range r.cols {
		if c.kind == 'F' && q.strict {
			continue // Flink cannot order NULLs among doubles
		}
		order = append(order, c.name+[]string{"", " DESC"}[q.r.IntN(2)])
	}
	partition := ""
	if keys := q.pick(r, "ISB", q.r.IntN(2)); len(keys) > 0 {
		partition = "PARTITION BY " + keys[0].name + " "
	}
	rn := q.name("rn")
	r.sql = fmt.Sprintf("SELECT %s FROM (SELECT *, ROW_NUMBER() OVER (%sORDER BY %s) AS %s FROM (%s)) WHERE %s <= %d",
		list(r.cols), partition, strings.Join(order, ", "), rn, r.sql, rn, 2+q.r.IntN(3))
	r.time, r.updating = "", true
	return r
}

func (q *queries) union(r relation) relation {
	part := func() string { return "SELECT " + list(r.cols) + " FROM (" + r.sql + ") WHERE " + q.condition(r) }
	r.sql = part() + " UNION ALL " + part()
	return r
}

// other is a second input: a table or what a step makes of it.
func (q *queries) other() relation {
	o := base("t2")
	switch q.r.IntN(4) {
	case 0:
		return q.filter(o)
	case 1:
		return q.group(o)
	}
	return o
}

// pair finds columns of two relations that may be equal.
func (q *queries) pair(l, r relation) (a, b rcol, ok bool) {
	for _, a := range q.pick(l, "ISL", len(l.cols)) {
		for _, b := range q.pick(r, string(a.kind), 1) {
			return a, b, true
		}
	}
	return a, b, false
}

func (q *queries) join(r relation) relation {
	o := q.other()
	a, b, ok := q.pair(r, o)
	if !ok {
		return q.filter(r)
	}
	on := fmt.Sprintf("L.%s = R.%s", a.name, b.name)
	out := relation{updating: true}
	var items []string
	add := func(side string, cols []rcol) {
		for _, c := range cols {
			n := rcol{q.name("j"), c.kind}
			items, out.cols = append(items, side+"."+c.name+" AS "+n.name), append(out.cols, n)
		}
	}
	add("L", q.pick(r, "ILSDFB", 3))
	add("R", q.pick(o, "ILSDFB", 3))
	if r.time != "" && o.time != "" && !r.updating && !o.updating && q.r.IntN(2) == 0 {
		on += fmt.Sprintf(" AND L.%s BETWEEN R.%s - INTERVAL '10' SECOND AND R.%s + INTERVAL '5' SECOND", r.time, o.time, o.time)
	}
	kinds := []string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"}
	if q.strict {
		kinds = kinds[:2]
	}
	out.sql = "SELECT " + strings.Join(items, ", ") + " FROM (" + r.sql + ") AS L " + kinds[q.r.IntN(len(kinds))] + " (" + o.sql + ") AS R ON " + on
	return out
}

func (q *queries) semi(r relation) relation {
	o := q.other()
	a, b, ok := q.pair(r, o)
	if !ok {
		return q.filter(r)
	}
	form := []string{"%s IN (SELECT %s FROM (%s))", "EXISTS (SELECT 1 FROM (%[3]s) AS R WHERE R.%[2]s = L.%[1]s)", "NOT EXISTS (SELECT 1 FROM (%[3]s) AS R WHERE R.%[2]s = L.%[1]s)"}
	r.sql = "SELECT * FROM (" + r.sql + ") AS L WHERE " + fmt.Sprintf(form[q.r.IntN(len(form))], a.name, b.name, o.sql)
	r.time, r.updating = "", true
	return r
}

func (q *queries) set(r relation) relation {
	word := []string{"INTERSECT", "EXCEPT", "UNION", "INTERSECT ALL", "EXCEPT ALL"}[q.r.IntN(5)]
	cols := q.pick(r, "ILSBD", 2)
	if len(cols) == 0 {
		return q.filter(r)
	}
	r.sql = fmt.Sprintf("SELECT %s FROM (%s) %s SELECT %s FROM (%s) WHERE %s", list(cols), r.sql, word, list(cols), r.sql, q.condition(r))
	return relation{sql: r.sql, cols: cols, updating: true}
}

func (q *queries) unnest(r relation) relation {
	n := q.pick(r, "I", 2)
	if len(n) == 0 {
		return q.filter(r)
	}
	e, at := rcol{q.name("e"), 'I'}, rcol{q.name("n"), 'I'}
	how := []string{"CROSS JOIN %s", "LEFT JOIN %s ON TRUE"}[q.r.IntN(2)]
	r.sql = fmt.Sprintf("SELECT %s, %s, %s FROM (%s) "+how, list(r.cols), e.name, at.name, r.sql,
		fmt.Sprintf("UNNEST(ARRAY[%s, 7]) WITH ORDINALITY AS %s(%s, %s)", list(n), q.name("u"), e.name, at.name))
	r.cols = append(append([]rcol(nil), r.cols...), e, at)
	return r
}

func (q *queries) scalar(r relation) relation {
	c := rcol{q.name("s"), 'L'}
	sub := []string{"(SELECT COUNT(*) FROM t2)", "(SELECT COUNT(*) FROM t2 WHERE t2.k = 'a')"}[q.r.IntN(2)]
	if keys := q.pick(r, "I", 1); len(keys) > 0 && q.r.IntN(2) == 0 {
		sub = "(SELECT COUNT(*) FROM t2 WHERE t2.g = L." + keys[0].name + ")"
	}
	r.sql = fmt.Sprintf("SELECT %s, %s AS %s FROM (%s) AS L", list(r.cols), sub, c.name, r.sql)
	r.cols = append(append([]rcol(nil), r.cols...), c)
	r.time, r.updating = "", true
	return r
}
