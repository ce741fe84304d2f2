package fsql_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// relation is a random query with what is known of its result.
type relation struct {
	sql  string
	cols []rcol
	// time is the column that is a time attribute; "": none.
	time     string
	updating bool
}

// rcol is a column; kind is one of I (INT), L (BIGINT), S (STRING), D (DECIMAL),
// F (DOUBLE), B (BOOLEAN) and T (TIMESTAMP).
type rcol struct {
	name string
	kind byte
}

// queries makes random queries whose answer does not depend on the order of rows:
// lists, first and last values and ranks among equals are left out. strict leaves
// out too what Flink answers otherwise on purpose (docs/differences.md).
type queries struct {
	r      *rand.Rand
	strict bool
	views  []string
	n      int // names given
}

// rows makes the lines of a table of randomColumns, with NULLs, empty texts, equal
// times and, where late is set, rows behind the watermark.
func (q *queries) rows(n int, late bool) string {
	var b strings.Builder
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	or := func(v ...string) string { return v[q.r.IntN(len(v))] }
	for i := range n {
		at = at.Add(time.Duration([]int{0, 0, 1000, 1500, 2000, 5000, 20000}[q.r.IntN(7)]) * time.Millisecond)
		ts := at
		if late && q.r.IntN(5) == 0 {
			ts = at.Add(-time.Duration(q.r.IntN(30)) * time.Second)
		}
		number := func(format string, v any) string { return or("NULL", fmt.Sprintf(format, v), fmt.Sprintf(format, v)) }
		fmt.Fprintf(&b, "%d,%s,%s,%s,%s,%s,%s,%s\n", i, or("a", "b", "c", "a", "NULL", `""`), or("1", "2", "3", "NULL"),
			number("%d", q.r.IntN(15)-5), number("%.2f", float64(q.r.IntN(1500)-500)/100), or("NULL", "0.5", "1.5", "-2.25", "1.0E10"),
			or("true", "false", "NULL"), ts.Format("2006-01-02 15:04:05.000"))
	}
	return b.String()
}

// tableOf is the table of a file that rows made.
func tableOf(name, path string) string {
	return fmt.Sprintf("CREATE TABLE %s (id INT, k STRING, g INT, x INT, d DECIMAL(10, 2), f DOUBLE, b BOOLEAN, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND)\n"+
		"WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv', 'csv.null-literal' = 'NULL');\n", name, path)
}

func base(table string) relation {
	cols := []rcol{{"id", 'I'}, {"k", 'S'}, {"g", 'I'}, {"x", 'I'}, {"d", 'D'}, {"f", 'F'}, {"b", 'B'}, {"ts", 'T'}}
	return relation{sql: "SELECT * FROM " + table, cols: cols, time: "ts"}
}

// query is a query of one to three steps.
func (q *queries) query() string {
	q.views, q.n = nil, 0
	r := base("t1")
	steps := []func(relation) relation{q.project, q.filter, q.group, q.group, q.windowed, q.windowed, q.over, q.top, q.union, q.join, q.semi, q.set, q.unnest, q.scalar}
	for range 1 + q.r.IntN(3) {
		r = steps[q.r.IntN(len(steps))](r)
	}
	return strings.Join(q.views, "") + r.sql + ";\n"
}

func (q *queries) name(prefix string) string {
	q.n++
	return fmt.Sprint(prefix, q.n)
}

func (q *queries) one(cols []rcol) rcol { return cols[q.r.IntN(len(cols))] }

// pick are up to n columns of the kinds.
func (q *queries) pick(r relation, kinds string, n int) []rcol {
	var of []rcol
	for _, c := range r.cols {
		if strings.IndexByte(kinds, c.kind) >= 0 {
			of = append(of, c)
		}
	}
	q.r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of[:min(n, len(of))]
}

func list(cols []rcol) string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// value is an expression over a column.
func (q *queries) value(c rcol) (string, byte) {
	type typed struct {
		text string
		kind byte
	}
	all := map[byte][]typed{
		'I': {{"%s + 1", 'I'}, {"COALESCE(%s, 0)", 'I'}, {"CAST(%s AS STRING)", 'S'}, {"CASE WHEN %s > 2 THEN 1 ELSE 0 END", 'I'}, {"NULLIF(%s, 1)", 'I'}},
		'L': {{"%s * 2", 'L'}, {"MOD(%s, 3)", 'L'}},
		'S': {{"UPPER(%s)", 'S'}, {"CHAR_LENGTH(%s)", 'I'}, {"%s || 'x'", 'S'}},
		'D': {{"CAST(%s AS INT)", 'I'}},
		'F': {{"%s / 2", 'F'}},
		'B': {{"NOT %s", 'B'}, {"%s IS NOT FALSE", 'B'}},
		'T': {{"EXTRACT(SECOND FROM %s)", 'L'}, {"FLOOR(%s TO MINUTE)", 'T'}},
	}[c.kind]
	if i := q.r.IntN(len(all) + 1); i < len(all) {
		return fmt.Sprintf(all[i].text, c.name), all[i].kind
	}
	return c.name, c.kind
}

// condition is a predicate over the columns.
func (q *queries) condition(r relation) string {
	c := q.one(r.cols)
	lit := map[byte]string{'I': "2", 'L': "3", 'S': "'a'", 'D': "1.50", 'F': "1.5e0", 'B': "TRUE", 'T': "TIMESTAMP '2024-01-01 00:01:00.000'"}[c.kind]
	forms := []string{"%s IS NOT NULL", "%s IS NULL", "%s = " + lit, "%s <> " + lit, "%s > " + lit, "%s <= " + lit}
	if c.kind == 'B' {
		forms = []string{"%s", "NOT %s", "%s IS NOT TRUE", "%s IS NULL"}
	}
	p := fmt.Sprintf(forms[q.r.IntN(len(forms))], c.name)
	switch q.r.IntN(8) {
	case 0:
		return "(" + p + " OR " + q.condition(r) + ")"
	case 1:
		return p + " AND " + q.condition(r)
	}
	return p
}

// aggregate is a call whose result does not depend on the order of rows.
func (q *queries) aggregate(r relation) (string, byte) {
	call, kind := "COUNT(*)", byte('L')
	switch c := q.one(r.cols); q.r.IntN(5) {
	case 0:
		call = "COUNT(" + c.name + ")"
	case 1:
		call = "COUNT(DISTINCT " + c.name + ")"
	case 2:
		if c.kind != 'B' {
			call, kind = []string{"MIN", "MAX"}[q.r.IntN(2)]+"("+c.name+")", c.kind
		}
	case 3:
		if n := q.pick(r, "IL", 1); len(n) > 0 {
			call, kind = []string{"SUM", "AVG"}[q.r.IntN(2)]+"("+n[0].name+")", n[0].kind
		}
	}
	if q.r.IntN(5) == 0 {
		call += " FILTER (WHERE " + q.condition(r) + ")"
	}
	return call, kind
}
