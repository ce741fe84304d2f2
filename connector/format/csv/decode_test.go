package csv

import (
	"strings"
	"testing"

	"fsql/connector/format/formattest"
)

const ignore = "ignore-parse-errors=true"

// The rows and errors are what Flink 2.3.0 answered, but where a comment says
// otherwise.
func TestDecode(t *testing.T) {
	const two = "a STRING, b STRING"
	for _, c := range []formattest.Case{
		{Name: "all types", Columns: "b BOOLEAN, ti TINYINT, si SMALLINT, i INT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(8, 3), s STRING, c CHAR(3), bin BYTES, da DATE, tm TIME, ts TIMESTAMP(3), tz TIMESTAMP_LTZ(3)",
			In: `true,-128,32767,-2147483648,9223372036854775807,1.5,-2.5e3,12345.678,text,abc,AQID,2024-02-29,23:59:59,2024-01-02 03:04:05.678,2024-01-02 03:04:05.678Z
FALSE,127,-1,0,-9,-0.0,NaN,-0.001,Ünï 漢字,é,,1969-12-31,00:00:00,1969-12-31 23:59:59,1970-01-01 00:00:00Z
True,0,0,0,0,0,Infinity,0,0,0,AA==,0001-01-01,12:30:00,9999-12-31 00:00:00.1,2024-06-01 12:00:00Z
`, Rows: []string{
				"TRUE,-128,32767,-2147483648,9223372036854775807,1.5,-2500.0,12345.678,text,abc,x'010203',2024-02-29,23:59:59,2024-01-02 03:04:05.678,2024-01-02 03:04:05.678",
				"FALSE,127,-1,0,-9,-0.0,NaN,-0.001,Ünï 漢字,é,x'',1969-12-31,00:00:00,1969-12-31 23:59:59.000,1970-01-01 00:00:00.000",
				"TRUE,0,0,0,0,0.0,Infinity,0.000,0,0,x'00',0001-01-01,12:30:00,9999-12-31 00:00:00.100,2024-06-01 12:00:00.000"}},
		{Name: "quotes", Columns: two, In: "a\"b\"c,x\n\"say \"\"hi\"\", ok\",y\n\"two\nlines\",z\n\"\"\"\",\"\"\"\"\"\"\n\"\",\"\"\n,\n",
			Rows: []string{`a"b"c,x`, `say "hi", ok,y`, "two\nlines,z", `",""`, ",", ","}},
		{Name: "blanks around quotes", Columns: two, In: "\"x\"  ,1\n\"y\",2  \n\"z\",  \"3\"\n\"w\",\"4\"  \n \"v\",5\n", Rows: []string{"x,1", "y,2  ", `z,  "3"`, "w,4", ` "v",5`}},
		{Name: "text behind a quote", Columns: two, In: "\"x\"y,1\n", Err: []string{"line 1", "behind a closing quote"}},
		// Flink loses its way behind the first mistake and fails in the end.
		{Name: "text behind a quote ignored", Columns: two, Options: []string{ignore}, In: "\"x\"y,1\nok,2\n\"x\"y\"z,3\nlast,4\n", Rows: []string{"ok,2", "last,4"}, Skipped: 2},
		{Name: "no closing quote", Columns: two, In: "ok,0\n\"x,1\ny,2\n", Err: []string{"line 2", "closing quote is missing"}},
		{Name: "no closing quote ignored", Columns: two, Options: []string{ignore}, In: "ok,0\n\"x,1\ny,2\n", Rows: []string{"ok,0"}, Skipped: 1},
		{Name: "too few", Columns: two, In: "x\n", Err: []string{"line 1", "1 field, 2 are needed"}},
		{Name: "too few ignored", Columns: two, Options: []string{ignore}, In: "x\ny,2\n\n", Rows: []string{"x,NULL", "y,2", ",NULL"}},
		{Name: "fewer than columns, as many as read", Columns: "a INT, b STRING, c STRING", Wanted: []int{0, 2}, In: "1,x\n2,y,z\n", Rows: []string{"1,NULL", "2,z"}},
		{Name: "fewer than read", Columns: "a INT, b STRING, c STRING", Wanted: []int{0, 2}, In: "1\n", Err: []string{"1 field"}},
		{Name: "too many", Columns: two, In: "x,1\ny,2,z\n", Err: []string{"line 2", "too many fields", "2 columns", "'z'"}},
		{Name: "too many ignored", Columns: two, Options: []string{ignore}, In: "x,1,2\ny,2\nz,\"3\",4,\"5\n6\"\nw,6\n", Rows: []string{"y,2", "w,6"}, Skipped: 2},
		{Name: "too many and not read", Columns: "a INT, b STRING", Wanted: []int{0}, In: "1,x,z\n", Err: []string{"too many"}},
		{Name: "delimiter at the end", Columns: two, In: "x,1,\ny,2,\"\"\nz,3,  \nw,4,\t\n", Rows: []string{"x,1", "y,2", "z,3", "w,4"}},
		{Name: "delimiter at the end forbidden", Columns: two, Options: []string{"allow-trailing-comma=false"}, In: "x,1,\n", Err: []string{"too many"}},
		{Name: "surplus allowed", Columns: two, Options: []string{"ignore-trailing-unmappable=true"}, In: "x,1,2,3\ny,2\n", Rows: []string{"x,1", "y,2"}},
		{Name: "missing forbidden", Columns: two, Options: []string{"fail-on-missing-columns=true"}, Wanted: []int{0}, In: "x\n", Err: []string{"1 field"}},
		{Name: "missing forbidden ignored", Columns: two, Options: []string{"fail-on-missing-columns=true", ignore}, In: "x\ny,1\n", Rows: []string{"y,1"}, Skipped: 1},
		{Name: "empty lines", Columns: "s STRING", In: "\nx\n\ny\n   \n", Rows: []string{"", "x", "", "y", "   "}},
		{Name: "empty line of two columns", Columns: two, In: "x,1\n\ny,2\n", Err: []string{"line 2"}},
		{Name: "empty lines ignored", Columns: "a INT, s STRING, d DOUBLE", Options: []string{ignore}, In: "1,x,1\n\n2,y,2\n", Rows: []string{"1,x,1.0", "NULL,NULL,NULL", "2,y,2.0"}, Skipped: 1},
		{Name: "line ends", Columns: two, In: "x,1\r\ny,2\n\"a\r\nb\",3\r\nlast,4", Rows: []string{"x,1", "y,2", "a\r\nb,3", "last,4"}},
		{Name: "only carriage returns", Columns: two, In: "x,1\ry,2\rz,3", Rows: []string{"x,1", "y,2", "z,3"}},
		{Name: "carriage return within", Columns: "a STRING", In: "x\ry\nz\r\n", Rows: []string{"x", "y", "z"}},
		{Name: "comments", Columns: two, Options: []string{"allow-comments=true"}, In: "#c,1,2,3\nx,1\n #y,2\n\"#z\",3\n\nw,#4\n#\n#end", Rows: []string{"x,1", "#z,3", "w,#4"}},
		{Name: "comments off", Columns: two, In: "#c,1\n#,2\n", Rows: []string{"#c,1", "#,2"}},
		{Name: "integers", Columns: "a INT", In: "+7\n-0\n007\n 8\t\n\" 9 \"\n", Rows: []string{"7", "0", "7", "8", "9"}},
		{Name: "a fraction is no integer", Columns: "a INT", In: "1.0\n", Err: []string{"'a'", "'1.0'", "not an INT"}},
		{Name: "INT overflow", Columns: "a INT", In: "2147483648\n", Err: []string{"2147483648"}},
		{Name: "a word", Columns: "a INT, s STRING", In: "1,x\ntwo,y\n", Err: []string{"line 2", "column 'a'", "'two'", "INT"}},
		{Name: "an empty number", Columns: "a INT, s STRING", In: "1,x\n,y\n", Err: []string{"column 'a'", "''", "csv.null-literal"}},
		{Name: "overflows ignored", Columns: "a TINYINT, b SMALLINT, c BIGINT", Options: []string{ignore}, In: "128,32768,9223372036854775808\n-129,-32769,-9223372036854775809\n1,2,3\n",
			Rows: []string{"NULL,NULL,NULL", "NULL,NULL,NULL", "1,2,3"}, Skipped: 6},
		{Name: "booleans", Columns: "a BOOLEAN", In: "true\n TRUE \n1\nyes\nfalse\n\n", Rows: []string{"TRUE", "TRUE", "FALSE", "FALSE", "FALSE", "FALSE"}},
		{Name: "doubles", Columns: "a DOUBLE, f FLOAT", In: "1.5f,1e39\n0x1p3,-0\n NaN ,Infinity\n+Infinity,1d\n1e400,1e-50\n.5,5.\n-0,1\n",
			Rows: []string{"1.5,Infinity", "8.0,-0.0", "NaN,Infinity", "Infinity,1.0", "Infinity,0.0", "0.5,5.0", "-0.0,1.0"}},
		{Name: "decimals", Columns: "k INT, d DECIMAL(5, 2)", In: "1,1.005\n2,-1.005\n3,1.2349\n4,999.99\n5,999.995\n6,12345.6\n7,1e2\n8,.5\n9,-7.\n",
			Rows: []string{"1,1.01", "2,-1.01", "3,1.23", "4,999.99", "5,NULL", "6,NULL", "7,100.00", "8,0.50", "9,-7.00"}},
		{Name: "decimal with a blank", Columns: "a DECIMAL(5, 2)", In: " 1.5\n", Err: []string{"' 1.5'", "DECIMAL(5, 2)"}},
		{Name: "empty decimal", Columns: "a DECIMAL(5, 2), b INT", In: ",1\n", Err: []string{"''"}},
		{Name: "dates", Columns: "a DATE", Options: []string{ignore}, In: "2024-1-2\n2024-02-30\n9999-12-31\n24-1-2\n12024-1-1\n2024-13-01\n2024-00-01\n2024-1-032\n2024-01-02 \n 2024-01-02\n2024/01/02\n2024-1-0\n2024-2-31\n2023-2-29\n2024-001-02\n",
			Rows:    []string{"2024-01-02", "2024-03-01", "9999-12-31", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "2024-03-02", "2023-03-01", "NULL"},
			Skipped: 10},
		{Name: "date with time", Columns: "d DATE", In: "2024-01-02 00:00:00\n", Err: []string{"2024-01-02 00:00:00", "DATE"}},
		{Name: "times", Columns: "a TIME, b TIME(3), c TIME(1)", Options: []string{ignore}, In: "01:02:03.987,01:02:03.987654321,01:02:03.987\n01:02,01:02,01:02\n24:00:00,23:59:59.9999,00:00\n1:02:03,01:02:03., 01:02:03\n",
			Rows: []string{"01:02:03,01:02:03.987,01:02:03.9", "01:02:00,01:02:00.0,01:02:00.0", "NULL,23:59:59.999,00:00:00.0", "NULL,01:02:03.0,NULL"}, Skipped: 3},
		{Name: "timestamps", Columns: "a TIMESTAMP(3)", Options: []string{ignore},
			In:      "2024-01-02 03:04:05.\n 2024-01-02 03:04:05 \n2024-01-02 24:00:00\n2024-02-30 00:00:00\n2024-01-02 23:59:60\n2024-1-2 03:04:05\n2024-01-02 3:04:05\n2024-01-02 03:04:05Z\n2024-13-02 03:04:05\n2024-02-32 03:04:05\n0000-02-29 00:00:00\n",
			Rows:    []string{"2024-01-02 03:04:05.000", "2024-01-02 03:04:05.000", "2024-01-03 00:00:00.000", "2024-02-29 00:00:00.000", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "0000-02-29 00:00:00.000"},
			Skipped: 6},
		{Name: "precisions", Columns: "a TIMESTAMP(3), b TIMESTAMP(9), c TIMESTAMP(0)", In: "2024-01-02 03:04:05.6,2024-01-02 03:04:05.123456789,2024-01-02 03:04:05.999\n2024-01-02 03:04:05.6789,2024-01-02 03:04:05,2024-01-02 03:04:05\n",
			Rows: []string{"2024-01-02 03:04:05.600,2024-01-02 03:04:05.123456789,2024-01-02 03:04:05", "2024-01-02 03:04:05.678,2024-01-02 03:04:05.000000000,2024-01-02 03:04:05"}},
		{Name: "timestamp without seconds", Columns: "a TIMESTAMP(3)", In: "2024-01-02 03:04\n", Err: []string{"2024-01-02 03:04", "TIMESTAMP"}},
		{Name: "instants", Columns: "a TIMESTAMP_LTZ(3)", Options: []string{ignore}, In: "2024-01-02 03:04:05Z\n2024-01-02 03:04:05\n2024-01-02 03:04:05.5z\n2024-01-02 03:04:05+01:00\n 2024-01-02 03:04:05.Z \n2024-02-30 24:00:00Z\n",
			Rows: []string{"2024-01-02 03:04:05.000", "NULL", "NULL", "NULL", "2024-01-02 03:04:05.000", "2024-03-01 00:00:00.000"}, Skipped: 3},
		{Name: "base64", Columns: "a BYTES", Options: []string{ignore}, In: "QUI=\nQUI\nQUI= \n QUI=\nQU I=\nQUJD QUJD\n***\n", Rows: []string{"x'4142'", "NULL", "x'4142'", "x'4142'", "NULL", "x'414243414243'", "NULL"}, Skipped: 3},
		{Name: "arrays and rows", Columns: "k INT, a ARRAY<INT>, s ARRAY<STRING>, r ROW<x INT, y STRING>", In: "1,1;2;3,x;y,7;seven\n2,-5,\"a;b,c\",8;\n3,10;20,;,9;q\n4,,,\n",
			Rows: []string{"1,[1, 2, 3],[x, y],(7, seven)", "2,[-5],[a, b,c],(8, )", "3,[10, 20],[, ],(9, q)", "4,[],[],NULL"}},
		{Name: "blanks in arrays", Columns: "a ARRAY<STRING>, b ARRAY<INT>", In: "x; y ;z,1; 2 ;3\n\" \",\n", Rows: []string{"[x,  y , z],[1, 2, 3]", "[],[]"}},
		{Name: "bad element ignored", Columns: "a ARRAY<INT>, b INT", Options: []string{ignore}, In: "1;x;3,1\n", Rows: []string{"[1, NULL, 3],1"}, Skipped: 1},
		{Name: "bad element", Columns: "a ARRAY<INT>, b INT", In: "1;x;3,1\n", Err: []string{"'a'", "'x'"}},
		{Name: "other element delimiter", Columns: "k INT, a ARRAY<INT>, r ROW<x INT, y STRING>", Options: []string{"array-element-delimiter=:"}, In: "1,1:2:3,7:s;t\n2,4,8:u\n", Rows: []string{"1,[1, 2, 3],(7, s;t)", "2,[4],(8, u)"}},
		{Name: "short row", Columns: "r ROW<x INT, y STRING>, b INT", In: "1,2\n", Err: []string{"'r'", "1 field"}},
		{Name: "short row ignored", Columns: "r ROW<x INT, y STRING>, b INT", Options: []string{ignore}, In: "1,2\n,3\n1;2;3,4\n", Rows: []string{"(1, NULL),2", "NULL,3", "(1, 2),4"}},
		{Name: "NULL", Columns: "a INT, s STRING, d DOUBLE, da DATE", Options: []string{"null-literal=n/a"}, In: "1,n/a,1.5,2024-01-01\nn/a,\"n/a\",n/a,n/a\n3,N/A,2,n/a\n4, n/a,3,2024-02-02\n",
			Rows: []string{"1,NULL,1.5,2024-01-01", "NULL,NULL,NULL,NULL", "3,N/A,2.0,NULL", "4, n/a,3.0,2024-02-02"}},
		{Name: "NULL of digits", Columns: "a INT, s STRING, d DOUBLE", Options: []string{"null-literal=-1"}, In: "-1,-1,-1\n1,x,-1.0\n", Rows: []string{"NULL,NULL,NULL", "1,x,-1.0"}},
		{Name: "empty is NULL", Columns: "a INT, s STRING, d DOUBLE", Options: []string{"null-literal="}, In: "1,,\n,\"\",2.5\n3,x,\n", Rows: []string{"1,NULL,NULL", "NULL,NULL,2.5", "3,x,NULL"}},
		{Name: "NULL in arrays and rows", Columns: "a ARRAY<STRING>, r ROW<x INT, y STRING>", Options: []string{"null-literal=n"}, In: "n;x;n,1;n\nn,n;n\n", Rows: []string{"[NULL, x, NULL],(1, NULL)", "[NULL],(NULL, NULL)"}},
		{Name: "empty is NULL in arrays and rows", Columns: "a ARRAY<STRING>, r ROW<x INT, y STRING>", Options: []string{"null-literal="}, In: ",\nx;,1;\n;,;\n", Rows: []string{"[],NULL", "[x, NULL],(1, NULL)", "[NULL, NULL],(NULL, NULL)"}},
		{Name: "empty texts as NULL", Columns: "a STRING, b STRING, c INT", Options: []string{"empty-string-as-null=true"}, In: "x,,\n\"\",\"\",3\n", Rows: []string{"x,NULL,NULL", "NULL,NULL,3"}},
		{Name: "trimmed", Columns: "a STRING, b STRING, c INT", Options: []string{"trim-spaces=true"}, In: " x , \"y\" , 3 \n\" z \",w, 4\n", Rows: []string{"x,y,3", " z ,w,4"}},
		{Name: "escapes", Columns: two, Options: []string{`escape-character=\`}, In: "\"a\\\"b\",x\np\\,q,y\n\"c\\\\d\",z\\\\\n\"e\\nf\",\\n\n\\a\\b\\t\\r\\n\\f\\0\\\",x\\\\\na\\\nb,1\n\"c\\\nd\",2\n\"a\"\"b\\\"c\",1\nx,\\N\n",
			Rows: []string{`a"b,x`, "p,q,y", `c\d,z\`, "e\nf,\n", "ab\t\r\nf\x00\",x\\", "a\nb,1", "c\nd,2", `a"b"c,1`, "x,N"}},
		{Name: "escape at the end", Columns: two, Options: []string{`escape-character=\`}, In: `a,b\`, Err: []string{"escaped character"}},
		{Name: "tab", Columns: "a INT, s STRING, n INT", Options: []string{`field-delimiter=\t`}, In: "1\tx,y\t2\n2\t\"p\tq\"\t3\n3\t\t4\n", Rows: []string{"1,x,y,2", "2,p\tq,3", "3,,4"}},
		{Name: "blank", Columns: two, Options: []string{"field-delimiter= "}, In: "x y\n\"p q\" r\n", Rows: []string{"x,y", "p q,r"}},
		{Name: "delimiter of two bytes", Columns: two, Options: []string{"field-delimiter=§"}, In: "x§1\n\"p§q\"§r\n§\n", Rows: []string{"x,1", "p§q,r", ","}},
		{Name: "other quote", Columns: "a INT, s STRING, u STRING", Options: []string{"field-delimiter=;", "quote-character='"}, In: "1;'it''s; here';\"x\"\n2;'';a,b\n3;plain;'line\nbreak'\n", Rows: []string{`1,it's; here,"x"`, "2,,a,b", "3,plain,line\nbreak"}},
		{Name: "no quote", Columns: "a INT, s STRING, u STRING", Options: []string{"disable-quote-character=true"}, In: "1,\"x\",\"y z\"\n2,it\"s,\"\"\n", Rows: []string{`1,"x","y z"`, `2,it"s,""`}},
		{Name: "no UTF-8", Columns: two, In: "x\xffy,1\n", Err: []string{"UTF-8"}},
		{Name: "no UTF-8 and not read", Columns: two, Wanted: []int{1}, In: "\"x\xff\"y,1\n", Err: []string{"UTF-8"}},
		{Name: "no UTF-8 ignored", Columns: two, Options: []string{ignore}, In: "x\xffy,1\nz,2\n", Rows: []string{"z,2"}, Skipped: 1},
		{Name: "byte order mark", Columns: two, In: "\xef\xbb\xbf\"x\",1\n\xef\xbb\xbfy,2\n", Rows: []string{"x,1", "\ufeffy,2"}},
		{Name: "only some columns", Columns: "a INT, s STRING, d DOUBLE", Wanted: []int{0, 1}, In: "1,x,1.5\n2,y,bad\n3,\"a\n,b\",\"c\n\"\n", Rows: []string{"1,x", "2,y", "3,a\n,b"}},
		{Name: "no column", Columns: "a INT, s STRING", Wanted: []int{}, In: "x,x\ny,y\n", Rows: []string{"", ""}},
		{Name: "long field", Columns: "a STRING, b INT", In: strings.Repeat("x", 1000) + ",1\n", Rows: []string{strings.Repeat("x", 1000) + ",1"}},
		{Name: "line of an error behind line ends in quotes", Columns: "a STRING, b INT", In: "\"x\n\ny\",1\nz,bad\n", Err: []string{"line 4", "'bad'"}},
		{Name: "line of an error behind skipped records", Columns: "a STRING, b INT", Options: []string{"allow-comments=true"}, In: "#\nx,1\n#\nz,bad\n", Err: []string{"line 4", "'bad'"}},
		{Name: "nothing", Columns: two, In: "", Rows: nil},
	} {
		t.Run(c.Name, func(t *testing.T) { formattest.Run(t, Format(), c) })
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		columns string
		options []string
		words   []string
	}{
		{"m MAP<STRING, INT>", nil, []string{"csv", "MAP<STRING, INT>", "'m'", "support"}},
		{"a ARRAY<ARRAY<INT>>", nil, []string{"'a'", "ARRAY<INT>"}},
		{"a ROW<r ARRAY<INT>>", nil, []string{"'a'"}},
		{"a INT", []string{"disable-quote-character=true", "quote-character='"}, []string{"disable-quote-character", "same time"}},
		{"a INT", []string{"field-delimiter=;;"}, []string{"csv.field-delimiter", ";;", "one character"}},
		{"a INT", []string{"field-delimiter="}, []string{"csv.field-delimiter"}},
		{"a INT", []string{`field-delimiter=\\t`}, []string{"csv.field-delimiter"}},
		{"a INT", []string{"quote-character="}, []string{"csv.quote-character"}},
		{"a INT", []string{"escape-character=ab"}, []string{"csv.escape-character"}},
		{"a INT", []string{"array-element-delimiter=::"}, []string{"csv.array-element-delimiter"}},
	} {
		_, err := Format().Decoder(formattest.Schema(t, c.columns), nil, formattest.Options(t, Format(), c.options))
		for _, w := range c.words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s %s: %v lacks %q", c.columns, c.options, err, w)
			}
		}
	}
}
