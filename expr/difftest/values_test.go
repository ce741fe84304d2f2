package difftest

// kind is a column type that expressions are made of; class names that stand
// for several kinds are in classes.
type kind string

// column of the table that all expressions read. Of its values, one per row,
// the first is NULL and at least half are NULL or edge values.
type column struct {
	name   string
	kind   kind
	sql    string
	values [6]any // as encoding/json writes them
}

// columns is the table. Texts that look like other things have kinds of their
// own, so that functions that read texts get some they can read.
func columns() []column {
	type v = [6]any
	null := any(nil)
	return []column{
		{"bo", "bool", "BOOLEAN", v{null, true, false, true, null, false}},
		{"bp", "bool", "BOOLEAN", v{null, false, null, true, true, false}},
		{"ti", "tiny", "TINYINT", v{null, -128, 127, 0, 1, 5}},
		{"si", "small", "SMALLINT", v{null, -32768, 32767, 0, -1, 7}},
		{"i", "int", "INT", v{null, -2147483648, 2147483647, 0, -1, 42}},
		{"j", "int", "INT", v{null, 1, 0, -7, null, 3}},
		{"k", "few", "INT", v{null, -1, 0, 1, 2, 5}},
		{"b", "big", "BIGINT", v{null, jsonNumber("-9223372036854775808"), jsonNumber("9223372036854775807"), 0, -1, 1234567890123}},
		{"f", "float", "FLOAT", v{null, "NaN", "Infinity", jsonNumber("-0.0"), 1.1, 3.25}},
		{"d", "double", "DOUBLE", v{null, "NaN", "-Infinity", jsonNumber("-0.0"), 0.1, jsonNumber("1.7976931348623157E308")}},
		{"g", "double", "DOUBLE", v{null, 1.5, -2.5, 0.0, 12345.678, jsonNumber("1E-10")}},
		{"dc", "decimal", "DECIMAL(10, 2)", v{null, jsonNumber("-99999999.99"), jsonNumber("99999999.99"), 0, jsonNumber("0.01"), jsonNumber("12.35")}},
		{"dd", "decimal", "DECIMAL(38, 18)", v{null, jsonNumber("99999999999999999999.999999999999999999"), jsonNumber("-99999999999999999999.999999999999999999"), jsonNumber("0.000000000000000001"), 1, jsonNumber("-1.5")}},
		{"de", "decimal", "DECIMAL(5, 0)", v{null, 99999, -99999, 0, 1, 250}},
		{"c", "char", "CHAR(3)", v{null, "abc", "", "  a", "äöü", "b  "}},
		{"v", "varchar", "VARCHAR(12)", v{null, "", "aXbXc", " ab ", "Ünïcödé", "a"}},
		{"s", "string", "STRING", v{null, "", "Hello World", "abc", "äbc-123_x", " a,b;c=d "}},
		{"z", "string", "STRING", v{null, "b", "", "%a_", null, "c"}},
		{"e", "wide", "STRING", v{null, "😀", "a😀b", "", "é", "x"}},
		{"n", "numtext", "STRING", v{null, "12", " -7.9 ", "0", "1e3", "x"}},
		{"td", "datetext", "STRING", v{null, "2024-02-29", "1969-12-31", "2023-2-9 ", "x", "9999-12-31"}},
		{"tt", "stamptext", "STRING", v{null, "2024-02-29 12:34:56.789", "1970-01-01 00:00:00", "9999-12-31 23:59:59", "x", "2023-03-26 02:30:00"}},
		{"js", "json", "STRING", v{null, `{"a": 1, "b": [1, null, "x"], "c": {"d": "y"}}`, `[1, 2.50, true, null, "t"]`, "", `"s"`, `{"a": null}`}},
		{"u", "url", "STRING", v{null, "http://user:pw@host.example:8080/p/q.html?a=1&b=2%20x#frag", "https://x/", "", "not a url", "file:///a/b?c"}},
		{"y", "bytes", "BYTES", v{null, "", "AAEC/w==", "YWJj", "w6Q=", "AA=="}},
		{"yb", "binary", "BINARY(3)", v{null, "AAEC", "YWJj", "////", "AAAA", "MTIz"}},
		{"da", "date", "DATE", v{null, "2024-02-29", "1970-01-01", "9999-12-31", "2023-12-31", "2024-03-31"}},
		{"db", "date", "DATE", v{null, "2024-03-01", "1969-12-31", "0001-01-01", "2020-06-15", null}},
		{"tm", "time", "TIME(0)", v{null, "00:00:00", "23:59:59", "12:34:56", "10:20:30", "01:00:00"}},
		{"tn", "time", "TIME(3)", v{null, "00:00:00.001", "23:59:59.999", "12:34:56.789", "10:20:30", null}},
		{"t0", "stamp", "TIMESTAMP(0)", v{null, "2024-02-29 23:59:59", "1970-01-01 00:00:00", "9999-12-31 23:59:59", "2024-03-31 02:30:00", "2024-10-27 02:30:00"}},
		{"t3", "stamp", "TIMESTAMP(3)", v{null, "2024-02-29 12:34:56.789", "1969-12-31 23:59:59.999", "1970-01-01 00:00:00.001", "2023-12-31 10:00:00", null}},
		{"t9", "stamp", "TIMESTAMP(9)", v{null, "2024-02-29 12:34:56.123456789", "2000-01-01 00:00:00", "2262-04-11 23:47:16.854775807", "1999-12-31 23:59:59.999999999", "2024-07-01 00:00:00.000001"}},
		{"l3", "local", "TIMESTAMP_LTZ(3)", v{null, "2024-02-29 12:34:56.789Z", "1970-01-01 00:00:00Z", "2024-03-31 01:00:00Z", "2024-10-27 00:30:00Z", "1969-12-31 23:59:59.999Z"}},
		{"l6", "local", "TIMESTAMP_LTZ(6)", v{null, "2024-02-29 23:30:00.123456Z", "9999-12-30 00:00:00Z", "2024-07-01 22:30:00Z", null, "2000-01-01 00:00:00Z"}},
		{"ai", "ints", "ARRAY<INT>", v{null, []any{}, []any{1, null, 2, 1}, []any{null}, []any{-2147483648, 2147483647, 0}, []any{3, 1, 2}}},
		{"aj", "ints", "ARRAY<INT>", v{null, []any{1}, []any{2, null}, []any{}, []any{0, 5}, []any{3, 3}}},
		{"ss", "strings", "ARRAY<STRING>", v{null, []any{}, []any{"b", nil, "", "a"}, []any{"x"}, []any{nil, nil}, []any{"a", "a", "b"}}},
		{"ad", "doubles", "ARRAY<DOUBLE>", v{null, []any{}, []any{1.5, nil, "NaN", -2.5}, []any{0.0, jsonNumber("-0.0")}, []any{jsonNumber("1E300")}, []any{2.0, 1.0}}},
		{"mi", "intmap", "MAP<STRING, INT>", v{null, obj{}, obj{"a": 1}, obj{"b": nil}, obj{"a": 2147483647, "": 0}, obj{"c": 3}}},
		{"ms", "textmap", "MAP<STRING, STRING>", v{null, obj{}, obj{"k": "v"}, obj{"a": nil}, obj{"": ""}, obj{"a": "1", "b": "2"}}},
		{"r", "row", "ROW<a INT, b STRING>", v{null, obj{"a": 1, "b": "x"}, obj{"a": nil, "b": nil}, obj{"a": 0, "b": ""}, obj{"a": -1, "b": nil}, obj{"a": 7, "b": "y"}}},
	}
}

// classes stand for several kinds in signatures.
func classes() map[string][]kind {
	whole := []kind{"tiny", "small", "int", "big"}
	text := []kind{"char", "varchar", "string"}
	number := append(append([]kind{}, whole...), "float", "double", "decimal")
	times := []kind{"date", "time", "stamp", "local"}
	plain := append(append(append([]kind{"bool"}, number...), text...), times...)
	return map[string][]kind{
		"whole":   whole,
		"exact":   append(append([]kind{}, whole...), "decimal"),
		"approx":  {"float", "double"},
		"number":  number,
		"text":    text,
		"numtext": {"numtext"},
		"times":   times,
		"stamps":  {"stamp", "local"},
		"dated":   {"date", "stamp", "local"},
		"clock":   {"time", "stamp", "local"},
		"array":   {"ints", "strings", "doubles"},
		"map":     {"intmap", "textmap"},
		"binary":  {"bytes", "binary"},
		"ordered": plain,
		"any":     append(append([]kind{}, plain...), "bytes", "ints", "strings", "doubles", "intmap", "textmap", "row"),
		"nested":  {"ints", "strings", "doubles", "intmap", "row"},
		"hashed":  append(append([]kind{"bool", "date"}, whole...), append([]kind{"decimal"}, text...)...),
	}
}

// typeOf is the SQL type of a typed NULL of a kind.
func typeOf(k kind) string {
	for _, c := range columns() {
		if c.kind == k {
			return c.sql
		}
	}
	switch k {
	case "months":
		return "INTERVAL MONTH"
	case "span":
		return "INTERVAL SECOND"
	case "bitmap":
		return "BITMAP"
	}
	return "STRING"
}

// literals are the edge values of a kind as they are written. The kinds that
// have no column are words: texts that mean something to one function.
func literals() map[kind][]string {
	return map[kind][]string{
		"bool":    {"TRUE", "FALSE"},
		"tiny":    {"CAST(127 AS TINYINT)", "CAST(-128 AS TINYINT)", "CAST(0 AS TINYINT)", "CAST(3 AS TINYINT)"},
		"small":   {"CAST(32767 AS SMALLINT)", "CAST(-32768 AS SMALLINT)", "CAST(0 AS SMALLINT)"},
		"int":     {"0", "1", "-1", "2147483647", "CAST(-2147483648 AS INT)", "7", "-10"},
		"few":     {"0", "1", "-1", "2", "3", "5", "10"},
		"nonzero": {"1", "-1", "2", "7", "-3", "CAST(3 AS SMALLINT)", "CAST(-5 AS BIGINT)", "2.5", "0.3"},
		"big":     {"9223372036854775807", "CAST(-1 AS BIGINT)", "CAST(0 AS BIGINT)", "10000000000", "CAST('-9223372036854775808' AS BIGINT)"},
		"float":   {"CAST(1.5 AS FLOAT)", "CAST(0 AS FLOAT)", "CAST(-2.25 AS FLOAT)", "CAST(1E10 AS FLOAT)"},
		"double":  {"0.0E0", "1.5E0", "-1E10", "1E308", "1E-310", "1E0", "0.1E0", "123456789.125E0"},
		"decimal": {"1.5", "0.00", "-12.345", "99999999999999999999.99", "CAST(1 AS DECIMAL(38, 18))", "0.000001", "2.5", "-0.5", "CAST(7 AS DECIMAL(38, 0))"},
		"char":    {"'a'", "''", "'abc'", "'ä'", "' x '", "'Ab'"},
		"varchar": {"CAST('abc' AS VARCHAR(5))", "CAST('' AS VARCHAR(3))", "CAST(' b' AS VARCHAR(2))"},
		"string":  {"CAST('' AS STRING)", "CAST('hello' AS STRING)", "CAST('a' AS STRING)", "CAST('ß' AS STRING)"},
		"wide":    {"'😀'", "'x😀y'"},
		"numtext": {"'12'", "'-0'", "'1.5'", "' 3 '", "'1e2'", "''", "'2147483648'", "'abc'", "'+7'", "'NaN'", "'.5'", "'5.'"},
		"datetext": {"'2024-02-29'", "'2023-02-30'", "'2024-1-1'", "'2024'", "'2024-5'", "''", "'0000-01-01'", "'10000-01-01'", "'2024-02-29 10:00:00'",
			"'2024-13-01'", "' 2024-01-01'"},
		"timetext": {"'10:20:30'", "'1:2:3'", "'10:20'", "'10'", "'24:00:00'", "'10:20:30.123456'", "''", "'10:60:00'", "'23:59:59.9999'"},
		"stamptext": {"'2024-02-29 10:20:30'", "'2024-02-29 10:20:30.123456789'", "'2024-2-9 1:2:3'", "'2024-02-29'", "'2024-02-29T10:20:30'", "''",
			"'2024-02-29 24:00:00'", "'2023-02-29 10:00:00'", "'2024-02-29 10:20'", "'2024-03-31 02:30:00'", "'0001-01-01 00:00:00'", "'2024-02-29 10:20:30Z'"},
		"booltext": {"'true'", "'F'", "'yes'", "'0'", "'1'", "'x'", "''", "' true'", "'TRUE'"},
		"bytes":    {"CAST(x'' AS BYTES)", "CAST(x'00ff' AS BYTES)", "CAST(x'6162' AS BYTES)", "ENCODE('äa', 'UTF-8')"},
		"binary":   {"x'00'", "x'616263'", "x'ff'"},
		"date":     {"DATE '2024-02-29'", "DATE '1970-01-01'", "DATE '9999-12-31'", "DATE '2023-12-31'", "DATE '2024-12-30'"},
		"time":     {"TIME '00:00:00'", "TIME '23:59:59'", "TIME '10:20:30.123'", "TIME '12:00:00'"},
		"stamp":    {"TIMESTAMP '2024-02-29 10:20:30'", "TIMESTAMP '1970-01-01 00:00:00.001'", "TIMESTAMP '9999-12-31 23:59:59.999'", "TIMESTAMP '2024-03-31 02:30:00'", "TIMESTAMP '2001-01-01 00:00:00.123456789'"},
		"local":    {"TO_TIMESTAMP_LTZ(0, 3)", "TO_TIMESTAMP_LTZ(1711846800000, 3)", "CAST(TIMESTAMP '2024-10-27 02:30:00' AS TIMESTAMP_LTZ(3))"},
		"months":   {"INTERVAL '1' MONTH", "INTERVAL '-13' MONTH", "INTERVAL '2' YEAR", "INTERVAL '1-6' YEAR TO MONTH", "INTERVAL '0' MONTH", "INTERVAL '99' YEAR"},
		"span":     {"INTERVAL '1' DAY", "INTERVAL '-25' HOUR", "INTERVAL '90' MINUTE", "INTERVAL '1.5' SECOND", "INTERVAL '1 02:03:04.567' DAY TO SECOND", "INTERVAL '0' SECOND", "INTERVAL '10:20' HOUR TO MINUTE"},
		"ints":     {"ARRAY[1, 2, 3]", "ARRAY[1, NULL, 1]", "ARRAY[0]"},
		"strings":  {"ARRAY['a', 'b']", "ARRAY['', NULL]", "ARRAY['x', 'x', 'abc']"},
		"doubles":  {"ARRAY[1.5E0, -0.0E0]"},
		"intmap":   {"MAP['a', 1]", "MAP['a', 1, 'b', 2]", "MAP['a', CAST(NULL AS INT)]"},
		"textmap":  {"MAP['a', 'x']", "MAP['k', 'v', 'a', 'w']"},
		"row":      {"ROW(1, 'x')", "ROW(0, '')"},
		"json": {`'{"a": 1}'`, `'{"a": {"b": [1, "x", null]}}'`, `'[1, {"a": true}]'`, `'1'`, `'"t"'`, `'null'`, `''`, `'{bad'`, `'{"a": 1e3, "b": 0.10}'`,
			`'{"b": "ä", "a": "\u00e9"}'`, `'[]'`, `'{}'`},
		"bitmap":     {"BITMAP_BUILD(ARRAY[1, 5, 5])", "BITMAP_BUILD(ARRAY[-1, 0, 2147483647])", "BITMAP_BUILD(ai)", "BITMAP_BUILD(aj)"},
		"printf":     {"'%d'", "'%s'", "'%5d|%-5s'", "'%05d'", "'%x'", "'%,d'", "'%.2f'", "'%e'", "'%%'", "'%2$s'", "'%q'", "'x'", "''", "'%c'", "'%b'", "'%+d'"},
		"double-key": {`'{"a": 1, "a": 2}'`, `'{"a": {"b": 1, "b": null}}'`},
		"path":       {"'$'", "'$.a'", "'lax $.a.b'", "'strict $.a'", "'$[0]'", "'$.a.b[0]'", "'lax $.x'", "'$.b[*]'", "'$[*]'", "'lax $[3]'", "'$[''a'']'"},
		"url":        {"'http://h.example/p?x=1&y=2#r'", "'ftp://u@h'", "''", "'http://h/a b'"},
		"part":       {"'HOST'", "'PATH'", "'QUERY'", "'REF'", "'PROTOCOL'", "'FILE'", "'AUTHORITY'", "'USERINFO'", "'host'", "''"},
		"regex":      {"'a'", "'[a-c]+'", "'(\\w)(\\d)?'", "''", "'('", "'^.'", "'\\d+$'", "'(?i)H(e)l'", "'b*'", "'[^a]'", "'(x)|(y)|(a)'", "'\\s'", "'.'"},
		"like":       {"'a%'", "'%'", "'_'", "''", "'%b%'", "'a_c'", "'%_'", "'Hello%'", "'%\\_x'", "'__'"},
		"escaped":    {"'a!%'", "'%!_%'", "'!!'", "'a%'"},
		"similar":    {"'a%'", "'(a|b)%'", "'[a-c]*'", "'%b+%'", "'_'", "'a{1,3}'"},
		"format":     {"'yyyy-MM-dd'", "'yyyy-MM-dd HH:mm:ss'", "'yyyyMMdd'", "'HH:mm'", "'dd.MM.yy'", "'yyyy-MM-dd HH:mm:ss.SSS'", "'D'", "'EEE, d MMM yyyy'", "'hh:mm a'", "''"},
		"charset":    {"'UTF-8'", "'US-ASCII'", "'ISO-8859-1'", "'UTF-16'", "'UTF-16BE'", "'UTF-16LE'", "'utf-8'"},
		"zone":       {"'UTC'", "'Europe/Berlin'", "'America/New_York'", "'GMT+05:30'", "'Asia/Kolkata'", "'nowhere'"},
		"ip":         {"'127.0.0.1'", "'255.255.255.255'", "'0.0.0.0'", "'1.2'", "'256.1.1.1'", "''", "'1.2.3.4.5'", "'a.b.c.d'", "'16777216'"},
		"base64":     {"'YWJj'", "''", "'w6Q='", "'YQ=='"},
		"hex":        {"'6162'", "''", "'a'", "'FFzz'", "'ff00'", "'0'"},
		"bits":       {"224", "256", "384", "512"},
		"scale":      {"0", "1", "2", "-1", "-2", "5", "20"},
		"at":         {"1", "2", "3", "10"},
		"seps":       {"','", "';'", "''", "'a'", "'ab'", "'-'", "' '"},
		"charcode":   {"65", "228", "0", "-1", "256", "321", "10"},
		"unixtime":   {"0", "-1", "1711846800", "253402300799", "1700000000", "86399"},
		"epoch":      {"0", "-1", "1711846800", "1711846800123", "1700000000", "86399", "253402300800000", "-62135596800"},
		"places":     {"0", "3", "6", "9", "1", "5"},
		"cut":        {"0", "1", "3", "7", "255"},
	}
}

type obj = map[string]any

// moreLiterals are further ones for signatures that have few expressions of
// their own: they are used where a signature occurs too seldom.
func moreLiterals() map[kind][]string {
	all := literals()
	for k, more := range map[kind][]string{
		"wide":      {"'é😀'", "'😀😀'", "'日本'", "'ß'", "'Ω1'", "'a日'", "'٣'", "'ÿ'", "'Ā'", "'€'", "'あ'", "'я'", "'ñ'", "'漢字😀'", "'´'", "'–'", "'½'", "'İ'"},
		"numtext":   {"'-5'", "'+0'", "'00012'", "'127'", "'128'", "'-129'", "'32768'", "'1e-3'", "'1E400'", "'-1.999'", "'0x1F'", "'1_0'", "'9999999999'", "'-9223372036854775808'", "'9223372036854775808'", "'Infinity'", "'1d'", "'7 7'", "' -1'"},
		"booltext":  {"'T'", "'no'", "'n'", "'Y'", "'TRUE '", "'fAlSe'", "'yes'", "'2'", "'on'", "'off'", "'t'", "'N'"},
		"datetext":  {"'2024-12-31'", "'1970-01-01'", "'0001-01-01'", "'9999-12-31'", "'2023-02-29'", "'2024-00-10'", "'2024-10-00'", "'2024/10/10'", "'20241010'", "'2024-10-10T01:02:03'", "'1900-02-29'", "'2000-02-29'"},
		"timetext":  {"'00:00:00'", "'23:59:59'", "'23:59:59.999'", "'1:02'", "'25:00:00'", "'10:20:61'", "'10-20-30'", "'10:20:30.'", "' 10:20:30'", "'10:20:30 '", "'7'", "'12:00:00.0001'"},
		"stamptext": {"'1970-01-01 00:00:00'", "'9999-12-31 23:59:59.999'", "'2024-06-30 23:59:60'", "'2024-02-29 10:20:30.1'", "'2024-02-29  10:20:30'", "'2024-10-27 02:30:00'", "'1969-12-31 23:59:59'", "'2024-02-29 10'", "'2024-02-29 10:20:30.1234567891'"},
		"base64":    {"'AA=='", "'AAE='", "'AAEC'", "'/w=='", "'4oKs'", "'8J+YgA=='", "'IA=='", "'YWJjZGVmZ2hp'", "'YQ'", "'YWI='", "'QUJD'", "'MTIz'"},
		"few":       {"4", "6", "12", "30", "31", "100", "365", "-2", "-5", "-100"},
	} {
		all[k] = append(append([]string{}, all[k]...), more...)
	}
	return all
}
