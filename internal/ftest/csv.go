package ftest

import (
	"slices"
	"strings"
)

// Rows reads CSV records as the answers are written: blank lines are no
// records, and the text NULL in quotes stays "NULL", quotes included, so that
// it differs from SQL NULL.
func Rows(text string) [][]string {
	var rows [][]string
	var row []string
	for i := 0; i <= len(text); i++ {
		cell, n, quoted := csvCell(text[i:])
		if quoted && cell == "NULL" {
			cell = `"NULL"`
		}
		row = append(row, cell)
		i += n
		if i < len(text) && text[i] == ',' {
			continue
		}
		if len(row) > 1 || row[0] != "" || quoted {
			rows = append(rows, row)
		}
		row = nil
	}
	return rows
}

// csvCell takes one cell; n is its length as written. A quote that is never
// closed is an ordinary character.
func csvCell(s string) (cell string, n int, quoted bool) {
	if strings.HasPrefix(s, `"`) {
		closing := -1 // last quote that can close the cell, should the text end within it
		for i := 1; i < len(s); i++ {
			if s[i] != '"' {
				continue
			}
			closing = i
			if i+1 == len(s) || s[i+1] != '"' {
				break
			}
			i++
		}
		if closing > 0 {
			return strings.ReplaceAll(s[1:closing], `""`, `"`), closing + 1, true
		}
	}
	if n = strings.IndexAny(s, ",\n"); n < 0 {
		n = len(s)
	}
	return s[:n], n, false
}

// rowKey is equal for equal rows: a map prints its entries in any order.
func rowKey(row []string) string {
	var b strings.Builder
	for i, cell := range row {
		if i > 0 {
			b.WriteByte(0)
		}
		if len(cell) > 1 && cell[0] == '{' && cell[len(cell)-1] == '}' {
			entries := strings.Split(cell[1:len(cell)-1], ", ")
			slices.Sort(entries)
			cell = "{" + strings.Join(entries, ", ") + "}"
		}
		b.WriteString(cell)
	}
	return b.String()
}
