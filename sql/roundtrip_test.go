package sql

import (
	"reflect"
	"testing"

	"fsql/internal/ftest"
	"fsql/sql/ast"
)

// strip removes from a tree what printing does not keep: places, whether a
// name was quoted, and texts as they were written.
func strip(x any) any {
	v := reflect.New(reflect.TypeOf(x)).Elem()
	v.Set(reflect.ValueOf(x))
	stripValue(v)
	return x
}

func stripValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			stripValue(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			stripValue(v.Index(i))
		}
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[ast.At](), reflect.TypeFor[ast.Path]():
			if v.CanSet() {
				v.FieldByName("Pos").SetZero()
			}
		}
		for i := range v.NumField() {
			f := v.Field(i)
			switch name := v.Type().Field(i).Name; {
			case !f.CanSet():
			case name == "Quoted", name == "AsText", name == "Text" && f.Kind() == reflect.String && v.Type() != reflect.TypeFor[ast.Name]() &&
				v.Type() != reflect.TypeFor[ast.Literal]():
				f.SetZero()
			default:
				stripValue(f)
			}
		}
	}
}

// printed checks that the printed form of a statement reads as the same tree.
func printed(t *testing.T, name string, s ast.Statement) {
	t.Helper()
	switch s.(type) {
	case *ast.Unsupported:
		return
	}
	text := FormatStatement(s)
	again, err := NewReader(text).Next()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, text)
		return
	}
	if text2 := FormatStatement(again); text2 != text {
		t.Errorf("%s: printed twice:\n%s\n%s", name, text, text2)
	}
	if !reflect.DeepEqual(strip(s), strip(again)) {
		t.Errorf("%s: another tree for\n%s", name, text)
	}
}

func TestPrintedCorpusReadsBack(t *testing.T) {
	corpus(t, func(name string, c ftest.Check) {
		script, _ := Parse(c.Script)
		for _, s := range script.Statements {
			printed(t, name, s)
		}
	})
}
