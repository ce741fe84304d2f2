package json

import (
	"testing"

	"fsql/connector/format/formattest"
	"fsql/row"
)

// The rows and errors are what Flink 2.3.0 answered.
func TestDebezium(t *testing.T) {
	const columns = "id INT, name STRING, w DOUBLE"
	for _, c := range []formattest.Case{
		{Name: "all kinds", Columns: columns, In: `{"before":null,"after":{"id":1,"name":"a","w":1.5},"op":"c","ts_ms":1}
{"before":null,"after":{"id":2,"name":"b","w":null},"source":{"table":"x"},"op":"r"}
{"after":{"id":3,"name":"c"},"op":"c"}

{"before":{"id":1,"name":"a","w":1.5},"after":{"id":1,"name":"a2","w":2},"op":"u"}
{"before":{"id":2,"name":"b","w":null},"after":null,"op":"d"}
{"before":{"id":3,"name":"c","w":null},"after":{"id":30,"name":"c","w":0.1},"op":"u"}`,
			Rows: []string{"1,a,1.5", "2,b,NULL", "3,c,NULL", "-U 1,a,1.5", "+U 1,a2,2.0", "-D 2,b,NULL", "-U 3,c,NULL", "+U 30,c,0.1"}},
		{Name: "some columns", Columns: columns, Wanted: []int{1}, In: `{"before":{"id":"x","name":"a"},"after":{"id":1,"name":"b"},"op":"u"}` + "\n", Rows: []string{"-U a", "+U b"}},
		{Name: "types", Columns: "id INT, ts TIMESTAMP(3), tags ARRAY<STRING>, price DECIMAL(6, 2), s STRING", Options: []string{"timestamp-format.standard=ISO-8601"},
			In:   `{"after":{"id":"1","ts":"2024-01-02T03:04:05.5","tags":["a",null],"price":"1.005","s":1.50},"op":"c"}` + "\n",
			Rows: []string{"1,2024-01-02 03:04:05.500,[a, NULL],1.01,1.5"}},
		{Name: "wrapped", Columns: "id INT, name STRING", Options: []string{"schema-include=true"},
			In: `{"schema":{"type":"struct","fields":[]},"payload":{"before":null,"after":{"id":1,"name":"a"},"op":"c"}}
{"payload":{"before":{"id":1,"name":"a"},"after":{"id":1,"name":"b"},"op":"u"},"schema":null}
`, Rows: []string{"1,a", "-U 1,a", "+U 1,b"}},
		{Name: "no before", Columns: columns, In: "{\"before\":null,\"after\":{\"id\":1,\"name\":\"b\"},\"op\":\"u\"}\n", Err: []string{"line 1", `"before"`, `"u"`, "missing", "REPLICA IDENTITY FULL"}},
		{Name: "ignored", Columns: columns, Options: []string{ignore}, Skipped: 4, In: `{"after":{"id":1,"name":"a"},"op":"c"}
{"before":null,"after":{"id":1,"name":"b"},"op":"u"}
{"after":{"id":2,"name":"t"},"op":"t"}
{"after":{"id":3,"name":"n"}}
{broken
{"before":{"id":1,"name":"a"},"after":null,"op":"d"}
`, Rows: []string{"1,a,NULL", "-D 1,a,NULL"}},
		{Name: "null", Columns: columns, In: "null\n", Err: []string{"JSON object", "null"}},
		{Name: "not unwrapped", Columns: columns, In: `{"payload":{"after":{"id":1},"op":"c"}}` + "\n", Err: []string{`"op"`, "missing"}},
		{Name: "unknown op", Columns: columns, In: "{\"after\":{\"id\":1},\"op\":\"t\"}\n", Err: []string{"unknown", `"op"`, `"t"`}},
		{Name: "bad value", Columns: columns, In: "{\"after\":{\"id\":\"x\"},\"op\":\"c\"}\n", Err: []string{"line 1", "'id'", "'x'"}},
		{Name: "row of another kind", Columns: columns, In: "{\"after\":[1],\"op\":\"c\"}\n", Err: []string{"JSON object"}},
	} {
		t.Run(c.Name, func(t *testing.T) { formattest.Run(t, Debezium(), c) })
	}
}

func TestCanal(t *testing.T) {
	const columns = "id INT, name STRING, w DOUBLE"
	for _, c := range []formattest.Case{
		{Name: "all kinds", Columns: columns, In: `{"data":[{"id":"1","name":"a","w":"1.5"},{"id":"2","name":null,"w":"2"},{"id":"20","name":"ab","w":null}],"old":null,"type":"INSERT","database":"d","table":"t"}
{"data":[{"id":"1","name":"a2","w":"1.5"}],"old":[{"name":"a"}],"type":"UPDATE","database":"d","table":"t"}
{"data":[{"id":"2","name":"b","w":"3"},{"id":"20","name":"bb","w":"4"}],"old":[{"name":null,"w":"2"},{"name":"ab","w":null}],"type":"UPDATE","database":"d","table":"t"}
{"data":[{"id":"1","name":"a2","w":"1.5"}],"old":null,"type":"DELETE","database":"d","table":"t"}
{"data":null,"old":null,"type":"CREATE","isDdl":true}
{"data":[],"type":"INSERT"}
`, Rows: []string{"1,a,1.5", "2,NULL,2.0", "20,ab,NULL", "-U 1,a,1.5", "+U 1,a2,1.5", "-U 2,NULL,2.0", "+U 2,b,3.0", "-U 20,ab,NULL", "+U 20,bb,4.0", "-D 1,a2,1.5"}},
		{Name: "a column named for another row is not merged", Columns: columns, In: `{"data":[{"id":"1","name":"x","w":"1"},{"id":"2","name":"y","w":"2"}],"old":[{"name":"p"},{"w":"0"}],"type":"UPDATE"}` + "\n",
			Rows: []string{"-U 1,p,NULL", "+U 1,x,1.0", "-U 2,NULL,0.0", "+U 2,y,2.0"}},
		{Name: "include", Columns: "id INT", Options: []string{"database.include=shop", `table.include=orders(_\d+)?`}, In: `{"data":[{"id":"1"}],"type":"INSERT","database":"shop","table":"orders"}
{"data":[{"id":"x"}],"type":"INSERT","database":"shop","table":"items"}
{"data":[{"id":"3"}],"type":"INSERT","database":"shop2","table":"orders"}
{"data":[{"id":"5"}],"type":"INSERT","database":"shop","table":"orders_2024"}
`, Rows: []string{"1", "5"}},
		{Name: "other DDL", Columns: columns, In: `{"data":null,"old":null,"type":"ALTER","isDdl":true}` + "\n", Err: []string{"unknown", `"type"`, `"ALTER"`}},
		{Name: "no old", Columns: columns, In: `{"data":[{"id":"1"}],"old":null,"type":"UPDATE"}` + "\n", Err: []string{"UPDATE", `"old"`, "missing"}},
		{Name: "fewer old rows", Columns: columns, In: `{"data":[{"id":"1"},{"id":"2"}],"old":[{"id":"3"}],"type":"UPDATE"}` + "\n", Err: []string{`"old"`, "fewer"}},
		{Name: "no data", Columns: columns, In: `{"type":"INSERT"}` + "\n", Err: []string{`"data"`, "missing"}},
	} {
		t.Run(c.Name, func(t *testing.T) { formattest.Run(t, Canal(), c) })
	}
}

func TestMaxwellAndOgg(t *testing.T) {
	const columns = "id INT, name STRING, w DOUBLE"
	formattest.Run(t, Maxwell(), formattest.Case{Columns: columns, In: `{"database":"d","table":"t","type":"insert","ts":1,"data":{"id":1,"name":"a","w":1.5}}
{"database":"d","table":"t","type":"insert","data":{"id":2,"name":null}}
{"database":"d","table":"t","type":"update","data":{"id":1,"name":"a2","w":1.5},"old":{"name":"a"}}
{"database":"d","table":"t","type":"update","data":{"id":2,"name":"b","w":7},"old":{"name":null,"w":null}}
{"database":"d","table":"t","type":"delete","data":{"id":1,"name":"a2","w":1.5}}
`, Rows: []string{"1,a,1.5", "2,NULL,NULL", "-U 1,a,1.5", "+U 1,a2,1.5", "-U 2,NULL,NULL", "+U 2,b,7.0", "-D 1,a2,1.5"}})
	formattest.Run(t, Maxwell(), formattest.Case{Columns: columns, In: "{\"type\":\"bootstrap-insert\",\"data\":{\"id\":1}}\n", Err: []string{"unknown", "bootstrap-insert"}})
	formattest.Run(t, Ogg(), formattest.Case{Columns: "id INT, name STRING", In: `{"op_type":"I","after":{"id":1,"name":"a"}}
{"op_type":"U","before":{"id":1,"name":"a"},"after":{"id":1,"name":"b"}}
{"op_type":"D","before":{"id":1,"name":"b"}}
`, Rows: []string{"1,a", "-U 1,a", "+U 1,b", "-D 1,b"}})
}

// TestEncode holds the lines that Flink 2.3.0 wrote.
func TestEncode(t *testing.T) {
	changes := []string{"k STRING, n INT, r ROW<x INT>", `{"k":"a","n":1}`, `{"k":"b","r":{"x":2}}`}
	nulls := "encode.ignore-null-fields=true"
	formattest.Encode(t, Debezium(), nil, Format(), changes, []row.Kind{row.Insert, row.UpdateBefore},
		`{"before":null,"after":{"k":"a","n":1,"r":null},"op":"c"}`, `{"before":{"k":"b","n":null,"r":{"x":2}},"after":null,"op":"d"}`)
	formattest.Encode(t, Debezium(), []string{nulls}, Format(), changes, []row.Kind{row.UpdateAfter, row.Delete}, `{"after":{"k":"a","n":1},"op":"c"}`, `{"before":{"k":"b","r":{"x":2}},"op":"d"}`)
	formattest.Encode(t, Canal(), nil, Format(), changes, []row.Kind{row.Insert, row.Delete}, `{"data":[{"k":"a","n":1,"r":null}],"type":"INSERT"}`, `{"data":[{"k":"b","n":null,"r":{"x":2}}],"type":"DELETE"}`)
	formattest.Encode(t, Maxwell(), []string{nulls}, Format(), changes, []row.Kind{row.Insert, row.Delete}, `{"data":{"k":"a","n":1},"type":"insert"}`, `{"data":{"k":"b","r":{"x":2}},"type":"delete"}`)
	formattest.Encode(t, Ogg(), nil, Format(), changes, []row.Kind{row.Insert, row.Delete}, `{"before":null,"after":{"k":"a","n":1,"r":null},"op_type":"I"}`, `{"before":{"k":"b","n":null,"r":{"x":2}},"after":null,"op_type":"D"}`)

	formattest.Encode(t, Format(), nil, Format(), []string{
		"b BOOLEAN, ti TINYINT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10, 3), s STRING, bin BYTES, da DATE, tm TIME(3), ts TIMESTAMP(3), ts9 TIMESTAMP(9), tz TIMESTAMP_LTZ(3), a ARRAY<INT>, m MAP<STRING, INT>, r ROW<x INT, `y z` STRING>",
		`{"b":true,"ti":-1,"bi":9223372036854775807,"f":1.5,"d":1e10,"de":7,"s":"a\"b\\c/ä\u0001\n\u001f\u007f\b","bin":"AP8=","da":"2024-02-29","tm":"01:02:03.45","ts":"2024-01-02 03:04:05.6","ts9":"2024-01-02 03:04:05.123456789","tz":"1970-01-01 00:00:01.5Z","a":[1,null],"m":{"k":1,"":null},"r":{"x":5,"y z":"z"}}`,
		`{"f":"NaN","d":"-Infinity","de":100000,"tz":"1969-12-31 23:59:58.5Z","tm":"23:00:00","ts":"0001-01-01 00:00:00"}`, `{"f":1e-7,"d":-0.0,"de":-0.5}`}, nil,
		`{"b":true,"ti":-1,"bi":9223372036854775807,"f":1.5,"d":1.0E10,"de":7,"s":"a\"b\\c/ä\u0001\n\u001F`+"\x7f"+`\b","bin":"AP8=","da":"2024-02-29","tm":"01:02:03.45","ts":"2024-01-02 03:04:05.6","ts9":"2024-01-02 03:04:05.123456789","tz":"1970-01-01 00:00:01.5Z","a":[1,null],"m":{"k":1,"":null},"r":{"x":5,"y z":"z"}}`,
		`{"b":null,"ti":null,"bi":null,"f":"NaN","d":"-Infinity","de":1E+5,"s":null,"bin":null,"da":null,"tm":"23:00:00","ts":"0001-01-01 00:00:00","ts9":null,"tz":"1969-12-31 23:59:58.5Z","a":null,"m":null,"r":null}`,
		`{"b":null,"ti":null,"bi":null,"f":1.0E-7,"d":-0.0,"de":-0.5,"s":null,"bin":null,"da":null,"tm":null,"ts":null,"ts9":null,"tz":null,"a":null,"m":null,"r":null}`)
	formattest.Encode(t, Format(), []string{"timestamp-format.standard=ISO-8601", "encode.decimal-as-plain-number=true", nulls}, Format(), []string{
		"a TIMESTAMP(3), z TIMESTAMP_LTZ(6), d DECIMAL(20, 10), n DECIMAL(10, 3)", `{"a":"2024-01-02 03:04:00.12","z":"1970-01-01 00:00:00Z","d":1e-7,"n":0}`}, nil,
		`{"a":"2024-01-02T03:04:00.12","z":"1970-01-01T00:00:00Z","d":0.0000001000,"n":0.000}`)
}
