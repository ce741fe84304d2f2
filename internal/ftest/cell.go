package ftest

import (
	"fmt"
	"strings"
)

// Cell is one value as written: NULL, (empty) for the empty text, '..' around
// text that would read as something else, or the value itself.
type Cell struct {
	Text   string
	Null   bool
	Quoted bool // it was written in quotes, or as (empty)
}

// Cells takes a line apart at the bars between its cells.
func Cells(line string) ([]Cell, error) {
	var cells []Cell
	for rest := line; ; {
		rest = strings.TrimLeft(rest, " \t")
		var c Cell
		if strings.HasPrefix(rest, "'") {
			text, after, err := quotedCell(rest)
			if err != nil {
				return nil, err
			}
			c, rest = Cell{Text: text, Quoted: true}, strings.TrimLeft(after, " \t")
			if rest != "" && rest[0] != '|' {
				return nil, fmt.Errorf("%s follows the closing quote; a quote in a text is doubled", rest)
			}
		} else {
			i := strings.IndexByte(rest, '|')
			if i < 0 {
				i = len(rest)
			}
			c = bare(strings.TrimRight(rest[:i], " \t"))
			rest = rest[i:]
		}
		cells = append(cells, c)
		if rest == "" {
			return cells, nil
		}
		rest = rest[1:]
	}
}

func bare(text string) Cell {
	switch text {
	case "NULL":
		return Cell{Null: true}
	case "(empty)":
		return Cell{Quoted: true}
	}
	return Cell{Text: text}
}

// quotedCell takes '..' off the front.
func quotedCell(s string) (text, rest string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		return b.String(), s[i+1:], nil
	}
	return "", "", fmt.Errorf("no closing quote: %s", s)
}

// FormatCell writes a cell so that Cells reads it back. A text that would read
// as something else is quoted.
func FormatCell(text string, null bool) string {
	switch {
	case null:
		return "NULL"
	case text == "":
		return "(empty)"
	case text == "NULL", text == "(empty)", text[0] == '\'', strings.ContainsRune(text, '|'), strings.TrimSpace(text) != text,
		text[0] == '#', strings.HasPrefix(text, separator):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return text
}
