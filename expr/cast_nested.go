package expr

import (
	"fsql/row"
	"fsql/types"
)

// nested converts ARRAY, MAP, MULTISET and ROW element by element. One element
// that does not convert fails the whole value.
func (k caster) nested() (conversion, bool) {
	f, t := k.from, k.to
	if len(f.Fields) != len(t.Fields) {
		return conversion{}, false
	}
	kids := make([]*Call, len(f.Fields))
	zone := false
	for i := range f.Fields {
		x := caster{from: f.Fields[i].Type, to: t.Fields[i].Type, try: k.try}
		kt := x.to
		kt.Nullable = x.from.Nullable || k.try || x.to.Nullable
		x.to = kt
		if x.from.Same(x.to) {
			kids[i] = &Call{Fn: castFunc, T: kt}
			continue
		}
		conv, ok := x.conversion()
		if !ok {
			return conversion{}, false
		}
		zone = zone || conv.zone
		kids[i] = &Call{Fn: castFunc, T: kt, Args: []Node{&Column{T: x.from}}, Eval: conv.eval}
	}
	return conversion{zone: zone, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		src := args[0]
		rows := make([]int32, 0, out.Len)
		for i := range each(sel, out.Len) {
			rows = append(rows, i)
		}
		inner := rows
		if f.Kind != types.Row {
			copy(out.Off, src.Off)
			copy(out.Size, src.Size)
			inner = elements(src, rows)
		}
		out.Kids = make([]*row.Vec, len(src.Kids))
		for j, kid := range src.Kids {
			if j >= len(kids) {
				out.Kids[j] = kid // the counts of a MULTISET
				continue
			}
			v, err := castKid(c, kids[j], kid, inner)
			if err != nil {
				return err
			}
			out.Kids[j] = v
		}
		if k.try {
			loseRows(out, src, rows, f.Kind == types.Row)
		}
		return nil
	}}, true
}

// elements are the positions of the elements of the rows.
func elements(v *row.Vec, rows []int32) []int32 {
	var out []int32
	for _, r := range rows {
		for e := v.Off[r]; e < v.Off[r]+v.Size[r]; e++ {
			out = append(out, e)
		}
	}
	return out
}

func castKid(c *Ctx, call *Call, kid *row.Vec, sel []int32) (*row.Vec, error) {
	if call.Eval == nil {
		return alias(kid, call.T), nil
	}
	out := row.NewVec(call.T, kid.Len)
	live := make([]int32, 0, len(sel))
	for _, i := range sel {
		if !kid.IsNull(int(i)) {
			live = append(live, i)
		}
	}
	if kid.Valid != nil {
		out.Valid = append(row.Bitmap(nil), kid.Valid...)
	}
	return out, call.Eval(c, call, []*row.Vec{kid}, live, out)
}

// loseRows makes rows NULL in which an element was lost by TRY_CAST.
func loseRows(out, src *row.Vec, rows []int32, isRow bool) {
	for _, r := range rows {
		from, to := r, r+1
		if !isRow {
			from, to = src.Off[r], src.Off[r]+src.Size[r]
		}
		for e := from; e < to; e++ {
			for j := range src.Kids {
				if out.Kids[j].IsNull(int(e)) && !src.Kids[j].IsNull(int(e)) {
					out.SetNull(int(r))
				}
			}
		}
	}
}
