// Package ftest reads, writes and judges .ftest files: SQL with its input
// files and the answer that is right.
//
// A file is a list of records parted by blank lines. A record starts with a
// directive line; what follows the line is the directive's own affair
// (directive.go lists them, one file each). The first line may be a header,
// lines that start with # between records are comments.
//
//	# fsql-test: parallelism=1 compare=text features=061
//	# BOOLEAN compared with text is never equal.
//
//	file input/t.csv
//	1,true
//
//	query-once mode=final
//	SELECT ... ;
//	----
//	b,x
//	FALSE,FALSE
package ftest

import (
	"fmt"
	"strings"
)

// File is one parsed .ftest file. Parse and Format are inverse on files in
// canonical form, and Format writes nothing but that form.
type File struct {
	Name        string // where it came from; for messages only
	Header      Header
	Description []string // the comment directly below the header, without "# "
	Records     []Record
}

// Record is one entry of a file. Each directive has a type of its own.
type Record interface {
	place() Place
	write(w *writer) error
}

// Place is what every record has: where its directive line stands, and the
// comment lines directly above it.
type Place struct {
	Line  int
	Above []string
}

func (p Place) place() Place { return p }

// Note is a comment that stands alone.
type Note struct {
	Place
	Text []string
}

func (n *Note) write(w *writer) error {
	w.comments(n.Text)
	return nil
}

// Parse reads a file; name is used in messages only.
func Parse(name string, src []byte) (*File, error) { return ParseWith(name, src, nil) }

// ParseWith is Parse with values for ${name}.
func ParseWith(name string, src []byte, vars map[string]string) (*File, error) {
	f := &File{Name: name}
	r, err := newReader(name, src)
	if err != nil {
		return nil, err
	}
	if line, ok := r.peek(); ok && strings.HasPrefix(line, headerStart) {
		r.next()
		if f.Header, err = parseHeader(r, line); err != nil {
			return nil, err
		}
		f.Description = r.comments()
		r.imported = f.Header.Get("compare") == "text"
	}
	for k, v := range vars {
		r.let(k, v)
	}
	for {
		r.skipBlank()
		if r.atEnd() {
			return f, nil
		}
		rec, err := parseRecord(r)
		if err != nil {
			return nil, err
		}
		f.Records = append(f.Records, rec)
	}
}

func parseRecord(r *reader) (Record, error) {
	place := Place{Above: r.comments()}
	line, ok := r.peek()
	if !ok || line == "" {
		return &Note{Place: Place{Line: r.line()}, Text: place.Above}, nil
	}
	r.next()
	place.Line = r.line()
	words, err := parseWords(line)
	if err != nil {
		return nil, r.errorf("%v", err)
	}
	for _, d := range directives() {
		if words.startWith(d.words) {
			from := r.at - 1
			rec, err := d.parse(r, place, words.rest(len(d.words)))
			if err != nil {
				return nil, err
			}
			if v, ok := rec.(interface{ keep(Place, []string) }); ok {
				v.keep(place, r.source[from:r.at])
			}
			if line, ok := r.peek(); ok && line != "" {
				r.next()
				return nil, r.errorf("a blank line must follow the record that starts at line %d", place.Line)
			}
			return rec, nil
		}
	}
	return nil, r.errorf("no such directive: %s", line)
}

// Format writes the file in canonical form. It fails when a record holds text
// that its directive cannot carry; see InlineSQL.
func (f *File) Format() ([]byte, error) {
	w := &writer{}
	if len(f.Header.Settings) > 0 {
		w.line(headerStart + formatSettings(f.Header.Settings))
		w.comments(f.Description)
	}
	for _, rec := range f.Records {
		if w.b.Len() > 0 {
			w.line("")
		}
		w.comments(rec.place().Above)
		if err := rec.write(w); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return []byte(w.b.String()), nil
}

type writer struct{ b strings.Builder }

func (w *writer) line(s string) {
	w.b.WriteString(s)
	w.b.WriteByte('\n')
}

func (w *writer) comments(text []string) {
	for _, c := range text {
		if c == "" {
			w.line("#")
		} else {
			w.line("# " + c)
		}
	}
}
