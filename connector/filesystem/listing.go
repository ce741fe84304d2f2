package filesystem

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

// list returns the files below a path in order of their paths; files and
// folders whose name begins with '.' or '_' are skipped, also when the path
// itself names one.
func list(path string, re *regexp.Regexp) ([]string, error) {
	var files []string
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
		if d.IsDir() {
			if hidden && p != path {
				return filepath.SkipDir
			}
			return nil
		}
		if !hidden && (re == nil || re.MatchString(p)) {
			files = append(files, p)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	return files, err
}
