package cursor

import (
	"strconv"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
	"fsql/types"
)

// Type takes a type with its NULL or NOT NULL, as in a column or inside
// another type.
func (c *Cursor) Type() (ast.TypeName, error) {
	start := c.Tok().Start
	t, err := c.column()
	return ast.TypeName{At: ast.At{Pos: c.From(start)}, Type: t}, err
}

// CastType takes the target of a cast: intervals are types here, NOT NULL is
// not written, and the elements of `t ARRAY` are NOT NULL (Flink; in columns
// they are not).
func (c *Cursor) CastType() (ast.TypeName, error) {
	start := c.Tok().Start
	name := func(t types.Type) ast.TypeName { return ast.TypeName{At: ast.At{Pos: c.From(start)}, Type: t} }
	if c.Take("INTERVAL") {
		q, err := c.IntervalQualifier()
		return name(q.Type()), err
	}
	t, err := c.base()
	if err != nil {
		return ast.TypeName{}, err
	}
	for c.LooksAny("ARRAY", "MULTISET") {
		t = collection(c.Next().Key, t.NotNull())
	}
	if c.Looks("NOT", "NULL") {
		return ast.TypeName{}, c.Unexpected("')'").WithHint("the target of a cast is written without NOT NULL")
	}
	return name(t), nil
}

// column takes a type, the suffixes ARRAY and MULTISET, and NULL or NOT NULL.
func (c *Cursor) column() (types.Type, error) {
	if err := c.Enter(); err != nil {
		return types.Type{}, err
	}
	defer c.Leave()
	t, err := c.base()
	if err != nil {
		return t, err
	}
	for {
		if c.Take("NOT", "NULL") {
			t = t.NotNull()
		} else {
			c.Take("NULL")
		}
		if !c.LooksAny("ARRAY", "MULTISET") {
			return t, nil
		}
		t = collection(c.Next().Key, t)
	}
}

func collection(kind string, elem types.Type) types.Type {
	t := types.ArrayOf(elem)
	if kind == "MULTISET" {
		t.Kind = types.Multiset
	}
	return t
}

// base takes a type without suffixes.
func (c *Cursor) base() (types.Type, error) {
	t := c.Tok()
	if t.Kind != lex.Word {
		return types.Type{}, c.noType(t)
	}
	switch t.Key {
	case "ARRAY", "MULTISET":
		c.Next()
		elem, err := c.angled(1)
		if err != nil {
			return types.Type{}, err
		}
		return collection(t.Key, elem[0]), nil
	case "MAP":
		c.Next()
		kv, err := c.angled(2)
		if err != nil {
			return types.Type{}, err
		}
		return types.MapOf(kv[0], kv[1]), nil
	case "ROW":
		c.Next()
		return c.row()
	case "DECIMAL", "DEC", "NUMERIC":
		c.Next()
		return c.decimal()
	case "CHAR", "CHARACTER":
		c.Next()
		if c.Take("VARYING") {
			return c.lengthOf(types.VarChar)
		}
		return c.lengthOf(types.Char)
	case "VARCHAR":
		c.Next()
		return c.lengthOf(types.VarChar)
	case "BINARY":
		c.Next()
		if c.Take("VARYING") {
			return c.lengthOf(types.VarBinary)
		}
		return c.lengthOf(types.Binary)
	case "VARBINARY":
		c.Next()
		return c.lengthOf(types.VarBinary)
	case "DOUBLE":
		c.Next()
		c.Take("PRECISION")
		return types.Of(types.Double), nil
	case "TIME", "TIMESTAMP", "TIMESTAMP_LTZ":
		c.Next()
		return c.timeType(t)
	case "STRUCTURED":
		c.Next()
		return c.structured()
	case "RAW":
		return types.Type{}, diag.New(diag.NotImplemented, t.Span(), "RAW types are for user functions, which fsql does not have yet")
	}
	if k, ok := simple[t.Key]; ok {
		c.Next()
		if c.Tok().Is("(") {
			return types.Type{}, c.noLength(t)
		}
		return types.Of(k), nil
	}
	return types.Type{}, c.noType(t)
}

// simple are the types of one word and no parameter.
var simple = map[string]types.Kind{
	"BOOLEAN": types.Boolean, "TINYINT": types.TinyInt, "SMALLINT": types.SmallInt, "INT": types.Int, "INTEGER": types.Int,
	"BIGINT": types.BigInt, "FLOAT": types.Float, "STRING": types.VarChar, "BYTES": types.VarBinary, "DATE": types.Date,
	"VARIANT": types.Variant, "BITMAP": types.Bitmap,
}

// typeNames are offered for misspelt ones.
var typeNames = []string{"BOOLEAN", "TINYINT", "SMALLINT", "INT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL", "NUMERIC", "CHAR",
	"VARCHAR", "STRING", "BINARY", "VARBINARY", "BYTES", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "ARRAY", "MAP", "MULTISET",
	"ROW", "VARIANT", "BITMAP"}

// noType is the error that no type stands at the next token.
func (c *Cursor) noType(t lex.Token) *diag.Error {
	switch {
	case t.Key == "INTERVAL":
		return diag.New(diag.Syntax, t.Span(), "INTERVAL is no type of a column").
			WithHint("keep a number, such as BIGINT milliseconds, and write INTERVAL in the query")
	case t.Kind != lex.Word || lex.IsReserved(t.Key) && c.otherType(t.Key) == "":
		return c.Unexpected("a type")
	}
	if other := c.otherType(lex.Upper(t.Text)); other != "" {
		return diag.New(diag.OtherDialect, t.Span(), "%s is no type of Flink SQL", t.Text).WithHint("write %s", other)
	}
	e := diag.New(diag.Syntax, t.Span(), "'%s' is no type", t.Text)
	if near := diag.Nearest(t.Text, typeNames); near != "" {
		return e.WithLabel("did you mean %s?", near)
	}
	return e.WithHint("types are %s", Either(typeNames))
}

// angled takes <a, b> with n types.
func (c *Cursor) angled(n int) ([]types.Type, error) {
	if word := c.Prev().Key; c.Tok().Is("(") {
		return nil, c.Unexpected("'<'").WithHint("write %s<%s>", word, c.inside())
	}
	if err := c.WantSymbol("<"); err != nil {
		return nil, err
	}
	list := make([]types.Type, n)
	for i := range list {
		if i > 0 {
			if c.Tok().Is(">") {
				return nil, c.Unexpected("','").WithHint("a MAP has a type of keys and one of values: write MAP<STRING, %s>", list[0].Short())
			}
			if err := c.WantSymbol(","); err != nil {
				return nil, err
			}
		}
		var err error
		if list[i], err = c.column(); err != nil {
			return nil, err
		}
	}
	return list, c.WantSymbol(">")
}

// structured takes the rest of STRUCTURED<'class', a INT, ...>.
func (c *Cursor) structured() (types.Type, error) {
	t := types.RowOf()
	if err := c.WantSymbol("<"); err != nil {
		return t, err
	}
	if c.Tok().Kind != lex.String {
		return t, c.Unexpected("the name of a class in quotes").WithHint("write STRUCTURED<'com.example.Person', name STRING>")
	}
	t.Class = c.Next().Text
	if c.TakeSymbol(">") {
		return t, nil
	}
	if !c.TakeSymbol(",") {
		return t, c.Unexpected("','", "'>'")
	}
	return c.fields(t, ">")
}

// row takes the fields of ROW<a INT 'comment', ...> or ROW(...).
func (c *Cursor) row() (types.Type, error) {
	t := types.RowOf()
	if c.TakeSymbol("<>") {
		return t, nil
	}
	end := ">"
	if c.TakeSymbol("(") {
		end = ")"
	} else if !c.TakeSymbol("<") {
		return t, c.Unexpected("'<'", "'('")
	}
	if c.TakeSymbol(end) {
		return t, nil
	}
	return c.fields(t, end)
}

// fields takes the fields of a ROW and what closes it.
func (c *Cursor) fields(t types.Type, end string) (types.Type, error) {
	seen := map[string]bool{}
	for {
		name, err := c.Name("the name of a field")
		if err != nil {
			return t, err
		}
		if seen[name.Text] {
			return t, diag.New(diag.DuplicateName, name.Span(), "the row has two fields named %s", name.Text)
		}
		seen[name.Text] = true
		ft, err := c.column()
		if err != nil {
			return t, err
		}
		f := types.Field{Name: name.Text, Type: ft}
		if c.Tok().Kind == lex.String {
			f.Comment = c.Next().Text
		}
		t.Fields = append(t.Fields, f)
		if c.TakeSymbol(end) {
			return t, nil
		}
		if !c.TakeSymbol(",") {
			return t, c.Unexpected("','", "'"+end+"'")
		}
	}
}

// decimal takes [(p [, s])]. A precision above 38 is taken as 38 (Flink).
func (c *Cursor) decimal() (types.Type, error) {
	t := types.Of(types.Decimal)
	start := c.Tok().Start
	if !c.TakeSymbol("(") {
		return t, nil
	}
	p, err := c.Count("the precision")
	if err != nil {
		return t, err
	}
	s := int32(0)
	if c.TakeSymbol(",") {
		if s, err = c.Count("the scale"); err != nil {
			return t, err
		}
	}
	if err := c.WantSymbol(")"); err != nil {
		return t, err
	}
	if p == 0 {
		return t, diag.New(diag.BadLiteral, c.From(start), "the precision of DECIMAL is between 1 and 38")
	}
	p = min(p, 38)
	if s > p {
		return t, diag.New(diag.BadLiteral, c.From(start), "the scale of DECIMAL is between 0 and its precision %d", p)
	}
	return types.DecimalOf(p, s), nil
}

// lengthOf takes [(n)] of a text or bytes.
func (c *Cursor) lengthOf(k types.Kind) (types.Type, error) {
	t := types.Of(k)
	n, ok, err := c.parameter("the length")
	if ok {
		t.Length = n
	}
	return t, err
}

// timeType takes the rest of TIME, TIMESTAMP and TIMESTAMP_LTZ. Digits beyond
// what Flink keeps are cut off: 3 for TIME, 9 for the others.
func (c *Cursor) timeType(word lex.Token) (types.Type, error) {
	kind, most := types.Timestamp, int32(9)
	switch word.Key {
	case "TIME":
		kind, most = types.TimeOfDay, 3
	case "TIMESTAMP_LTZ":
		kind = types.TimestampLTZ
	}
	t := types.Of(kind)
	p, ok, err := c.parameter("the precision")
	if err != nil {
		return t, err
	}
	if ok {
		t.Precision = min(p, most)
	}
	if kind == types.TimestampLTZ {
		return t, nil
	}
	switch {
	case c.Take("WITHOUT", "TIME", "ZONE"):
	case kind == types.Timestamp && c.Take("WITH", "LOCAL", "TIME", "ZONE"):
		t.Kind = types.TimestampLTZ
	case c.Looks("WITH", "TIME", "ZONE"):
		return t, diag.New(diag.Syntax, c.From(word.Start).Join(c.Peek(2).Span()), "Flink has no %s WITH TIME ZONE", word.Key).
			WithHint("TIMESTAMP_LTZ(3) holds an instant, shown in the zone of the session")
	}
	return t, nil
}

// parameter takes (n) if it follows.
func (c *Cursor) parameter(what string) (n int32, ok bool, err error) {
	if !c.TakeSymbol("(") {
		return 0, false, nil
	}
	if n, err = c.Count(what); err != nil {
		return 0, false, err
	}
	return n, true, c.WantSymbol(")")
}

// Count takes a whole number without sign that fits 32 bits.
func (c *Cursor) Count(what string) (int32, error) {
	t := c.Tok()
	if t.Kind != lex.Number {
		return 0, c.Unexpected(what)
	}
	n, err := strconv.ParseInt(t.Text, 10, 32)
	if err != nil {
		return 0, diag.New(diag.BadLiteral, t.Span(), "%s is a whole number up to 2147483647, not %s", what, t.Text)
	}
	c.Next()
	return int32(n), nil
}
