package builtin

import (
	"math"
	"sort"

	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

func arrays() []*expr.Func {
	return []*expr.Func{
		withElement("ARRAY_APPEND", "The array with an element at its end.", "ARRAY_APPEND(ARRAY[1], 2) = ARRAY[1, 2]", func(b *arrayOut, a *row.Vec, i int, e *row.Vec) {
			b.all(a, i)
			b.add(e, i)
		}, true),
		withElement("ARRAY_PREPEND", "The array with an element at its start.", "ARRAY_PREPEND(ARRAY[1], 2) = ARRAY[2, 1]", func(b *arrayOut, a *row.Vec, i int, e *row.Vec) {
			b.add(e, i)
			b.all(a, i)
		}, true),
		withElement("ARRAY_REMOVE", "The array without the elements equal to one.", "ARRAY_REMOVE(ARRAY[1, 2, 1], 1) = ARRAY[2]", func(b *arrayOut, a *row.Vec, i int, e *row.Vec) {
			for j := a.Off[i]; j < a.Off[i]+a.Size[i]; j++ {
				if !sameElement(a.Kids[0], int(j), e, i) {
					b.add(a.Kids[0], int(j))
				}
			}
		}, false),
		sets("ARRAY_UNION", "The elements of both arrays, each once.", "ARRAY_UNION(ARRAY[1, 1], ARRAY[2]) = ARRAY[1, 2]", true, false),
		sets("ARRAY_EXCEPT", "The elements of the first array that the second lacks, each once.", "ARRAY_EXCEPT(ARRAY[1, 2], ARRAY[2]) = ARRAY[1]", false, false),
		sets("ARRAY_INTERSECT", "The elements that both arrays have, each once.", "ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2]) = ARRAY[2]", false, true),
		reshape("ARRAY_REVERSE", "The array in reverse order.", "ARRAY_REVERSE(ARRAY[1, 2]) = ARRAY[2, 1]", func(b *arrayOut, a *row.Vec, i int) {
			for j := a.Off[i] + a.Size[i] - 1; j >= a.Off[i]; j-- {
				b.add(a.Kids[0], int(j))
			}
		}),
		reshape("ARRAY_DISTINCT", "Each element once, in the order of first appearance.", "ARRAY_DISTINCT(ARRAY[1, 1, 2]) = ARRAY[1, 2]", func(b *arrayOut, a *row.Vec, i int) {
			for j := a.Off[i]; j < a.Off[i]+a.Size[i]; j++ {
				b.once(a.Kids[0], int(j))
			}
		}),
		search("ARRAY_CONTAINS", "TRUE if the array holds the element.", "ARRAY_CONTAINS(ARRAY[1, 2], 2)", types.Boolean),
		search("ARRAY_POSITION", "The position of the element, 0 if it is not there.", "ARRAY_POSITION(ARRAY['a', 'b'], 'b') = 2", types.Int),
		arrayConcat(), arraySlice(), arraySort(), arrayExtreme(false), arrayExtreme(true), arrayJoin(),
	}
}

// arrayOut builds the arrays of a result one after another.
type arrayOut struct {
	c    *expr.Ctx
	out  *row.Vec
	from int
}

func (b *arrayOut) begin(i int) { b.from = b.out.Kids[0].Len; b.out.Off[i] = int32(b.from) }
func (b *arrayOut) end(i int) {
	b.out.Size[i] = int32(b.out.Kids[0].Len - b.from)
	b.c.Room(8 * int(b.out.Size[i]))
}
func (b *arrayOut) add(v *row.Vec, j int) {
	b.out.Kids[0].AppendRange(v, j, j+1)
}
func (b *arrayOut) all(a *row.Vec, i int) {
	b.out.Kids[0].AppendRange(a.Kids[0], int(a.Off[i]), int(a.Off[i]+a.Size[i]))
}

// once adds an element that the array does not hold yet.
func (b *arrayOut) once(v *row.Vec, j int) {
	kid := b.out.Kids[0]
	b.c.Work(kid.Len - b.from)
	for k := b.from; k < kid.Len; k++ {
		if sameElement(kid, k, v, j) {
			return
		}
	}
	b.add(v, j)
}

func holds(a *row.Vec, i int, v *row.Vec, j int) bool {
	for k := a.Off[i]; k < a.Off[i]+a.Size[i]; k++ {
		if sameElement(a.Kids[0], int(k), v, j) {
			return true
		}
	}
	return false
}

// sameElement compares elements, NULL with NULL; NaN is like no other number.
func sameElement(a *row.Vec, i int, b *row.Vec, j int) bool {
	return sameOrNull(a, i, b, j) && (a.IsNull(i) || !isNaN(a, i))
}

// sameHashed is sameElement where the two zeros differ: ARRAY_EXCEPT and
// ARRAY_INTERSECT find elements by their hash in Flink.
func sameHashed(a *row.Vec, i int, b *row.Vec, j int) bool {
	return sameElement(a, i, b, j) && (a.IsNull(i) || minus(a, i) == minus(b, j))
}

func isNaN(v *row.Vec, i int) bool {
	switch v.Type.Kind {
	case types.Float:
		return v.F32[i] != v.F32[i]
	case types.Double:
		return v.F64[i] != v.F64[i]
	}
	return false
}

// minus tells the sign of a binary fraction, which -0 has too.
func minus(v *row.Vec, i int) bool {
	switch v.Type.Kind {
	case types.Float:
		return math.Signbit(float64(v.F32[i]))
	case types.Double:
		return math.Signbit(v.F64[i])
	}
	return false
}

// elementArgs checks array and element: the element must convert to the type
// of the array's elements by itself, as in INSERT.
func elementArgs(args []expr.Node) ([]expr.Node, types.Type, error) {
	if len(args) != 2 || args[0].Type().Kind != types.Array {
		return nil, types.Type{}, expr.ErrArguments
	}
	t := args[0].Type().Elem()
	if !expr.CanStore(args[1].Type().Plain(), t) {
		return nil, t, expr.ErrArguments
	}
	out, err := to(args, anyType, t)
	return out, t, err
}

// maybeNull tells whether Flink takes an element for one that may be NULL: what
// it has to convert gets the type of the elements, nullability included.
func maybeNull(element expr.Node, t types.Type) bool {
	return element.Type().Nullable || t.Nullable && !element.Type().Plain().Same(t.Plain())
}

func withElement(name, doc, example string, f func(b *arrayOut, a *row.Vec, i int, e *row.Vec), grows bool) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(array, element)", Nulls: expr.NullSeen, BareNull: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			given := args
			args, t, err := elementArgs(args)
			if err != nil {
				return nil, err
			}
			null := args[0].Type().Nullable || grows && maybeNull(given[1], t)
			if grows {
				t.Nullable = t.Nullable || args[1].Type().Nullable
			}
			r := types.ArrayOf(t).NotNull().OrNull(null)
			return &expr.Call{Args: args, T: r, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				b := arrayOut{c: c, out: out}
				for i := range expr.Rows(sel, out.Len) {
					if args[0].IsNull(int(i)) {
						out.SetNull(int(i))
						continue
					}
					b.begin(int(i))
					f(&b, args[0], int(i), args[1])
					b.end(int(i))
				}
				return nil
			}}, nil
		}}
}

func reshape(name, doc, example string, f func(b *arrayOut, a *row.Vec, i int)) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(array)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, isArray); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: args[0].Type(), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				b := arrayOut{c: c, out: out}
				for i := range expr.Rows(sel, out.Len) {
					b.begin(int(i))
					f(&b, args[0], int(i))
					b.end(int(i))
				}
				return nil
			}}, nil
		}}
}

// arrayArgs brings arrays to a common type.
func arrayArgs(args []expr.Node) ([]expr.Node, types.Type, error) {
	if err := takes(args, 1, true, isArray); err != nil {
		return nil, types.Type{}, err
	}
	ts := make([]types.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	t, err := expr.Common(ts...)
	if err != nil {
		return nil, t, expr.ErrArguments
	}
	args, err = to(args, t)
	return args, t, err
}

// among tells whether an element stands in part of a column.
func among(list *row.Vec, from, to int, v *row.Vec, j int) bool {
	for k := from; k < to; k++ {
		if sameHashed(list, k, v, j) {
			return true
		}
	}
	return false
}

// sets makes the functions of two sets: the elements of both, or those of the
// first array that the second has or lacks.
func sets(name, doc, example string, both, common bool) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(a, b)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if len(args) != 2 {
				return nil, expr.ErrArguments
			}
			args, t, err := arrayArgs(args)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				b := arrayOut{c: c, out: out}
				for i := range expr.Rows(sel, out.Len) {
					x, y := args[0], args[1]
					b.begin(int(i))
					for j := x.Off[i]; j < x.Off[i]+x.Size[i]; j++ {
						switch {
						case both:
							b.once(x.Kids[0], int(j))
						case among(y.Kids[0], int(y.Off[i]), int(y.Off[i]+y.Size[i]), x.Kids[0], int(j)) == common &&
							!among(out.Kids[0], b.from, out.Kids[0].Len, x.Kids[0], int(j)):
							b.add(x.Kids[0], int(j))
						}
					}
					for j := y.Off[i]; both && j < y.Off[i]+y.Size[i]; j++ {
						b.once(y.Kids[0], int(j))
					}
					b.end(int(i))
				}
				return nil
			}}, nil
		}}
}

func arrayConcat() *expr.Func {
	return &expr.Func{Name: "ARRAY_CONCAT", Doc: "The arrays one after the other.", Example: "ARRAY_CONCAT(ARRAY[1], ARRAY[2]) = ARRAY[1, 2]", Syntax: "ARRAY_CONCAT(a, ...)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			args, t, err := arrayArgs(args)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				b := arrayOut{c: c, out: out}
				for i := range expr.Rows(sel, out.Len) {
					b.begin(int(i))
					for _, a := range args {
						b.all(a, int(i))
					}
					b.end(int(i))
				}
				return nil
			}}, nil
		}}
}

func search(name, doc, example string, result types.Kind) *expr.Func {
	position := result == types.Int
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(array, element)", Nulls: expr.NullSeen, BareNull: true,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			given := args
			args, t, err := elementArgs(args)
			if err != nil {
				return nil, err
			}
			null := args[0].Type().Nullable || position && maybeNull(given[1], t)
			return &expr.Call{Args: args, T: of(result, null), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				a, e := args[0], args[1]
				for i := range expr.Rows(sel, out.Len) {
					if a.IsNull(int(i)) || position && e.IsNull(int(i)) {
						out.SetNull(int(i))
						continue
					}
					if !position {
						out.Bool[i] = holds(a, int(i), e, int(i))
						continue
					}
					out.I32[i] = 0
					for k := int32(0); k < a.Size[i]; k++ {
						if sameElement(a.Kids[0], int(a.Off[i]+k), e, int(i)) {
							out.I32[i] = k + 1
							break
						}
					}
				}
				return nil
			}}, nil
		}}
}

func arraySlice() *expr.Func {
	return &expr.Func{Name: "ARRAY_SLICE", Doc: "The elements from one position to another, both included; negative ones count from the end.",
		Example: "ARRAY_SLICE(ARRAY[1, 2, 3], 2) = ARRAY[2, 3]", Syntax: "ARRAY_SLICE(array, from [, to])",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 2, false, isArray, fitsInt, fitsInt); err != nil {
				return nil, err
			}
			args, err := to(args, anyType, intType)
			if err != nil {
				return nil, err
			}
			t := args[0].Type().OrNull(nullable(args...))
			return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				b := arrayOut{c: c, out: out}
				for i := range expr.Rows(sel, out.Len) {
					a, n := args[0], args[0].Size[i]
					from, to := args[1].I32[i], n
					if len(args) == 3 {
						to = args[2].I32[i]
					}
					place := func(p int32) int32 {
						if p < 0 {
							p += n + 1
						}
						if p == 0 {
							return 1
						}
						return p
					}
					b.begin(int(i))
					if from = place(from); from <= place(to) {
						for k := max(from, 1); k <= min(place(to), n); k++ {
							b.add(a.Kids[0], int(a.Off[i]+k-1))
						}
					}
					b.end(int(i))
				}
				return nil
			}}, nil
		}}
}

// isSortable tells arrays whose elements have an order in Flink.
func isSortable(t types.Type) bool {
	if !isArray(t) {
		return false
	}
	e := t.Elem()
	return e.IsNumeric() || e.IsString() || e.IsBinary() || e.IsTemporal()
}

// fitsInt tells whole numbers that an INT holds.
func fitsInt(t types.Type) bool { return isWhole(t) && t.Kind != types.BigInt }

func arraySort() *expr.Func {
	return &expr.Func{Name: "ARRAY_SORT", Doc: "The array in ascending order, or descending; NULLs are the smallest unless their place is given.",
		Example: "ARRAY_SORT(ARRAY[2, 1]) = ARRAY[1, 2]", Syntax: "ARRAY_SORT(array [, ascending [, nullsFirst]])",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, isSortable, isBool, isBool); err != nil {
				return nil, err
			}
			t := args[0].Type().OrNull(nullable(args...))
			return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				b := arrayOut{c: c, out: out}
				for i := range expr.Rows(sel, out.Len) {
					a := args[0]
					asc := len(args) < 2 || args[1].Bool[i]
					first := asc
					if len(args) == 3 {
						first = args[2].Bool[i]
					}
					order := make([]int, a.Size[i])
					for k := range order {
						order[k] = int(a.Off[i]) + k
					}
					kid := a.Kids[0]
					sort.SliceStable(order, func(x, y int) bool {
						p, q := order[x], order[y]
						pn, qn := kid.IsNull(p), kid.IsNull(q)
						if pn || qn {
							return pn != qn && pn == first
						}
						if d := compareValue(kid, p, kid, q); asc {
							return d < 0
						} else {
							return d > 0
						}
					})
					b.begin(int(i))
					for _, j := range order {
						b.add(kid, j)
					}
					b.end(int(i))
				}
				return nil
			}}, nil
		}}
}

func arrayExtreme(least bool) *expr.Func {
	f := &expr.Func{Name: "ARRAY_MAX", Doc: "The largest element, NULLs left out.", Example: "ARRAY_MAX(ARRAY[1, 3, 2]) = 3", Syntax: "ARRAY_MAX(array)"}
	if least {
		f = &expr.Func{Name: "ARRAY_MIN", Doc: "The smallest element, NULLs left out.", Example: "ARRAY_MIN(ARRAY[3, 1, 2]) = 1", Syntax: "ARRAY_MIN(array)"}
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isSortable); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: args[0].Type().Elem().AsNullable(), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a := args[0]
			kid := a.Kids[0]
			for i := range expr.Rows(sel, out.Len) {
				best := -1
				for j := int(a.Off[i]); j < int(a.Off[i]+a.Size[i]); j++ {
					if kid.IsNull(j) {
						continue
					}
					if best < 0 {
						best = j
						continue
					}
					// NaN is neither larger nor smaller: it stays where it came first.
					if d := compareValue(kid, j, kid, best); d != 0 && d > 0 != least && !isNaN(kid, j) && !isNaN(kid, best) {
						best = j
					}
				}
				if best < 0 {
					out.SetNull(int(i))
				} else {
					out.Copy(int(i), kid, best)
				}
			}
			return nil
		}}, nil
	}
	return f
}

func arrayJoin() *expr.Func {
	return &expr.Func{Name: "ARRAY_JOIN", Doc: "The texts of an array with a separator between them; NULLs are left out or replaced.",
		Example: "ARRAY_JOIN(ARRAY['a', 'b'], '-') = 'a-b'", Syntax: "ARRAY_JOIN(array, separator [, nullText])",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 2, false, func(t types.Type) bool { return isArray(t) && t.Elem().IsString() }, isText, isText); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: stringResult(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					a, b, first := args[0], c.Scratch(), true
					for j := int(a.Off[i]); j < int(a.Off[i]+a.Size[i]); j++ {
						null := a.Kids[0].IsNull(j)
						if null && len(args) < 3 {
							continue
						}
						if !first {
							b = append(b, args[1].Str[i]...)
						}
						first = false
						if null {
							b = append(b, args[2].Str[i]...)
						} else {
							b = append(b, a.Kids[0].Str[j]...)
						}
						if len(b) > expr.MaxValue {
							c.Room(len(b))
						}
					}
					out.Str[i] = c.Keep(b)
				}
				return nil
			}}, nil
		}}
}
