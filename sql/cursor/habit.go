package cursor

import (
	"fmt"
	"slices"

	"fsql/sql/lex"
)

// habit is what to do about a spelling of another dialect at the next token,
// where the grammar expected something else; "" for all that is no known habit.
// The advice is what the user writes, or leaves out, in Flink's spelling.
func (c *Cursor) habit(expected []string) string {
	t, before := c.Tok(), c.Prev()
	word, last := lex.Upper(t.Text), lex.Upper(before.Text)
	switch {
	case c.At > 1 && t.Is("(") && (last == "TUMBLING" || last == "HOPPING" || last == "SESSION") && lex.Upper(c.Peek(-2).Text) == "WINDOW":
		return "write FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE); GROUP BY window_start, window_end follows"
	case t.Kind == lex.Symbol:
		return symbolHabit(t, before, c.Peek(1))
	case t.Kind != lex.Word:
		return ""
	}
	in := func(what string) bool { return slices.Contains(expected, what) }
	switch {
	case (last == "ORDER" || last == "GROUP" || last == "PARTITION") && in("BY"):
		return "write " + last + " BY"
	case in("WHERE") && (last == "ORDERBY" || last == "GROUPBY"):
		return "write " + last[:5] + " BY"
	case word == "ISNULL" || word == "NOTNULL":
		return map[string]string{"ISNULL": "write IS NULL", "NOTNULL": "write IS NOT NULL"}[word]
	case last == "DIV":
		return "write /: the quotient of whole numbers is whole"
	case word == "LATERAL" && lex.Upper(c.Peek(1).Text) == "VIEW":
		return "write CROSS JOIN UNNEST(array) AS x (y)"
	case last == "COLUMNS" && in("FROM"):
		return "write SHOW COLUMNS FROM " + t.Text
	case last == "BEGIN" && in("STATEMENT"):
		return "remove BEGIN " + word + ": Flink has no transactions"
	case word == "EMIT" && lex.Upper(c.Peek(1).Text) == "ON", last == "EMIT" && word == "ON":
		return "remove EMIT ON WINDOW CLOSE: a window of Flink gives its rows when it ends"
	case word == "EMIT", last == "EMIT":
		return "remove EMIT CHANGES: a query of Flink gives all its changes"
	case last == "IF" && word == "EXISTS" && c.first().Key == "CREATE":
		return "write IF NOT EXISTS"
	case in("PARTITIONED BY"):
		return tableHabit(word)
	case in("')'") && c.declares():
		return columnHabit(word)
	case (word == "CASCADE" || word == "RESTRICT") && in("';'"):
		return "remove " + word
	case word == "RETURNING" && in("';'"):
		return "remove RETURNING: a job that fills a table gives no rows back"
	case last == "ON" && word == "DUPLICATE":
		return "remove ON DUPLICATE KEY UPDATE: in a table with a PRIMARY KEY rows replace those of the same key"
	case LooksUnit(t) && (before.Kind == lex.Number || before.Kind == lex.String):
		return fmt.Sprintf("write INTERVAL '%s' %s", before.Text, unitOf(t))
	case in("';'") && slices.Contains(starts[:], t.Key):
		return "if a new statement begins here, end the one before with ';'"
	}
	return ""
}

// symbolHabit is about operators.
func symbolHabit(t, before, behind lex.Token) string {
	switch t.Text {
	case "=":
		if before.Is("+") || before.Is("-") {
			return "Flink has no assignment: write a " + before.Text + " b"
		}
	case ":":
		if before.Kind == lex.Word && LooksTypeName(behind) {
			return "write " + before.Text + " " + behind.Text
		}
	case "|":
		return "Flink has no bit operators; write || between texts, OR between conditions"
	case "^":
		a, b := before.Text, behind.Text
		if before.Kind != lex.Word && before.Kind != lex.Number || behind.Kind != lex.Word && behind.Kind != lex.Number {
			a, b = "a", "b"
		}
		return "write POWER(" + a + ", " + b + "): Flink has no operator for powers and none for bits"
	case "[":
		if before.Kind == lex.Word && slices.Contains(typeNames, before.Key) {
			return "write ARRAY<" + before.Key + ">"
		}
	case "?":
		return "Flink has no parameters in SQL: write the value; for a choice write IF(condition, a, b)"
	case "*":
		if before.Is("*") {
			return "write POWER(a, b)"
		}
	}
	return ""
}

// tableHabit is about what other systems write behind the columns of a table.
func tableHabit(word string) string {
	switch word {
	case "PARTITION":
		return "write PARTITIONED BY"
	case "CLUSTER", "CLUSTERED", "DISTRIBUTE":
		return "write DISTRIBUTED BY"
	case "ENGINE", "TYPE", "STORED", "USING", "LOCATION", "ROW", "TBLPROPERTIES", "OPTIONS", "CHARSET", "DEFAULT", "COLLATE", "TABLESPACE",
		"FROM", "FORMAT", "ORDER", "SETTINGS":
		return "write WITH ('connector' = 'filesystem', 'path' = 'folder', 'format' = 'json'): options take the place of " + word
	}
	return ""
}

// columnHabit is about what other systems write behind the type of a column.
func columnHabit(word string) string {
	switch word {
	case "AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "GENERATED":
		return "remove " + word + ": Flink makes no numbers; UUID() in the query makes a key"
	case "UNSIGNED", "ZEROFILL", "SIGNED":
		return "remove " + word + ": all numbers have a sign, and the next larger type has room for them"
	case "REFERENCES":
		return "remove REFERENCES: Flink has no foreign keys"
	case "CHECK":
		return "remove CHECK: a WHERE in the query that fills the table keeps rows out"
	case "COLLATE", "CHARACTER", "CHARSET":
		return "remove " + word + ": texts are UTF-8 and compared by their bytes"
	case "ENCODE", "CODEC", "ON", "VISIBLE", "INVISIBLE":
		return "remove " + word
	}
	return ""
}

// first is the token that begins the statement.
func (c *Cursor) first() lex.Token { return c.Src.Tokens[c.begin()] }

func (c *Cursor) begin() int {
	at := c.At
	for at > 0 && !c.Src.Tokens[at-1].Is(";") {
		at--
	}
	return at
}

// declares tells whether the next token stands among the columns of a CREATE
// TABLE.
func (c *Cursor) declares() bool {
	if c.first().Key != "CREATE" {
		return false
	}
	begin := c.begin()
	for i := begin + 1; i < min(begin+4, c.At); i++ {
		if c.Src.Tokens[i].Key == "TABLE" {
			return true
		}
	}
	return false
}

// LooksTypeName tells whether a token is the name of a type.
func LooksTypeName(t lex.Token) bool {
	return t.Kind == lex.Word && slices.Contains(typeNames, lex.Upper(t.Text))
}
