package expr

import (
	"unsafe"

	"fsql/row"
	"fsql/types"
)

// Value is a Go type that a column's values have.
type Value interface {
	bool | int32 | int64 | float32 | float64 | string | types.Dec
}

// Values are the values of a column whose layout has the Go type T.
func Values[T Value](v *row.Vec) []T {
	var p unsafe.Pointer
	switch any((*T)(nil)).(type) {
	case *bool:
		p = unsafe.Pointer(&v.Bool)
	case *int32:
		p = unsafe.Pointer(&v.I32)
	case *int64:
		p = unsafe.Pointer(&v.I64)
	case *float32:
		p = unsafe.Pointer(&v.F32)
	case *float64:
		p = unsafe.Pointer(&v.F64)
	case *string:
		p = unsafe.Pointer(&v.Str)
	case *types.Dec:
		p = unsafe.Pointer(&v.Dec)
	}
	return *(*[]T)(p)
}

// Map1 lifts a Go function to a kernel: for functions that are rare or do
// much per value. Hot kernels are loops of their own.
func Map1[A, R Value](f func(A) (R, error)) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, r := Values[A](args[0]), Values[R](out)
		for i := range each(sel, out.Len) {
			v, err := f(a[i])
			if err != nil {
				return err
			}
			r[i] = v
		}
		return nil
	}
}

// Map2 lifts a Go function of two operands.
func Map2[A, B, R Value](f func(A, B) (R, error)) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b, r := Values[A](args[0]), Values[B](args[1]), Values[R](out)
		for i := range each(sel, out.Len) {
			v, err := f(a[i], b[i])
			if err != nil {
				return err
			}
			r[i] = v
		}
		return nil
	}
}

// MapNull1 lifts a Go function that may answer NULL (ok false).
func MapNull1[A, R Value](f func(A) (r R, ok bool)) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, r := Values[A](args[0]), Values[R](out)
		for i := range each(sel, out.Len) {
			v, ok := f(a[i])
			if !ok {
				out.SetNull(int(i))
				continue
			}
			r[i] = v
		}
		return nil
	}
}

// Text1 lifts a function that appends a text made of one value; ok false is
// NULL. The bytes end in memory that all results of the batch share.
func Text1[A Value](f func(dst []byte, a A) (text []byte, ok bool)) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a := Values[A](args[0])
		for i := range each(sel, out.Len) {
			b, ok := f(c.Scratch(), a[i])
			if !ok {
				out.SetNull(int(i))
				continue
			}
			out.Str[i] = c.Keep(b)
		}
		return nil
	}
}

// Text2 lifts a function that appends a text made of two values.
func Text2[A, B Value](f func(dst []byte, a A, b B) (text []byte, ok bool)) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a, b := Values[A](args[0]), Values[B](args[1])
		for i := range each(sel, out.Len) {
			t, ok := f(c.Scratch(), a[i], b[i])
			if !ok {
				out.SetNull(int(i))
				continue
			}
			out.Str[i] = c.Keep(t)
		}
		return nil
	}
}

// Rows visits the rows of sel, or all below n when sel is nil.
func Rows(sel []int32, n int) func(yield func(int32) bool) { return each(sel, n) }
