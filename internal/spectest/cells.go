package spectest

import (
	"math"
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/internal/ftest"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// change is one row of a changelog; its cells are as --update writes them.
type change struct {
	kind  row.Kind
	cells []string
}

func (c change) line() string { return strings.Join(c.cells, " | ") }

// withOp is the line with the row kind in front.
func (c change) withOp() string { return c.kind.String() + " | " + c.line() }

// speller writes cells.
type speller struct {
	zone     expr.Zone
	digits   int // significant ones of DOUBLE and FLOAT, 0: all
	decimals int // digits of them behind the point, 0: all
}

// cell writes value i of a column.
func (s speller) cell(v *row.Vec, i int) string {
	if v.IsNull(i) {
		return ftest.FormatCell("", true)
	}
	switch {
	case s.digits+s.decimals > 0 && v.Type.Kind == types.Double:
		return string(value.AppendDouble(nil, s.round(v.F64[i])))
	case s.digits+s.decimals > 0 && v.Type.Kind == types.Float:
		return string(value.AppendFloat(nil, float32(s.round(float64(v.F32[i])))))
	case v.Type.Kind == types.Map || v.Type.Kind == types.Multiset:
		return ftest.FormatCell(sortedMap(string(value.AppendText(nil, v, i, s.zone))), false)
	}
	return ftest.FormatCell(string(value.AppendText(nil, v, i, s.zone)), false)
}

// round keeps as many digits as are compared.
func (s speller) round(f float64) float64 {
	if s.decimals > 0 {
		return atDecimals(f, s.decimals)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', s.digits, 64), 64)
	if err != nil {
		return f
	}
	return r
}

// sortedMap puts the entries of {a=1, b=2} into order: a map has none.
func sortedMap(text string) string {
	inside := text[1 : len(text)-1]
	depth, from := 0, 0
	var entries []string
	for i := 0; i < len(inside); i++ {
		switch inside[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 && i+1 < len(inside) && inside[i+1] == ' ' {
				entries = append(entries, inside[from:i])
				from = i + 2
			}
		}
	}
	return "{" + strings.Join(sorted(append(entries, inside[from:])), ", ") + "}"
}

// rows are the changes of a batch.
func (s speller) rows(b *row.Batch) []change {
	out := make([]change, b.Rows)
	for r := range out {
		cells := make([]string, len(b.Cols))
		for i, c := range b.Cols {
			cells[i] = s.cell(c, r)
		}
		out[r] = change{b.Kind(r), cells}
	}
	return out
}

// expected reads a cell as a column's type and writes it as cell does.
func (s speller) expected(c ftest.Cell, t types.Type) (string, error) {
	v := row.NewVec(t.AsNullable(), 0)
	if err := appendCell(v, c, s.zone); err != nil {
		return "", err
	}
	return s.cell(v, 0), nil
}
