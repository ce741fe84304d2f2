package planner

import (
	"reflect"

	"fsql/internal/diag"
	"fsql/sql/ast"
)

// sameSyntax tells that two queries are written alike, wherever they stand.
func sameSyntax(a, b ast.Query) bool { return sameParts(reflect.ValueOf(a), reflect.ValueOf(b)) }

var spanType = reflect.TypeFor[diag.Span]()

func sameParts(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	if a.Type() == spanType {
		return true
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return sameParts(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !sameParts(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !sameParts(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
