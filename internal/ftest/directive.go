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
		{[]string{"exec", "error"}, parseExecError},
		{[]string{"exec"}, parseExec},
		{[]string{"query-once"}, parseQueryOnce},
	}
}
