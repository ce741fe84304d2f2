package difftest

import (
	"regexp"
	"slices"
	"strings"
)

// difference is one that docs/differences.md gives a reason for, or a failure
// of Flink's own. All that is set must hold.
type difference struct {
	reason string
	text   *regexp.Regexp // of the expression; its first group is the operand
	typ    *regexp.Regexp // fsql's type
	ours   *regexp.Regexp // every differing value of fsql, or its refusal
	flink  *regexp.Regexp // every differing value of Flink, or its refusal
	rows   func(b *book, q zoned, operand string, row int) bool
}

// intended names the reason of a difference that is meant, or "".
func (b *book) intended(q zoned, ours, flink answer) string {
	for _, d := range differences() {
		if b.explains(d, q, ours, flink) {
			return d.reason
		}
	}
	return ""
}

func (b *book) explains(d difference, q zoned, ours, flink answer) bool {
	operand := ""
	if d.text != nil {
		m := d.text.FindStringSubmatch(bare(q.text))
		if m == nil {
			return false
		}
		if len(m) > 1 {
			operand = m[1]
		}
	}
	if d.typ != nil && !d.typ.MatchString(ours.Type) {
		return false
	}
	if ours.Err != "" || flink.Err != "" {
		return d.rows == nil && (d.ours != nil || d.flink != nil) && refusal(d.ours, ours) && refusal(d.flink, flink)
	}
	if ours.Type != flink.Type {
		return false
	}
	for _, i := range differing(ours, flink) {
		if d.ours != nil && !d.ours.MatchString(ours.Cells[i]) || d.flink != nil && !d.flink.MatchString(flink.Cells[i]) ||
			d.rows != nil && !d.rows(b, q, operand, i) {
			return false
		}
	}
	return true
}

// refusal tells whether an engine refuses with the words, or answers where
// none are wanted.
func refusal(words *regexp.Regexp, a answer) bool {
	if words == nil {
		return a.Err == ""
	}
	return a.Err != "" && words.MatchString(a.Err)
}

// bare takes off the parentheses that stand around an operand.
func bare(text string) string {
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && enclosed("X"+text) {
		text = text[1 : len(text)-1]
	}
	return text
}

// before1970 tells whether the operand is a time before 1970 on the local clock.
func before1970(b *book, q zoned, operand string, row int) bool {
	return b.isTrue(q.zone, "CAST("+operand+" AS TIMESTAMP(9)) < TIMESTAMP '1970-01-01 00:00:00'", row)
}

// offUTC tells whether the operand is an instant in a zone other than UTC.
func offUTC(b *book, q zoned, operand string, row int) bool {
	a := b.engine.ask(zoned{q.zone, operand})
	return q.zone != "UTC" && strings.HasPrefix(a.Type, "TIMESTAMP_LTZ")
}

// fraction tells whether the operand has digits below the millisecond.
func fraction(b *book, q zoned, operand string, row int) bool {
	return b.isTrue(q.zone, "CAST("+operand+" AS TIMESTAMP(9)) <> CAST("+operand+" AS TIMESTAMP(3))", row)
}

// nan tells whether a column that the expression reads is NaN in the row, or a
// part of it can be.
func nan(b *book, q zoned, _ string, row int) bool {
	for _, c := range []string{"f", "d"} {
		if regexp.MustCompile(`\b`+c+`\b`).MatchString(q.text) && b.isTrue("UTC", c+" <> "+c, row) {
			return true
		}
	}
	return regexp.MustCompile(`\b(SQRT|LN|LOG|LOG2|LOG10|ASIN|ACOS|POWER|SIN|COS|TAN|COT|ad)\b`).MatchString(q.text)
}

func (b *book) isTrue(zone, condition string, row int) bool {
	a := b.engine.ask(zoned{zone, condition})
	return row < len(a.Cells) && a.Cells[row] == "=TRUE"
}

// itself tells a comparison of an expression with itself.
func itself(_ *book, q zoned, _ string, _ int) bool {
	text := bare(q.text)
	for _, op := range []string{" = ", " <> ", " >= ", " <= ", " < ", " > ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ", ", "} {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "NULLIF("), ")")
		if at := strings.Index(text, op); at >= 0 && strings.Trim(text[:at], "(+)") == strings.Trim(text[at+len(op):], "(+)") {
			return true
		}
	}
	return false
}

// onRows tells a comparison of rows with NULL fields.
func onRows(b *book, q zoned, _ string, row int) bool {
	left, _, _ := strings.Cut(bare(q.text), " IS ")
	a := b.engine.ask(zoned{q.zone, left})
	return strings.HasPrefix(a.Type, "ROW<") || strings.HasPrefix(a.Type, "STRUCTURED<")
}

// sameElements tells arrays that differ in the order of their elements only.
func sameElements(b *book, q zoned, _ string, row int) bool {
	parts := func(cell string) []string {
		s := strings.Split(strings.Trim(cell, "=[]"), ", ")
		slices.Sort(s)
		return s
	}
	return slices.Equal(parts(b.ours[q].Cells[row]), parts(b.flink[q].Cells[row]))
}

// differences are those of docs/differences.md that random expressions meet,
// the most special first.
func differences() []difference {
	re := regexp.MustCompile
	const itsOwn = "Flink fails by a defect of its own"
	return []difference{
		{reason: "constants that are NaN or infinite fail in Flink's planner", flink: re(`Infinite or NaN`)},
		{reason: itsOwn, flink: re(`cannot be cast to class org.apache.calcite|Table program cannot be compiled|Unsupported call: |Incomparable types: TIME|length must be between 1 and|Error while applying rule|` +
			`Unsupported casting from|divisionComparable|Mismatch of function's argument data type|Invalid type for call|Code generated|StackOverflow|NullPointerException|ClassCastException|AssertionError|Zero-length character|Encountered "\("`)},
		{reason: "times beyond the years 1 to 9999", flink: re(`Year out of range|Hour out of range|\*00\*|Invalid date|Cannot reduce|out of range`), typ: re(`DATE|TIME|BOOLEAN|BIGINT|INT|STRING|CHAR`)},
		{reason: "the numbers of an IN list are narrowed to the type of the value", text: re(`\bIN \(`), typ: re(`BOOLEAN`), ours: re(`^=(FALSE|TRUE)$`), flink: re(`^(=TRUE|=FALSE|NULL)$`)},
		{reason: "the numbers of an IN list are narrowed to the type of the value", text: re(`\bIN \(`), typ: re(`BOOLEAN`), flink: re(`Job failed`)},
		{reason: "TRY_CAST of NaN and infinity to DECIMAL fails in Flink", text: re(`^TRY_CAST\(`), typ: re(`DECIMAL`), flink: re(`Job failed`)},
		{reason: "NULL fields of a ROW are compared as -1 by IS DISTINCT FROM", text: re(`\bIS (NOT )?DISTINCT FROM\b`), rows: onRows},
		{reason: "SIGN, TRUNCATE and ROUND of TINYINT and SMALLINT do not compile in Flink", text: re(`^(?:SIGN|TRUNCATE|ROUND)\(`), typ: re(`^(TINYINT|SMALLINT)`), flink: re(`.`)},
		{reason: "GREATEST and LEAST of different number types fail at NULL in Flink", text: re(`^(?:GREATEST|LEAST)\(`), flink: re(`Job failed`)},
		{reason: "TRY_PARSE_JSON with a flag that is NULL fails in Flink", text: re(`TRY_PARSE_JSON\(.*, `), flink: re(`Job failed`)},
		{reason: "ELT takes no number but INT in Flink", text: re(`^ELT\(`), flink: re(`Job failed`)},
		{reason: "ELT takes no number but INT in Flink", text: re(`^ELT\(`), ours: re(`positions begin at 1`)},
		{reason: "MAP_UNION of a NULL key fails in Flink", text: re(`MAP_UNION\(MAP\[`), flink: re(`Job failed`)},
		{reason: "times beyond the years 1 to 9999", text: re(`9999.*OVERLAPS|OVERLAPS.*9999`)},
		{reason: "OVERLAY with a length near 2147483647 fails in Flink", text: re(`^OVERLAY\(.* FOR `), flink: re(`Job failed`)},
		{reason: "trimming a trimmed text fails in Flink, or trims nothing", text: re(`^[LRB]?TRIM\(.*[LRB]?TRIM\(`)},
		{reason: "trimming a trimmed text fails in Flink, or trims nothing", text: re(`^[LRB]?TRIM\(.*[LRB]?TRIM\(`), flink: re(`.`)},
		{reason: "trimming a trimmed text fails in Flink, or trims nothing", text: re(`TRIM\(`), flink: re(`Job failed`)},
		{reason: "an operand that fails beside one that is NULL", flink: re(`Job failed`), ours: nil, text: re(`BITMAP_FROM_BYTES|[<>]=? \(?n\b|MAP_UNION|MAP_FROM_ARRAYS`)},
		{reason: "an index that is no position is refused, though another operand is NULL", ours: re(`begins at 1`), flink: nil},
		{reason: "TYPEOF of an operand whose evaluation fails, or of an empty text within", text: re(`^TYPEOF\(`), flink: re(`Job failed`)},
		{reason: "TYPEOF of an operand whose evaluation fails, or of an empty text within", text: re(`^TYPEOF\(`), ours: re(`CHAR\(0\)`), flink: re(`^NULL$`)},
		{reason: "a FLOAT constant has seven digits in Flink", text: re(`^CAST\(.* AS FLOAT\)$`), typ: re(`FLOAT`)},
		{reason: "a NULL of a pattern that is none is lost", text: re(`REGEXP_REPLACE\(`), ours: re(`^NULL$`), flink: re(`^=$`)},
		{reason: "TRUNCATE of a DECIMAL to tens loses its scale", text: re(`^TRUNCATE\(`), typ: re(`DECIMAL`)},
		{reason: "a CEIL of a CEIL to the same unit is one CEIL in Flink", text: re(`^CEIL\(CEIL\(`)},
		{reason: "digits beyond the precision of a type", text: re(`TO_TIMESTAMP_LTZ\(.*, [457]\)`), ours: re(`0$`)},
		{reason: "days before 1582 by the Julian calendar", text: re(`'000\d-|'0[0-9]{3}-`)},
		{reason: "JSON_QUOTE breaks characters beyond 16 bits", text: re(`JSON_QUOTE\(`), ours: re(`ud83d`)},
		{reason: "intervals beyond 2^31 days or months print badly in Flink", ours: re(`is no INTERVAL`), flink: nil},
		{reason: "EXTRACT of a unit that a TIME has not, of a constant NULL", ours: re(`cannot be applied to an argument of type TIME`), flink: nil},
		{reason: "a text that is no number of the other operand's type", ours: re(`constant-failure`), flink: nil},
		{reason: "times beyond the years 1 to 9999", ours: re(`(^|[=\[( ])-?\d*(0000|-\d{3,4}|\d{5,})-\d\d`)},
		{reason: "times beyond the years 1 to 9999", flink: re(`(^|[=\[( ])000\d-\d\d`)},
		{reason: "a FLOAT constant has seven digits in Flink", text: re(`CAST\('?[-+0-9.E]+'? AS FLOAT\)`), typ: re(`FLOAT|DOUBLE|DECIMAL|INT|STRING|CHAR`)},
		{reason: "a value compared with itself, and NOT of a comparison with NaN", rows: itself},
		{reason: "a value compared with itself, and NOT of a comparison with NaN", typ: re(`BOOLEAN`), rows: nan},
		{reason: "a value compared with itself, and NOT of a comparison with NaN", text: re(`^(?:NULLIF|CASE|IF)\b`), rows: nan},
		{reason: "ARRAY_SORT has no order for NaN and reverses equal elements", text: re(`^ARRAY_SORT\(`), typ: re(`DOUBLE|FLOAT`)},
		{reason: "BITMAP_BUILD takes NULL for 0 among SMALLINTs and TINYINTs", text: re(`^BITMAP_BUILD\(ARRAY`), flink: re(`\{0`)},
		{reason: "a missing element of a NOT NULL type is -1, blank or false in Flink", text: re(`\]$`), ours: re(`^NULL$`)},
		{reason: "the entries of a map have no order", text: re(`^(?:MAP_ENTRIES|MAP_KEYS|MAP_VALUES)\(`), rows: sameElements},
		{reason: "an interval plus an interval that is NULL is -1", typ: re(`^INTERVAL`), ours: re(`^NULL$`), flink: re(`^=-0( 00:00:00.001|-01)$`)},
		{reason: "intervals beyond 2^31 days or months print badly in Flink", typ: re(`^INTERVAL`), ours: re(`\d{8,}`)},
		{reason: "the epoch of a TIMESTAMP_LTZ has no zone", text: re(`^EXTRACT\(EPOCH FROM (.*)\)$`), rows: offUTC},
		{reason: "parts of times before 1970", text: re(`^(?:EXTRACT\(\w+ FROM |(?:YEAR|QUARTER|MONTH|WEEK|DAYOFYEAR|DAYOFMONTH|DAYOFWEEK|HOUR|MINUTE|SECOND)\()(.*)\)$`), rows: before1970},
		{reason: "units of times before 1970", text: re(`^(?:FLOOR|CEIL)\((.*) TO \w+\)$`), rows: before1970},
		{reason: "FLOOR and CEIL of a TIMESTAMP_LTZ use the offset of the operand", text: re(`^(?:FLOOR|CEIL)\((.*) TO \w+\)$`), rows: offUTC},
		{reason: "CEIL does not see digits below the millisecond", text: re(`^CEIL\((.*) TO \w+\)$`), rows: fraction},
		{reason: "TO_DATE of a text that does not fit its pattern", text: re(`^TO_DATE\(.*, `), ours: re(`^NULL$`)},
		{reason: "text of a short DECIMAL", text: re(`CAST\(.* AS DECIMAL`), ours: re(`bad-value`), flink: nil},
		{reason: "text of a short DECIMAL", text: re(`CAST\(.* AS DECIMAL`), ours: re(`^NULL$`)},
	}
}
