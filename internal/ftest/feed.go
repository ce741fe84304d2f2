package ftest

// Feed is the directive "feed TABLE [header=yes] [op=yes]": rows for a test
// source. With a header the first line names the columns; with op the first
// cell is the row kind, with split they are of that split. "feed TABLE from
// FILE" takes them from a file.
type Feed struct {
	verbatim
	Table  string
	Header bool
	Op     bool
	Split  string
	File   string
	Rows   []string
	From   int // line of the first row
}

func parseFeed(r *reader, _ Place, args words) (Record, error) {
	if err := args.allow("header", "op", "split"); err != nil {
		return nil, r.errorf("%v", err)
	}
	f := &Feed{From: r.at + 1, Split: args.get("split")}
	var err error
	if f.Header, err = args.yes("header"); err == nil {
		f.Op, err = args.yes("op")
	}
	if err != nil {
		return nil, r.errorf("%v", err)
	}
	switch {
	case len(args.plain) == 3 && args.plain[1] == "from":
		f.Table, f.File = args.plain[0], args.plain[2]
		return f, nil
	case len(args.plain) != 1:
		return nil, r.errorf("write feed TABLE and rows below, or feed TABLE from FILE")
	}
	f.Table, f.Rows = args.plain[0], r.paragraph()
	if len(f.Rows) == 0 {
		return nil, r.errorf("feed %s has no rows", f.Table)
	}
	return f, nil
}

// Advance is the directive "advance DURATION" or "advance to TIME": the clock
// of processing time moves.
type Advance struct {
	verbatim
	By string // "10 s"
	To string // a timestamp
}

func parseAdvance(r *reader, _ Place, args words) (Record, error) {
	if err := args.allow(); err != nil {
		return nil, r.errorf("%v", err)
	}
	switch {
	case len(args.plain) > 1 && args.plain[0] == "to":
		return &Advance{To: args.join(1)}, nil
	case len(args.plain) > 0:
		return &Advance{By: args.join(0)}, nil
	}
	return nil, r.errorf("write advance 10 s, or advance to 2026-03-01 10:00:00")
}

// Time is the directives about the event time of a test source: "watermark
// TABLE TIME", "idle TABLE", "active TABLE", "end TABLE" and "end all"; with
// split=N they are about one split of the table.
type Time struct {
	verbatim
	What  string // the directive
	Table string
	At    string // of watermark
	Split string // "": all
}

func timeDirective(what string) func(*reader, Place, words) (Record, error) {
	return func(r *reader, _ Place, args words) (Record, error) {
		t := &Time{What: what, Split: args.get("split")}
		if err := args.allow("split"); err != nil {
			return nil, r.errorf("%v", err)
		}
		switch {
		case what == "watermark" && len(args.plain) > 1:
			t.Table, t.At = args.plain[0], args.join(1)
		case what != "watermark" && len(args.plain) == 1:
			t.Table = args.plain[0]
		default:
			return nil, r.errorf("%s takes the name of a test source%s", what, map[bool]string{true: " and a time"}[what == "watermark"])
		}
		return t, nil
	}
}
