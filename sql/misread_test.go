package sql

import (
	"errors"
	"testing"

	"fsql/internal/diag"
)

// TestSilentMisreadings holds one row for every text that TiDB's parser reads
// in silence as something that Flink does not mean. The right readings are
// those of Flink 2.3.0; a row with a code is refused there too.
func TestSilentMisreadings(t *testing.T) {
	for _, c := range []struct {
		text string
		want string    // the expression or query, printed
		code diag.Code // or the code of the error
	}{
		// FROM belongs to the own reader. TiDB: inner join of t with alias FULL.
		{text: "SELECT * FROM t FULL JOIN u ON a = b", want: "SELECT * FROM `t` FULL JOIN `u` ON (`a` = `b`)"},
		{text: "SELECT * FROM t SEMI JOIN u ON a = b", want: "SELECT * FROM `t` AS `SEMI` JOIN `u` ON (`a` = `b`)"},
		{text: "SELECT * FROM t LEFT SEMI JOIN u ON a = b", code: diag.Syntax},
		{text: "SELECT * FROM t LEFT ANTI JOIN u ON a = b", code: diag.Syntax},
		// The comma has the level of JOIN. TiDB: t1, (t2 LEFT JOIN t3).
		{text: "SELECT * FROM t1, t2 LEFT JOIN t3 ON t1.a = t3.a",
			want: "SELECT * FROM `t1` CROSS JOIN `t2` LEFT JOIN `t3` ON (`t1`.`a` = `t3`.`a`)"},
		{text: "SELECT * FROM a JOIN b JOIN c ON d ON e", code: diag.Syntax},
		{text: "SELECT a FROM t LIMIT 5, 10", code: diag.OtherDialect},
		{text: "SELECT a FROM t FOR UPDATE", code: diag.Syntax},
		{text: "SELECT a FROM t INTO OUTFILE 'f'", code: diag.Syntax},
		{text: "SELECT a INTO OUTFILE 'f' FROM t", code: diag.Syntax},
		{text: "SELECT a FROM t GROUP BY a WITH ROLLUP", code: diag.Syntax},
		{text: "SELECT a FROM t USE INDEX (i)", code: diag.Syntax},
		{text: "SELECT a FROM DUAL", want: "SELECT `a` FROM `DUAL`"},
		{text: "SELECT SQL_CACHE a FROM t", want: "SELECT `SQL_CACHE` AS `a` FROM `t`"},
		{text: "SELECT /*+ BROADCAST(t) */ a FROM t /*+ OPTIONS('k'='v') */",
			want: "SELECT /*+ BROADCAST(t) */ `a` FROM `t` /*+ OPTIONS('k' = 'v') */"},
		{text: "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", want: "SELECT 1 UNION (SELECT 2 INTERSECT SELECT 3)"},

		// Calls are placeholders. TiDB turns these into other functions.
		{text: "VARIANCE(x)", want: "VARIANCE(`x`)"},
		{text: "STDDEV(x)", want: "STDDEV(`x`)"},
		{text: "STD(x)", want: "STD(`x`)"},
		{text: "MOD(a, b)", want: "MOD(`a`, `b`)"},
		{text: "COUNT(*)", want: "COUNT(*)"},
		{text: "ADDDATE(a, b)", want: "ADDDATE(`a`, `b`)"},
		{text: "CHAR(a)", want: "CHAR(`a`)"},
		{text: "SUBSTRING(s FROM 2 FOR 3)", want: "SUBSTRING(`s`, 2, 3)"},
		{text: "TRIM(BOTH 'x' FROM s)", want: "TRIM(BOTH 'x' FROM `s`)"},
		{text: "TRIM(s)", want: "TRIM(`s`)"},
		{text: "NEXT VALUE FOR s", code: diag.NotSupported},
		{text: "LAG(x)", want: "LAG(`x`)"},
		{text: "ROW_NUMBER()", want: "ROW_NUMBER()"},
		// Calls with argument grammars of their own in MySQL.
		{text: "CONVERT(a, CHAR)", code: diag.OtherDialect},
		{text: "CONVERT(a USING utf8)", code: diag.OtherDialect},
		{text: "CHAR(65 USING utf8)", code: diag.Syntax},
		{text: "GET_FORMAT(DATE, 'ISO')", code: diag.ReservedWord},
		{text: "DATE_ADD(a, INTERVAL 1 DAY)", want: "DATE_ADD(`a`, INTERVAL 1 DAY)"},
		{text: "DATE_ADD(a, b)", want: "DATE_ADD(`a`, `b`)"},
		{text: "TIMESTAMPADD(DAY, 1, a)", want: "TIMESTAMPADD(DAY, 1, `a`)"},
		{text: "WEIGHT_STRING(a AS CHAR(3))", code: diag.Syntax},
		{text: "VALUES(a)", code: diag.Syntax},
		{text: "INSERT(a, 1, 2, b)", code: diag.Syntax},
		{text: "POSITION('a' IN s)", want: "POSITION('a' IN `s`)"},
		{text: "USER()", want: "USER()"},
		{text: "SCHEMA()", want: "SCHEMA()"},
		{text: "IF(a, b, c)", want: "IF(`a`, `b`, `c`)"},
		{text: "LEFT(s, 2)", want: "LEFT(`s`, 2)"},
		{text: "REPEAT(s, 2)", want: "REPEAT(`s`, 2)"},
		{text: "INTERVAL(a, b)", code: diag.Syntax},

		// || has the level of *. TiDB: OR, or tighter than *.
		{text: "a || b", want: "(`a` || `b`)"},
		{text: "a * b || c", want: "((`a` * `b`) || `c`)"},
		{text: "a || b * c", want: "((`a` || `b`) * `c`)"},
		{text: "a + b || c", want: "(`a` + (`b` || `c`))"},
		// Intervals are ordinary literals.
		{text: "a - INTERVAL '1' DAY * 2", want: "(`a` - (INTERVAL '1' DAY * 2))"},
		{text: "INTERVAL '1' DAY * 2", want: "(INTERVAL '1' DAY * 2)"},
		{text: "INTERVAL '1' DAY + a", want: "(INTERVAL '1' DAY + `a`)"},
		{text: "INTERVAL b + 1 DAY", code: diag.Syntax},
		// IS UNKNOWN keeps its name, SOME is not <>, != is refused.
		{text: "p IS UNKNOWN", want: "(`p` IS UNKNOWN)"},
		{text: "p IS NOT UNKNOWN", want: "(`p` IS NOT UNKNOWN)"},
		{text: "a = SOME (1, 2)", want: "(`a` = ANY (1, 2))"},
		{text: "a <> b", want: "(`a` <> `b`)"},
		{text: "a != b", code: diag.OtherDialect},
		// LIKE has no default escape, and takes any pattern.
		{text: `s LIKE 'a\_b'`, want: "(`s` LIKE 'a\\_b')"},
		{text: `s LIKE 'a' ESCAPE '\'`, want: "(`s` LIKE 'a' ESCAPE '\\')"},
		{text: "s LIKE a || b", want: "(`s` LIKE (`a` || `b`))"},
		{text: "s LIKE a ESCAPE b || c", want: "(`s` LIKE `a` ESCAPE (`b` || `c`))"},
		{text: "s NOT LIKE a AND b", want: "((`s` NOT LIKE `a`) AND `b`)"},
		// Words that are operators in MySQL.
		{text: "a DIV b", code: diag.Syntax},
		{text: "a MOD b", code: diag.OtherDialect},
		{text: "a XOR b", code: diag.Syntax},
		{text: "a REGEXP b", code: diag.Syntax},
		{text: "a RLIKE b", code: diag.OtherDialect},
		{text: "BINARY x", code: diag.ReservedWord},
		{text: "a COLLATE utf8_bin", code: diag.OtherDialect},
		{text: "a MEMBER OF (b)", code: diag.OtherDialect},
		{text: "a -> 'x'", code: diag.OtherDialect},
		{text: "SELECT a div, b regexp FROM t", want: "SELECT `a` AS `div`, `b` AS `regexp` FROM `t`"},
		// Characters that Flink's lexer does not have.
		{text: "a & b", code: diag.OtherDialect},
		{text: "a && b", code: diag.OtherDialect},
		{text: "a | b", code: diag.Syntax},
		{text: "!a", code: diag.OtherDialect},
		{text: "a ^ b", code: diag.Syntax},
		{text: "~a", code: diag.OtherDialect},
		{text: "a << b", code: diag.OtherDialect},
		{text: "a <=> b", code: diag.OtherDialect},
		{text: "a := b", code: diag.OtherDialect},
		{text: "@x", code: diag.OtherDialect},
		{text: "@@x", code: diag.OtherDialect},
		{text: `\N`, code: diag.OtherDialect},
		{text: "1 # c", code: diag.OtherDialect},
		// Comments.
		{text: "1 /*! + 1 */", want: "1"},
		{text: "5--1", want: "5"},
		{text: "5//1", want: "5"},
		{text: "5 - -1", want: "(5 - -1)"},
		// Strings are joined across a line break only.
		{text: "'a' 'b'", code: diag.Syntax},
		{text: "'a'\n'b'", want: "'ab'"},
		// Numbers: 0 AS x10.
		{text: "SELECT 0x10", want: "SELECT 0 AS `x10`"},
		{text: "SELECT 0b01", want: "SELECT 0 AS `b01`"},
		{text: "SELECT b'01'", code: diag.Syntax},
		{text: `"a"`, code: diag.OtherDialect},
		// Character sets, national text, aliases in quotes.
		{text: "_utf8'x'", want: "'x'"},
		{text: "N'x'", want: "'x'"},
		{text: `'a\nb'`, want: `'a\nb'`},
		{text: "SELECT a 'x'", code: diag.Syntax},
		{text: "SELECT a AS 'x'", code: diag.Syntax},
		// Literals keep their text and are checked by Flink's rules.
		{text: "1e3", want: "1e3"},
		{text: "1e400", code: diag.BadLiteral},
		{text: "1.50", want: "1.50"},
		{text: "DATE '2024-02-30'", code: diag.BadLiteral},
		{text: "DATE '24.1.1'", code: diag.BadLiteral},
		{text: "TIME '25:00:00'", code: diag.BadLiteral},
		{text: "TIMESTAMP '2024-01-01T10:00:00'", code: diag.BadLiteral},
		// Types are never shown to TiDB.
		{text: "CAST(a AS DECIMAL)", want: "CAST(`a` AS DECIMAL(10, 0))"},
		{text: "CAST(a AS CHAR)", want: "CAST(`a` AS CHAR(1))"},
		{text: "CAST(a AS SIGNED)", code: diag.Syntax},
		{text: "CAST(a AS DATE)", want: "CAST(`a` AS DATE)"},
		// NOT EXISTS is NOT (EXISTS ..); braces hold times only.
		{text: "NOT EXISTS (SELECT 1)", want: "(NOT EXISTS (SELECT 1))"},
		{text: "{x a}", code: diag.Syntax},
		{text: "{d '2024-05-01'}", want: "DATE '2024-05-01'"},
		// Flink's reserved words are no aliases.
		{text: "SELECT a AS count", code: diag.ReservedWord},
		{text: "JSON_OBJECTAGG(k VALUE v) OVER w", code: diag.NotSupported},
		// A predicate behind a predicate. TiDB: b AND (c IN (p)).
		{text: "a BETWEEN b AND c IN (p)", code: diag.Syntax},
		{text: "(a BETWEEN b AND c) IN (p)", want: "((`a` BETWEEN `b` AND `c`) IN (`p`))"},
		{text: "a BETWEEN b AND c BETWEEN d AND e", code: diag.Syntax},
		{text: "a IN (1) IN (p)", code: diag.Syntax},
		{text: "a LIKE b LIKE c", code: diag.Syntax},
		{text: "a IS NULL IN (FALSE)", code: diag.Syntax},
		{text: "p IS NULL BETWEEN FALSE AND TRUE", code: diag.Syntax},
		{text: "a IS NULL / b", code: diag.Syntax},
		// NOT inside BETWEEN and LIKE, which Flink refuses or misplaces.
		{text: "a BETWEEN b AND NOT c", code: diag.Syntax},
		{text: "a LIKE NOT b", code: diag.Syntax},

		// The levels of section 3, from EXPLAINs of Flink.
		{text: "-arr[1]", want: "(-`arr`[1])"},
		{text: "-a * b", want: "((-`a`) * `b`)"},
		{text: "p = a IS DISTINCT FROM b", want: "((`p` = `a`) IS DISTINCT FROM `b`)"},
		{text: "a = b IN (c)", want: "(`a` = (`b` IN (`c`)))"},
		{text: "a = b IS NULL", want: "((`a` = `b`) IS NULL)"},
		{text: "p = q IS NULL = r", want: "(((`p` = `q`) IS NULL) = `r`)"},
		{text: "p = NOT q = r", want: "(`p` = (NOT (`q` = `r`)))"},
		{text: "NOT a = b AND c", want: "((NOT (`a` = `b`)) AND `c`)"},
		{text: "a OR b AND c", want: "(`a` OR (`b` AND `c`))"},
		{text: "a + b BETWEEN c AND d + e AND f", want: "(((`a` + `b`) BETWEEN `c` AND (`d` + `e`)) AND `f`)"},
		{text: "(a, b) OVERLAPS (c, d)", want: "((`a`, `b`) OVERLAPS (`c`, `d`))"},
		{text: "(a - b) DAY", want: "(`a` - `b`) DAY"},
		{text: "a NOT BETWEEN SYMMETRIC b AND c", want: "(`a` NOT BETWEEN SYMMETRIC `b` AND `c`)"},
		{text: "CASE v WHEN a, b THEN c END", want: "CASE `v` WHEN `a`, `b` THEN `c` END"},
	} {
		got, err := printAny(c.text)
		var e *diag.Error
		switch {
		case c.code == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.code == "" && got != c.want:
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		case c.code != "" && err == nil:
			t.Errorf("%s reads as %s, want error %s", c.text, got, c.code)
		case c.code != "" && (!errors.As(err, &e) || e.Code != c.code):
			t.Errorf("%s: %v, want %s", c.text, err, c.code)
		}
	}
}

// printAny prints a query or an expression.
func printAny(text string) (string, error) {
	if len(text) > 7 && text[:7] == "SELECT " {
		q, err := ParseQuery(text)
		if err != nil {
			return "", err
		}
		return FormatQuery(q), nil
	}
	x, err := ParseExpr(text)
	if err != nil {
		return "", err
	}
	return FormatExpr(x), nil
}
