package builtin_test

import (
	"errors"
	"strings"
	"testing"

	"fsql/internal/diag"
)

// The values are what Flink 2.3.0 answered.
const flinkValues = `
-- arithmetic
7 / 2 -> 3
-7 / 2 -> -3
-7 % 3 -> -1
5 % 3.0 -> 2.0
TYPEOF(5 % 3.0) -> DECIMAL(2, 1) NOT NULL
MOD(CAST(100 AS BIGINT), CAST(7 AS TINYINT)) -> 2
2147483647 + 1 -> -2147483648
CAST(127 AS TINYINT) + CAST(1 AS TINYINT) -> -128
1 / 3.0 -> 0.333333
CAST(10 AS DECIMAL(10,2)) / CAST(3 AS DECIMAL(5,3)) -> 3.33333333
CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0)) - 1 -> 99999999999999999999999999999999999998
CAST('12345678901234567890' AS DECIMAL(38,0)) * 10 -> 123456789012345678900
CAST('12345678901234567890' AS DECIMAL(38,0)) / 0.1 -> 123456789012345678900.000000
TYPEOF(CAST(1 AS DECIMAL(38,18)) / CAST(1 AS DECIMAL(38,0))) -> DECIMAL(38, 18) NOT NULL
CAST(0.1 AS FLOAT) + CAST(0.1 AS DOUBLE) -> 0.2
CAST(0.1 AS DOUBLE) + CAST(0.1 AS FLOAT) -> 0.20000000149011612
-0e0 -> 0.0
ABS(CAST(-5 AS TINYINT)) -> 5
SIGN(CAST(-5.5 AS DECIMAL(5,1))) -> -1.0
ROUND(2147483647, -1) -> -2147483646
ROUND(CAST(9223372036854775807 AS BIGINT), -2) -> 9223372036854775800
ROUND(CAST(1.25 AS FLOAT), 1) -> 1.3
TRUNCATE(CAST(-1.25 AS FLOAT), 1) -> -1.2
ROUND(CAST(1.005 AS DOUBLE), 2) -> 1.01
ROUND(CAST(-0.4 AS DOUBLE)) -> 0.0
FLOOR(CAST(-0.050 AS DECIMAL(8,3))) -> -1
TYPEOF(ROUND(CAST(1 AS DECIMAL(8,3)), -1)) -> DECIMAL(6, 0) NOT NULL
POWER(2, 0.5) -> 1.4142135623730951
LOG10(5) -> 0.6989700043360189
LOG2(7) -> 2.807354922057604
LN(5) -> 1.6094379124341003
SIN(1E0) -> 0.8414709848078965
DEGREES(1E0) -> 57.29577951308232
-- comparison and logic
'a' = 'a ' -> FALSE
1 = 1.0 -> TRUE
CAST(16777217 AS INT) = CAST(16777216 AS FLOAT) -> TRUE
CAST(0.1 AS FLOAT) = 0.1 -> FALSE
CAST('NaN' AS DOUBLE) = CAST('NaN' AS DOUBLE) -> FALSE
CAST('NaN' AS DOUBLE) IS DISTINCT FROM CAST('NaN' AS DOUBLE) -> TRUE
CAST('0' AS DOUBLE) = CAST('-0' AS DOUBLE) -> TRUE
TRUE = 'true' -> FALSE
TRUE <> 'true' -> TRUE
FALSE < 'true' -> TRUE
x'01' < x'02' -> TRUE
x'01' = x'0100' -> FALSE
DATE '2024-05-01' = '2024-05-01' -> TRUE
1.5 < '2.5' -> TRUE
NULL = NULL -> NULL
1 IN (1, NULL) -> TRUE
2 IN (1, NULL) -> NULL
2 NOT IN (1, NULL) -> NULL
'a' IN ('a ', 'b') -> FALSE
0 BETWEEN CAST(NULL AS INT) AND -1 -> FALSE
0 BETWEEN SYMMETRIC CAST(NULL AS INT) AND -1 -> NULL
MAP['a', 1, 'b', 2] = MAP['b', 2, 'a', 1] -> TRUE
MAP['a', CAST(NULL AS INT)] = MAP['a', CAST(NULL AS INT)] -> TRUE
ROW(1, CAST(NULL AS INT)) = ROW(1, CAST(NULL AS INT)) -> NULL
ROW(1, CAST(NULL AS INT)) <> ROW(1, CAST(NULL AS INT)) -> FALSE
CASE WHEN NULL THEN 1 ELSE 2 END -> 2
CASE WHEN 1 = 2 THEN 1 / 0 ELSE 2 END -> 2
GREATEST(1, 2.5, 3E0) -> 3.0
TYPEOF(NULLIF(1, 2)) -> INT NOT NULL
-- casts
CAST(' 12.9 ' AS INT) -> 12
CAST('.' AS INT) -> 0
TRY_CAST('1e3' AS INT) -> NULL
TRY_CAST('128' AS TINYINT) -> NULL
CAST(300 AS TINYINT) -> 44
CAST(CAST('1e300' AS DOUBLE) AS INT) -> 2147483647
CAST(CAST('NaN' AS DOUBLE) AS BIGINT) -> 0
CAST(2147483648 AS FLOAT) -> 2.14748365E9
CAST('0x1p3' AS DOUBLE) -> 8.0
CAST('1.5D ' AS DOUBLE) -> 1.5
TRY_CAST('1_0' AS DOUBLE) -> NULL
TRY_CAST('nan' AS DOUBLE) -> NULL
CAST('1e400' AS DOUBLE) -> Infinity
CAST(1e21 AS STRING) -> 1.0E21
CAST(1e-6 AS STRING) -> 1.0E-6
CAST('-1.005' AS DECIMAL(5,2)) -> -1.01
CAST('1e-400' AS DECIMAL(38,2)) -> 0.00
TRY_CAST('1000' AS DECIMAL(5,2)) -> NULL
CAST(CAST(2.675 AS DOUBLE) AS DECIMAL(5,2)) -> 2.68
TRY_CAST('Yes' AS BOOLEAN) -> TRUE
TRY_CAST('TRUE ' AS BOOLEAN) -> NULL
CAST('2024-5' AS DATE) -> 2024-05-01
CAST('2024-05-01 junk' AS DATE) -> 2024-05-01
TRY_CAST('2023-02-29' AS DATE) -> NULL
TRY_CAST('+2024-05-01' AS DATE) -> NULL
CAST('2023-02-29' AS TIMESTAMP(0)) -> 2023-02-28 00:00:00
CAST('2024-05-01 24:00:00' AS TIMESTAMP(0)) -> 2024-05-02 00:00:00
TRY_CAST('2024-05-01T10:00:00' AS TIMESTAMP(3)) -> NULL
TRY_CAST('24-5-1 1:2:3' AS TIMESTAMP(3)) -> NULL
CAST('1969-12-31 23:59:59.999' AS TIMESTAMP(0)) -> 1969-12-31 23:59:59
CAST(TIMESTAMP '1969-12-31 23:59:59.500' AS TIMESTAMP(0)) -> 1970-01-01 00:00:00
CAST(TIMESTAMP '1969-12-31 23:59:59.999' AS DATE) -> 1970-01-01
CAST('10:20:30.1235' AS TIME(3)) -> 10:20:30.124
CAST('10:20:30+01:30' AS TIME) -> 11:50:30
CAST('10:20:30 +1' AS TIME) -> 11:20:30
TRY_CAST('24:00:00' AS TIME) -> NULL
TRY_CAST('10:20:3x' AS TIME) -> NULL
CAST(TIME '10:20:30' AS TIMESTAMP(3)) -> 1970-01-01 10:20:30.000
CAST(18 AS INTERVAL MONTH) -> +1-06
CAST(x'41ff42' AS STRING) -> A` + "\ufffd" + `B
CAST('ab' AS CHAR(4)) || '|' -> ab  |
CAST('abcdef' AS VARCHAR(3)) -> abc
CAST(x'01' AS BINARY(3)) -> x'010000'
CAST(ARRAY[1, 300] AS ARRAY<TINYINT>) -> [1, 44]
TRY_CAST(ARRAY['1', 'x'] AS ARRAY<INT>) -> NULL
CAST(ROW(TRUE, 1e7, 'x') AS STRING) -> (TRUE, 1.0E7, x)
CAST(MAP['k', 1] AS STRING) -> {k=1}
-- intervals and times
CAST(-INTERVAL '90' MINUTE AS STRING) -> -0 01:30:00.000
INTERVAL '1' HOUR * -3 -> -0 03:00:00.000
INTERVAL '1' MONTH - INTERVAL '1' YEAR -> -0-11
TIMESTAMP '2024-01-31 23:30:00' + INTERVAL '1' MONTH -> 2024-02-29 23:30:00
DATE '2024-01-01' - INTERVAL '25' HOUR -> 2023-12-31
TIME '23:30:00' + INTERVAL '2' HOUR -> 01:30:00
TIME '10:00:00' + INTERVAL '1' MONTH -> 10:00:00
TIMESTAMPADD(HOUR, 25, TIME '10:20:30') -> 11:20:30
TIMESTAMPADD(HOUR, 1, DATE '2024-01-31') -> 2024-01-31 01:00:00.000000
TIMESTAMPDIFF(HOUR, TIME '10:20:30', TIME '12:00:01') -> 1
TIMESTAMPDIFF(MONTH, DATE '2024-01-31', DATE '2024-02-29') -> 1
TIMESTAMPDIFF(DAY, DATE '2024-01-01', TIMESTAMP '2024-01-02 00:00:00') -> 1
(TIMESTAMP '2024-02-01 12:00:00' - TIMESTAMP '2024-03-01 00:00:00.001') MONTH -> -0-01
EXTRACT(WEEK FROM DATE '2021-01-03') -> 53
EXTRACT(DOW FROM DATE '2024-02-29') -> 5
EXTRACT(DECADE FROM DATE '2024-02-29') -> 202
EXTRACT(CENTURY FROM DATE '2000-02-28') -> 20
EXTRACT(MONTH FROM INTERVAL '-2-7' YEAR TO MONTH) -> -7
FLOOR(TIMESTAMP '2024-02-29 10:20:30.1239' TO MILLISECOND) -> 2024-02-29 10:20:30.1230
CEIL(DATE '2023-10-01' TO QUARTER) -> 2024-01-01
CEIL(DATE '2023-01-01' TO QUARTER) -> 2023-01-01
CEIL(TIMESTAMP '2001-01-01 00:00:00' TO CENTURY) -> 2101-01-01 00:00:00
DATE_FORMAT(TIMESTAMP '2024-02-29 23:05:09.1234', 'w ww W e ee eee') -> 9 09 5 5 05 Thu
DATE_FORMAT(TIMESTAMP '2024-02-29 23:05:09.1234', 'Q QQ QQQ QQQQ') -> 1 01 Q1 1st quarter
DATE_FORMAT(TIMESTAMP '2024-02-29 23:05:09.1234', 'k K n N A') -> 23 11 123400000 83109123400000 83109123
DATE_FORMAT(TIMESTAMP '2024-02-29 23:05:09.1234', 'S SS SSSSS') -> 1 12 12340
DATE_FORMAT(TIMESTAMP '2024-02-29 23:05:09', 'L LL LLL LLLL LLLLL') -> 2 02 Feb February F
DATE_FORMAT('2024-02-30 10:00:00', 'yyyy/MM/dd HH:mm:ss.SSS') -> 2024/03/01 10:00:00.000
FROM_UNIXTIME(1709251199, 'EEE, d MMM yyyy HH:mm:ss Z z X u') -> Thu, 29 Feb 2024 23:59:59 +0000 UTC Z 4
FROM_UNIXTIME(0, 'S SSS K k D w W F a h') -> 0 000 0 24 1 1 1 1 AM 12
UNIX_TIMESTAMP('2024-02-30', 'yyyy-MM-dd') -> 1709251200
UNIX_TIMESTAMP('2024-02-29 10:00') -> -9223372036854775808
TO_DATE('29 feb 1999', 'd MMM yy') -> 1999-03-01
TO_TIMESTAMP('2024-02-30', 'yyyy-MM-dd') -> 2024-02-29 00:00:00.000
TO_TIMESTAMP('29 feb 1999 1:05 pm', 'd MMM yyyy h:mm a') -> NULL
TO_TIMESTAMP('9 Feb 2024 1:05 PM', 'd MMM yyyy h:mm a') -> 2024-02-09 13:05:00.000
TO_TIMESTAMP('20240229102030123', 'yyyyMMddHHmmssSSS') -> 2024-02-29 10:20:30.123
TO_TIMESTAMP('2024 60', 'yyyy D') -> 2024-02-29 00:00:00.000
TO_TIMESTAMP('02024-02-29', 'yyyy-MM-dd') -> NULL
TO_TIMESTAMP_LTZ('2024-02-29 10:20', 'yyyy-MM-dd HH:mm', 'Asia/Tokyo') -> 2024-02-29 01:20:00.000
TO_TIMESTAMP_LTZ(1700000000123456789, 9) -> 2023-11-14 22:13:20.123456789
TO_TIMESTAMP_LTZ(5, 4) -> 1970-01-01 00:00:00.0005
TO_TIMESTAMP_LTZ(-1.5E0) -> 1969-12-31 23:59:59.998
CONVERT_TZ('2024-03-31 02:30:00', 'Europe/Berlin', 'UTC') -> 2024-03-31 01:30:00
CONVERT_TZ('2024-01-01 00:00:00', 'PST', 'EST') -> 2024-01-01 03:00:00
-- texts
INITCAP('élan x_y 3d') -> éLan X_Y 3d
LOWER('ΑΣ ΑΣΑ') -> ας ασα
SUBSTRING('abcdef', -8, 4) -> ` + `
SUBSTRING('abcdef', -3, 10) -> def
SUBSTRING('abcdef', 0, 2) -> ab
POSITION('' IN 'abc') -> 1
LOCATE('c', 'abc', -1) -> 3
LOCATE('', 'abc', 5) -> 1
INSTR('abcabc', 'b', -2, 1) -> 5
INSTR('abcabc', 'c', -1, 2) -> 3
INSTR('aaa', 'aa', 1, 2) -> 2
INSTR('aaa', 'a', -5) -> 0
SPLIT_INDEX('a,b', '', 0) -> a,b
SPLIT_INDEX('a,b', 300, 0) -> NULL
SPLIT_INDEX('aXXXb', 'XX', 1) -> Xb
OVERLAY('abcdef' PLACING 'XY' FROM 2 FOR 0) -> aXY
'a` + "\n" + `c' LIKE 'a%c' -> TRUE
'a` + "\n" + `c' LIKE 'a_c' -> FALSE
'a%c' LIKE 'a!%c' ESCAPE '!' -> TRUE
'abc' LIKE 'a!%c' ESCAPE '!' -> FALSE
'abc' SIMILAR TO 'a(b|x)c' -> TRUE
'a.c' LIKE 'a[.]c' -> FALSE
REGEXP('ab', '') -> FALSE
REGEXP_EXTRACT('abc', 'b', -1) -> NULL
IS_DECIMAL('Infinity') -> TRUE
IS_DIGIT('٣') -> TRUE
BIN(CAST(-1 AS TINYINT)) -> 1111111111111111111111111111111111111111111111111111111111111111
HASH_CODE(1.5) -> 466
HASH_CODE('é') -> 233
HASH_CODE(CAST(1.5 AS DOUBLE)) -> 1073217536
-- collections
ARRAY_SLICE(ARRAY['a', 'b', 'c'], -5, 1) -> [a]
ARRAY_SLICE(ARRAY['a', 'b', 'c'], 1, -4) -> [a]
ARRAY_SLICE(ARRAY['a', 'b', 'c'], -10, -9) -> []
TYPEOF(ARRAY[1, 2.5]) -> ARRAY<DECIMAL(11, 1) NOT NULL> NOT NULL
TYPEOF(MAP['a', 1, 'bcd', 2.5]) -> MAP<VARCHAR(3) NOT NULL, DECIMAL(11, 1) NOT NULL> NOT NULL
TYPEOF(ROW(1, 'x')) -> ROW<EXPR0 INT NOT NULL, EXPR1 CHAR(1) NOT NULL> NOT NULL
MAP['a', 1, 'a', 2] -> {a=2}
TYPEOF(INTERVAL '1' DAY) -> INTERVAL SECOND(3) NOT NULL
TYPEOF(NULL) -> NULL
-- found by random expressions
TYPEOF(CAST(7 AS DECIMAL(38, 0)) % -3) -> INT NOT NULL
CAST(7 AS DECIMAL(38, 0)) % -3 -> 1
TYPEOF(CASE WHEN 1 = 1 THEN CAST(7 AS DECIMAL(38, 0)) ELSE 2.5 END) -> DECIMAL(38, 0) NOT NULL
TYPEOF(COALESCE(CAST(7 AS DECIMAL(38, 0)), 2.5)) -> DECIMAL(38, 0) NOT NULL
LN(1E-310) -> -713.8013788281542
LOG2(1E-310) -> -1029.7977094150824
SQRT(LN(0)) -> Infinity
HASH_CODE('Hello World') -> 862545276
HASH_CODE(TIMESTAMP '1970-01-01 00:00:00.001') -> 31
HASH_CODE(TIME '12:34:56') -> 45296000
HASH_CODE(CAST('NaN' AS DOUBLE)) -> 2146959360
INET_ATON('255') -> 255
INET_ATON('1.256') -> NULL
SPLIT_INDEX(' a  b', '', 1) -> a
SPLIT_INDEX('a' || CHR(0) || 'b', 0, 0) -> NULL
INSTR('abc', '', -1) -> 4
INSTR('abc', '', 0) -> 0
LOCATE('a', 'abc', -2147483648) -> 0
LOCATE('', 'abc', -2147483648) -> 1
JSON_STRING(CAST('NaN' AS FLOAT)) -> "NaN"
JSON_STRING(CAST('-Infinity' AS DOUBLE)) -> "-Infinity"
TYPEOF(TRIM('')) -> VARCHAR(0) NOT NULL
TYPEOF(SUBSTRING('', 1)) -> VARCHAR(0)
TYPEOF(CONCAT_WS('a', NULLIF('b', 'c'))) -> STRING
TYPEOF(IFNULL('Ab', 'abc')) -> CHAR(2) NOT NULL
TYPEOF(IFNULL(1, 1.5E0)) -> DOUBLE NOT NULL
TYPEOF(ELT(1, 'abc', 'def')) -> CHAR(3)
TO_TIMESTAMP('2023-02-30', '') -> 2023-03-02 00:00:00.000
TO_TIMESTAMP('2023-02-30 25:00:61.123456', 'yyyy') -> 2023-03-03 01:01:01.123
TO_TIMESTAMP('2023-2-9 ', 'HH:mm') -> 2023-02-09 00:00:00.000
TO_TIMESTAMP('2023-02-30 10:00', 'yyyy') -> NULL
TO_TIMESTAMP_LTZ('2023-02-30 10:00:00', 'yyyy-MM-dd', 'Asia/Kolkata') -> 2023-03-02 04:30:00.000
TO_TIMESTAMP_LTZ(CAST(-2.5 AS DOUBLE), 5) -> 1969-12-31 23:59:59.99997
TO_TIMESTAMP_LTZ(CAST('NaN' AS DOUBLE), 3) -> 1970-01-01 00:00:00.000
UNIX_TIMESTAMP('2024-02-29', '') -> -9223372036854775808
TIMESTAMPDIFF(WEEK, TIMESTAMP '2024-03-31 02:30:00', TIMESTAMP '2262-04-11 23:47:16') -> -1783
(DATE '2024-03-01', DATE '2024-04-01') OVERLAPS (DATE '2024-02-01', CAST(NULL AS DATE)) -> FALSE
(DATE '2024-03-01', DATE '2024-04-01') OVERLAPS (DATE '2024-05-01', CAST(NULL AS DATE)) -> NULL
CAST(TO_TIMESTAMP_LTZ(-1, 3) AS TIME(0)) -> 23:59:59
ARRAY_EXCEPT(ARRAY[CAST('NaN' AS DOUBLE)], ARRAY[CAST('NaN' AS DOUBLE)]) -> [NaN]
ARRAY_INTERSECT(ARRAY[CAST('NaN' AS DOUBLE)], ARRAY[CAST('NaN' AS DOUBLE)]) -> []
ARRAY_MAX(ARRAY[1.5E0, CAST('NaN' AS DOUBLE)]) -> 1.5
ARRAY_MIN(ARRAY[CAST('NaN' AS DOUBLE), 1.5E0]) -> NaN
ARRAY_APPEND(ARRAY['a', 'bc'], CAST('hello' AS STRING)) -> [a, bc, he]
ARRAY_APPEND(ARRAY[1.5], 1) -> [1.5, 1.0]
ARRAY_APPEND(ARRAY[1], NULL) -> [1, NULL]
TYPEOF(ARRAY_PREPEND(ARRAY[NULLIF(CAST(1 AS BIGINT), CAST(2 AS BIGINT))], 1)) -> ARRAY<BIGINT>
ARRAY_POSITION(ARRAY[1], NULL) -> NULL
ARRAY_CONTAINS(ARRAY['abc', 'b'], 'abcd') -> TRUE
REGEXP_COUNT('abc', 'b*') -> 4
REGEXP_COUNT(NULL, 'b') -> NULL
REGEXP_REPLACE('aab', 'a*', '-') -> --b-
REGEXP_REPLACE('abab', '(a)b\1', 'X') -> Xb
REGEXP_EXTRACT('x-y', '[\w&&[^x]]', 0) -> y
REGEXP_EXTRACT('foobar', 'foo(?!x)(bar)', 1) -> bar
`

func TestFlinkValues(t *testing.T) {
	// A value may not hold a line break; the texts with one are joined again.
	lines := strings.Split(strings.ReplaceAll(flinkValues, "a\nc'", "a\x00c'"), "\n")
	for _, line := range lines {
		if line == "" || strings.HasPrefix(line, "--") {
			continue
		}
		text, want, ok := strings.Cut(strings.ReplaceAll(line, "\x00", "\n"), " -> ")
		if !ok {
			text, want = strings.TrimSuffix(text, " ->"), ""
		}
		got, err := eval(text)
		got = strings.NewReplacer("`EXPR$0`", "EXPR0", "`EXPR$1`", "EXPR1").Replace(got)
		if err != nil || got != want {
			t.Errorf("%s is %q, %v; Flink says %q", text, got, err, want)
		}
	}
}

// What Flink refuses too, with the words that the messages must hold.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		text string
		code diag.Code
		word string
	}{
		{"'1' + 1", diag.TypeMismatch, "CHAR(1)"},
		{"TRUE = 1", diag.TypeMismatch, "BOOLEAN"},
		{"1 = '1'", diag.TypeMismatch, "no implicit conversion"},
		{"1 IS DISTINCT FROM '1'", diag.TypeMismatch, "no implicit conversion"},
		{"DATE '2024-01-01' = TIMESTAMP '2024-01-01 00:00:00'", diag.TypeMismatch, "DATE"},
		{"DATE '2024-01-01' + 1", diag.TypeMismatch, "type INT"},
		{"DATE '2024-01-01' - DATE '2024-01-01'", diag.TypeMismatch, "operator -"},
		{"INTERVAL '1' MONTH + INTERVAL '1' DAY", diag.TypeMismatch, "INTERVAL MONTH"},
		{"INTERVAL '1' HOUR * 1.5", diag.TypeMismatch, "operator *"},
		{"INTERVAL '1' HOUR / 2", diag.TypeMismatch, "operator /"},
		{"MAP['a', 1] < MAP['a', 2]", diag.TypeMismatch, "no order"},
		{"1 + NULL", diag.TypeMismatch, "NULL"},
		{"UPPER(NULL)", diag.TypeMismatch, "NULL"},
		{"IF(NULL, 1, 2)", diag.TypeMismatch, "NULL"},
		{"CASE WHEN TRUE THEN 1 ELSE 'x' END", diag.TypeMismatch, "no common type"},
		{"COALESCE(1, 'x')", diag.TypeMismatch, "COALESCE"},
		{"ARRAY[1, 'a']", diag.TypeMismatch, "ARRAY"},
		{"MAP['a', 1, 'b']", diag.WrongArguments, "even"},
		{"ARRAY[1, 2][0]", diag.WrongArguments, "begins at 1"},
		{"ABS('1')", diag.WrongArguments, "CHAR(1)"},
		{"ABS(INTERVAL '1' HOUR)", diag.WrongArguments, "INTERVAL"},
		{"MOD(CAST(1 AS DOUBLE), 2)", diag.WrongArguments, "DOUBLE"},
		{"CONCAT('a', 1)", diag.WrongArguments, "CONCAT"},
		{"x'01' || x'02'", diag.TypeMismatch, "BINARY(1)"},
		{"SUBSTRING(12, 1, 1)", diag.WrongArguments, "(INT"},
		{"LPAD('a', '3', 'x')", diag.WrongArguments, "LPAD"},
		{"UPPER()", diag.WrongArguments, "UPPER"},
		{"HEX(1.5E0)", diag.WrongArguments, "HEX"},
		{"ARRAY_APPEND(ARRAY['a'], CAST('x' AS STRING))", diag.WrongArguments, "CHAR(1)"},
		{"CARDINALITY(1)", diag.WrongArguments, "CARDINALITY"},
		{"EXTRACT(YEAR FROM TIME '10:00:00')", diag.WrongArguments, "unit YEAR"},
		{"TIMESTAMPDIFF(HOUR, TIMESTAMP '2024-01-01 00:00:00', TO_TIMESTAMP_LTZ(0, 3))", diag.WrongArguments, "same kind"},
		{"TO_TIMESTAMP_LTZ(1, 10)", diag.WrongArguments, "10"},
		{"CURRENT_TIMESTAMP(3)", diag.WrongArguments, "precision"},
		{"'a' LIKE 'ab!' ESCAPE '!'", diag.BadValue, "nothing follows"},
		{"'a' LIKE 'a!!%' ESCAPE '!!'", diag.WrongArguments, "single character"},
		{"DATE_FORMAT(TIMESTAMP '2024-01-01 00:00:00', 'bad pattern')", diag.BadValue, "letter b"},
		{"CAST(1 AS DATE)", diag.BadCast, "type INT to type DATE"},
		{"CAST(1 AS TIMESTAMP(3))", diag.BadCast, "TIMESTAMP(3)"},
		{"CAST(x'01' AS INT)", diag.BadCast, "BINARY(1)"},
		{"TRY_CAST(1 AS DATE)", diag.BadCast, "DATE"},
		{"UPER('a')", diag.UnknownFunction, "UPER"},
		// While running.
		{"1 / 0", diag.DivisionByZero, "division by zero"},
		{"1.5 / 0", diag.DivisionByZero, "division by zero"},
		{"COALESCE(1, 1 / 0)", diag.DivisionByZero, "division by zero"},
		{"CAST('12a' AS INT)", diag.BadValue, "'12a'"},
		{"CAST('' AS DOUBLE)", diag.BadValue, "''"},
		{"CAST('on' AS BOOLEAN)", diag.BadValue, "'on'"},
		{"CAST('100' AS DECIMAL(4,2))", diag.BadValue, "too many digits"},
		{"CAST('2024-05-01T10:00:00' AS TIMESTAMP(3))", diag.BadValue, "TIMESTAMP(3)"},
		{"2 IN ('1', 'x')", diag.BadValue, "'x'"},
		{"CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0)) * 10", diag.Overflow, "NOT NULL"},
		{"ELEMENT(ARRAY[1, 2])", diag.BadValue, "more than one"},
		{"FROM_BASE64(' ')", diag.BadValue, "FROM_BASE64"},
		{"ENCODE('a', 'EBCDIC-XYZ')", diag.BadValue, "EBCDIC-XYZ"},
		{"TO_TIMESTAMP_LTZ('bad')", diag.BadValue, "bad"},
	} {
		_, err := eval(c.text)
		var d *diag.Error
		if !errors.As(err, &d) || d.Code != c.code || !strings.Contains(d.Msg, c.word) {
			t.Errorf("%s: %v, want %s with %q", c.text, err, c.code, c.word)
		}
	}
	if _, err := bind("UPER('a')"); err == nil || !strings.Contains(err.(*diag.Error).Hint, "UPPER") {
		t.Errorf("no near name: %v", err)
	}
}
