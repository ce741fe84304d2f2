package connector_test

import (
	"strings"
	"testing"

	"fsql/connector"
	"fsql/connector/all"
	"fsql/internal/diag"
	"fsql/internal/option"
)

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		options string
		code    diag.Code // "": accepted
		words   []string
	}{
		{"connector=filesystem path=x format=csv csv.field-delimiter=; scan.watermark.idle-timeout=1min", "", nil},
		{"connector=blackhole", "", nil},
		{"path=x format=csv", diag.MissingOption, []string{"'connector'"}},
		{"connector=filesytem path=x format=csv", diag.UnknownConnector, []string{"filesytem", "filesystem, datagen, print, blackhole"}},
		{"connector=carrier-pigeon", diag.UnknownConnector, []string{"carrier-pigeon", "filesystem"}},
		{"connector=jdbc url=x", diag.NotImplemented, []string{"jdbc"}},
		{"connector=kafka topic=x properties.bootstrap.servers=b format=json json.ignore-parse-errors=true", "", nil},
		{"connector=kafka topic=x properties.bootstrap.servers=b value.format=json value.json.ignore-parse-errors=true key.format=csv key.csv.null-literal=n key.fields=a", "", nil},
		{"connector=kafka topic=x properties.bootstrap.servers=b value.format=json json.ignore-parse-errors=true", diag.UnknownOption, []string{"json.ignore-parse-errors"}},
		{"connector=kafka topic=x properties.bootstrap.servers=b value.format=json format=json", diag.BadOption, []string{"value.format"}},
		{"connector=kafka topic=x properties.bootstrap.servers=b key.format=json", diag.MissingOption, []string{"'format'"}},
		{"connector=kafka topic=x format=json", diag.MissingOption, []string{"properties.bootstrap.servers"}},
		{"connector=upsert-kafka topic=x properties.bootstrap.servers=b value.format=json", diag.MissingOption, []string{"key.format"}},
		{"connector=upsert-kafka topic=x properties.bootstrap.servers=b key.format=json", diag.MissingOption, []string{"value.format"}},
		{"connector=upsert-kafka topic=x properties.bootstrap.servers=b key.format=json format=json", diag.UnknownOption, []string{"'format'", "value.format"}},
		{"connector=filesystem path=x key.format=json format=json", diag.UnknownOption, []string{"key.format"}},
		{"connector=filesystem format=csv", diag.MissingOption, []string{"'path'"}},
		{"connector=filesystem path=x", diag.MissingOption, []string{"'format'", "json, csv"}},
		{"connector=filesystem path=x fromat=csv", diag.UnknownOption, []string{"fromat", "did you mean 'format'?"}},
		{"connector=filesystem path=x format=jsn", diag.UnknownFormat, []string{"jsn", "json"}},
		{"connector=filesystem path=x format=parquet", diag.NotImplemented, []string{"parquet"}},
		{"connector=datagen format=csv", diag.UnknownOption, []string{"format"}},
		{"connector=filesystem path=x format=csv source.monitor-intervall=1s", diag.UnknownOption, []string{"source.monitor-intervall", "connector 'filesystem'", "'source.monitor-interval'"}},
		{"connector=filesystem path=x format=csv json.ignore-parse-errors=true", diag.UnknownOption, []string{"json.ignore-parse-errors"}},
		{"connector=filesystem path=x format=csv csv.field-delimeter=;", diag.UnknownOption, []string{"of format 'csv'", "did you mean 'csv.field-delimiter'?"}},
		{"connector=filesystem path=x format=json json.ignore-parse-errors=perhaps", diag.BadOption, []string{"perhaps", "true or false"}},
		{"connector=filesystem format=json json.ignore-parse-errors=perhaps colour=red", diag.BadOption, []string{"perhaps", "colour", "'path'"}},
	} {
		var entries []option.Entry
		for _, o := range strings.Fields(c.options) {
			key, val, _ := strings.Cut(o, "=")
			entries = append(entries, option.Entry{Key: key, Value: val})
		}
		_, err := connector.Resolve(all.Registry(), "t", entries)
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.options, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s is accepted", c.options)
			continue
		}
		e := diag.Of(err)
		if e.Code != c.code {
			t.Errorf("%s: %v, want %s", c.options, err, c.code)
		}
		for _, w := range c.words {
			if !strings.Contains(e.Msg+" "+e.Hint+" "+e.Label, w) {
				t.Errorf("%s: %v (%s) lacks %q", c.options, err, e.Hint, w)
			}
		}
	}
}
