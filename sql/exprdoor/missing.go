package exprdoor

import (
	"strings"

	"fsql/sql/cursor"
	"fsql/sql/lex"
)

// missingFunction says what to write for the call of a function of another
// dialect whose name is a reserved word in Flink; the next token is the name.
// Its arguments are taken over as they stand.
func (k *cutter) missingFunction(key string) string {
	args := k.texts(k.At + 1)
	arg := func(i int, none string) string {
		if i < len(args) && args[i] != "" {
			return args[i]
		}
		return none
	}
	switch key {
	case "STRING_AGG", "GROUP_CONCAT":
		separator := arg(1, "','")
		return "write LISTAGG(" + arg(0, "x") + ", " + separator + ")"
	case "SAFE_CAST":
		return "write TRY_CAST(" + arg(0, "x AS type") + ")"
	case "CONVERT":
		x, t := arg(0, "x"), arg(1, "type")
		if _, isType := typeWords[lex.Upper(x)]; isType {
			x, t = t, x // CONVERT(INT, x) of SQL Server
		}
		return "write CAST(" + x + " AS " + t + ")"
	case "DATE_TRUNC", "TIMESTAMP_TRUNC", "DATETIME_TRUNC", "TIME_TRUNC":
		unit, x := unitText(arg(0, "")), arg(1, "x")
		if unit == "" {
			unit, x = unitText(arg(1, "DAY")), arg(0, "x") // DATE_TRUNC(x, DAY) of BigQuery
		}
		if unit == "" {
			unit = "DAY"
		}
		return "write FLOOR(" + x + " TO " + unit + ")"
	case "TIMESTAMP_DIFF", "TIME_DIFF":
		unit := unitText(arg(2, "DAY"))
		if unit == "" {
			unit = "DAY"
		}
		return "write TIMESTAMPDIFF(" + unit + ", " + arg(1, "b") + ", " + arg(0, "a") + ")"
	case "DAY":
		x := arg(0, "x")
		return "write DAYOFMONTH(" + x + ") or EXTRACT(DAY FROM " + x + ")"
	case "CONTAINS_SUBSTR":
		return "write POSITION(" + arg(1, "a") + " IN " + arg(0, "b") + ") > 0"
	case "UNIQUE":
		return "count with GROUP BY and HAVING COUNT(*) > 1"
	}
	return ""
}

// typeWords are the types that may stand first in CONVERT.
var typeWords = map[string]bool{
	"INT": true, "INTEGER": true, "BIGINT": true, "SMALLINT": true, "TINYINT": true, "DOUBLE": true, "FLOAT": true, "BOOLEAN": true,
	"STRING": true, "VARCHAR": true, "DATE": true, "TIME": true, "TIMESTAMP": true,
}

// unitText is the unit of time that a text or word names, "" if it names none.
func unitText(arg string) string {
	key := lex.Upper(strings.Trim(arg, "'"))
	if cursor.LooksUnit(lex.Token{Kind: lex.Word, Key: key}) {
		return strings.TrimSuffix(key, "S")
	}
	return ""
}

// texts are those between the commas of the parentheses that begin at a token,
// each up to a clause of its own such as ORDER BY; nil if nothing closes them.
func (k *cutter) texts(open int) []string {
	end := k.Src.Match(open)
	if end == 0 {
		return nil
	}
	var out []string
	depth, from, to := 0, k.Src.Tokens[open].End, 0
	for i := open + 1; i <= end; i++ {
		t := k.Src.Tokens[i]
		switch {
		case t.Is("("), t.Is("["):
			depth++
		case i == end, t.Is(",") && depth == 0:
			if to == 0 {
				to = t.Start
			}
			out = append(out, strings.TrimSpace(k.Src.Text[from:to]))
			from, to = t.End, 0
		case depth == 0 && to == 0 && (t.Key == "ORDER" || t.Key == "USING" || t.Key == "SEPARATOR"):
			to = t.Start
		case t.Is(")"), t.Is("]"):
			depth--
		}
	}
	return out
}
