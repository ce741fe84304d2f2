// Command importcases turns case folders that a real Flink answered into
// .ftest files, one a case, and copies the recordings that they read.
//
//	go run ./internal/importcases [-to testdata] FOLDER
//
// FOLDER holds GROUP/NAME/ with script.sql, expected.txt, case.md and input
// files; recordings lie beside it in ../data. A second run over the same
// folders changes nothing. Every file is read back and compared with its
// folder byte by byte before it is written.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

func main() {
	to := flag.String("to", "testdata", "folder that holds conformance/ and data/")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: importcases [-to testdata] FOLDER")
		os.Exit(2)
	}
	count, err := importAll(flag.Arg(0), *to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "importcases:", err)
		os.Exit(1)
	}
	fmt.Printf("%d cases new, %d changed, %d as they were\n", count.made, count.changed, count.same)
}

type tally struct{ made, changed, same int }

func importAll(from, to string) (tally, error) {
	var count tally
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != scriptFile {
			return err
		}
		folder := filepath.Dir(path)
		group := filepath.Base(filepath.Dir(folder))
		files, err := readFolder(folder)
		if err != nil {
			return err
		}
		text, err := convert(group+"/"+filepath.Base(folder), files)
		if err != nil {
			return err
		}
		target := filepath.Join(to, "conformance", group, filepath.Base(folder)+".ftest")
		if err := writeIfDifferent(target, text, &count); err != nil {
			return err
		}
		return copyRecordings(files[scriptFile], filepath.Join(from, "..", "data"), filepath.Join(to, "data"))
	})
	if err == nil && count == (tally{}) {
		err = fmt.Errorf("no case in %s", from)
	}
	return count, err
}

func writeIfDifferent(path string, text []byte, count *tally) error {
	old, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(old, text):
		count.same++
		return nil
	case err == nil:
		count.changed++
	default:
		count.made++
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// copyRecordings copies what the script reads as ../../../data/NAME.
func copyRecordings(script []byte, from, to string) error {
	for _, m := range regexp.MustCompile(`\.\./\.\./\.\./data/([\w-][\w.-]*)`).FindAllSubmatch(script, -1) {
		name := string(m[1])
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		var ignored tally
		if err := writeIfDifferent(filepath.Join(to, name), text, &ignored); err != nil {
			return err
		}
	}
	return nil
}
