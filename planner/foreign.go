package planner

import (
	"strings"

	"fsql/sql/ast"
)

// foreignFunction is the call of Flink SQL for one of another dialect; "" for
// names and numbers of operands that nobody is known to use.
func foreignFunction(name string, args []ast.Expr) string {
	var as []string
	for _, a := range args {
		as = append(as, written(a))
	}
	if name == "STRFTIME" && len(as) == 2 {
		if strings.Contains(as[0], "%") {
			as[0], as[1] = as[1], as[0] // SQLite has the pattern first
		}
		return "DATE_FORMAT(" + as[0] + ", " + javaPattern.Replace(as[1]) + ")"
	}
	if len(args) == 2 && isInterval(args[1]) {
		switch name { // MySQL
		case "DATE_ADD", "ADDDATE":
			return as[0] + " + " + as[1]
		case "DATE_SUB", "SUBDATE":
			return as[0] + " - " + as[1]
		}
	}
	for _, f := range foreignFunctions {
		if f.name == name && f.operands == len(as) {
			out := f.here
			for i, a := range as {
				out = strings.ReplaceAll(out, "{"+string(rune('1'+i))+"}", a)
			}
			return strings.ReplaceAll(out, "{unit}", unitOfText(as))
		}
	}
	return ""
}

func isInterval(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Interval:
		return true
	case *ast.Literal:
		return e.Type.IsInterval()
	}
	return false
}

// javaPattern turns the pattern of a time in C into one of Java.
var javaPattern = strings.NewReplacer("%Y", "yyyy", "%y", "yy", "%m", "MM", "%d", "dd", "%H", "HH", "%I", "hh", "%M", "mm", "%S", "ss", "%f", "SSSSSS",
	"%j", "DDD", "%b", "MMM", "%B", "MMMM", "%a", "EEE", "%A", "EEEE", "%p", "a", "%F", "yyyy-MM-dd", "%T", "HH:mm:ss", "T", "''T''")

// unitOfText is a unit of time that is written as a name or text in the first
// operand.
func unitOfText(as []string) string {
	if len(as) == 0 {
		return "DAY"
	}
	unit := strings.ToUpper(strings.Trim(as[0], "'`"))
	switch unit {
	case "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR":
		return unit
	}
	return "DAY"
}

// foreignFunctions are functions that users know from other systems, by the
// number of operands, with the spelling of Flink: {1} is the first operand.
var foreignFunctions = []struct {
	name     string
	operands int
	here     string
}{
	{"LENGTH", 1, "CHAR_LENGTH({1})"}, {"LEN", 1, "CHAR_LENGTH({1})"}, {"UCASE", 1, "UPPER({1})"}, {"LCASE", 1, "LOWER({1})"},
	{"NVL", 2, "COALESCE({1}, {2})"}, {"ISNULL", 2, "COALESCE({1}, {2})"}, {"ISNULL", 1, "{1} IS NULL"}, {"NVL2", 3, "CASE WHEN {1} IS NOT NULL THEN {2} ELSE {3} END"},
	{"IIF", 3, "IF({1}, {2}, {3})"}, {"IFF", 3, "IF({1}, {2}, {3})"},
	{"STRPOS", 2, "POSITION({2} IN {1})"}, {"CHARINDEX", 2, "POSITION({1} IN {2})"}, {"CONTAINS", 2, "POSITION({2} IN {1}) > 0"},
	{"STARTS_WITH", 2, "STARTSWITH({1}, {2})"}, {"ENDS_WITH", 2, "ENDSWITH({1}, {2})"}, {"MID", 3, "SUBSTRING({1}, {2}, {3})"},
	{"SPLIT_PART", 3, "SPLIT_INDEX({1}, {2}, {3} - 1)"}, {"REGEXP_LIKE", 2, "REGEXP({1}, {2})"}, {"REGEXP_MATCHES", 2, "REGEXP({1}, {2})"},
	{"RANDOM", 0, "RAND()"}, {"GEN_RANDOM_UUID", 0, "UUID()"}, {"NEWID", 0, "UUID()"},
	{"GETDATE", 0, "CURRENT_TIMESTAMP"}, {"SYSDATE", 0, "CURRENT_TIMESTAMP"}, {"CURDATE", 0, "CURRENT_DATE"}, {"TODAY", 0, "CURRENT_DATE"},
	{"DATEDIFF", 2, "TIMESTAMPDIFF(DAY, {2}, {1})"}, {"DATEDIFF", 3, "TIMESTAMPDIFF({unit}, {2}, {3})"}, {"DATE_DIFF", 3, "TIMESTAMPDIFF({unit}, {2}, {3})"},
	{"DATE_ADD", 2, "TIMESTAMPADD(DAY, {2}, {1})"}, {"ADDDATE", 2, "TIMESTAMPADD(DAY, {2}, {1})"}, {"DATE_SUB", 2, "TIMESTAMPADD(DAY, -{2}, {1})"},
	{"ADD_MONTHS", 2, "TIMESTAMPADD(MONTH, {2}, {1})"}, {"DATEADD", 3, "TIMESTAMPADD({unit}, {2}, {3})"},
	{"TO_CHAR", 2, "DATE_FORMAT({1}, {2})"}, {"DATE", 1, "CAST({1} AS DATE)"}, {"TIMESTAMP", 1, "CAST({1} AS TIMESTAMP(3))"},
	{"TO_NUMBER", 1, "CAST({1} AS DOUBLE)"}, {"TO_INT", 1, "CAST({1} AS INT)"}, {"DATE_PART", 2, "EXTRACT({unit} FROM {2})"}, {"DATEPART", 2, "EXTRACT({unit} FROM {2})"},
	{"DATE_TRUNC", 2, "FLOOR({2} TO {unit})"}, {"TRUNC", 1, "TRUNCATE({1})"}, {"TRUNC", 2, "TRUNCATE({1}, {2})"}, {"POW", 2, "POWER({1}, {2})"},
	{"EPOCH_MS", 1, "TO_TIMESTAMP_LTZ({1}, 3)"}, {"TIMESTAMP_MILLIS", 1, "TO_TIMESTAMP_LTZ({1}, 3)"}, {"TIMESTAMP_SECONDS", 1, "TO_TIMESTAMP_LTZ({1}, 0)"},
	{"ARRAY_LENGTH", 1, "CARDINALITY({1})"}, {"ARRAY_SIZE", 1, "CARDINALITY({1})"}, {"SIZE", 1, "CARDINALITY({1})"}, {"ARRAY_CAT", 2, "ARRAY_CONCAT({1}, {2})"},
	{"JSON_EXTRACT", 2, "JSON_QUERY({1}, {2})"}, {"JSON_EXTRACT_SCALAR", 2, "JSON_VALUE({1}, {2})"}, {"GET_JSON_OBJECT", 2, "JSON_VALUE({1}, {2})"},
	{"MEDIAN", 1, "PERCENTILE({1}, 0.5)"}, {"PERCENTILE_CONT", 1, "PERCENTILE(x, {1})"}, {"PERCENTILE_DISC", 1, "PERCENTILE(x, {1})"}, {"APPROX_PERCENTILE", 2, "PERCENTILE({1}, {2})"},
	{"APPROX_COUNT_DISTINCT", 1, "COUNT(DISTINCT {1})"}, {"UNIQ", 1, "COUNT(DISTINCT {1})"}, {"COUNTIF", 1, "COUNT(*) FILTER (WHERE {1})"}, {"COUNT_IF", 1, "COUNT(*) FILTER (WHERE {1})"},
	{"SUM_IF", 2, "SUM({1}) FILTER (WHERE {2})"}, {"EPOCH", 1, "EXTRACT(EPOCH FROM {1})"}, {"TOSTRING", 1, "CAST({1} AS STRING)"}, {"STR", 1, "CAST({1} AS STRING)"},
	{"BASE64", 1, "TO_BASE64({1})"}, {"UNBASE64", 1, "FROM_BASE64({1})"},
	{"DAYNAME", 1, "DATE_FORMAT({1}, 'EEEE')"}, {"MONTHNAME", 1, "DATE_FORMAT({1}, 'MMMM')"}, {"LAST_DAY", 1, "CEIL({1} TO MONTH) - INTERVAL '1' DAY"}, {"TIMEDIFF", 2, "TIMESTAMPDIFF(SECOND, {2}, {1})"},
	{"NUMBER", 1, "CAST({1} AS DOUBLE)"}, {"INT", 1, "CAST({1} AS INT)"}, {"FLOAT", 1, "CAST({1} AS DOUBLE)"}, {"STRING", 1, "CAST({1} AS STRING)"}, {"BOOL", 1, "CAST({1} AS BOOLEAN)"},
	{"ZEROIFNULL", 1, "COALESCE({1}, 0)"}, {"SHA", 1, "SHA1({1})"},
	{"ANY_VALUE", 1, "FIRST_VALUE({1})"}, {"FIRST", 1, "FIRST_VALUE({1})"}, {"LAST", 1, "LAST_VALUE({1})"}, {"COUNT_DISTINCT", 1, "COUNT(DISTINCT {1})"},
	{"TO_TIMESTAMP_NTZ", 1, "TO_TIMESTAMP({1})"}, {"UNIX_MILLIS", 1, "EXTRACT(EPOCH FROM {1}) * 1000"},
}
