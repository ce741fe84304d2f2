package ftest

// ExecError is the directive "exec error": statements of which one must fail.
//
//	exec error contains="empty|'' ; DOUBLE|number"
//	SELECT CAST('' AS DOUBLE);
//	----
//	flink: empty String
//
// The message must hold every part of contains, parted by " ; "; the words of
// a part parted by | are alternatives. What follows the separator are the
// words of the engine that gave the answer, for the reader.
type ExecError struct {
	Place
	Contains string
	SQL      Source
	Words    string
}

func parseExecError(r *reader, at Place, args words) (Record, error) {
	base64Form := args.takeFlag("base64")
	if err := args.allow("contains", "from"); err != nil {
		return nil, r.errorf("%v", err)
	}
	if err := args.noPlain(); err != nil {
		return nil, r.errorf("%v", err)
	}
	sql, said, err := parseAnswered(r, args.get("from"), base64Form)
	if err != nil {
		return nil, err
	}
	return &ExecError{Place: at, Contains: args.get("contains"), SQL: sql, Words: said}, nil
}

func (e *ExecError) write(w *writer) error {
	line := "exec error"
	if formOf(e.Words) == encoded {
		line += " base64"
	}
	if e.Contains != "" {
		line += " " + formatSettings([]Setting{{"contains", e.Contains}})
	}
	return writeAnswered(w, line, e.SQL, e.Words)
}
