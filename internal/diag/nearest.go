package diag

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate a misspelt word most likely means, or "" when
// none is close. Case does not count, a swap of two neighbours counts as one
// mistake. Words of one or two letters match only a candidate that differs in
// case; longer ones may hold one mistake, from five letters two, from nine
// three. Of equally near candidates the first wins.
func Nearest(word string, candidates []string) string {
	w := []rune(strings.ToLower(word))
	limit := 0
	switch n := len(w); {
	case n >= 9:
		limit = 3
	case n >= 5:
		limit = 2
	case n >= 3:
		limit = 1
	}
	best, bestDist := "", limit+1
	for _, c := range candidates {
		if c == word {
			continue
		}
		if n := utf8.RuneCountInString(c); n-len(w) > limit || len(w)-n > limit {
			continue
		}
		if d := distance(w, []rune(strings.ToLower(c)), bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// OneMistake tells whether a word is a candidate with one mistake in it, as
// Nearest counts them.
func OneMistake(word, candidate string) bool {
	return distance([]rune(strings.ToLower(word)), []rune(strings.ToLower(candidate)), 2) == 1
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours that turn a into b, or any number >= limit when it is at least
// limit.
func distance(a, b []rune, limit int) int {
	var before, last []int // the two rows above the current one
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least >= limit {
			return least
		}
	}
	return row[len(b)]
}
