package ftest

import "fmt"

// Mode says what is compared, and so how the script is run.
type Mode string

// The modes of the cases that Flink answered.
const (
	Final     Mode = "final"     // the rows left at the end, in any order
	Changelog Mode = "changelog" // the changes, each with its row kind
	Ordered   Mode = "ordered"   // the rows at the end, in exactly this order
	Error     Mode = "error"     // the script must be refused
)

// Check is one thing a file asks for: a script to run and what must come out.
type Check struct {
	Line     int
	Mode     Mode
	Script   string // whole: what stands in exec records before it included
	Answer   string // CSV with a header line; empty for Error
	Contains string // for Error: what the message must mention
}

// Checks returns the checks of a file in order. Each script runs on its own,
// from a fresh session: the exec records above it are part of it.
func (f *File) Checks() ([]Check, error) {
	if c := f.Header.Get("compare"); c != "text" {
		return nil, fmt.Errorf("%s: compare=text is the only comparison, not %q", f.Name, c)
	}
	if p := f.Header.Get("parallelism"); p != "1" {
		return nil, fmt.Errorf("%s: parallelism=1 is the only one compared, not %q", f.Name, p)
	}
	var checks []Check
	before := ""
	for _, rec := range f.Records {
		switch rec := rec.(type) {
		case *Exec:
			before += rec.SQL
		case *QueryOnce:
			sql, err := f.sql(rec.SQL)
			if err != nil {
				return nil, err
			}
			checks = append(checks, Check{rec.Line, rec.Mode, withOutbox(before + sql), rec.Answer, ""})
		case *ExecError:
			sql, err := f.sql(rec.SQL)
			if err != nil {
				return nil, err
			}
			checks = append(checks, Check{rec.Line, Error, before + sql, "", rec.Contains})
		}
	}
	if len(checks) == 0 {
		return nil, fmt.Errorf("%s: nothing to check", f.Name)
	}
	return checks, nil
}

// sql returns the text of a source.
func (f *File) sql(s Source) (string, error) {
	if s.From == "" {
		return s.Text, nil
	}
	for _, rec := range f.Records {
		if in, ok := rec.(*Input); ok && in.Path == s.From {
			return in.Text, nil
		}
	}
	return "", fmt.Errorf("%s: no file block %s", f.Name, s.From)
}
