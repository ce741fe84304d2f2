package filesystem

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// list returns the files below a path in order of their paths; files and
// folders whose name begins with '.' or '_' are skipped, also when the path
// itself names one. Links are followed, as Java does.
func list(path string, re *regexp.Regexp) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || hidden(filepath.Base(path)) {
		return nil, err
	}
	return below(nil, path, info, re, 0)
}

// deepest is where a link that leads back is given up.
const deepest = 100

func below(files []string, path string, info os.FileInfo, re *regexp.Regexp, depth int) ([]string, error) {
	if !info.IsDir() {
		if re == nil || re.MatchString(path) {
			files = append(files, path)
		}
		return files, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil || depth > deepest {
		return files, err
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		p := filepath.Join(path, e.Name())
		info, err := os.Stat(p)
		if os.IsNotExist(err) {
			continue // a link to nowhere, or a file that was just removed
		}
		if err != nil {
			return files, err
		}
		if files, err = below(files, p, info, re, depth+1); err != nil {
			return files, err
		}
	}
	return files, nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }
