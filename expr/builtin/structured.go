package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func structured() []*expr.Func {
	return []*expr.Func{
		{Name: "OBJECT_OF", Doc: "A value of a STRUCTURED type, with the named fields; the class need not exist.",
			Example: "OBJECT_OF('Person', 'name', 'Ann', 'age', 30).age = 30", Syntax: "OBJECT_OF('class', 'field', value, ...)",
			Nulls: expr.NullSeen, Resolve: resolveObjectOf},
		{Name: "OBJECT_UPDATE", Doc: "A structured value with other values in some of its fields, which take the types of these.",
			Example: "OBJECT_UPDATE(OBJECT_OF('P', 'a', 1, 'b', 2), 'a', 'x').a = 'x'", Syntax: "OBJECT_UPDATE(object, 'field', value, ...)",
			Nulls: expr.NullSeen, Resolve: resolveObjectUpdate},
	}
}

// className is the name of a Java class: identifiers with dots between them.
var className = regexp.MustCompile(`^[\pL_$][\pL\pN_$]*(\.[\pL_$][\pL\pN_$]*)*$`)

// fieldNames reads the names of fields and values in turn; names must be texts
// that are known when the query is planned, each once.
func fieldNames(args []expr.Node) (names []string, values []expr.Node, err error) {
	if len(args)%2 == 1 {
		return nil, nil, expr.ErrArguments
	}
	for i := 0; i < len(args); i += 2 {
		name, ok := expr.ConstString(args[i])
		if !ok {
			return nil, nil, diag.New(diag.WrongArguments, diag.Span{}, "the name of a field must be a text in quotes, but is %s of type %s", args[i], args[i].Type().Short()).
				WithHint("after the object come names and values in turn: 'name', value, ...")
		}
		if slices.Contains(names, name) {
			return nil, nil, diag.New(diag.DuplicateName, diag.Span{}, "the field '%s' is named twice", name)
		}
		names, values = append(names, name), append(values, args[i+1])
	}
	return names, values, nil
}

func resolveObjectOf(args []expr.Node) (*expr.Call, error) {
	if len(args) == 0 {
		return nil, expr.ErrArguments
	}
	class, ok := expr.ConstString(args[0])
	if !ok {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "the first argument of OBJECT_OF must be the name of a class in quotes, but is %s", args[0])
	}
	if !className.MatchString(class) {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "'%s' is no name of a class", class).
			WithHint("letters, digits, _ and $, parted by dots: 'com.example.Person'")
	}
	names, values, err := fieldNames(args[1:])
	if err != nil {
		return nil, err
	}
	t := types.RowOf()
	t.Class = class
	text := "OBJECT_OF('" + class + "'"
	for i, name := range names {
		t.Fields = append(t.Fields, types.Field{Name: name, Type: values[i].Type().Plain()})
		text += ", '" + name + "', {}"
	}
	return &expr.Call{Args: values, T: t, Safe: true, Text: text + ")", Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		out.Kids = append([]*row.Vec(nil), args...)
		return nil
	}}, nil
}

func resolveObjectUpdate(args []expr.Node) (*expr.Call, error) {
	if len(args) == 0 {
		return nil, expr.ErrArguments
	}
	t := args[0].Type().Plain()
	if t.Class == "" {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "OBJECT_UPDATE takes a structured value, not %s", t.Short()).
			WithHint("OBJECT_OF('class', 'field', value, ...) makes one")
	}
	names, values, err := fieldNames(args[1:])
	if err != nil {
		return nil, err
	}
	known := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		known[i] = f.Name
	}
	t.Fields = slices.Clone(t.Fields)
	at := make([]int, len(names))
	text := "OBJECT_UPDATE({}"
	for i, name := range names {
		if at[i] = slices.Index(known, name); at[i] < 0 {
			e := diag.New(diag.WrongArguments, diag.Span{}, "the object has no field '%s'", name)
			if near := diag.Nearest(name, known); near != "" {
				return nil, e.WithHint("did you mean '%s'? Its fields are %s", near, strings.Join(known, ", "))
			}
			return nil, e.WithHint("its fields are %s", strings.Join(known, ", "))
		}
		t.Fields[at[i]].Type = values[i].Type().Plain()
		text += fmt.Sprintf(", '%s', {}", name)
	}
	return &expr.Call{Args: append([]expr.Node{args[0]}, values...), T: t.AsNullable(), Safe: true, Text: text + ")",
		Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			out.Kids = slices.Clone(args[0].Kids)
			for i, to := range at {
				out.Kids[to] = args[i+1]
			}
			for i := range expr.Rows(sel, out.Len) {
				if args[0].IsNull(int(i)) {
					out.SetNull(int(i))
				}
			}
			return nil
		}}, nil
}
