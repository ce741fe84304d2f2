package ftest

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// twinRows is the plainest statement of the rule: a cell is what the pattern
// matches, and whatever stands behind a cell and is no comma ends the record.
func twinRows(text string) [][]string {
	cellAt := regexp.MustCompile(`^(?:"((?:[^"]|"")*)"|([^,\n]*))`)
	var rows [][]string
	var row []string
	for i := 0; i <= len(text); i++ {
		m := cellAt.FindStringSubmatchIndex(text[i:])
		quoted := m[2] >= 0
		var cell string
		if quoted {
			cell = strings.ReplaceAll(text[i+m[2]:i+m[3]], `""`, `"`)
			if cell == "NULL" {
				cell = `"NULL"`
			}
		} else {
			cell = text[i+m[4] : i+m[5]]
		}
		row = append(row, cell)
		i += m[1]
		if i >= len(text) || text[i] != ',' {
			if !reflect.DeepEqual(row, []string{""}) || quoted {
				rows = append(rows, row)
			}
			row = nil
		}
	}
	return rows
}

func TestRowsAgreeWithTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`"`, `"`, `""`, ",", "\n", "a", "NULL", `"NULL"`, "\r", "é", " "}
	for range 20000 {
		var b strings.Builder
		for range rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if got, want := Rows(b.String()), twinRows(b.String()); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %q, want %q", b.String(), got, want)
		}
	}
}

func TestRows(t *testing.T) {
	for text, want := range map[string][][]string{
		"a,b\n1,NULL\n":          {{"a", "b"}, {"1", "NULL"}},
		"a\n\"NULL\"\n":          {{"a"}, {`"NULL"`}},
		"a\n\"\"\n\n":            {{"a"}, {""}},
		"a\n\"x, \"\"y\"\"\nz\"": {{"a"}, {"x, \"y\"\nz"}},
		"":                       nil,
		"a,\n":                   {{"a", ""}},
	} {
		if got := Rows(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestMapsCompareInAnyOrder(t *testing.T) {
	if rowKey([]string{"1", "{a=1, b=2}"}) != rowKey([]string{"1", "{b=2, a=1}"}) {
		t.Error("order of entries counts")
	}
	if rowKey([]string{"[a, b]"}) == rowKey([]string{"[b, a]"}) {
		t.Error("order of elements does not count")
	}
	if rowKey([]string{"a", "b"}) == rowKey([]string{"ab"}) {
		t.Error("borders of cells do not count")
	}
}
