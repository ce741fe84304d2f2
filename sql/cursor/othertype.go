package cursor

import (
	"strings"

	"fsql/internal/diag"
	"fsql/sql/lex"
)

// otherTypes are types of other dialects and what stands for them; what is in
// parentheses or brackets behind the type takes the place of (..) and <..>.
var otherTypes = map[string]string{
	"TEXT": "STRING", "TINYTEXT": "STRING", "MEDIUMTEXT": "STRING", "LONGTEXT": "STRING", "NTEXT": "STRING", "CLOB": "STRING",
	"JSON": "STRING", "JSONB": "STRING", "UUID": "STRING", "UNIQUEIDENTIFIER": "STRING", "ENUM": "STRING", "XML": "STRING",
	"NVARCHAR": "VARCHAR(..)", "VARCHAR2": "VARCHAR(..)", "NVARCHAR2": "VARCHAR(..)", "NCHAR": "CHAR(..)", "BPCHAR": "CHAR(..)",
	"BLOB": "BYTES", "TINYBLOB": "BYTES", "MEDIUMBLOB": "BYTES", "LONGBLOB": "BYTES", "BYTEA": "BYTES", "IMAGE": "BYTES",
	"BOOL": "BOOLEAN", "BIT": "BOOLEAN",
	"BYTE": "TINYINT", "SHORT": "SMALLINT", "MEDIUMINT": "INT", "LONG": "BIGINT", "HUGEINT": "DECIMAL(38, 0)",
	"INT2": "SMALLINT", "INT4": "INT", "INT8": "BIGINT", "INT16": "SMALLINT", "INT32": "INT", "INT64": "BIGINT", "INT128": "DECIMAL(38, 0)",
	"UINT8": "SMALLINT", "UINT16": "INT", "UINT32": "BIGINT", "UINT64": "DECIMAL(20, 0)",
	"SERIAL": "INT", "SMALLSERIAL": "SMALLINT", "BIGSERIAL": "BIGINT",
	"REAL": "FLOAT", "FLOAT4": "FLOAT", "FLOAT8": "DOUBLE", "FLOAT32": "FLOAT", "FLOAT64": "DOUBLE",
	"NUMBER": "DECIMAL(..)", "BIGNUMERIC": "DECIMAL(..)", "BIGDECIMAL": "DECIMAL(..)", "MONEY": "DECIMAL(19, 4)", "SMALLMONEY": "DECIMAL(10, 4)",
	"DATETIME": "TIMESTAMP(3)", "DATETIME2": "TIMESTAMP(3)", "SMALLDATETIME": "TIMESTAMP(0)", "TIMESTAMP_NTZ": "TIMESTAMP(3)",
	"TIMESTAMPTZ": "TIMESTAMP_LTZ(3)", "TIMESTAMP_TZ": "TIMESTAMP_LTZ(3)", "TIMESTAMPLTZ": "TIMESTAMP_LTZ(3)", "DATETIMEOFFSET": "TIMESTAMP_LTZ(3)",
	"TIMETZ": "TIME", "STRUCT": "ROW<..>", "RECORD": "ROW<..>", "LIST": "ARRAY<..>",
}

// otherType is Flink's type for one of another dialect, "" for other words.
// The next token is the type.
func (c *Cursor) otherType(word string) string {
	here := otherTypes[word]
	name, marks, _ := strings.Cut(here, "..")
	if marks == "" {
		return here
	}
	open, end := name[len(name)-1:], marks
	if inside := c.between(c.At+1, open, end); inside != "" {
		return name + inside + end
	}
	switch here {
	case "ROW<..>":
		return "ROW<a INT, b STRING>"
	case "ARRAY<..>":
		return "ARRAY<STRING>"
	case "DECIMAL(..)":
		return "DECIMAL(38, 10)"
	}
	return "STRING"
}

// between is the text inside a pair of marks that begins at a token, "" if
// none does.
func (c *Cursor) between(at int, open, end string) string {
	if at >= len(c.Src.Tokens) || !c.Src.Tokens[at].Is(open) {
		return ""
	}
	depth := 0
	for i := at; i < len(c.Src.Tokens) && !c.Src.Tokens[i].Is(";"); i++ {
		switch t := c.Src.Tokens[i]; {
		case t.Is(open):
			depth++
		case t.Is(end):
			if depth--; depth == 0 {
				return c.Src.Text[c.Src.Tokens[at].End:t.Start]
			}
		}
	}
	return ""
}

// inside is the text in the parentheses that begin at the next token.
func (c *Cursor) inside() string {
	if text := c.between(c.At, "(", ")"); text != "" {
		return text
	}
	return "STRING"
}

// noLength is the error for a length behind a type that has none: INT(11).
func (c *Cursor) noLength(word lex.Token) *diag.Error {
	e := diag.New(diag.OtherDialect, c.From(word.Start).Join(c.Tok().Span()), "%s has no length in Flink SQL", word.Text)
	if end := c.Src.Match(c.At); end > 0 {
		e.Span.End = c.Src.Tokens[end].End
	}
	switch word.Key {
	case "STRING":
		return e.WithHint("write VARCHAR(%s)", c.inside())
	case "BYTES":
		return e.WithHint("write VARBINARY(%s)", c.inside())
	case "FLOAT":
		return e.WithHint("write FLOAT or DOUBLE")
	}
	return e.WithHint("remove (%s)", c.inside())
}
