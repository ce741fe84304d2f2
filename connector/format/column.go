package format

import (
	"fsql/row"
	"fsql/types"
)

// Column appends decoded values to one column of a builder. Decoders append to
// the slices of Vec directly, by the column's layout; NULLs are noted here and
// reach the validity bitmap in Finish, so that a column without NULLs never
// pays for them. Between Attach and Finish Vec.Len does not count.
type Column struct {
	Vec  *row.Vec
	Kids []*Column // as Vec.Kids

	rows  int     // values of a ROW column, which has no slice of its own
	nulls []int32 // positions of NULLs since Attach, ascending
}

// NewColumn returns a column for values of type t.
func NewColumn(t types.Type) *Column {
	c := &Column{}
	switch t.Kind {
	case types.Array:
		c.Kids = []*Column{NewColumn(t.Elem())}
	case types.Map:
		c.Kids = []*Column{NewColumn(t.Elem()), NewColumn(t.Value())}
	case types.Multiset:
		c.Kids = []*Column{NewColumn(t.Elem()), NewColumn(types.Of(types.Int).NotNull())}
	case types.Row:
		for _, f := range t.Fields {
			c.Kids = append(c.Kids, NewColumn(f.Type))
		}
	}
	return c
}

// Attach makes v the column that is appended to.
func (c *Column) Attach(v *row.Vec) {
	c.Vec, c.rows, c.nulls = v, v.Len, c.nulls[:0]
	for i, k := range c.Kids {
		k.Attach(v.Kids[i])
	}
}

// Len is the number of values, appended ones included.
func (c *Column) Len() int {
	v := c.Vec
	switch v.Type.Layout() {
	case types.LayoutBool:
		return len(v.Bool)
	case types.LayoutI32:
		return len(v.I32)
	case types.LayoutI64, types.LayoutNano:
		return len(v.I64)
	case types.LayoutF32:
		return len(v.F32)
	case types.LayoutF64:
		return len(v.F64)
	case types.LayoutDec:
		return len(v.Dec)
	case types.LayoutStr:
		return len(v.Str)
	case types.LayoutList:
		return len(v.Off)
	}
	return c.rows
}

// Null appends a NULL.
func (c *Column) Null() {
	c.nulls = append(c.nulls, int32(c.Len()))
	v := c.Vec
	switch v.Type.Layout() {
	case types.LayoutBool:
		v.Bool = append(v.Bool, false)
	case types.LayoutI32:
		v.I32 = append(v.I32, 0)
	case types.LayoutI64:
		v.I64 = append(v.I64, 0)
	case types.LayoutNano:
		v.I64, v.Nano = append(v.I64, 0), append(v.Nano, 0)
	case types.LayoutF32:
		v.F32 = append(v.F32, 0)
	case types.LayoutF64:
		v.F64 = append(v.F64, 0)
	case types.LayoutDec:
		v.Dec = append(v.Dec, types.Dec{})
	case types.LayoutStr:
		v.Str = append(v.Str, "")
	case types.LayoutList:
		v.Off, v.Size = append(v.Off, int32(c.Kids[0].Len())), append(v.Size, 0)
	case types.LayoutRow:
		c.rows++
		for _, k := range c.Kids {
			k.Null()
		}
	}
}

// LastNull makes the value that was appended last a NULL; what it holds does not
// matter any more.
func (c *Column) LastNull() { c.nulls = append(c.nulls, int32(c.Len()-1)) }

// Row appends a ROW whose fields have been, or will be, appended to Kids.
func (c *Column) Row() { c.rows++ }

// List appends an ARRAY, MAP or MULTISET whose entries have been appended to
// Kids from position off on.
func (c *Column) List(off int) {
	c.Vec.Off = append(c.Vec.Off, int32(off))
	c.Vec.Size = append(c.Vec.Size, int32(c.Kids[0].Len()-off))
}

// Truncate takes values away until n are left; n must not be below the length
// at Attach.
func (c *Column) Truncate(n int) {
	v := c.Vec
	switch v.Type.Layout() {
	case types.LayoutBool:
		v.Bool = v.Bool[:n]
	case types.LayoutI32:
		v.I32 = v.I32[:n]
	case types.LayoutI64:
		v.I64 = v.I64[:n]
	case types.LayoutNano:
		v.I64, v.Nano = v.I64[:n], v.Nano[:n]
	case types.LayoutF32:
		v.F32 = v.F32[:n]
	case types.LayoutF64:
		v.F64 = v.F64[:n]
	case types.LayoutDec:
		v.Dec = v.Dec[:n]
	case types.LayoutStr:
		v.Str = v.Str[:n]
	case types.LayoutList:
		// Entries go with their list, and with one that was only begun.
		entries := c.entries(n)
		for _, k := range c.Kids {
			k.Truncate(min(entries, k.Len()))
		}
		v.Off, v.Size = v.Off[:n], v.Size[:n]
	case types.LayoutRow:
		c.rows = n
		for _, k := range c.Kids {
			k.Truncate(min(n, k.Len()))
		}
	}
	for len(c.nulls) > 0 && int(c.nulls[len(c.nulls)-1]) >= n {
		c.nulls = c.nulls[:len(c.nulls)-1]
	}
}

// entries is where the entries of the first n lists end.
func (c *Column) entries(n int) int {
	if n == 0 {
		return 0
	}
	return int(c.Vec.Off[n-1] + c.Vec.Size[n-1])
}

// Finish makes Vec a complete column again.
func (c *Column) Finish() {
	v, n := c.Vec, c.Len()
	old := v.Len
	v.Len = n
	switch {
	case v.Valid != nil:
		for len(v.Valid) < (n+63)/64 {
			v.Valid = append(v.Valid, 0)
		}
		for i := old; i < n; i++ {
			v.Valid.Set(i)
		}
	case len(c.nulls) > 0:
		v.Valid = row.NewBitmap(n)
	}
	for _, i := range c.nulls {
		v.Valid.Clear(int(i))
	}
	for _, k := range c.Kids {
		k.Finish()
	}
}
