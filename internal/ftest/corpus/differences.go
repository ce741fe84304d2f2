package corpus

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Differences are the cases that docs/differences.md names: they are meant to
// come out otherwise than Flink's.
type Differences map[string]bool

// ReadDifferences reads the rows of every table in the file whose first column
// is headed "case or feature". A row names cases as `GROUP/NAME` and features
// as their three digits, and fills every column.
func ReadDifferences(path string) (Differences, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	differ := Differences{}
	inTable := false
	for i, line := range strings.Split(string(text), "\n") {
		cells := tableCells(line)
		switch {
		case cells == nil:
			inTable = false
			continue
		case cells[0] == "case or feature":
			inTable = true
			continue
		case !inTable || strings.Trim(cells[0], "-: ") == "":
			continue
		}
		if len(cells) != 4 || cells[1] == "" || cells[2] == "" || cells[3] == "" {
			return nil, fmt.Errorf("%s:%d: a row has four filled columns: case or feature, Flink, fsql, reason", path, i+1)
		}
		names := regexp.MustCompile("`([\\w-]+/[^`/]+)`").FindAllStringSubmatch(cells[0], -1)
		numbers := regexp.MustCompile(`\b\d{3}\b`).FindAllString(regexp.MustCompile("`[^`]*`").ReplaceAllString(cells[0], ""), -1)
		if len(names)+len(numbers) == 0 {
			return nil, fmt.Errorf("%s:%d: no `GROUP/NAME` and no feature number in: %s", path, i+1, cells[0])
		}
		for _, m := range names {
			differ[m[1]] = true
		}
		for _, number := range numbers {
			if !isFeature(number) {
				return nil, fmt.Errorf("%s:%d: there is no feature %s", path, i+1, number)
			}
		}
	}
	return differ, nil
}

// tableCells splits a line of a Markdown table; nil if it is none. A bar
// within a cell is written \|.
func tableCells(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) < 2 || line[0] != '|' || line[len(line)-1] != '|' {
		return nil
	}
	const bar = "\x00"
	cells := strings.Split(strings.ReplaceAll(line[1:len(line)-1], `\|`, bar), "|")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(c, bar, `|`))
	}
	return cells
}
