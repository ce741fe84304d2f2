package builtin

import (
	"errors"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func mapFunctions() []*expr.Func {
	return []*expr.Func{
		mapPart("MAP_KEYS", "The keys of a map.", "MAP_KEYS(MAP['a', 1]) = ARRAY['a']", 0), mapPart("MAP_VALUES", "The values of a map.", "MAP_VALUES(MAP['a', 1]) = ARRAY[1]", 1),
		{Name: "MAP_ENTRIES", Doc: "The pairs of a map as rows of key and value.", Example: "CARDINALITY(MAP_ENTRIES(MAP['a', 1])) = 1", Syntax: "MAP_ENTRIES(map)", Resolve: mapEntries},
		{Name: "MAP_FROM_ARRAYS", Doc: "A map of the keys in one array and the values in another.", Example: "MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1])['a'] = 1", Syntax: "MAP_FROM_ARRAYS(keys, values)", Resolve: mapFromArrays},
		{Name: "MAP_UNION", Doc: "The pairs of all maps; of a repeated key the last value stays.", Example: "MAP_UNION(MAP['a', 1], MAP['a', 2])['a'] = 2", Syntax: "MAP_UNION(map, ...)", Resolve: mapUnion},
		{Name: "STR_TO_MAP", Doc: "A map of the pairs in a text; the separators are regular expressions, by default , and =.", Example: "STR_TO_MAP('a=1,b=2')['b'] = '2'", Syntax: "STR_TO_MAP(s [, pairs, keyValue])", Resolve: strToMap},
	}
}

func mapPart(name, doc, example string, part int) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(map)", Resolve: func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isMap); err != nil {
			return nil, err
		}
		t := args[0].Type()
		return &expr.Call{Args: args, T: types.ArrayOf(t.Fields[part].Type).NotNull().OrNull(t.Nullable), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			copy(out.Off, args[0].Off)
			copy(out.Size, args[0].Size)
			out.Kids = []*row.Vec{args[0].Kids[part]}
			return nil
		}}, nil
	}}
}

func mapEntries(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isMap); err != nil {
		return nil, err
	}
	t := args[0].Type()
	entry := types.RowOf(types.Field{Name: "key", Type: t.Elem()}, types.Field{Name: "value", Type: t.Value()})
	return &expr.Call{Args: args, T: types.ArrayOf(entry).NotNull().OrNull(t.Nullable), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		copy(out.Off, args[0].Off)
		copy(out.Size, args[0].Size)
		out.Kids = []*row.Vec{{Type: entry, Len: args[0].Kids[0].Len, Kids: args[0].Kids}}
		return nil
	}}, nil
}

func mapFromArrays(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 2, false, isArray, isArray); err != nil {
		return nil, err
	}
	t := types.MapOf(args[0].Type().Elem(), args[1].Type().Elem()).NotNull().OrNull(nullable(args...))
	return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			k, v := args[0], args[1]
			if k.Size[i] != v.Size[i] {
				return diag.New(diag.BadValue, diag.Span{}, "MAP_FROM_ARRAYS needs arrays of equal length, these have %d keys and %d values", k.Size[i], v.Size[i])
			}
			out.Off[i], out.Size[i] = int32(out.Kids[0].Len), k.Size[i]
			out.Kids[0].AppendRange(k.Kids[0], int(k.Off[i]), int(k.Off[i]+k.Size[i]))
			out.Kids[1].AppendRange(v.Kids[0], int(v.Off[i]), int(v.Off[i]+v.Size[i]))
		}
		return nil
	}}, nil
}

func mapUnion(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, true, isMap); err != nil {
		return nil, err
	}
	ts := make([]types.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	t, err := expr.Common(ts...)
	if err != nil {
		return nil, expr.ErrArguments
	}
	if args, err = to(args, t); err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		keys, vals := out.Kids[0], out.Kids[1]
		for i := range expr.Rows(sel, out.Len) {
			from := keys.Len
			out.Off[i] = int32(from)
			for _, m := range args {
				for j := int(m.Off[i]); j < int(m.Off[i]+m.Size[i]); j++ {
					put(keys, vals, from, m.Kids[0], m.Kids[1], j)
				}
			}
			out.Size[i] = int32(keys.Len - from)
		}
		return nil
	}}, nil
}

// put adds a pair to the map that begins at from, or replaces its value.
func put(keys, vals *row.Vec, from int, k, v *row.Vec, j int) {
	for at := from; at < keys.Len; at++ {
		if sameOrNull(keys, at, k, j) {
			vals.Copy(at, v, j)
			return
		}
	}
	keys.AppendRange(k, j, j+1)
	vals.AppendRange(v, j, j+1)
}

func strToMap(args []expr.Node) (*expr.Call, error) {
	if len(args) != 1 && len(args) != 3 {
		return nil, expr.ErrArguments
	}
	if err := takes(args, 1, false, isText, isText, isText); err != nil {
		return nil, err
	}
	t := types.MapOf(types.String(), types.String())
	return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var pairs, kv compiled
		pair, one := row.NewVec(types.String(), 1), row.NewVec(types.String(), 1)
		for i := range expr.Rows(sel, out.Len) {
			ps, ks := ",", "="
			if len(args) == 3 {
				ps, ks = args[1].Str[i], args[2].Str[i]
			}
			p, k := pairs.get(c, ps), kv.get(c, ks)
			if p == nil || k == nil {
				return diag.New(diag.BadValue, diag.Span{}, "the separators '%s' and '%s' of STR_TO_MAP must be regular expressions", ps, ks)
			}
			from := out.Kids[0].Len
			out.Off[i] = int32(from)
			if s := args[0].Str[i]; s != "" {
				for _, part := range p.split(s) {
					pair.Reset(types.String(), 1)
					one.Reset(types.String(), 1)
					if key, value, found := k.cut(part); found {
						pair.Str[0], one.Str[0] = key, value
					} else {
						pair.Str[0] = part
						one.SetNull(0)
					}
					put(out.Kids[0], out.Kids[1], from, pair, one, 0)
				}
			}
			out.Size[i] = int32(out.Kids[0].Len - from)
			if p.err != nil || k.err != nil {
				return errors.Join(p.err, k.err)
			}
		}
		return nil
	}}, nil
}
