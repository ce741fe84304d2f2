package govalue

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"fsql/internal/diag"
)

// Scan puts a value that Get gave into *dest. It converts where nothing is
// lost: whole numbers into any Go type that holds them, numbers and DECIMAL into
// floats, anything into *any, and into a pointer to a pointer, which is set to
// nil for NULL. NULL does not go into anything else.
func Scan(dest, x any) error {
	d := reflect.ValueOf(dest)
	if d.Kind() != reflect.Pointer || d.IsNil() {
		return diag.New(diag.TypeMismatch, diag.Span{}, "a value is read into a pointer, not into %T", dest)
	}
	return set(d.Elem(), x)
}

func set(d reflect.Value, x any) error {
	if x == nil {
		switch d.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			d.SetZero()
			return nil
		}
		return diag.New(diag.NullViolation, diag.Span{}, "NULL cannot be read into a %s", d.Type()).
			WithHint("read it into a *%s, which is nil then", d.Type())
	}
	if d.Kind() == reflect.Pointer {
		p := reflect.New(d.Type().Elem())
		if err := set(p.Elem(), x); err != nil {
			return err
		}
		d.Set(p)
		return nil
	}
	s := reflect.ValueOf(x)
	if s.Type().AssignableTo(d.Type()) {
		d.Set(s)
		return nil
	}
	fits, span := false, reflect.TypeFor[time.Duration]()
	switch text, isText := x.(string); {
	case s.Type() == span || d.Type() == span: // a number without its unit
	case s.CanInt() && d.CanInt():
		if fits = !d.OverflowInt(s.Int()); fits {
			d.SetInt(s.Int())
		}
	case s.CanInt() && d.CanUint():
		if fits = s.Int() >= 0 && !d.OverflowUint(uint64(s.Int())); fits {
			d.SetUint(uint64(s.Int()))
		}
	case s.CanInt() && d.CanFloat():
		d.SetFloat(float64(s.Int()))
		fits = true
	case s.CanFloat() && d.CanFloat():
		d.SetFloat(s.Float())
		fits = true
	case isText && d.CanFloat():
		f, err := strconv.ParseFloat(text, 64)
		if fits = err == nil; fits {
			d.SetFloat(f)
		}
	case isText && d.CanInt():
		n, err := strconv.ParseInt(text, 10, 64)
		if fits = err == nil && !d.OverflowInt(n); fits {
			d.SetInt(n)
		}
	case s.Kind() == d.Kind() && s.CanConvert(d.Type()) && d.Kind() != reflect.Slice && d.Kind() != reflect.Map:
		d.Set(s.Convert(d.Type()))
		fits = true
	case s.Kind() == reflect.Slice && d.Kind() == reflect.Slice:
		out := reflect.MakeSlice(d.Type(), s.Len(), s.Len())
		for i := range s.Len() {
			if err := set(out.Index(i), s.Index(i).Interface()); err != nil {
				return err
			}
		}
		d.Set(out)
		fits = true
	case s.Kind() == reflect.Map && d.Kind() == reflect.Map:
		out := reflect.MakeMapWithSize(d.Type(), s.Len())
		for _, k := range s.MapKeys() {
			to, val := reflect.New(d.Type().Key()).Elem(), reflect.New(d.Type().Elem()).Elem()
			if err := set(to, k.Interface()); err != nil {
				return err
			}
			if err := set(val, s.MapIndex(k).Interface()); err != nil {
				return err
			}
			out.SetMapIndex(to, val)
		}
		d.Set(out)
		fits = true
	}
	if !fits {
		return diag.New(diag.TypeMismatch, diag.Span{}, "%v (%T) cannot be read into a %s", x, x, d.Type())
	}
	return nil
}

// sorted are the keys of a map in one order, so that equal maps make equal
// values.
func sorted(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		for a.Kind() == reflect.Interface {
			a, b = a.Elem(), b.Elem()
		}
		switch {
		case a.CanInt() && b.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanFloat() && b.CanFloat():
			return cmp.Compare(a.Float(), b.Float())
		}
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return keys
}
