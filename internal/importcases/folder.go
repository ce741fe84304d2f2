package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// The files of a case folder that are not input.
const (
	scriptFile   = "script.sql"
	expectedFile = "expected.txt"
	noteFile     = "case.md"
	whyFile      = "why.md" // remarks on how a case came about; left out
)

// folder is a case folder: contents by slash path.
type folder map[string][]byte

func readFolder(dir string) (folder, error) {
	files := folder{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if rel != whyFile {
			files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		}
		return err
	})
	return files, err
}
