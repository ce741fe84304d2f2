package ftest

import "slices"

// QueryOnce is the directive "query-once": statements whose last one is a
// bounded query, or writes a table called outbox whose content is then asked
// for. The answer is the text below the separator.
type QueryOnce struct {
	Place
	Mode   Mode
	SQL    Source
	Answer string
}

func parseQueryOnce(r *reader, at Place, args words) (Record, error) {
	base64Form := args.takeFlag("base64")
	if err := args.allow("mode", "from"); err != nil {
		return nil, r.errorf("%v", err)
	}
	if err := args.noPlain(); err != nil {
		return nil, r.errorf("%v", err)
	}
	mode := Mode(args.get("mode"))
	if !slices.Contains([]Mode{Final, Changelog, Ordered}, mode) {
		return nil, r.errorf("mode must be final, changelog or ordered, not %q", mode)
	}
	sql, answer, err := parseAnswered(r, args.get("from"), base64Form)
	if err != nil {
		return nil, err
	}
	return &QueryOnce{Place: at, Mode: mode, SQL: sql, Answer: answer}, nil
}

func (q *QueryOnce) write(w *writer) error {
	line := "query-once"
	if formOf(q.Answer) == encoded {
		line += " base64"
	}
	line += " " + formatSettings([]Setting{{"mode", string(q.Mode)}})
	return writeAnswered(w, line, q.SQL, q.Answer)
}
