package json

import (
	"strings"
	"testing"

	"fsql/connector/format/formattest"
)

const ignore = "ignore-parse-errors=true"

// The rows and errors are what Flink 2.3.0 answered.
func TestDecode(t *testing.T) {
	for _, c := range []formattest.Case{
		{Name: "all types", Columns: "b BOOLEAN, ti TINYINT, si SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10, 3), s STRING, bin BYTES, da DATE, tm TIME, ts TIMESTAMP(3), tz TIMESTAMP_LTZ(3)",
			In: `{"b":true,"ti":-128,"si":32767,"i":-2147483648,"bi":9223372036854775807,"f":1.5,"d":-2.5e3,"de":1234.5678,"s":"t\u00e4\ud83d\ude00\n","bin":"AQID","da":"2024-02-29","tm":"23:59:59","ts":"2024-01-02 03:04:05.678","tz":"2024-01-02 03:04:05.678Z"}
{"b":null,"s":null}
{}
{"b":false,"ti":0,"si":0,"i":0,"bi":-1,"f":1e-3,"d":0,"de":-0.0005,"s":"","bin":"","da":"0001-01-01","tm":"00:00:00","ts":"1969-12-31 23:59:59","tz":"1970-01-01 00:00:00Z"}`,
			Rows: []string{
				"TRUE,-128,32767,-2147483648,9223372036854775807,1.5,-2500.0,1234.568,tä😀\n,x'010203',2024-02-29,23:59:59,2024-01-02 03:04:05.678,2024-01-02 03:04:05.678",
				strings.Repeat("NULL,", 13) + "NULL", strings.Repeat("NULL,", 13) + "NULL",
				"FALSE,0,0,0,-1,0.001,0.0,-0.001,,x'',0001-01-01,00:00:00,1969-12-31 23:59:59.000,1970-01-01 00:00:00.000"}},
		{Name: "names", Columns: "a INT, `A` INT, `x y` STRING", In: "{\"A\":2,\"a\":1,\"x y\":\"p\",\"z\":9}\n{\"x y\":\"q\",\"a\":1,\"a\":3}\n{\"x_y\":\"r\",\"A\":5}\n",
			Rows: []string{"1,2,p", "3,NULL,q", "NULL,5,NULL"}},
		{Name: "repeated nested values", Columns: "r ROW<x INT, y ARRAY<INT>>, m MAP<STRING, INT>",
			In:   `{"r":{"x":1,"y":[1,2],"x":5},"r":{"y":[3],"y":[4,null]},"m":{"a":1,"b":2,"a":3},"m":{"c":1,"c":null}}` + "\n",
			Rows: []string{"(NULL, [4, NULL]),{c=NULL}"}},
		{Name: "blank lines and blanks", Columns: "a INT", In: "{\"a\":1}\n\n\r\n   {\"a\" : 2 }  \n\t{ \"a\":3\t}\t\r\n", Rows: []string{"1", "2", "3"}},
		{Name: "a line of blanks", Columns: "a INT", In: "{\"a\":1}\n   \n", Err: []string{"line 2", "JSON object", "is missing"}},
		{Name: "text behind", Columns: "a INT", In: "{\"a\":1}}\n{\"a\":2} {\"a\":3}\n{\"a\":4},\n", Rows: []string{"1", "2", "4"}},
		{Name: "array", Columns: "a INT", In: "[{\"a\":1}, {\"a\":2} ]x\n{\"a\":3}\n[ ]\n[{\"a\":4}]", Rows: []string{"1", "2", "3", "4"}},
		{Name: "array of numbers", Columns: "a INT", In: "[{\"a\":1},5]\n", Err: []string{"line 1", "array of JSON objects"}},
		{Name: "array in array", Columns: "a INT", In: "[[{\"a\":1}]]\n", Err: []string{"array of JSON objects"}},
		{Name: "broken arrays ignored", Columns: "a INT", Options: []string{ignore},
			In: "[{\"a\":1},5,{\"a\":2}]\n[{\"a\":\"x\"},{\"a\":4}]\n[{\"a\":1} {\"a\":2}]\n[{\"a\":3}\n", Rows: []string{"1", "NULL", "4", "1", "3"}, Skipped: 4},
		{Name: "scalar", Columns: "a INT", In: "3\n", Err: []string{"line 1", "JSON object", ": 3"}},
		{Name: "null", Columns: "a INT", In: "null\n", Err: []string{"JSON object"}},
		{Name: "ignore", Columns: "k INT, d DOUBLE, ts TIMESTAMP(3), r ROW<x INT, y STRING>, a ARRAY<INT>", Options: []string{ignore},
			In: `{"k":1,"d":"x","ts":"2024-01-02 03:04:05"}
not json
{"k":"two","d":2}
{"k":3,"ts":"2024-01-02T03:04:05"}
{"k":4,"r":{"x":"bad","y":"good"}}
{"k":5,"a":[1,"b",3]}
{"k":6,"r":7,"a":8}
{"k":7
[]
"text"
{"k":8} trailing

{"k":9,"d":{"o":1}}
`, Rows: []string{"1,NULL,2024-01-02 03:04:05.000,NULL,NULL", "NULL,2.0,NULL,NULL,NULL", "3,NULL,NULL,NULL,NULL", "4,NULL,NULL,(NULL, good),NULL",
				"5,NULL,NULL,NULL,[1, NULL, 3]", "6,NULL,NULL,NULL,NULL", "8,NULL,NULL,NULL,NULL", "9,NULL,NULL,NULL,NULL"}, Skipped: 11},
		{Name: "a bad nested value leaves its neighbours", Columns: "a DOUBLE, r ROW<x INT>, b INT", Options: []string{ignore},
			In: `{"a":{"b":5},"r":[1,2],"b":9}` + "\n", Rows: []string{"NULL,NULL,9"}, Skipped: 2},
		{Name: "nested", Columns: "k INT, r ROW<x INT, q ROW<y STRING, z DOUBLE>>, a ARRAY<ROW<n INT, s STRING>>, m MAP<STRING, INT>, mm MAP<STRING, ARRAY<STRING>>",
			In: `{"k":1,"r":{"x":1,"q":{"y":"u","z":1.5}},"a":[{"n":1,"s":"p"},{"n":2}],"m":{"c":3,"b":null},"mm":{"7":["x","y"]}}
{"k":2,"r":{"q":null},"a":[],"m":{},"mm":{"-1":[]}}
{"k":3,"r":null,"a":[null],"m":{"":0}}
`, Rows: []string{"1,(1, (u, 1.5)),[(1, p), (2, NULL)],{c=3, b=NULL},{7=[x, y]}", "2,(NULL, NULL),[],{},{-1=[]}", "3,NULL,[NULL],{=0},NULL"}},
		{Name: "multiset", Columns: "m MULTISET<STRING>, n MAP<STRING, MAP<STRING, BOOLEAN>>",
			In: "{\"m\":{\"a\":2,\"b\":null},\"n\":{\"5\":{\"x\":true,\"y\":null}}}\n{\"m\":{}}\n", Rows: []string{"{a=2, b=0},{5={x=TRUE, y=NULL}}", "{},NULL"}},
		{Name: "numbers as texts", Columns: "k INT, i INT, bi BIGINT, d DOUBLE, de DECIMAL(6, 2), b BOOLEAN",
			In:   "{\"k\":\"1\",\"i\":\"42\",\"bi\":\" 7 \",\"d\":\"1e2\",\"de\":\"3.145\",\"b\":\"TRUE\"}\n{\"k\":2,\"i\":-1,\"bi\":\"-9\",\"d\":\"NaN\",\"de\":\"-0.005\",\"b\":\"yes\"}\n",
			Rows: []string{"1,42,7,100.0,3.15,TRUE", "2,-1,-9,NaN,-0.01,FALSE"}},
		{Name: "fractions are cut", Columns: "i INT, b BIGINT", In: "{\"i\":1.9,\"b\":-2.9}\n{\"i\":2.0,\"b\":1e3}\n{\"i\":12e-1,\"b\":9223372036854775807.9}\n{\"i\":-0.0,\"b\":9007199254740993.5}\n",
			Rows: []string{"1,-2", "2,1000", "1,9223372036854775807", "0,9007199254740994"}},
		{Name: "fraction into TINYINT", Columns: "a TINYINT", In: "{\"a\":1.5}\n", Err: []string{"'a'", "'1.5'", "TINYINT"}},
		{Name: "fraction as text", Columns: "a INT", In: "{\"a\":\"1.9\"}\n", Err: []string{"'1.9'", "not an INT"}},
		{Name: "overflow", Columns: "a INT", In: "{\"a\":2147483647}\n{\"a\":2147483648}\n", Err: []string{"line 2", "column 'a'", "'2147483648'", "INT"}},
		{Name: "overflow of a fraction", Columns: "a INT", In: "{\"a\":2147483648.5}\n", Err: []string{"2147483648.5"}},
		{Name: "BIGINT", Columns: "a BIGINT", In: "{\"a\":-9223372036854775808}\n{\"a\":\"+7\"}\n{\"a\":999999999999999999}\n", Rows: []string{"-9223372036854775808", "7", "999999999999999999"}},
		{Name: "BIGINT overflow", Columns: "a BIGINT", In: "{\"a\":9223372036854775808}\n", Err: []string{"9223372036854775808"}},
		{Name: "boolean into INT", Columns: "a INT", In: "{\"a\":true}\n", Err: []string{"'true'"}},
		{Name: "booleans", Columns: "a BOOLEAN", In: "{\"a\":1}\n{\"a\":\"1\"}\n{\"a\":\" tRUe \"}\n{\"a\":false}\n", Rows: []string{"FALSE", "FALSE", "TRUE", "FALSE"}},
		{Name: "doubles", Columns: "a DOUBLE, f FLOAT",
			In:   "{\"a\":\"1d\",\"f\":\"3.4028236e38\"}\n{\"a\":\"0x1p3\",\"f\":1e39}\n{\"a\":123456789012345678901234567890,\"f\":0.1}\n{\"a\":-0,\"f\":16777217}\n{\"a\":-1e-400,\"f\":1.00000017881393432617187499}\n{\"a\":0.1,\"f\":1}\n{\"a\":1e400}\n",
			Rows: []string{"1.0,Infinity", "8.0,Infinity", "1.2345678901234568E29,0.1", "-0.0,1.6777216E7", "-0.0,1.0000001", "0.1,1.0", "Infinity,NULL"}},
		{Name: "decimals", Columns: "a DECIMAL(5, 2), b DECIMAL(38, 0)",
			In:   "{\"a\":\" 1.005 \",\"b\":12345678901234567890123456789012345678}\n{\"a\":\"+1.5\",\"b\":1e20}\n{\"a\":1E-9,\"b\":0.5}\n{\"a\":1e1000000}\n{\"a\":999.995}\n{\"a\":999.99}\n{\"a\":-7}\n{\"a\":1000}\n",
			Rows: []string{"1.01,12345678901234567890123456789012345678", "1.50,100000000000000000000", "0.00,1", "NULL,NULL", "NULL,NULL", "999.99,NULL", "-7.00,NULL", "NULL,NULL"}},
		{Name: "no decimal", Columns: "a DECIMAL(5, 2)", In: "{\"a\":true}\n", Err: []string{"'true'", "DECIMAL(5, 2)"}},
		{Name: "date of one digit", Columns: "a DATE", In: "{\"a\":\"2024-1-2\"}\n", Err: []string{"2024-1-2", "DATE"}},
		{Name: "no such date", Columns: "a DATE", In: "{\"a\":\"2023-02-29\"}\n", Err: []string{"2023-02-29"}},
		{Name: "date with blank", Columns: "a DATE", In: "{\"a\":\"2024-01-02 \"}\n", Err: []string{"2024-01-02 "}},
		{Name: "times", Columns: "a TIME(3), b TIME", In: "{\"a\":\"01:02:03.123456789\",\"b\":\"01:02:03.999\"}\n{\"a\":\"24:00:00\"}\n", Rows: []string{"01:02:03.123,01:02:03", "00:00:00.0,NULL"}},
		{Name: "time without seconds", Columns: "t TIME", In: "{\"t\":\"01:02\"}\n", Err: []string{"01:02", "TIME"}},
		{Name: "SQL timestamps", Columns: "a TIMESTAMP(3), b TIMESTAMP(9)", Options: []string{ignore}, Skipped: 9,
			In: `{"a":"2024-01-02 03:04:05.","b":"2024-01-02 03:04:05.123456789"}
{"a":"2024-01-02 03:04:05.1234567899"}
{"a":"2024-01-02 24:00:00"}
{"a":"2024-01-02 03:04:05"}
{"a":"2024-01-02 23:59:60"}
{"a":"2024-02-30 00:00:00"}
{"a":"2024-01-02  03:04:05"}
{"a":" 2024-01-02 03:04:05"}
{"a":"2024-01-02 03:04:05Z"}
{"a":"2024-01-02 03:04"}
{"a":"12024-01-02 03:04:05"}
{"a":"2024-01-02 03:04:05,5"}
{"a":"2024-01-02 3:04:05"}
`, Rows: []string{"2024-01-02 03:04:05.000,2024-01-02 03:04:05.123456789", "NULL,NULL", "2024-01-03 00:00:00.000,NULL", "2024-01-02 03:04:05.000,NULL", "NULL,NULL", "2024-02-29 00:00:00.000,NULL",
				"NULL,NULL", "NULL,NULL", "NULL,NULL", "NULL,NULL", "NULL,NULL", "NULL,NULL", "NULL,NULL"}},
		{Name: "ISO timestamps", Columns: "a TIMESTAMP(3), z TIMESTAMP_LTZ(3)", Options: []string{ignore, "timestamp-format.standard=ISO-8601"}, Skipped: 11,
			In: `{"a":"2024-01-02T03:04:05.","z":"2024-01-02T03:04:05Z"}
{"a":"2024-01-02T03:04","z":"2024-01-02T03:04Z"}
{"a":"2024-01-02t03:04:05","z":"2024-01-02t03:04:05Z"}
{"a":"2024-01-02T03:04:05.5","z":"2024-01-02T03:04:05.123Z"}
{"a":"2024-01-02T03:04:05Z","z":"2024-01-02T03:04:05"}
{"a":"2024-01-02T03:04:05+01:00","z":"2024-01-02T03:04:05+01:00"}
{"a":"2024-01-02 03:04:05","z":"2024-01-02 03:04:05Z"}
{"a":"2024-01-02T24:00:00","z":"2024-01-02T24:00:00Z"}
{"a":"2024-02-30T00:00:00","z":"2024-02-30T00:00:00Z"}
{"a":"2024-01-02T03:04:05.1234567890","z":"2024-01-02T03:04:05z"}
`, Rows: []string{"2024-01-02 03:04:05.000,2024-01-02 03:04:05.000", "2024-01-02 03:04:00.000,2024-01-02 03:04:00.000", "2024-01-02 03:04:05.000,NULL", "2024-01-02 03:04:05.500,2024-01-02 03:04:05.123",
				"NULL,NULL", "NULL,NULL", "NULL,NULL", "NULL,2024-01-03 00:00:00.000", "NULL,2024-02-29 00:00:00.000", "NULL,NULL"}},
		{Name: "T in a SQL timestamp", Columns: "a TIMESTAMP(3)", In: "{\"a\":\"2024-01-02T03:04:05\"}\n", Err: []string{"2024-01-02T03:04:05", "TIMESTAMP(3)"}},
		{Name: "epoch number", Columns: "ts TIMESTAMP(3)", In: "{\"ts\":1714557600000}\n", Err: []string{"1714557600000", "'ts'"}},
		{Name: "no zone", Columns: "a TIMESTAMP_LTZ(3)", In: "{\"a\":\"2024-01-02 03:04:05\"}\n", Err: []string{"2024-01-02 03:04:05", "TIMESTAMP_LTZ", "Z (UTC)"}},
		{Name: "base64", Columns: "a BYTES", Options: []string{ignore}, In: "{\"a\":\"QUI\"}\n{\"a\":\"QUI=\"}\n{\"a\":\"Q U I=\"}\n{\"a\":\"QUJD\\nQUJD\"}\n{\"a\":\"QUI=QUI=\"}\n{\"a\":\"_-8=\"}\n{\"a\":\"+/8=\"}\n",
			Rows: []string{"NULL", "x'4142'", "NULL", "x'414243414243'", "x'41424142'", "NULL", "x'fbff'"}, Skipped: 3},
		{Name: "no base64", Columns: "b BYTES", In: "{\"b\":\"***\"}\n", Err: []string{"***", "BYTES in base64"}},
		{Name: "texts from anything", Columns: "s STRING", In: `{"s":12}
{"s":1.50}
{"s":true}
{"s":{"b": 1, "a":[1, null]}}
{"s":[ 1, "x" ]}
{"s":"null"}
{"s":1e3}
{"s":123456789012345678901234567890}
{"s":null}
{"s":{"b": 1.50, "a":"x\u0001\u00e4\"/", "c":1e3,"b":2, "d":12345678901234567890123, "e":-0, "f":1.0E5,"g":0.00000001,"h":100000000.5}}
`, Rows: []string{"12", "1.50", "true", `{"b":1,"a":[1,null]}`, `[1,"x"]`, "null", "1e3", "123456789012345678901234567890", "NULL",
			`{"b":2,"a":"x\u0001ä\"/","c":1000.0,"d":12345678901234567890123,"e":0,"f":100000.0,"g":1.0E-8,"h":1.000000005E8}`}},
		{Name: "texts beside decimals", Columns: "s STRING, d DECIMAL(3, 1)", In: `{"s":{"b": 1.50, "c":1e3,"d":12345678901234567890123, "f":1.0E5,"g":0.00000001}}` + "\n",
			Rows: []string{`{"b":1.5,"c":1E+3,"d":12345678901234567890123,"f":1E+5,"g":1E-8},NULL`}},
		{Name: "escapes", Columns: "a STRING", In: `{"a":"\u00E4\u00e4\/\b\f\\\""}` + "\n" + `{"a":"\ud83dy"}` + "\n" + `{"a":"\ude00"}` + "\n" + `{"\u0061":"k"}` + "\n",
			Rows: []string{"ää/\b\f\\\"", "?y", "?", "k"}},
		{Name: "control characters", Columns: "a STRING", In: "{\"a\":\"x\ty\x01z\x00\r\"}\r\n", Rows: []string{"x\ty\x01z\x00\r"}},
		{Name: "byte order marks", Columns: "a INT", In: "\xef\xbb\xbf{\"a\":1}\n\xef\xbb\xbf{\"a\":2}\n", Rows: []string{"1", "2"}},
		{Name: "only some columns", Columns: "a INT, bad INT, r ROW<x INT, bad INT>", Wanted: []int{0, 2}, In: `{"a":1,"bad":"no","r":{"x":5}}` + "\n", Rows: []string{"1,(5, NULL)"}},
		{Name: "no column", Columns: "a INT", Wanted: []int{}, In: "{\"a\":\"x\"}\n{}\n", Rows: []string{"", ""}},
		{Name: "nested column with a bad neighbour", Columns: "r ROW<x INT, bad INT>", In: `{"r":{"x":5,"bad":"no"}}` + "\n", Err: []string{"'r.bad'", "'no'", "INT"}},
		{Name: "missing", Columns: "a INT, s STRING", Options: []string{"fail-on-missing-field=true"}, In: "{\"a\":1,\"s\":null}\n{\"a\":2}\n", Err: []string{"line 2", "'s' is missing"}},
		{Name: "missing and not asked for", Columns: "a INT, s STRING", Options: []string{"fail-on-missing-field=true"}, Wanted: []int{0}, In: "{\"a\":1,\"s\":null}\n{\"a\":2}\n", Rows: []string{"1", "2"}},
		{Name: "missing in a row", Columns: "r ROW<x INT, y INT>", Options: []string{"fail-on-missing-field=true"}, In: "{\"r\":{\"x\":1}}\n", Err: []string{"'r.y' is missing"}},
	} {
		t.Run(c.Name, func(t *testing.T) { formattest.Run(t, Format(), c) })
	}
}

// Flink refuses these lines, whether the value is read or skipped.
func TestSyntax(t *testing.T) {
	for _, bad := range []string{
		`{"a":1`, `{"a":`, `{"a"`, `{"a`, `{`, `{"a":1,}`, `{'a':1}`, `{a:1}`, `{"a" 1}`, `{"a":1 "b":2}`, `{"a":+7}`, `{"a":007}`, `{"a":-}`, `{"a":NaN}`, `{"a":.5}`, `{"a":5.}`, `{"a":1e}`, `{"a":1e+}`,
		`{"a":nul}`, `{"a":nulll}`, `{"a":tru}`, `{"a":1x}`, `{"a":[1,2}}`, `{"a":[}`, `{"a":[1,]}`, `{"a":{"b":1,}}`, `{"a":{"b"}}`, `{"a":"\x"}`, `{"a":"\u12g4"}`, "{\"a\":\"x\xff\"}", "{\"a\":\"\xc3\"}", `{"a":1 /* c */}`,
		`{"a":"\"}`, `{"a":` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + `}`, `{"a":` + strings.Repeat(`{"x":`, 1500) + "1" + strings.Repeat("}", 1500) + `}`,
	} {
		for _, columns := range []string{"z INT", "a STRING", "a BIGINT, b INT", "a DOUBLE", "a ARRAY<INT>", "a MAP<STRING, INT>", "a ROW<b INT>"} {
			s := formattest.Schema(t, columns)
			rows, _, err := formattest.Decode(t, Format(), s, everything(len(s.Columns)), formattest.Options(t, Format(), nil), []byte(bad+"\n"), 1<<20, 10)
			if err == nil {
				t.Errorf("%.80s is read into %s: %q", bad, columns, rows)
			}
			rows, skipped, err := formattest.Decode(t, Format(), s, everything(len(s.Columns)), formattest.Options(t, Format(), []string{ignore}), []byte(bad+"\n{\"a\":null}\n"), 1<<20, 10)
			if err != nil || len(rows) != 1 || skipped == 0 {
				t.Errorf("%.80s ignored for %s: %q, %d skipped, %v", bad, columns, rows, skipped, err)
			}
		}
	}
}

func everything(n int) []bool {
	w := make([]bool, n)
	for i := range w {
		w[i] = true
	}
	return w
}

func TestTypesWithoutForm(t *testing.T) {
	for columns, words := range map[string][]string{"m MAP<INT, STRING>": {"MAP<INT, STRING>", "key", "STRING"}, "v VARIANT": {"VARIANT", "'v'"}} {
		_, err := Format().Decoder(formattest.Schema(t, columns), nil, formattest.Options(t, Format(), nil))
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v lacks %s", columns, err, w)
			}
		}
	}
}
