package ftest

// directive is one row of the table of directives: the words its line starts
// with, and the reader of what follows. Its record type knows how to write it.
type directive struct {
	words []string
	parse func(r *reader, at Place, args words) (Record, error)
}

// directives is the table. The first row whose words match wins, so a longer
// spelling stands before a shorter one. To add a directive, write a file with
// its record type and parse function, and name it here.
func directives() []directive {
	return []directive{
		{[]string{"file"}, parseInput},
		{[]string{"exec", "error"}, either(parseExecError, parseRefused)},
		{[]string{"exec"}, either(parseExec, parseSound)},
		{[]string{"query-once"}, either(parseQueryOnce, parseOnce)},
		{[]string{"query"}, parseQuery},
		{[]string{"feed"}, parseFeed},
		{[]string{"watermark"}, timeDirective("watermark")},
		{[]string{"idle"}, timeDirective("idle")},
		{[]string{"active"}, timeDirective("active")},
		{[]string{"end"}, timeDirective("end")},
		{[]string{"advance"}, parseAdvance},
		{[]string{"changes"}, parseChanges},
		{[]string{"table"}, parseTable},
		{[]string{"silent"}, parseSilent},
		{[]string{"metrics"}, parseMetrics},
		{[]string{"late"}, parseLate},
		{[]string{"explain"}, parsePlan},
		{[]string{"checkpoint"}, recoveryDirective("checkpoint")},
		{[]string{"crash"}, recoveryDirective("crash")},
		{[]string{"savepoint"}, recoveryDirective("savepoint")},
		{[]string{"restore"}, recoveryDirective("restore")},
		{[]string{"let"}, parseLet},
		{[]string{"include"}, parseInclude},
		{[]string{"subtest"}, parseSubtest},
		{[]string{"skip"}, conditionDirective("skip")},
		{[]string{"only"}, conditionDirective("only")},
		{[]string{"require"}, conditionDirective("require")},
	}
}

// either chooses between the form of imported cases (compare=text), whose bytes
// are Flink's, and the form that people write.
func either(imported, written func(*reader, Place, words) (Record, error)) func(*reader, Place, words) (Record, error) {
	return func(r *reader, at Place, args words) (Record, error) {
		if r.imported {
			return imported(r, at, args)
		}
		return written(r, at, args)
	}
}
