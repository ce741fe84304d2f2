package datagen

import (
	"math"
	"math/bits"
	"time"

	"fsql/connector/format"
	"fsql/internal/option"
	"fsql/internal/value"
	"fsql/types"
)

// random makes values that depend on the column's name and the row's number
// only, so that a run can be repeated and resumed anywhere.
type random struct {
	typ    types.Type
	seed   uint64
	low    int64   // bounds of whole numbers
	span   uint64  // how many there are, 0: all of 64 bits
	min    float64 // bounds of other numbers
	width  float64
	past   int64 // milliseconds
	length int   // of text, bytes, collections
	vary   bool
	nulls  float64 // share of NULLs
	kids   []generator
	arena  format.Arena
}

func newRandom(f *fields, name string, typ types.Type) (generator, error) {
	g := &random{typ: typ, seed: 14695981039346656037}
	for i := 0; i < len(name); i++ {
		g.seed = (g.seed ^ uint64(name[i])) * 1099511628211
	}
	var err error
	if g.nulls, err = f.share(name); err != nil {
		return nil, err
	}
	switch {
	case typ.IsInteger():
		err = g.whole(f, name)
	case typ.IsNumeric():
		err = g.fraction(f, name)
	case typ.IsTimestamp():
		ms, ok := int64(0), true
		if f.has(name, "max-past") {
			ms, ok = option.ParseDuration(f.text(name, "max-past"))
		}
		if g.past = ms; !ok {
			err = f.bad(name, "max-past", "a duration such as '1 h'")
		}
	case typ.IsString(), typ.IsBinary():
		err = g.text(f, name)
	case typ.Kind == types.Array, typ.Kind == types.Map, typ.Kind == types.Multiset, typ.Kind == types.Row:
		err = g.nested(f, name)
	case typ.Kind == types.Boolean, typ.Kind == types.Date, typ.Kind == types.TimeOfDay:
	default:
		err = f.refuse(name, "values of %s cannot be made up", typ.Short())
	}
	return g, err
}

// whole reads the bounds of an integer, both included.
func (g *random) whole(f *fields, name string) (err error) {
	bits := map[types.Kind]uint{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32, types.BigInt: 64}[g.typ.Kind]
	least, most := int64(-1)<<(bits-1), int64(1)<<(bits-1)-1
	var high int64
	if g.low, err = f.whole(name, "min", least); err != nil {
		return err
	}
	if high, err = f.whole(name, "max", most); err != nil {
		return err
	}
	if g.low > high || g.low < least || high > most {
		return f.refuse(name, "the bounds %d and %d are no range of %s", g.low, high, g.typ.Short())
	}
	g.span = uint64(high) - uint64(g.low) + 1
	return nil
}

// fraction reads the bounds of a FLOAT, DOUBLE or DECIMAL.
func (g *random) fraction(f *fields, name string) (err error) {
	most := math.MaxFloat64
	switch g.typ.Kind {
	case types.Float:
		most = math.MaxFloat32
	case types.Decimal:
		most = math.Pow10(int(g.typ.Precision-g.typ.Scale)) - math.Pow10(-int(g.typ.Scale))
	}
	if g.min, err = f.number(name, "min", 0); err != nil {
		return err
	}
	if most, err = f.number(name, "max", most); err != nil {
		return err
	}
	if g.width = most - g.min; !(g.width >= 0) {
		return f.refuse(name, "the bounds %g and %g are no range", g.min, most)
	}
	return nil
}

// text reads the length of text or bytes: that of the type, 100 where it has
// none.
func (g *random) text(f *fields, name string) error {
	const usual = 100
	fixed := g.typ.Kind == types.Char || g.typ.Kind == types.Binary
	n := int64(g.typ.Length)
	if n == types.MaxLength {
		n = usual
	}
	if fixed {
		if f.has(name, "length") || f.has(name, "var-len") {
			return f.refuse(name, "the length of a %s is fixed", g.typ.Short())
		}
	} else {
		var err error
		if n, err = f.whole(name, "length", n); err != nil {
			return err
		}
		if n < 0 || n > int64(g.typ.Length) {
			return f.refuse(name, "the length %d does not fit %s", n, g.typ.Short())
		}
		g.vary = f.text(name, "var-len") == "true"
	}
	g.length = int(n)
	return nil
}

// nested makes the generators of elements and fields.
func (g *random) nested(f *fields, name string) error {
	parts := []string{".element"}
	kids := g.typ.Fields
	switch g.typ.Kind {
	case types.Map:
		parts = []string{".key", ".value"}
	case types.Row:
		parts = nil
		for _, k := range kids {
			parts = append(parts, "."+k.Name)
		}
	}
	if g.typ.Kind != types.Row {
		const usual = 3
		n, err := f.whole(name, "length", usual)
		if err != nil {
			return err
		}
		if n < 0 || n > math.MaxInt32 {
			return f.bad(name, "length", "a number of elements")
		}
		g.length = int(n)
	}
	for i, k := range kids {
		kid, err := newGenerator(f, name+parts[i], k.Type)
		if err != nil {
			return err
		}
		g.kids = append(g.kids, kid)
	}
	if g.typ.Kind == types.Multiset {
		g.kids = append(g.kids, &random{typ: types.Of(types.Int).NotNull(), seed: g.seed + 1, low: 1, span: 10})
	}
	return nil
}

// mix is the finishing step of splitmix64: a good hash of seed and number.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func unit(x uint64) float64 { return float64(x>>11) / (1 << 53) }

// integer is a number within the bounds for a random one of 64 bits.
func (g *random) integer(x uint64) int64 {
	if g.span == 0 {
		return int64(x)
	}
	hi, _ := bits.Mul64(x, g.span)
	return g.low + int64(hi)
}

func (g *random) fill(to *format.Column, from int64, n int) {
	if g.nulls == 0 {
		g.values(to, from, n)
		return
	}
	for i := from; i < from+int64(n); i++ {
		if unit(mix(g.seed^0x5bd1e995+uint64(i))) < g.nulls {
			to.Null()
		} else {
			g.values(to, i, 1)
		}
	}
}

// values appends values for n rows, none of them NULL.
func (g *random) values(to *format.Column, from int64, n int) {
	v := to.Vec
	x := g.seed + uint64(from)
	switch g.typ.Kind {
	case types.Boolean:
		for i := 0; i < n; i++ {
			v.Bool = append(v.Bool, mix(x+uint64(i))&1 == 1)
		}
	case types.TinyInt, types.SmallInt, types.Int:
		for i := 0; i < n; i++ {
			v.I32 = append(v.I32, int32(g.integer(mix(x+uint64(i)))))
		}
	case types.BigInt:
		for i := 0; i < n; i++ {
			v.I64 = append(v.I64, g.integer(mix(x+uint64(i))))
		}
	case types.Float:
		for i := 0; i < n; i++ {
			v.F32 = append(v.F32, float32(g.min+unit(mix(x+uint64(i)))*g.width))
		}
	case types.Double:
		for i := 0; i < n; i++ {
			v.F64 = append(v.F64, g.min+unit(mix(x+uint64(i)))*g.width)
		}
	case types.Decimal:
		for i := 0; i < n; i++ {
			d, ok := value.DecFromFloat64(g.min+unit(mix(x+uint64(i)))*g.width, int(g.typ.Precision), int(g.typ.Scale))
			if v.Dec = append(v.Dec, d); !ok {
				to.LastNull()
			}
		}
	case types.Date, types.TimeOfDay, types.Timestamp, types.TimestampLTZ:
		g.moments(to, x, n)
	case types.Row:
		for k, kid := range g.kids {
			kid.fill(to.Kids[k], from, n)
		}
		for i := 0; i < n; i++ {
			to.Row()
		}
	case types.Array, types.Map, types.Multiset:
		off := to.Kids[0].Len()
		for k, kid := range g.kids {
			kid.fill(to.Kids[k], from*int64(g.length), n*g.length)
		}
		for i := 0; i < n; i++ {
			v.Off, v.Size = append(v.Off, int32(off+i*g.length)), append(v.Size, int32(g.length))
		}
	default:
		g.texts(to, x, n)
	}
}

// moments appends the present, or for timestamps one in the past.
func (g *random) moments(to *format.Column, x uint64, n int) {
	v := to.Vec
	now := time.Now().UnixMilli()
	for i := 0; i < n; i++ {
		ms := now
		if g.past > 0 {
			ms -= int64(unit(mix(x+uint64(i))) * float64(g.past))
		}
		switch {
		case g.typ.Kind == types.Date:
			v.I32 = append(v.I32, int32(value.FloorDiv(ms, value.Day)))
		case g.typ.Kind == types.TimeOfDay:
			v.I32 = append(v.I32, format.CutMillis(int32(value.FloorMod(ms, value.Day)), g.typ.Precision))
		case g.typ.Layout() == types.LayoutNano:
			v.I64, v.Nano = append(v.I64, ms), append(v.Nano, 0)
		default:
			v.I64 = append(v.I64, format.CutMicros(ms, 0, g.typ.Precision))
		}
	}
}

// texts appends hexadecimal digits, or bytes.
func (g *random) texts(to *format.Column, x uint64, n int) {
	const hex = "0123456789abcdef"
	binary := g.typ.IsBinary()
	for i := 0; i < n; i++ {
		state := mix(x + uint64(i))
		length := g.length
		if g.vary && length > 0 {
			hi, _ := bits.Mul64(state, uint64(length))
			length = 1 + int(hi)
		}
		to.Vec.Str = append(to.Vec.Str, g.arena.Append(length, func(dst []byte) []byte {
			for left := length; left > 0; {
				state = mix(state)
				for y, k := state, 0; k < 8 && left > 0; y, k, left = y>>8, k+1, left-1 {
					if binary {
						dst = append(dst, byte(y))
					} else {
						dst = append(dst, hex[y&15])
					}
				}
			}
			return dst
		}))
	}
}
