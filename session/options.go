package session

import (
	"fsql/internal/diag"
	"fsql/internal/option"
)

// resetOptions returns old without the keys. Keys that are not there are
// ignored; the connector stays (flink-sql 1.3).
func resetOptions(old []option.Entry, keys []string) ([]option.Entry, error) {
	if len(keys) == 0 {
		return nil, diag.New(diag.BadOption, diag.Span{}, "RESET needs at least one key")
	}
	gone := map[string]bool{}
	for _, k := range keys {
		if k == "connector" {
			return nil, diag.New(diag.BadOption, diag.Span{}, "the option 'connector' cannot be reset").
				WithHint("change it with ALTER TABLE ... SET ('connector' = '...')")
		}
		gone[k] = true
	}
	var out []option.Entry
	for _, e := range old {
		if !gone[e.Key] {
			out = append(out, e)
		}
	}
	return out, nil
}
