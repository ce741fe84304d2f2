package datagen

import (
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"fsql/connector"
	"fsql/expr"
	"fsql/option"
	"fsql/row"
	"fsql/types"
	"fsql/value"
)

// random makes values that depend on the column's name and the row's number
// only, so that a run can be repeated and resumed.
type random struct {
	typ      types.Type
	seed     uint64
	min, max float64
	whole    [2]int64 // bounds of integers
	past     int64
	length   int64
	varying  bool
	nulls    float64
	kids     []generator
}

func newRandom(t *connector.Table, name string, typ types.Type, known map[string]bool) (generator, error) {
	g := &random{typ: typ, seed: 14695981039346656037}
	for i := 0; i < len(name); i++ {
		g.seed = (g.seed ^ uint64(name[i])) * 1099511628211
	}
	named := func(key string) string { s, _ := t.Options.Named("fields.#."+key, name); return s }
	g.past, _ = option.ParseDuration(named("max-past"))
	g.length, _ = option.ParseInt(named("length"))
	g.varying, _ = option.ParseBool(named("var-len"))
	g.nulls, _ = option.ParseFloat(named("null-rate"))
	if typ.Length > 0 && typ.Length < types.MaxLength && (typ.IsString() || typ.IsBinary()) {
		g.length = int64(typ.Length)
	}
	g.whole, g.min, g.max = limits(typ)
	for i, key := range []string{"min", "max"} {
		text, set := t.Options.Named("fields.#."+key, name)
		if !set {
			continue
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, bad(t, name, "'fields.%s.%s' is '%s', not a number", name, key, text)
		}
		g.whole[i] = int64(f)
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			g.whole[i] = n
		}
		if i == 0 {
			g.min = f
		} else {
			g.max = f
		}
	}
	for i, f := range typ.Fields {
		kid := name + "." + f.Name
		switch {
		case typ.Kind == types.Array || typ.Kind == types.Multiset:
			kid = name + ".element"
		case typ.Kind == types.Map:
			kid = name + []string{".key", ".value"}[i]
		}
		k, err := newGenerator(t, kid, f.Type, known)
		if err != nil {
			return nil, err
		}
		g.kids = append(g.kids, k)
	}
	return g, nil
}

func limits(t types.Type) (whole [2]int64, lo, hi float64) {
	switch t.Kind {
	case types.TinyInt:
		return [2]int64{math.MinInt8, math.MaxInt8}, 0, 0
	case types.SmallInt:
		return [2]int64{math.MinInt16, math.MaxInt16}, 0, 0
	case types.BigInt:
		return [2]int64{math.MinInt64, math.MaxInt64}, 0, 0
	case types.Float:
		return [2]int64{}, -math.MaxFloat32, math.MaxFloat32
	case types.Double:
		return [2]int64{}, -math.MaxFloat64, math.MaxFloat64
	case types.Decimal:
		top := math.Pow10(int(t.Precision-t.Scale)) - 1
		return [2]int64{}, -top, top
	}
	return [2]int64{math.MinInt32, math.MaxInt32}, 0, 0
}

func (g *random) fill(to *row.Vec, from int64, n int) {
	for i := 0; i < n; i++ {
		rng := expr.NewRand(g.seed + uint64(from+int64(i))*0x9e3779b97f4a7c15)
		g.one(to, rng, from+int64(i))
	}
}

func fraction(r *expr.Rand) float64 { return float64(r.Uint64()>>11) / (1 << 53) }

func (g *random) one(to *row.Vec, rng *expr.Rand, at int64) {
	i := to.Len
	if g.typ.Layout() == types.LayoutRow {
		for k, kid := range g.kids {
			kid.fill(to.Kids[k], at, 1)
		}
		to.Len++
		return
	}
	to.AppendNull(1)
	if g.nulls > 0 && fraction(rng) < g.nulls {
		return
	}
	to.Valid.Set(i)
	switch g.typ.Kind {
	case types.Boolean:
		to.Bool[i] = rng.Uint64()&1 == 1
	case types.Date:
		to.I32[i] = int32(time.Now().Unix() / 86400)
	case types.TimeOfDay:
		to.I32[i] = int32(time.Now().UnixMilli() % 86_400_000)
	case types.Timestamp, types.TimestampLTZ:
		ms := time.Now().UnixMilli()
		if g.past > 0 {
			ms -= int64(fraction(rng) * float64(g.past))
		}
		if g.typ.Layout() == types.LayoutNano {
			to.I64[i], to.Nano[i] = ms, 0
		} else {
			to.I64[i] = ms * 1000
		}
	case types.Float:
		to.F32[i] = float32(g.min + fraction(rng)*(g.max-g.min))
	case types.Double:
		to.F64[i] = g.min + fraction(rng)*(g.max-g.min)
	case types.Decimal:
		to.Dec[i], _ = value.DecFromFloat64(g.min+fraction(rng)*(g.max-g.min), int(g.typ.Precision), int(g.typ.Scale))
	case types.Array, types.Map, types.Multiset:
		g.list(to, i, rng, at)
	default:
		g.plain(to, i, rng)
	}
}

func (g *random) plain(to *row.Vec, i int, rng *expr.Rand) {
	span := uint64(g.whole[1]) - uint64(g.whole[0]) + 1
	v := int64(rng.Uint64())
	if span != 0 {
		v = g.whole[0] + int64(rng.Uint64()%span)
	}
	switch g.typ.Layout() {
	case types.LayoutI32:
		to.I32[i] = int32(v)
	case types.LayoutI64:
		to.I64[i] = v
	default:
		n := g.size(rng)
		b := make([]byte, n/2+8)
		for k := 0; k+8 <= len(b); k += 8 {
			for j, x := 0, rng.Uint64(); j < 8; j, x = j+1, x>>8 {
				b[k+j] = byte(x)
			}
		}
		if g.typ.IsBinary() {
			to.Str[i] = string(b[:min(int(n), len(b))])
		} else {
			to.Str[i] = hex.EncodeToString(b)[:n]
		}
	}
}

func (g *random) size(rng *expr.Rand) int64 {
	if g.varying && g.length > 0 {
		return int64(rng.Uint64() % uint64(g.length+1))
	}
	return g.length
}

func (g *random) list(to *row.Vec, i int, rng *expr.Rand, at int64) {
	n := g.size(rng)
	to.Off[i], to.Size[i] = int32(to.Kids[0].Len), int32(n)
	for k, kid := range g.kids {
		kid.fill(to.Kids[k], at*1000, int(n))
	}
	if g.typ.Kind == types.Multiset {
		for range n {
			appendNumber(to.Kids[1], 1)
		}
	}
}
