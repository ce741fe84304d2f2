package csv

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fsql/connector/format/formattest"
	"fsql/connector/format/json"
)

// The lines are what Flink 2.3.0 wrote.
func TestEncode(t *testing.T) {
	const columns = "b BOOLEAN, ti TINYINT, bi BIGINT, f FLOAT, d DOUBLE, de DECIMAL(10, 3), bin BYTES, da DATE, tm TIME(3), ts TIMESTAMP(3), ts9 TIMESTAMP(9), tz TIMESTAMP_LTZ(3), a ARRAY<INT>, r ROW<x INT, y STRING>"
	formattest.Encode(t, Format(), nil, json.Format(), []string{columns,
		`{"b":true,"ti":-1,"bi":9223372036854775807,"f":1.5,"d":1e10,"de":7,"bin":"AP8=","da":"2024-02-29","tm":"01:02:03.45","ts":"2024-01-02 03:04:05.6","ts9":"2024-01-02 03:04:00","tz":"1970-01-01 00:00:01.5Z","a":[1,2],"r":{"x":5,"y":"z"}}`,
		`{"b":false,"ti":1,"bi":-1,"f":1e-7,"d":0.001,"de":-0.5,"bin":"QQ==","da":"0001-01-01","tm":"00:00:00","ts":"2024-01-02 03:04:05","ts9":"2024-01-02 03:04:05.12","tz":"1969-12-31 23:59:59.999Z","a":[3],"r":{"x":6,"y":"a b"}}`,
		`{"f":"NaN","d":"-Infinity","de":100000,"bin":"","a":[null,4],"r":{"y":"p\"q"}}`,
	}, nil,
		`true,-1,9223372036854775807,1.5,1.0E10,7,AP8=,2024-02-29,01:02:03.45,"2024-01-02 03:04:05.6","2024-01-02 03:04:00","1970-01-01 00:00:01.5Z",1;2,5;z`,
		`false,1,-1,1.0E-7,0.001,-0.5,QQ==,0001-01-01,00:00:00,"2024-01-02 03:04:05","2024-01-02 03:04:05.12","1969-12-31 23:59:59.999Z",3,"6;a b"`,
		`,,,NaN,-Infinity,1E+5,,,,,,,;4,";p""q"`)
	formattest.Encode(t, Format(), []string{"null-literal=n a"}, json.Format(), []string{"a INT, s STRING, l ARRAY<STRING>", `{"s":"n a","l":["x",null]}`, `{"a":1}`}, nil, `n a,"n a","x;n a"`, "1,n a,n a")
	formattest.Encode(t, Format(), []string{"field-delimiter=|"}, json.Format(), []string{"b BOOLEAN, i INT, e DECIMAL(5, 2), y BYTES, t DATE, a ARRAY<INT>, s STRING",
		`{"b":true,"i":1,"e":1.5,"y":"AA==","t":"2024-01-02","a":[1,2],"s":""}`}, nil, `true|1|1.5|"AA=="|"2024-01-02"|"1;2"|`)
	formattest.Encode(t, Format(), nil, json.Format(), []string{"a DECIMAL(38, 0), b DECIMAL(38, 20)", `{"a":12345678901234567890123456789000000000,"b":0.00000012}`, `{"a":10,"b":0.000012}`, `{"a":0,"b":-0.0000001}`}, nil,
		"1.2345678901234567890123456789E+37,1.2E-7", "1E+1,0.000012", "0,-1E-7")
}

// TestQuotes finds the characters of ASCII that a text is quoted for.
func TestQuotes(t *testing.T) {
	upTo := func(c byte) string {
		var s []byte
		for x := byte(1); x <= c; x++ {
			s = append(s, x)
		}
		return string(s)
	}
	for _, c := range []struct {
		options []string
		quoted  string
	}{
		{nil, upTo(',') + `\`},
		{[]string{"field-delimiter=;"}, upTo(';') + `\`},
		{[]string{`field-delimiter=\t`}, upTo('"') + `\`},
		{[]string{"field-delimiter=A"}, upTo('A') + `\`},
		{[]string{"quote-character='"}, upTo(',') + `\`},
		{[]string{`escape-character=\`}, upTo(',') + `\`},
		{[]string{"escape-character=y"}, upTo(',') + "y"},
		{[]string{"disable-quote-character=true"}, ""},
	} {
		in := []string{"s STRING"}
		var want []string
		for x := byte(1); x < 128; x++ {
			if x == '\n' || x == '\r' {
				continue
			}
			in = append(in, `{"s":`+strconv.QuoteToASCII(fmt.Sprintf("~%c", x))+`}`)
			if strings.Contains(in[len(in)-1], `\x`) || strings.Contains(in[len(in)-1], `\a`) || strings.Contains(in[len(in)-1], `\v`) {
				in[len(in)-1] = fmt.Sprintf(`{"s":"~\u%04x"}`, x)
			}
			q, body := `"`, fmt.Sprintf("~%c", x)
			if len(c.options) > 0 && c.options[0] == "quote-character='" {
				q = "'"
			}
			if strings.IndexByte(c.quoted, x) >= 0 {
				if string(x) == q || len(c.options) > 0 && c.options[0] == "escape-character="+string(x) {
					body += string(x)
				}
				body = q + body + q
			}
			want = append(want, body)
		}
		t.Run(strings.Join(c.options, " "), func(t *testing.T) {
			formattest.Encode(t, Format(), c.options, json.Format(), in, nil, want...)
		})
	}
	formattest.Encode(t, Format(), nil, json.Format(), []string{"s STRING", `{"s":"abcdefghijklmnopqrstuvwx"}`, `{"s":"abcdefghijklmnopqrstuvwxy"}`, `{"s":"` + strings.Repeat("ä", 24) + `"}`, `{"s":"` + strings.Repeat("😀", 13) + `"}`}, nil,
		"abcdefghijklmnopqrstuvwx", `"abcdefghijklmnopqrstuvwxy"`, strings.Repeat("ä", 24), `"`+strings.Repeat("😀", 13)+`"`)
}
