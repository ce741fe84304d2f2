package shell

import (
	"strings"
	"unicode/utf8"

	"fsql/internal/diag"
)

// vt is a small terminal: what a person sees of the bytes a program sends.
type vt struct {
	cols, rows int
	x, y       int
	grid       [][]rune
	past       []string // lines that scrolled off the top
	pending    []byte
	noWrap     bool
	modes      map[string]bool // private modes that were switched on
	colored    bool            // some colour was sent
	styles     map[string]bool // the parameters of SGR that were sent
}

func newVT(cols, rows int) *vt {
	v := &vt{cols: cols, rows: rows, modes: map[string]bool{}, styles: map[string]bool{}}
	v.grid = make([][]rune, rows)
	for i := range v.grid {
		v.grid[i] = blank(cols)
	}
	return v
}

func blank(n int) []rune { return []rune(strings.Repeat(" ", n)) }

func (v *vt) write(b []byte) {
	v.pending = append(v.pending, b...)
	for len(v.pending) > 0 {
		n := v.one(v.pending)
		if n == 0 {
			return
		}
		v.pending = v.pending[n:]
	}
}

// one handles what stands first and returns its length, 0 if it is unfinished.
func (v *vt) one(b []byte) int {
	switch b[0] {
	case '\r':
		v.x = 0
		return 1
	case '\n':
		v.down()
		return 1
	case '\b':
		v.x = max(0, v.x-1)
		return 1
	case '\a':
		return 1
	case esc:
		return v.escape(b)
	}
	if !utf8.FullRune(b) {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	v.put(r)
	return n
}

func (v *vt) put(r rune) {
	w := diag.Width(string(r))
	if r == pasteMark {
		w = 0
	}
	if w == 0 {
		return
	}
	if v.x+w > v.cols {
		if v.noWrap {
			v.x = v.cols - w
		} else {
			v.x = 0
			v.down()
		}
	}
	v.grid[v.y][v.x] = r
	v.x += w
}

func (v *vt) down() {
	if v.y++; v.y < v.rows {
		return
	}
	v.y = v.rows - 1
	v.past = append(v.past, strings.TrimRight(string(v.grid[0]), " "))
	v.grid = append(v.grid[1:], blank(v.cols))
}

func (v *vt) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] != '[' {
		return 2
	}
	end := 2
	for end < len(b) && (b[end] < 0x40 || b[end] > 0x7e) {
		end++
	}
	if end == len(b) {
		return 0
	}
	arg := string(b[2:end])
	n := 0
	for _, c := range arg {
		if c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	many := max(1, n)
	switch b[end] {
	case 'A':
		v.y = max(0, v.y-many)
	case 'B':
		v.y = min(v.rows-1, v.y+many)
	case 'C':
		v.x = min(v.cols-1, v.x+many)
	case 'D':
		v.x = max(0, v.x-many)
	case 'H':
		v.x, v.y = 0, 0
	case 'J':
		if n == 2 {
			for i := range v.grid {
				v.grid[i] = blank(v.cols)
			}
			break
		}
		v.clear(min(v.x, v.cols-1))
		for i := v.y + 1; i < v.rows; i++ {
			v.grid[i] = blank(v.cols)
		}
	case 'K':
		if n == 2 {
			v.clear(0)
		} else {
			// A cursor behind the last column stands on it.
			v.clear(min(v.x, v.cols-1))
		}
	case 'm':
		v.colored = v.colored || n != 0
		v.styles[arg] = true
	case 'h', 'l':
		v.modes[arg] = b[end] == 'h'
		if arg == "?7" {
			v.noWrap = b[end] == 'l'
		}
	}
	return end + 1
}

func (v *vt) clear(from int) {
	for i := from; i < v.cols; i++ {
		v.grid[v.y][i] = ' '
	}
}

// text is the screen without empty lines at its end, all is what scrolled off
// before it.
func (v *vt) text() string {
	var lines []string
	for _, l := range v.grid {
		lines = append(lines, strings.TrimRight(string(l), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (v *vt) all() string {
	return strings.Join(append(append([]string{}, v.past...), v.text()), "\n")
}
