package cli

import (
	"strings"
	"testing"
)

// Long values are worked on in parts, which changes no answer: of computed
// columns, of projections, of results that grow row by row, at any parallelism.
func TestHeavyRows(t *testing.T) {
	const table = "CREATE TABLE t (n INT, long AS REPEAT(CAST(n AS STRING), 200000)) WITH ('connector' = 'datagen', 'number-of-rows' = '150', " +
		"'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '150'); "
	for _, p := range []string{"1", "3"} {
		for sql, want := range map[string]string{
			// 9 of one digit, 90 of two, 51 of three.
			"SELECT COUNT(*), SUM(CHAR_LENGTH(long)), MAX(CHAR_LENGTH(long || long)) FROM t":                                "150,68400000,1200000",
			"SELECT COUNT(*) FROM (SELECT REPEAT(long, 2) AS l FROM t WHERE CHAR_LENGTH(long) > 200000) AS x WHERE l <> ''": "141",
			"SELECT CHAR_LENGTH(LISTAGG(SUBSTRING(long, 1, 40000))) FROM t":                                                 "6000149",
			"SELECT CARDINALITY(ARRAY_AGG(n)) FROM t":                                                                       "150",
		} {
			status, out, errs := run(t, "", "-c", table+sql, "--csv", "--no-header", "-D", "parallelism.default="+p)
			if got := strings.TrimSpace(out); status != 0 || got != want {
				t.Errorf("parallelism %s: %s\ngot %.100s, want %s\n%s", p, sql, got, want, errs)
			}
		}
	}
}
