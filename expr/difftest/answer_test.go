package difftest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// answer is what an engine makes of an expression: a type and one value per
// row, or a refusal, be it at planning or on some row.
type answer struct {
	Type  string
	Cells []string
	Err   string
}

// zoned is a question: an expression under a session time zone.
type zoned struct{ zone, text string }

// verdict compares two answers.
type verdict uint8

const (
	same    verdict = iota
	inexact         // only the last digits of binary fractions differ
	other
)

// compare tells how far two answers agree. Two refusals agree, whatever they
// say: what the messages must say is checked elsewhere.
func compare(ours, flink answer) verdict {
	if (ours.Err != "") != (flink.Err != "") {
		return other
	}
	if ours.Err != "" {
		return same
	}
	if ours.Type != flink.Type || len(ours.Cells) != len(flink.Cells) {
		return other
	}
	v := same
	for i := range ours.Cells {
		if a, b := canonical(ours.Cells[i]), canonical(flink.Cells[i]); a != b {
			if !near(ours.Type, a, b) {
				return other
			}
			v = inexact
		}
	}
	return v
}

// canonical sorts the entries of printed maps: Flink gives them in any order.
func canonical(cell string) string {
	open := strings.LastIndexByte(cell, '{')
	if open < 0 {
		return cell
	}
	shut := strings.IndexByte(cell[open:], '}')
	if shut < 0 {
		return cell
	}
	shut += open
	entries := strings.Split(cell[open+1:shut], ", ")
	slices.Sort(entries)
	// The sorted map is set in other brackets, so that the next one around it
	// is found.
	return canonical(cell[:open] + "⟨" + strings.Join(entries, ", ") + "⟩" + cell[shut+1:])
}

// fractions finds numbers that have a fraction or an exponent.
var fractions = regexp.MustCompile(`-?[0-9]+\.[0-9]+(E-?[0-9]+)?`)

// near tells texts that are equal but for the last digits of binary fractions:
// the two languages' libraries for sines and logarithms differ by a bit.
func near(typ, a, b string) bool {
	if !strings.Contains(typ, "DOUBLE") && !strings.Contains(typ, "FLOAT") {
		return false
	}
	if fractions.ReplaceAllString(a, "#") != fractions.ReplaceAllString(b, "#") {
		return false
	}
	x, y := fractions.FindAllString(a, -1), fractions.FindAllString(b, -1)
	for i := range x {
		p, _ := strconv.ParseFloat(x[i], 64)
		q, _ := strconv.ParseFloat(y[i], 64)
		if d := p - q; d > 1e-14*max(p, -p) || -d > 1e-14*max(p, -p) {
			return false
		}
	}
	return true
}
