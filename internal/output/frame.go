package output

import (
	"slices"
	"strings"
	"time"

	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
)

// View is the part of a live table that a screen shows.
type View struct {
	Height, Width int
	Skip          int    // rows above the first one
	Selected      int    // the row that stands out; -1: none
	Column        int    // the first column
	Filter        string // only rows that have it in a cell, in whatever case; "": all
	Now           time.Time
	Color         bool
}

// glow is how long a changed cell stands out.
const glow = time.Second

// Styles of cells.
const (
	styleFresh    = "1;33"
	styleSelected = "7"
)

// Frame draws the table into at most v.Height lines of at most v.Width columns.
// Cells that changed since they were last drawn stand out for a second when
// v.Color is set. shown are the first and the last column that had room.
func (l *Live) Frame(v View) (lines []string, shown [2]int) {
	n := max(1, v.Height-4)
	slots := l.pick(v.Filter, v.Skip, n)
	b := l.batch(slots)
	seen := make(map[int64]*painted, len(slots))
	var rows []*painted
	selected := -1
	for r, s := range slots {
		p := l.painted(b, r, l.shown[l.place[s]], v.Now)
		seen[l.place[s]] = p
		if r == v.Selected-v.Skip {
			selected = len(rows)
		}
		for range min(int(l.count[s]), n-len(rows)) {
			rows = append(rows, p)
		}
	}
	l.shown = seen
	for _, p := range rows {
		for i, c := range p.cells {
			l.widths[i] = max(l.widths[i], min(diag.Width(c), l.opts.MaxWidth))
		}
	}
	from, to := l.room(v.Column, v.Width)
	cols := *l.schema
	cols.Columns = cols.Columns[from:to]
	widths := slices.Clone(l.widths[from:to])
	fit(widths, &cols, false, v.Width)
	names := make([]string, to-from)
	for i, c := range cols.Columns {
		names[i] = c.Name
	}
	rule := ruleOf(widths)
	lines = []string{rule, lineOf(widths, names, nil), rule}
	for i, p := range rows {
		styles := make([]string, to-from)
		for k := range styles {
			switch {
			case i == selected && v.Selected >= 0:
				styles[k] = styleSelected
			case v.Color && v.Now.Sub(p.changed[from+k]) < glow:
				styles[k] = styleFresh
			}
		}
		lines = append(lines, lineOf(widths, p.cells[from:to], styles))
	}
	return append(lines, rule), [2]int{from, to}
}

// room finds the columns from first on that can be read side by side.
func (l *Live) room(first, width int) (from, to int) {
	n := len(l.widths)
	first = max(0, min(first, n-1))
	need := 1
	for to = first; to < n; to++ {
		if need += min(l.widths[to], readable) + 3; need > width && to > first {
			break
		}
	}
	return first, to
}

// pick returns the slots to show: n of those that the filter lets through,
// behind skip of them.
func (l *Live) pick(filter string, skip, n int) []int32 {
	if filter == "" {
		l.matched = l.rows
		return l.first(skip, n)
	}
	filter = strings.ToLower(filter)
	all := l.first(0, len(l.place))
	var out []int32
	l.matched = 0
	const most = 1024
	for len(all) > 0 {
		part := all[:min(most, len(all))]
		all = all[len(part):]
		b := l.batch(part)
		for r, s := range part {
			if !l.holds(b, r, filter) {
				continue
			}
			if l.matched++; l.matched > int64(skip) && len(out) < n {
				out = append(out, s)
			}
		}
	}
	return out
}

func (l *Live) holds(b *row.Batch, r int, filter string) bool {
	for _, c := range l.cells(b, r) {
		if strings.Contains(strings.ToLower(c), filter) {
			return true
		}
	}
	return false
}

// Matched is the number of rows that the filter of the last frame let through.
func (l *Live) Matched() int64 { return l.matched }

// Row spells the row at a place of the view in full, a line per column.
func (l *Live) Row(filter string, at int) []string {
	slots := l.pick(filter, at, 1)
	if len(slots) == 0 {
		return nil
	}
	width := 0
	for _, c := range l.schema.Columns {
		width = max(width, diag.Width(c.Name))
	}
	var lines []string
	for i, c := range l.cells(l.batch(slots), 0) {
		name := l.schema.Columns[i].Name
		lines = append(lines, name+strings.Repeat(" ", width-diag.Width(name))+" | "+c)
	}
	return lines
}

func (l *Live) cells(b *row.Batch, r int) []string {
	cells := make([]string, len(b.Cols))
	for i, c := range b.Cols {
		cells[i] = nullCell
		if !c.IsNull(r) {
			cells[i] = string(value.AppendText(nil, c, r, l.opts.Zone))
		}
	}
	return cells
}

func (l *Live) painted(b *row.Batch, r int, before *painted, now time.Time) *painted {
	p := &painted{cells: l.cells(b, r), changed: make([]time.Time, len(b.Cols))}
	for i := range b.Cols {
		switch {
		case before == nil:
		case before.cells[i] != p.cells[i]:
			p.changed[i] = now
		default:
			p.changed[i] = before.changed[i]
		}
	}
	return p
}

func ruleOf(widths []int) string {
	var b strings.Builder
	for _, w := range widths {
		b.WriteString("+" + strings.Repeat("-", w+2))
	}
	return b.String() + "+"
}

func lineOf(widths []int, cells, styles []string) string {
	var b strings.Builder
	for i, c := range cells {
		c = cut(c, widths[i])
		pad := strings.Repeat(" ", widths[i]-diag.Width(c))
		if c = pad + c; styles != nil && styles[i] != "" {
			c = "\x1b[" + styles[i] + "m" + c + "\x1b[0m"
		}
		b.WriteString("| " + c + " ")
	}
	return b.String() + "|"
}

// Columns is the number of columns.
func (l *Live) Columns() int { return len(l.schema.Columns) }
