package builtin

import (
	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func listaggFunc() *agg.Func {
	return &agg.Func{
		Name:    "LISTAGG",
		Doc:     "The strings that are not NULL in the order of arrival, with a separator (',' if none is given) between them; NULL if there are none.",
		Syntax:  "LISTAGG([DISTINCT] s [, 'separator'])",
		Example: "SELECT city, LISTAGG(driver, ' / ') AS drivers FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes("LISTAGG", args, 1, 2, opts); err != nil {
				return types.Type{}, err
			}
			for _, t := range args {
				if !t.IsString() {
					return t, refuse("LISTAGG", t, "STRING: write LISTAGG(CAST(x AS STRING))")
				}
			}
			if len(args) == 2 {
				if sep := literal(opts, 1); sep == nil {
					return args[0], diag.New(diag.WrongArguments, diag.Span{}, "the separator of LISTAGG must be a literal")
				} else if sep.IsNull(0) {
					return args[0], diag.New(diag.WrongArguments, diag.Span{}, "the separator of LISTAGG must not be NULL")
				}
			}
			return args[0].Plain(), nil
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			sep := ","
			if l := literal(opts, 1); l != nil {
				sep = l.Str[0]
			}
			return newList(args[0], true, opts, joined(sep)), nil
		},
	}
}

// literal is the constant value of an argument, nil if it has none.
func literal(opts agg.Options, arg int) *row.Vec {
	if arg >= len(opts.Literals) {
		return nil
	}
	return opts.Literals[arg]
}

func arrayAggFunc() *agg.Func {
	return &agg.Func{
		Name:    "ARRAY_AGG",
		Doc:     "The values in the order of arrival as an ARRAY, NULL if there are none. NULLs are kept unless IGNORE NULLS is said.",
		Syntax:  "ARRAY_AGG([DISTINCT] x [RESPECT NULLS | IGNORE NULLS])",
		Example: "SELECT city, ARRAY_AGG(driver) AS drivers FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes("ARRAY_AGG", args, 1, 1, opts); err != nil {
				return types.Type{}, err
			}
			return types.ArrayOf(args[0].Plain()).NotNull().OrNull(args[0].Nullable), nil
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			return newList(args[0], opts.IgnoreNulls, opts, array), nil
		},
	}
}

// array gives each list as an ARRAY.
func array(a *list, slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	a.ids = a.ids[:0]
	elems := out.Kids[0].Len
	for i, s := range slots {
		before := len(a.ids)
		a.ids = a.appendIDs(a.ids, s)
		if n := len(a.ids) - before; n > 0 {
			out.Off[at+i], out.Size[at+i] = int32(elems+before), int32(n)
		} else {
			out.SetNull(at + i)
		}
	}
	a.values.Decode(a.ids, out.Kids[:1])
}

func collectFunc() *agg.Func {
	return &agg.Func{
		Name:    "COLLECT",
		Doc:     "The values that are not NULL as a MULTISET: each different value with its number.",
		Syntax:  "COLLECT([DISTINCT] x)",
		Example: "SELECT city, COLLECT(driver) AS trips_by_driver FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes("COLLECT", args, 1, 1, opts); err != nil {
				return types.Type{}, err
			}
			return types.Type{Kind: types.Multiset, Fields: []types.Field{{Type: args[0].Plain()}}}, nil
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			return &collect{typ: args[0], values: agg.NewValues(opts.ZeroHash)}, nil
		},
	}
}

// collect counts the different values of each slot. (Flink also shows values
// taken back before they came, with counts of 0 and below.)
type collect struct {
	typ    types.Type
	values *agg.Values

	sel, to, gone, ids []int32
	signs              []int8
}

func (a *collect) Grow(n int)          { a.values.Grow(n) }
func (a *collect) Reset(slots []int32) { a.values.Reset(slots) }

func (a *collect) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	v := args[0]
	a.sel, a.to, a.signs, a.gone = a.sel[:0], a.to[:0], a.signs[:0], a.gone[:0]
	for i, s := range slots {
		r := int32(i)
		if sel != nil {
			r = sel[i]
		}
		if v.IsNull(int(r)) {
			continue
		}
		sign := int8(1)
		if signs != nil {
			sign = signs[i]
		}
		a.sel, a.to, a.signs = append(a.sel, r), append(a.to, s), append(a.signs, sign)
	}
	if len(a.sel) == 0 {
		return nil
	}
	a.count(a.values.FindOrAdd(args, a.sel, a.to), func(i int) int64 { return int64(a.signs[i]) })
	return nil
}

// count adds to the counts of values and forgets those that fall to 0.
func (a *collect) count(ids []int32, by func(i int) int64) {
	for i, id := range ids {
		n := a.values.Count(id)
		if *n += by(i); *n == 0 {
			a.gone = append(a.gone, id)
		}
	}
	a.values.Sweep(a.gone)
}

func (a *collect) Merge(dst, src []int32) error {
	var counts []int64
	a.ids, a.to, a.gone = a.ids[:0], a.to[:0], a.gone[:0]
	for i, s := range src {
		for id := a.values.First(s); id != nobody; id = a.values.Next(id) {
			a.ids, a.to, counts = append(a.ids, id), append(a.to, dst[i]), append(counts, *a.values.Count(id))
		}
	}
	if len(a.ids) == 0 {
		return nil
	}
	col := row.NewVec(a.typ, 0)
	a.values.Decode(a.ids, []*row.Vec{col})
	a.count(a.values.FindOrAdd([]*row.Vec{col}, nil, a.to), func(i int) int64 { return counts[i] })
	return nil
}

func (a *collect) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	a.ids = a.ids[:0]
	elems := out.Kids[0].Len
	for i, s := range slots {
		before := len(a.ids)
		for id := a.values.First(s); id != nobody; id = a.values.Next(id) {
			if n := *a.values.Count(id); n > 0 {
				a.ids = append(a.ids, id)
				c := out.Kids[1].Extend(1)
				out.Kids[1].I32[c] = int32(n)
			}
		}
		out.Off[at+i], out.Size[at+i] = int32(elems+before), int32(len(a.ids)-before)
	}
	a.values.Decode(a.ids, out.Kids[:1])
}

func (a *collect) Bytes() int64 { return a.values.Bytes() }

func (a *collect) Save(dst []byte, slot int32) []byte { return a.values.Save(append(dst, 1), slot) }

func (a *collect) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	if d.Version(1); d.Err != nil {
		return d.Err
	}
	_, err := a.values.Load(slot, d.Data)
	return err
}
