package shell

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"fsql/internal/diag"
	"fsql/session"
)

// The keys of the live view are those of Flink's table mode, and some more.
const liveHelp = "q or Esc ends · space pauses, r paints now, + - slower, faster · n p l g pages: next, previous, last, number · " +
	"w s arrows select a row, Enter or o opens it · a d columns · / filters · c prints changes line by line · ? hides this"

// key handles a byte of a key.
func (v *liveView) key(b byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.drawn, v.news = time.Time{}, true // show at once what it does
	switch {
	case v.esc == 1 && (b == '[' || b == 'O'):
		v.esc = 2
		return
	case v.esc == 2:
		if b >= 0x40 && b <= 0x7e {
			v.esc = 0
			v.arrow(b)
		}
		return
	}
	v.esc = 0
	switch {
	case v.printer != nil:
		if b == 'q' || b == 'Q' || b == ctrlD {
			v.quit()
		}
	case v.ask != 0:
		v.answer(b)
	case v.open && b != 'q' && b != 'Q' && b != ctrlD:
		v.open = false
	default:
		v.command(b)
	}
}

func (v *liveView) arrow(b byte) {
	switch {
	case v.ask != 0 || v.open:
	case b == 'A':
		v.choose(-1)
	case b == 'B':
		v.choose(1)
	case b == 'C':
		v.move(1)
	case b == 'D':
		v.move(-1)
	}
}

func (v *liveView) command(b byte) {
	switch b {
	case 'q', 'Q', ctrlD:
		v.quit()
	case ' ':
		v.pause = !v.pause
	case 'r':
		// Every key paints.
	case '+':
		v.every = min(v.every+1, len(intervals())-1)
	case '-':
		v.every = max(v.every-1, 0)
	case 'n':
		v.scroll(v.skip + v.page)
	case 'p':
		v.scroll(v.skip - v.page)
	case 'l':
		v.scroll((int(v.live.Matched()) - 1) / max(1, v.page) * v.page)
	case 'g', '/':
		v.ask, v.typed = b, nil
	case 's':
		v.choose(1)
	case 'w':
		v.choose(-1)
	case 'a':
		v.move(-1)
	case 'd':
		v.move(1)
	case 'o', '\r', '\n':
		v.open = v.live.Rows() > 0
		v.selected = max(v.selected, v.skip)
	case 'c':
		v.showLog()
	case '?', 'h':
		v.help = !v.help
	case esc:
		v.esc, v.escAt = 1, time.Now()
	}
}

// answer takes a key of a text that was asked for.
func (v *liveView) answer(b byte) {
	switch {
	case b == '\r' || b == '\n':
		if v.ask == 'g' {
			if n, err := strconv.Atoi(string(v.typed)); err == nil && n > 0 {
				v.scroll((n - 1) * v.page)
			}
		} else {
			v.filter, v.skip, v.selected = string(v.typed), 0, -1
		}
		v.ask = 0
	case b == esc:
		v.ask = 0
	case b == 0x7f || b == '\b':
		_, n := utf8.DecodeLastRune(v.typed)
		v.typed = v.typed[:len(v.typed)-n]
	case b >= ' ':
		v.typed = append(v.typed, b)
	}
}

// scroll goes to a row.
func (v *liveView) scroll(to int) {
	v.skip = max(0, min(to, int(v.live.Matched())-1))
	v.selected = -1
}

// choose selects the row above or below; the screen follows it.
func (v *liveView) choose(by int) {
	if v.selected < 0 {
		v.selected = v.skip
	} else {
		v.selected = max(0, min(v.selected+by, int(v.live.Matched())-1))
	}
	if v.selected < v.skip {
		v.skip = v.selected
	}
	if v.page > 0 && v.selected >= v.skip+v.page {
		v.skip = v.selected - v.page + 1
	}
}

// move goes to other columns of a table that is wider than the screen.
func (v *liveView) move(by int) {
	if by < 0 || v.columns[1] < v.live.Columns() {
		v.column = max(0, v.column+by)
	}
}

// foot are the lines below the table.
func (v *liveView) foot(p *session.Progress, now time.Time, width int) []string {
	switch {
	case v.ask == '/':
		return []string{clip("filter: "+string(v.typed)+"_", width)}
	case v.ask == 'g':
		return []string{clip("page: "+string(v.typed)+"_", width)}
	case v.open:
		return []string{clip(fmt.Sprintf("row %s, any key closes it", thousands(int64(max(0, v.selected))+1)), width)}
	case v.help:
		return wrap(liveHelp, width)
	}
	head := rows(v.live.Rows())
	if v.filter != "" {
		head = thousands(v.live.Matched()) + " of " + head + " with '" + v.filter + "'"
	}
	if v.skip > 0 {
		head += " from " + thousands(int64(v.skip)+1)
	}
	if n := v.live.Columns(); v.columns[1]-v.columns[0] < n && v.columns[1] > 0 {
		head += fmt.Sprintf(", columns %d-%d of %d (a d)", v.columns[0]+1, v.columns[1], n)
	}
	if v.every > 0 {
		head += ", painted every " + interval(intervals()[v.every])
	}
	if v.pause {
		return wrap(head+"  paused, space goes on", width)
	}
	const tail = "  q ends, ? helps"
	if p != nil && v.watch.why(p, now) != "" {
		return append([]string{clip(head+tail, width)}, v.watch.lines(p, now, width)...)
	}
	line := v.watch.lines(p, now, max(10, width-diag.Width(head)-2-len(tail)))[0]
	if diag.Width(head)+2+diag.Width(line)+len(tail) > width {
		return []string{clip(head+"  "+line, width)}
	}
	return []string{head + "  " + line + tail}
}

func interval(d time.Duration) string {
	if d > time.Hour {
		return "key r"
	}
	return d.String()
}
