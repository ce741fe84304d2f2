package main

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"fsql/internal/ftest"
)

// convert makes the .ftest text of a case and proves that nothing was lost.
func convert(name string, files folder) ([]byte, error) {
	f, err := toFtest(name, files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text, err := f.Format()
	if err != nil {
		return nil, err
	}
	again, err := ftest.Parse(name, text)
	if err != nil {
		return nil, err
	}
	back, err := toFolder(again)
	if err != nil {
		return nil, err
	}
	if lost := difference(files, back); lost != "" {
		return nil, fmt.Errorf("%s: %s cannot be written as a .ftest without loss", name, lost)
	}
	return text, nil
}

// toFtest reads a case folder.
func toFtest(name string, files folder) (*ftest.File, error) {
	f := &ftest.File{Name: name}
	features, description := readNote(string(files[noteFile]))
	f.Description = description
	f.Header.Settings = []ftest.Setting{{Key: "parallelism", Value: "1"}, {Key: "compare", Value: "text"}}
	if features != "" {
		f.Header.Settings = append(f.Header.Settings, ftest.Setting{Key: "features", Value: features})
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if path != scriptFile && path != expectedFile && path != noteFile {
			f.Records = append(f.Records, &ftest.Input{Path: path, Text: string(files[path])})
		}
	}
	sql := ftest.Source{Text: string(files[scriptFile])}
	if !ftest.InlineSQL(sql.Text) {
		f.Records = append(f.Records, &ftest.Input{Path: scriptFile, Text: sql.Text})
		sql = ftest.Source{From: scriptFile}
	}
	first, answer, _ := strings.Cut(string(files[expectedFile]), "\n")
	switch mode := ftest.Mode(strings.TrimPrefix(first, "mode: ")); mode {
	case ftest.Final, ftest.Changelog, ftest.Ordered:
		f.Records = append(f.Records, &ftest.QueryOnce{Mode: mode, SQL: sql, Answer: answer})
	case ftest.Error:
		words, contains := readRefusal(answer)
		f.Records = append(f.Records, &ftest.ExecError{SQL: sql, Words: words, Contains: contains})
	default:
		return nil, fmt.Errorf("%s starts with %q, not with a mode", expectedFile, first)
	}
	return f, nil
}

// readNote takes case.md apart: "features: 100 106", a blank line, what the
// case shows.
func readNote(note string) (features string, description []string) {
	first, rest, _ := strings.Cut(note, "\n")
	features = strings.Join(regexp.MustCompile(`\b\d{3}\b`).FindAllString(first, -1), ",")
	if rest = strings.Trim(rest, "\n"); rest != "" {
		description = strings.Split(rest, "\n")
	}
	return features, description
}

// readRefusal parts Flink's words from the line that says what a message must
// mention.
func readRefusal(answer string) (words, contains string) {
	const must = "must-mention:"
	at := strings.Index("\n"+answer, "\n"+must)
	if at < 0 {
		return answer, ""
	}
	contains, _, _ = strings.Cut(answer[at+len(must):], "\n")
	return answer[:at], strings.TrimSpace(contains)
}

// toFolder is the inverse of toFtest.
func toFolder(f *ftest.File) (folder, error) {
	files := folder{}
	note := "features: " + strings.Join(f.Header.Features(), " ") + "\n\n" + strings.Join(f.Description, "\n") + "\n"
	files[noteFile] = []byte(note)
	for _, rec := range f.Records {
		switch rec := rec.(type) {
		case *ftest.Input:
			files[rec.Path] = []byte(rec.Text)
		case *ftest.QueryOnce:
			files.putScript(rec.SQL)
			files[expectedFile] = []byte("mode: " + string(rec.Mode) + "\n" + rec.Answer)
		case *ftest.ExecError:
			files.putScript(rec.SQL)
			expected := "mode: error\n" + rec.Words
			if rec.Contains != "" {
				expected += "must-mention: " + rec.Contains + "\n"
			}
			files[expectedFile] = []byte(expected)
		default:
			return nil, fmt.Errorf("%s: a case folder cannot hold a record of type %T", f.Name, rec)
		}
	}
	return files, nil
}

func (files folder) putScript(sql ftest.Source) {
	if sql.From == "" {
		files[scriptFile] = []byte(sql.Text)
	}
}

// difference names a file that differs, or returns "". The bytes of all files
// count but those of the note, of which the words do.
func difference(a, b folder) string {
	for _, path := range slices.Sorted(maps.Keys(a)) {
		same := bytes.Equal(a[path], b[path])
		if path == noteFile {
			same = slices.Equal(strings.Fields(string(a[path])), strings.Fields(string(b[path])))
		}
		if _, ok := b[path]; !ok || !same {
			return path
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok && path != noteFile {
			return path
		}
	}
	return ""
}
