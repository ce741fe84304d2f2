package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsql/internal/ftest"
)

// TestCorpusRoundTrip takes every case of the corpus apart into the files of
// its folder and converts them again: not one byte may differ.
func TestCorpusRoundTrip(t *testing.T) {
	const root = "../../testdata/conformance"
	cases := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".ftest" {
			return err
		}
		cases++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := ftest.Parse(path, text)
		if err != nil {
			return err
		}
		files, err := toFolder(f)
		if err != nil {
			return err
		}
		again, err := convert(path, files)
		if err != nil {
			return err
		}
		if string(again) != string(text) {
			t.Errorf("%s is not in the form that the import writes", path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if cases < 1517 {
		t.Errorf("%d cases; the corpus has 1517 and only grows", cases)
	}
}

// TestBytesSurvive converts folders whose bytes a text form would lose.
func TestBytesSurvive(t *testing.T) {
	const answer = "mode: final\na\n1\n"
	cases := map[string]folder{
		"carriage return":       {"input/t.csv": []byte("1\r\n2\r\n")},
		"byte order mark":       {"input/t.csv": []byte("\xef\xbb\xbf1\n")},
		"no UTF-8":              {"input/t.bin": {0xff, 0xfe, '\n'}},
		"no last line end":      {"input/t.csv": []byte("1\n2")},
		"blank lines":           {"input/t.csv": []byte("\n1\n\n2\n\n\n")},
		"one blank line":        {"input/t.csv": []byte("\n")},
		"separators":            {"input/t.csv": []byte("----\n----\n\n----\n")},
		"separators at end":     {"input/t.csv": []byte("\n----\n")},
		"comments":              {"input/t.csv": []byte("# 1\n")},
		"directives":            {"input/t.csv": []byte("exec\nfile x\n")},
		"empty":                 {"input/t.csv": nil},
		"odd names":             {"input/a b.csv": []byte("1\n"), `input/k=1/"q".csv`: []byte("1\n")},
		"script with CR":        {scriptFile: []byte("SELECT 1 AS a;\r\n")},
		"script without end":    {scriptFile: []byte("SELECT 1 AS a")},
		"script with rule":      {scriptFile: []byte("SELECT 1 AS a\n----\n;\n")},
		"script, blank lines":   {scriptFile: []byte("\nSELECT 1;\n\n\nSELECT 1 AS a;\n\n")},
		"answer, blank line":    {expectedFile: []byte("mode: ordered\na\n\"x\n\ny\"\n")},
		"answer, CR":            {expectedFile: []byte("mode: changelog\nop,a\n+I,\"x\r\n\"\n")},
		"answer without rows":   {expectedFile: []byte("mode: final\n")},
		"refusal":               {expectedFile: []byte("mode: error\nflink: \"q\" \n\nflink: x\nmust-mention: a|\"\\\"|'' ; b\n")},
		"refusal without words": {expectedFile: []byte("mode: error\n")},
	}
	for name, files := range cases {
		t.Run(name, func(t *testing.T) {
			all := folder{scriptFile: []byte("SELECT 1 AS a;\n"), expectedFile: []byte(answer), noteFile: []byte("features: 001 002\n\nWhat it shows.\n\nMore.\n")}
			for path, text := range files {
				all[path] = text
			}
			if _, err := convert("group/name", all); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestImportIsIdempotent(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "cases"), t.TempDir()
	put := func(path, text string) {
		t.Helper()
		path = filepath.Join(from, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("group/one/script.sql", "SELECT * FROM t; -- '../../../data/rec.csv'\n")
	put("group/one/expected.txt", "mode: final\na\n1\n")
	put("group/one/case.md", "features: 100\n\nOne.\n")
	put("../data/rec.csv", "1\r\n")
	for i, want := range []tally{{made: 1}, {same: 1}} {
		got, err := importAll(from, to)
		if err != nil || got != want {
			t.Fatalf("run %d: %+v, %v; want %+v", i+1, got, err, want)
		}
	}
	if rec, err := os.ReadFile(filepath.Join(to, "data", "rec.csv")); err != nil || string(rec) != "1\r\n" {
		t.Errorf("recording: %q, %v", rec, err)
	}
	put("group/one/expected.txt", "mode: final\na\n2\n")
	if got, err := importAll(from, to); err != nil || got != (tally{changed: 1}) {
		t.Errorf("after a new answer: %+v, %v", got, err)
	}
}

func TestRefusedFolders(t *testing.T) {
	_, err := convert("group/name", folder{scriptFile: []byte("SELECT 1;\n"), expectedFile: []byte("mode: perhaps\n")})
	if err == nil || !strings.Contains(err.Error(), "mode: perhaps") {
		t.Errorf("an unknown mode: %v", err)
	}
	_, err = convert("group/name", folder{scriptFile: []byte("SELECT 1;\n"), expectedFile: []byte("mode: error\nmust-mention: a\nflink: x\n")})
	if err == nil || !strings.Contains(err.Error(), "without loss") {
		t.Errorf("words after must-mention: %v", err)
	}
}
