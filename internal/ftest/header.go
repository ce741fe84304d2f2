package ftest

import "strings"

const headerStart = "# fsql-test: "

// Header is the first line of a file: settings that hold for all its records.
type Header struct{ Settings []Setting }

// Get returns the value of a setting, or "".
func (h Header) Get(key string) string {
	for _, s := range h.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// Features returns the numbers of the features that the file shows.
func (h Header) Features() []string {
	v := h.Get("features")
	if v == "" {
		return nil
	}
	return strings.Split(v, ",")
}

// headerKeys lists the settings that a header may hold.
var headerKeys = []string{"parallelism", "restart", "mode", "batch-rows", "shuffle", "timezone", "clock", "float-digits", "compare", "features"}

func parseHeader(r *reader, line string) (Header, error) {
	words, err := parseWords(strings.TrimPrefix(line, headerStart))
	if err != nil {
		return Header{}, r.errorf("%v", err)
	}
	if len(words.plain) > 0 {
		return Header{}, r.errorf("not a setting: %s", words.plain[0])
	}
	if err := words.allow(headerKeys...); err != nil {
		return Header{}, r.errorf("%v", err)
	}
	return Header{Settings: words.settings}, nil
}
