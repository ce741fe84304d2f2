package builtin

import (
	"encoding/binary"
	"slices"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// bitmapRule is which numbers an aggregate of bitmaps keeps.
type bitmapRule int

const (
	bitmapBuild bitmapRule = iota // of numbers, not of bitmaps
	bitmapOr
	bitmapAnd
	bitmapXor
)

// bitmapFuncs are the aggregates that give a BITMAP, each with the one that
// gives its cardinality.
func bitmapFuncs() []*agg.Func {
	var out []*agg.Func
	for _, f := range []struct {
		rule      bitmapRule
		name      string
		what, arg string
	}{
		{bitmapBuild, "BITMAP_BUILD", "the set of the numbers that are not NULL, NULL if there are none; negative numbers count as unsigned", "i"},
		{bitmapOr, "BITMAP_OR", "the numbers that one of the sets holds, NULL if there are no sets", "bitmap"},
		{bitmapAnd, "BITMAP_AND", "the numbers that all sets hold, NULL if there are no sets", "bitmap"},
		{bitmapXor, "BITMAP_XOR", "the numbers that an odd number of the sets hold, NULL if there are no sets", "bitmap"},
	} {
		out = append(out, bitmapFunc(f.rule, f.name+"_AGG", "A BITMAP of "+f.what+".", f.arg, types.Bitmap),
			bitmapFunc(f.rule, f.name+"_CARDINALITY_AGG", "How many numbers "+f.name+"_AGG collects: "+f.what+".", f.arg, types.BigInt))
	}
	return out
}

func bitmapFunc(rule bitmapRule, name, doc, arg string, result types.Kind) *agg.Func {
	example := "stops"
	if rule != bitmapBuild {
		example = "BITMAP_BUILD(ARRAY[1, 2])"
	}
	f := &agg.Func{
		Name:    name,
		Doc:     doc,
		Syntax:  name + "([DISTINCT] " + arg + ")",
		Example: "SELECT city, " + name + "(" + example + ") AS numbers FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			return types.Of(result), rule.check(name, args, opts)
		},
		New: func(args []types.Type, result types.Type, opts agg.Options) (agg.Accumulator, error) {
			return &bitmap{rule: rule, retract: opts.Retract, count: result.Kind == types.BigInt, values: agg.NewValues(opts.ZeroHash)}, nil
		},
	}
	if rule == bitmapBuild {
		f.BareNull = true
		f.Args = func(args []types.Type) []types.Type {
			out := slices.Clone(args)
			for i, t := range args {
				switch t.Kind {
				case types.TinyInt, types.SmallInt, types.Null:
					out[i] = types.Of(types.Int).NotNull().OrNull(t.Nullable || t.Kind == types.Null)
				}
			}
			return out
		}
	}
	return f
}

// check refuses what Flink refuses: numbers wider than INT, and for sets
// everything but a BITMAP.
func (rule bitmapRule) check(name string, args []types.Type, opts agg.Options) error {
	if err := takes(name, args, 1, 1, opts); err != nil {
		return err
	}
	t := args[0]
	switch {
	case rule != bitmapBuild && t.Kind != types.Bitmap:
		return refuse(name, t, "a BITMAP: write "+name+"(BITMAP_BUILD(ARRAY[x]))")
	case rule == bitmapBuild && t.Kind == types.BigInt:
		return diag.New(diag.WrongArguments, diag.Span{}, "cannot apply %s to an argument of type %s", name, t.Short()).
			WithHint("%s takes INT: write CAST(x AS INT)", name)
	case rule == bitmapBuild && !t.IsInteger():
		return refuse(name, t, "INT")
	}
	return nil
}

// bitmap keeps for each slot the numbers that came, with how many of the sets
// hold each: what Flink's accumulators that take rows back keep too.
type bitmap struct {
	rule    bitmapRule
	retract bool
	count   bool // the result is the cardinality
	values  *agg.Values
	sets    []bitmapSet // by slot

	numbers *row.Vec // of all rows of a batch, with slots and signs
	to      []int32
	signs   []int64
	read    []uint32
	ids     []int32
	gone    []int32
	found   *row.Vec
	builder value.BitmapBuilder
	text    []byte
}

type bitmapSet struct {
	sets    int64 // BITMAPs, or numbers of BITMAP_BUILD_AGG, that are there
	members int64 // numbers with a count above 0
	dropped int64 // sets when drop was here last
}

func bitmapNumber() types.Type { return types.Of(types.Int).NotNull() }

func (a *bitmap) Grow(n int) {
	a.values.Grow(n)
	a.sets = extended(a.sets, n)
	if a.numbers == nil {
		a.numbers, a.found = row.NewVec(bitmapNumber(), 0), row.NewVec(bitmapNumber(), 0)
	}
}

func (a *bitmap) Reset(slots []int32) {
	a.values.Reset(slots)
	for _, s := range slots {
		a.sets[s] = bitmapSet{}
	}
}

func (a *bitmap) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	v := args[0]
	a.begin()
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if v.IsNull(r) {
			continue
		}
		sign := int64(1)
		if signs != nil {
			sign = int64(signs[i])
		}
		a.sets[s].sets += sign
		if a.rule == bitmapBuild {
			a.push(v.I32[r], s, sign)
			continue
		}
		a.read, _ = value.AppendBitmapNumbers(a.read[:0], v.Str[r])
		for _, n := range a.read {
			a.push(int32(n), s, sign)
		}
	}
	a.fold()
	a.drop(slots)
	return nil
}

func (a *bitmap) begin() {
	a.numbers.Reset(bitmapNumber(), 0)
	a.to, a.signs = a.to[:0], a.signs[:0]
}

func (a *bitmap) push(n, slot int32, by int64) {
	at := a.numbers.Extend(1)
	a.numbers.I32[at] = n
	a.to, a.signs = append(a.to, slot), append(a.signs, by)
}

// fold adds the numbers that were pushed.
func (a *bitmap) fold() {
	if len(a.to) == 0 {
		return
	}
	a.gone = a.gone[:0]
	for i, id := range a.values.FindOrAdd([]*row.Vec{a.numbers}, nil, a.to) {
		n := a.values.Count(id)
		before := *n > 0
		*n += a.signs[i]
		if a.rule == bitmapXor {
			*n &= 1 // a set that is taken back and one that comes do the same
		}
		switch s := &a.sets[a.to[i]]; {
		case before && *n <= 0:
			s.members--
		case !before && *n > 0:
			s.members++
		}
		if *n == 0 {
			a.gone = append(a.gone, id)
		}
	}
	a.values.Sweep(a.gone)
}

// drop forgets the numbers that a set lacked, of BITMAP_AND_AGG whose rows are
// never taken back: they cannot come into the result any more.
func (a *bitmap) drop(slots []int32) {
	if a.rule != bitmapAnd || a.retract {
		return
	}
	a.gone = a.gone[:0]
	for _, s := range slots {
		if a.sets[s].members == 0 || a.sets[s].dropped == a.sets[s].sets {
			continue
		}
		a.sets[s].dropped = a.sets[s].sets
		for id := a.values.First(s); id != nobody; id = a.values.Next(id) {
			if n := a.values.Count(id); *n > 0 && *n < a.sets[s].sets {
				*n = 0
				a.gone = append(a.gone, id)
				a.sets[s].members--
			}
		}
	}
	a.values.Sweep(a.gone)
}

func (a *bitmap) Merge(dst, src []int32) error {
	a.begin()
	for i, s := range src {
		a.sets[dst[i]].sets += a.sets[s].sets
		a.ids = a.ids[:0]
		for id := a.values.First(s); id != nobody; id = a.values.Next(id) {
			a.ids = append(a.ids, id)
		}
		a.found.Reset(bitmapNumber(), 0)
		a.values.Decode(a.ids, []*row.Vec{a.found})
		for k, id := range a.ids {
			a.push(a.found.I32[k], dst[i], *a.values.Count(id))
		}
	}
	a.fold()
	a.drop(dst)
	return nil
}

func (a *bitmap) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		set := a.sets[s]
		empty := set.sets <= 0
		if a.rule == bitmapBuild {
			empty = set.members == 0
		}
		switch {
		case empty:
			out.SetNull(at + i)
		case !a.count:
			out.Str[at+i] = a.pack(s)
		case a.rule == bitmapAnd && a.retract:
			out.I64[at+i] = int64(len(a.members(s)))
		default:
			out.I64[at+i] = set.members
		}
	}
}

// members are the ids of the numbers in the result of a slot.
func (a *bitmap) members(slot int32) []int32 {
	a.ids = a.ids[:0]
	for id := a.values.First(slot); id != nobody; id = a.values.Next(id) {
		n := *a.values.Count(id)
		if n > 0 && (a.rule != bitmapAnd || n == a.sets[slot].sets) {
			a.ids = append(a.ids, id)
		}
	}
	return a.ids
}

// pack is the result of a slot in the form of a BITMAP column.
func (a *bitmap) pack(slot int32) string {
	a.found.Reset(bitmapNumber(), 0)
	a.values.Decode(a.members(slot), []*row.Vec{a.found})
	a.read = a.read[:0]
	for _, n := range a.found.I32[:a.found.Len] {
		a.read = append(a.read, uint32(n))
	}
	slices.Sort(a.read)
	a.text = a.builder.Append(a.text[:0], a.read)
	return string(a.text)
}

func (a *bitmap) Bytes() int64 { return a.values.Bytes() + int64(cap(a.sets))*24 }

func (a *bitmap) Save(dst []byte, slot int32) []byte {
	return a.values.Save(binary.AppendVarint(append(dst, 1), a.sets[slot].sets), slot)
}

func (a *bitmap) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	sets := d.Varint()
	if d.Err != nil {
		return d.Err
	}
	if _, err := a.values.Load(slot, d.Data); err != nil {
		return err
	}
	a.sets[slot].sets = sets
	for id := a.values.First(slot); id != nobody; id = a.values.Next(id) {
		if *a.values.Count(id) > 0 {
			a.sets[slot].members++
		}
	}
	return nil
}
