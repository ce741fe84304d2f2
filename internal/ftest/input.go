package ftest

// Input is the directive "file NAME [base64]": an input file, which the SQL
// names by that path.
type Input struct {
	Place
	Path string // with slashes, relative to the folder the script runs in
	Text string // its bytes
}

func parseInput(r *reader, at Place, args words) (Record, error) {
	base64Form := args.takeFlag("base64")
	if err := args.allow(); err != nil {
		return nil, r.errorf("%v", err)
	}
	if len(args.plain) != 1 {
		return nil, r.errorf("file takes one name")
	}
	text, err := r.block(2, base64Form)
	if err != nil {
		return nil, err
	}
	return &Input{Place: at, Path: args.plain[0], Text: text}, nil
}

func (f *Input) write(w *writer) error {
	line := "file " + quoteWord(f.Path)
	if formOf(f.Text) == encoded {
		line += " base64"
	}
	w.line(line)
	w.block(f.Text, 2)
	return nil
}
