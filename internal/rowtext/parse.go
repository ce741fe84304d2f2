package rowtext

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Parse reads rows and marks of a schema. Empty lines and lines that start with
// # are passed over.
func Parse(s *types.Schema, text string) (*row.Batch, error) {
	b := row.NewBuilder(s)
	for n, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := parseLine(b, line); err != nil {
			return nil, fmt.Errorf("line %d: %w: %s", n+1, err, line)
		}
	}
	out := b.Flush()
	if out == nil {
		out = row.New(s, 0, b.Cols, nil)
	}
	return out, nil
}

func parseLine(b *row.Builder, line string) error {
	if mark, ok := strings.CutPrefix(line, "-- "); ok {
		t, err := ParseTime(mark)
		if err != nil {
			return err
		}
		if n := len(b.Marks); n > 0 && b.Marks[n-1].Time >= t {
			return fmt.Errorf("mark does not rise")
		}
		b.Mark(t)
		return nil
	}
	kind := row.Insert
	for kind.String() != line[:min(2, len(line))] {
		if kind++; kind > row.Delete {
			return fmt.Errorf("no row kind")
		}
	}
	p := &parser{rest: line[2:]}
	for _, c := range b.Cols {
		if err := p.expect("|"); err != nil {
			return err
		}
		if err := p.value(c); err != nil {
			return err
		}
	}
	if p.skip(); p.rest != "" {
		return fmt.Errorf("more values than columns")
	}
	b.Added(1, kind)
	return nil
}

// ParseTime reads the event time of a mark.
func ParseTime(s string) (types.Time, error) {
	if s == "max" {
		return types.MaxTime, nil
	}
	ms, _, err := parseInstant(s)
	return types.Time(ms), err
}

type parser struct{ rest string }

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *parser) accept(s string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *parser) expect(s string) error {
	if !p.accept(s) {
		return fmt.Errorf("%q expected at %q", s, p.rest)
	}
	return nil
}

// word is what stands before the next separator.
func (p *parser) word() string {
	p.skip()
	end := strings.IndexAny(p.rest, "|,=[](){}")
	if end < 0 {
		end = len(p.rest)
	}
	w := strings.TrimSpace(p.rest[:end])
	p.rest = p.rest[end:]
	return w
}

// value appends one value to v.
func (p *parser) value(v *row.Vec) error {
	if p.accept("NULL") {
		v.AppendNull(1)
		return nil
	}
	if v.Type.Layout() == types.LayoutRow {
		return p.row(v)
	}
	one := row.NewVec(v.Type, 1)
	if err := p.scalar(one); err != nil {
		return err
	}
	v.AppendRange(one, 0, 1)
	return nil
}

func (p *parser) row(v *row.Vec) error {
	one := row.NewVec(v.Type, 0)
	one.Len = 1
	sep := "("
	for _, k := range one.Kids {
		if err := p.expect(sep); err != nil {
			return err
		}
		if err := p.value(k); err != nil {
			return err
		}
		sep = ","
	}
	v.AppendRange(one, 0, 1)
	return p.expect(")")
}

func (p *parser) scalar(v *row.Vec) (err error) {
	switch layout := v.Type.Layout(); layout {
	case types.LayoutBool:
		v.Bool[0], err = strconv.ParseBool(p.word())
	case types.LayoutI32:
		v.I32[0], err = p.number32(v.Type.Kind)
	case types.LayoutI64:
		if v.Type.IsTimestamp() {
			ms, nano, err := parseInstant(p.word())
			v.I64[0] = ms*1000 + int64(nano)/1000
			return err
		}
		v.I64[0], err = strconv.ParseInt(p.word(), 10, 64)
	case types.LayoutF32:
		var f float64
		f, err = strconv.ParseFloat(p.word(), 32)
		v.F32[0] = float32(f)
	case types.LayoutF64:
		v.F64[0], err = strconv.ParseFloat(p.word(), 64)
	case types.LayoutDec:
		v.Dec[0], err = parseDecimal(p.word(), int(v.Type.Scale))
	case types.LayoutNano:
		v.I64[0], v.Nano[0], err = parseInstant(p.word())
	case types.LayoutStr:
		if v.Type.Kind == types.Bitmap {
			v.Str[0], err = p.bitmap()
			return err
		}
		v.Str[0], err = p.text()
	default:
		return p.list(v)
	}
	return err
}

// bitmap reads {1,2}: numbers in order.
func (p *parser) bitmap() (string, error) {
	if err := p.expect("{"); err != nil {
		return "", err
	}
	var set []uint32
	for !p.accept("}") {
		n, err := strconv.ParseUint(p.word(), 10, 32)
		if err != nil {
			return "", err
		}
		set = append(set, uint32(n))
		p.accept(",")
	}
	var b value.BitmapBuilder
	return string(b.Append(nil, set)), nil
}

func (p *parser) number32(kind types.Kind) (int32, error) {
	w := p.word()
	switch kind {
	case types.Date:
		t, err := time.Parse(time.DateOnly, w)
		return int32(math.Floor(float64(t.Unix()) / 86400)), err
	case types.TimeOfDay:
		ms, _, err := parseInstant(w)
		return int32(ms), err
	}
	n, err := strconv.ParseInt(w, 10, 32)
	return int32(n), err
}

func (p *parser) list(v *row.Vec) error {
	open, end := "{", "}"
	if v.Type.Kind == types.Array {
		open, end = "[", "]"
	}
	if err := p.expect(open); err != nil {
		return err
	}
	for !p.accept(end) {
		if v.Size[0] > 0 {
			if err := p.expect(","); err != nil {
				return err
			}
		}
		for i, k := range v.Kids {
			if i > 0 {
				if err := p.expect("="); err != nil {
					return err
				}
			}
			if err := p.value(k); err != nil {
				return err
			}
		}
		v.Size[0]++
	}
	return nil
}

func (p *parser) text() (string, error) {
	p.skip()
	if q, err := strconv.QuotedPrefix(p.rest); err == nil && q[0] == '"' {
		p.rest = p.rest[len(q):]
		return strconv.Unquote(q)
	}
	isHex := p.accept("x'")
	if !isHex {
		if err := p.expect("'"); err != nil {
			return "", err
		}
	}
	s := ""
	for {
		part, rest, ok := strings.Cut(p.rest, "'")
		if !ok {
			return "", fmt.Errorf("string does not end")
		}
		s, p.rest = s+part, rest
		if !strings.HasPrefix(rest, "'") {
			break
		}
		s, p.rest = s+"'", rest[1:]
	}
	if isHex {
		b, err := hex.DecodeString(s)
		return string(b), err
	}
	return s, nil
}

func parseDecimal(s string, scale int) (types.Dec, error) {
	whole, frac, _ := strings.Cut(s, ".")
	if len(frac) > scale {
		return types.Dec{}, fmt.Errorf("more than %d digits after the point", scale)
	}
	n, ok := new(big.Int).SetString(whole+frac+strings.Repeat("0", scale-len(frac)), 10)
	if !ok {
		return types.Dec{}, fmt.Errorf("no decimal: %q", s)
	}
	lo := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return types.Dec{Lo: lo.Uint64(), Hi: new(big.Int).Rsh(n, 64).Int64()}, nil
}

// parseInstant reads [date ]time, giving milliseconds and nanoseconds within.
func parseInstant(s string) (ms int64, nano int32, err error) {
	if !strings.Contains(s, " ") {
		s = "1970-01-01 " + s
	}
	t, err := time.Parse(time.DateTime, s)
	if err != nil {
		return 0, 0, err
	}
	n := int64(t.Nanosecond())
	return t.Unix()*1000 + n/1e6, int32(n % 1e6), nil
}
