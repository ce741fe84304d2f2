package sql

import (
	"strings"
	"testing"

	"fsql/internal/diag"
	"fsql/sql/cursor"
)

// TestTooDeep feeds nesting and chains far beyond the limits: they end with an
// error, not with the stack.
func TestTooDeep(t *testing.T) {
	const n = 12_000
	r := strings.Repeat
	for name, text := range map[string]string{
		"parentheses":     "SELECT " + r("(", n) + "1" + r(")", n),
		"open":            "SELECT " + r("(", n),
		"queries":         "SELECT " + r("(SELECT ", n) + "1" + r(")", n),
		"derived":         r("SELECT * FROM (", n) + "SELECT 1" + r(")", n),
		"joins":           "SELECT * FROM " + r("(a JOIN ", n) + "b" + r(" ON c)", n),
		"calls":           "SELECT " + r("f(", n) + r(")", n),
		"subscripts":      "SELECT " + r("a[", n) + "1" + r("]", n),
		"casts":           "SELECT " + r("CAST(", n) + "a" + r(" AS INT)", n),
		"cases":           "SELECT " + r("CASE WHEN a THEN ", n) + "b" + r(" END", n),
		"arrays":          "SELECT " + r("ARRAY[", n) + r("]", n),
		"in":              "SELECT " + r("a IN (", n) + "b" + r(")", n),
		"types":           "CREATE TABLE t (a " + r("ARRAY<", n) + "INT" + r(">", n) + ")",
		"rows":            "CREATE TABLE t (a " + r("ROW<a ", n) + "INT" + r(">", n) + ")",
		"grouping sets":   "SELECT a FROM t GROUP BY " + r("GROUPING SETS (", n) + "a" + r(")", n),
		"windows":         "SELECT " + r("f(a) OVER (ORDER BY ", n) + "b" + r(")", n),
		"signs":           "SELECT " + r("- ", n) + "a",
		"nots":            "SELECT " + r("NOT ", n) + "a",
		"nots behind":     "SELECT " + r("a = NOT ", n) + "a",
		"sums":            "SELECT 1" + r(" + 1", n),
		"conditions":      "SELECT a" + r(" AND a", n),
		"is":              "SELECT a" + r(" IS NULL", n),
		"unions":          "SELECT 1" + r(" UNION ALL SELECT 1", n),
		"intersections":   "SELECT 1" + r(" INTERSECT SELECT 1", n),
		"comma joins":     "SELECT * FROM a" + r(", a", n),
		"intervals":       "SELECT " + r("INTERVAL (", n) + "1" + r(") DAY", n),
		"escapes":         "SELECT " + r("a LIKE b ESCAPE (", n) + "c" + r(")", n),
		"with":            r("WITH a AS (", n) + "SELECT 1" + r(") SELECT 1", n),
		"json":            "SELECT " + r("JSON_OBJECT('a' VALUE ", n) + "1" + r(")", n),
		"filters":         "SELECT " + r("f(a) FILTER (WHERE ", n) + "b" + r(")", n),
		"table arguments": "SELECT * FROM " + r("f((SELECT * FROM ", n) + "t" + r("))", n),
	} {
		_, err := Parse(text)
		if e := diag.Of(err); err == nil || e.Code != diag.TooDeep {
			t.Errorf("%s: %.100v", name, err)
		}
	}
}

// TestDeepEnough reads what lies just below the limits.
func TestDeepEnough(t *testing.T) {
	r := strings.Repeat
	n, m := cursor.MostNested-10, cursor.MostChained-10
	for name, text := range map[string]string{
		"parentheses": "SELECT " + r("(", n) + "1" + r(")", n),
		"queries":     r("SELECT * FROM (", n/2) + "SELECT 1" + r(")", n/2),
		"sums":        "SELECT 1" + r(" + 1", m),
		"or":          "SELECT a = 1" + r(" OR a = 2", m/2),
		"unions":      "SELECT 1" + r(" UNION ALL SELECT 1", m),
		"values":      "INSERT INTO t VALUES (1, 'x')" + r(", (2, 'y')", 50_000),
		"in":          "SELECT a IN (1" + r(", 2", 50_000) + ")",
	} {
		if _, err := Parse(text); err != nil {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}
