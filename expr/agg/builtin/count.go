package builtin

import (
	"encoding/binary"

	"fsql/expr/agg"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func countFunc() *agg.Func {
	return &agg.Func{
		Name:    "COUNT",
		Doc:     "The number of rows, or of the rows in which x is not NULL.",
		Syntax:  "COUNT(*) | COUNT([DISTINCT] x)",
		Example: "SELECT city, COUNT(*) AS n FROM trips GROUP BY city",
		Returns: func(args []types.Type, opts agg.Options) (types.Type, error) {
			result := types.Of(types.BigInt).NotNull()
			if opts.Star {
				return result, nil
			}
			if err := takes("COUNT", args, 1, max(1, len(args)), opts); err != nil {
				return result, err
			}
			for _, t := range args {
				// Flink: "We now only support the count of one field"; over
				// columns that cannot be NULL it is COUNT(*).
				if len(args) > 1 && (t.Nullable || opts.Distinct) {
					return result, diag.New(diag.NotSupported, diag.Span{}, "COUNT takes one column only, not several").
						WithHint("count the rows of a subquery: SELECT COUNT(*) FROM (SELECT DISTINCT a, b FROM t)")
				}
			}
			return result, nil
		},
		New: func([]types.Type, types.Type, agg.Options) (agg.Accumulator, error) { return &count{}, nil },
	}
}

type count struct{ n []int64 }

func (c *count) Grow(n int) { c.n = extended(c.n, n) }

// extended adds zero values up to n.
func extended[T any](s []T, n int) []T {
	if n > len(s) {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}

func (c *count) Reset(slots []int32) {
	for _, s := range slots {
		c.n[s] = 0
	}
}

func (c *count) Add(args []*row.Vec, sel, slots []int32, signs []int8) error {
	var valid row.Bitmap
	if len(args) == 1 { // several are never NULL
		valid = args[0].Valid
	}
	if valid == nil && signs == nil {
		for _, s := range slots {
			c.n[s]++
		}
		return nil
	}
	for i, s := range slots {
		r := i
		if sel != nil {
			r = int(sel[i])
		}
		switch {
		case !valid.Valid(r):
		case signs != nil:
			c.n[s] += int64(signs[i])
		default:
			c.n[s]++
		}
	}
	return nil
}

// AddEach counts row by row.
func (c *count) AddEach(args []*row.Vec, sel, slots []int32, signs []int8, out *row.Vec) error {
	var valid row.Bitmap
	if len(args) == 1 {
		valid = args[0].Valid
	}
	at := out.Extend(len(slots))
	for i, s := range slots {
		if r := sel[i]; r >= 0 && valid.Valid(int(r)) {
			if signs != nil {
				c.n[s] += int64(signs[i])
			} else {
				c.n[s]++
			}
		}
		out.I64[at+i] = c.n[s]
	}
	return nil
}

func (c *count) Merge(dst, src []int32) error {
	for i, s := range src {
		c.n[dst[i]] += c.n[s]
	}
	return nil
}

func (c *count) Result(slots []int32, out *row.Vec) {
	at := out.Extend(len(slots))
	for i, s := range slots {
		out.I64[at+i] = c.n[s]
	}
}

func (c *count) Bytes() int64 { return int64(cap(c.n)) * 8 }

func (c *count) Save(dst []byte, slot int32) []byte {
	return binary.AppendVarint(append(dst, 1), c.n[slot])
}

func (c *count) Load(slot int32, saved []byte) error {
	d := agg.Decoder{Data: saved}
	d.Version(1)
	c.n[slot] = d.Varint()
	return d.Err
}
