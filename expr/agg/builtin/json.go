package builtin

import (
	"cmp"
	"slices"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func jsonArrayAggFunc() *agg.Func {
	const name = "JSON_ARRAYAGG"
	return &agg.Func{
		Name:    name,
		Doc:     "The values in the order of arrival as a JSON array; NULLs are left out unless NULL ON NULL is written.",
		Syntax:  name + "(x [{NULL | ABSENT} ON NULL])",
		Example: "SELECT city, JSON_ARRAYAGG(driver) AS drivers FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes(name, args, 1, 1, opts); err != nil {
				return types.Type{}, err
			}
			return types.String().NotNull(), value.JSONWritable(name, args[0])
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			return newList(args[0], opts.OnNull != "NULL", opts, jsonArray(opts.RawJSON)), nil
		},
	}
}

// jsonArray gives each list as a JSON array.
func jsonArray(raw bool) func(a *list, slots []int32, out *row.Vec) {
	return func(a *list, slots []int32, out *row.Vec) {
		at := out.Extend(len(slots))
		for i, s := range slots {
			a.ids = a.appendIDs(a.ids[:0], s)
			col := row.NewVec(a.typ, 0)
			a.values.Decode(a.ids, []*row.Vec{col})
			text := []byte{'['}
			for r := range a.ids {
				if r > 0 {
					text = append(text, ',')
				}
				text = appendJSON(text, col, r, raw)
			}
			out.Str[at+i] = string(append(text, ']'))
		}
	}
}

// appendJSON writes a value; raw text goes in as it is.
func appendJSON(dst []byte, v *row.Vec, r int, raw bool) []byte {
	if raw && !v.IsNull(r) {
		return append(dst, v.Str[r]...)
	}
	out, err := value.AppendJSON(dst, v, r)
	if err != nil { // JSONWritable let the type in
		return append(dst, "null"...)
	}
	return out
}

func jsonObjectAggFunc() *agg.Func {
	const name = "JSON_OBJECTAGG"
	return &agg.Func{
		Name:    name,
		Doc:     "Keys and values as a JSON object, sorted by key; a key that is NULL or comes twice fails the job.",
		Syntax:  name + "([KEY] k VALUE v [{NULL | ABSENT} ON NULL])",
		Example: "SELECT city, JSON_OBJECTAGG(KEY driver VALUE fare) AS fares FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			if err := takes(name, args, 2, 2, opts); err != nil {
				return types.Type{}, err
			}
			if !args[0].IsString() {
				return args[0], refuse(name, args[0], "a STRING as key")
			}
			return types.String().NotNull(), value.JSONWritable(name, args[1])
		},
		New: func(args []types.Type, _ types.Type, opts agg.Options) (agg.Accumulator, error) {
			pair := types.RowOf(types.Field{Name: "k", Type: args[0]}, types.Field{Name: "v", Type: args[1]})
			o := &jsonObject{keys: multiset[string]{layout: texts(), sign: 1}}
			o.pairs = newList(pair, false, opts, jsonObjects(opts.OnNull == "ABSENT", opts.RawJSON)).(*list)
			return o, nil
		},
	}
}

// jsonObject keeps the pairs of each slot, and their keys with how often they are
// there.
type jsonObject struct {
	pairs *list
	keys  multiset[string]
}

func (o *jsonObject) Grow(n int) { o.pairs.Grow(n); o.keys.Grow(n) }

func (o *jsonObject) Reset(slots []int32) { o.pairs.Reset(slots); o.keys.Reset(slots) }

// Add takes pairs one after another: a key must have gone before it comes again.
func (o *jsonObject) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	k := args[0]
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		if k.IsNull(r) {
			return diag.New(diag.BadValue, diag.Span{}, "JSON_OBJECTAGG: the key is NULL, a key of an object must not be NULL").
				WithHint("leave such rows out: WHERE key IS NOT NULL")
		}
		by := int64(1)
		if signs != nil {
			by = int64(signs[i])
		}
		o.keys.roots[s] = o.keys.change(o.keys.roots[s], k.Str[r], by)
		if by > 0 && o.keys.countOf(o.keys.roots[s], k.Str[r]) > 1 {
			return diag.New(diag.BadValue, diag.Span{}, "JSON_OBJECTAGG: the key '%s' is there twice, duplicate keys are not possible in an object", k.Str[r])
		}
	}
	pair := &row.Vec{Type: o.pairs.typ, Len: k.Len, Kids: args}
	return o.pairs.Add([]*row.Vec{pair}, sel, slots, signs)
}

// countOf is the count of a value in a subtree.
func (a *multiset[T]) countOf(n int32, x T) int64 {
	for n != nobody {
		switch c := a.layout.order(x, a.nodes[n].val); {
		case c < 0:
			n = a.nodes[n].left
		case c > 0:
			n = a.nodes[n].right
		default:
			return a.nodes[n].count
		}
	}
	return 0
}

func (o *jsonObject) Merge(dst, src []int32) error {
	if err := o.keys.Merge(dst, src); err != nil {
		return err
	}
	return o.pairs.Merge(dst, src)
}

func (o *jsonObject) Result(slots []int32, out *row.Vec) { o.pairs.Result(slots, out) }

func (o *jsonObject) Bytes() int64 { return o.pairs.Bytes() + o.keys.Bytes() }

func (o *jsonObject) Save(dst []byte, slot int32) []byte { return o.pairs.Save(dst, slot) }

// Load fills an empty slot; the keys follow from the pairs.
func (o *jsonObject) Load(slot int32, saved []byte) error {
	if err := o.pairs.Load(slot, saved); err != nil {
		return err
	}
	ids := o.pairs.appendIDs(nil, slot)
	col := row.NewVec(o.pairs.typ, 0)
	o.pairs.values.Decode(ids, []*row.Vec{col})
	for r := range ids {
		o.keys.roots[slot] = o.keys.change(o.keys.roots[slot], col.Kids[0].Str[r], 1)
	}
	return nil
}

// jsonObjects gives each list of pairs as a JSON object, sorted by key.
func jsonObjects(absent, raw bool) func(a *list, slots []int32, out *row.Vec) {
	return func(a *list, slots []int32, out *row.Vec) {
		at := out.Extend(len(slots))
		for i, s := range slots {
			a.ids = a.appendIDs(a.ids[:0], s)
			col := row.NewVec(a.typ, 0)
			a.values.Decode(a.ids, []*row.Vec{col})
			k, v := col.Kids[0], col.Kids[1]
			order := make([]int, len(a.ids))
			for r := range order {
				order[r] = r
			}
			slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(value.CompareJava(k.Str[x], k.Str[y]), 0) })
			text := []byte{'{'}
			for _, r := range order {
				if absent && v.IsNull(r) {
					continue
				}
				if len(text) > 1 {
					text = append(text, ',')
				}
				text = append(value.AppendJSONString(text, k.Str[r]), ':')
				text = appendJSON(text, v, r, raw)
			}
			out.Str[at+i] = string(append(text, '}'))
		}
	}
}
