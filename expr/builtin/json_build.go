package builtin

import (
	"slices"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
)

// jsonWriters are the functions that make JSON of values.
func jsonWriters() []*expr.Func {
	object := &expr.Func{Name: "JSON_OBJECT", Doc: "An object of the keys and values; results of JSON_OBJECT, JSON_ARRAY and JSON are put in as they are.",
		Example: `JSON_OBJECT(KEY 'a' VALUE 1, KEY 'b' VALUE JSON_ARRAY(2)) = '{"a":1,"b":[2]}'`,
		Syntax:  "JSON_OBJECT([KEY] key VALUE value, ... [NULL|ABSENT ON NULL])", Nulls: expr.NullSeen, ResolveJSON: resolveJSONObject}
	array := &expr.Func{Name: "JSON_ARRAY", Doc: "An array of the values, NULLs left out unless NULL ON NULL says otherwise.",
		Example: `JSON_ARRAY(1, 'a', JSON('{"b": 2}')) = '[1,"a",{"b":2}]'`,
		Syntax:  "JSON_ARRAY(value, ... [NULL|ABSENT ON NULL])", Nulls: expr.NullSeen, ResolveJSON: resolveJSONArray}
	for _, f := range []*expr.Func{object, array} {
		f.Resolve = func(args []expr.Node) (*expr.Call, error) { return f.ResolveJSON(args, expr.JSONClauses{Pairs: true}) }
	}
	return []*expr.Func{object, array,
		{Name: "JSON_STRING", Doc: "The value as JSON.", Example: `JSON_STRING(ARRAY['a', 'b']) = '["a","b"]'`, Syntax: "JSON_STRING(x)", BareNull: true, Resolve: resolveJSONString},
		{Name: "JSON", Doc: "A text that is JSON, for JSON_OBJECT and JSON_ARRAY, which put it in as it is; empty text is NULL, other text fails the job.",
			Example: `JSON_ARRAY(JSON('{"b": 2, "a": 1}')) = '[{"a":1,"b":2}]'`, Syntax: "JSON(s)", BareNull: true, Resolve: resolveJSONRaw},
		{Name: "JSON_QUOTE", Doc: "The text as a JSON string: with quotes and escapes, ASCII only.", Example: `JSON_QUOTE('a"b') = '"a\"b"'`, Syntax: "JSON_QUOTE(s)", BareNull: true,
			Resolve: jsonText(func(_ *jsonDoc, dst []byte, s string) ([]byte, error) { return appendJSONQuoted(dst, s), nil })},
		{Name: "JSON_UNQUOTE", Doc: "The text of a JSON string; other text stays as it is.", Example: `JSON_UNQUOTE('"a\"b"') = 'a"b'`, Syntax: "JSON_UNQUOTE(s)", BareNull: true, Resolve: jsonText(appendJSONUnquoted)},
	}
}

// appendJSONOperand writes the value of an operand.
func appendJSONOperand(dst []byte, v *row.Vec, i int, raw bool) ([]byte, error) {
	if raw {
		return append(dst, v.Str[i]...), nil
	}
	return value.AppendJSON(dst, v, i)
}

func resolveJSONArray(args []expr.Node, c expr.JSONClauses) (*expr.Call, error) {
	raw := make([]bool, len(args))
	for k, a := range args {
		if err := value.JSONWritable("JSON_ARRAY", a.Type()); err != nil {
			return nil, err
		}
		raw[k] = expr.IsRawJSON(a)
	}
	absent := c.OnNull != "NULL"
	return &expr.Call{Args: args, T: str(false), Text: jsonClauseText("JSON_ARRAY", len(args), expr.JSONClauses{OnNull: c.OnNull}), Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) (err error) {
		for i := range expr.Rows(sel, out.Len) {
			dst := append(ctx.Scratch(), '[')
			first := true
			for k, a := range args {
				null := a.IsNull(int(i))
				if null && absent {
					continue
				}
				if !first {
					dst = append(dst, ',')
				}
				first = false
				if dst, err = appendJSONOperand(dst, a, int(i), raw[k] && !null); err != nil {
					return err
				}
			}
			out.Str[i] = ctx.Keep(append(dst, ']'))
		}
		return nil
	}}, nil
}

func resolveJSONObject(args []expr.Node, c expr.JSONClauses) (*expr.Call, error) {
	if len(args)%2 == 1 {
		return nil, expr.ErrArguments
	}
	o := jsonObjectMaker{absent: c.OnNull == "ABSENT", raw: make([]bool, len(args))}
	constant := true
	for k := 0; k < len(args); k += 2 {
		key := args[k].Type()
		switch {
		case !key.IsString():
			return nil, diag.New(diag.TypeMismatch, diag.Span{}, "the keys of JSON_OBJECT must be texts, but one is %s", key.Short())
		case key.Nullable:
			return nil, diag.New(diag.TypeMismatch, diag.Span{}, "the keys of JSON_OBJECT must not be NULL, but %s can be", args[k]).
				WithHint("give it a value for NULL: COALESCE(key, '')")
		}
		if err := value.JSONWritable("JSON_OBJECT", args[k+1].Type()); err != nil {
			return nil, err
		}
		o.raw[k+1] = expr.IsRawJSON(args[k+1])
		_, fixed := expr.ConstString(args[k])
		constant = constant && fixed
	}
	if constant {
		texts := make([]string, len(args))
		for k := 0; k < len(args); k += 2 {
			texts[k], _ = expr.ConstString(args[k])
		}
		o.order = keyOrder(len(args), func(k int) string { return texts[k] })
	}
	return &expr.Call{Args: args, T: str(false), Text: jsonClauseText("JSON_OBJECT", len(args), expr.JSONClauses{OnNull: c.OnNull}), Eval: o.eval}, nil
}

type jsonObjectMaker struct {
	absent bool
	raw    []bool
	order  []int // of the keys, when all are constant
}

// keyOrder sorts the operands that are keys; equal ones stay in their order.
func keyOrder(n int, key func(k int) string) []int {
	var order []int
	for k := 0; k < n; k += 2 {
		order = append(order, k)
	}
	slices.SortStableFunc(order, func(a, b int) int { return value.CompareJava(key(a), key(b)) })
	return order
}

func (o jsonObjectMaker) eval(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) (err error) {
	for i := range expr.Rows(sel, out.Len) {
		order := o.order
		if order == nil {
			order = keyOrder(len(args), func(k int) string { return args[k].Str[i] })
		}
		dst := append(ctx.Scratch(), '{')
		first := true
		for n := 0; n < len(order); n++ {
			k := -1 // the pair that stays of those with this key
			for key := args[order[n]].Str[i]; ; n++ {
				if !o.absent || !args[order[n]+1].IsNull(int(i)) {
					k = order[n]
				}
				if n+1 == len(order) || args[order[n+1]].Str[i] != key {
					break
				}
			}
			if k < 0 {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(value.AppendJSONString(dst, args[k].Str[i]), ':')
			v := args[k+1]
			if dst, err = appendJSONOperand(dst, v, int(i), o.raw[k+1] && !v.IsNull(int(i))); err != nil {
				return err
			}
		}
		out.Str[i] = ctx.Keep(append(dst, '}'))
	}
	return nil
}

func resolveJSONString(args []expr.Node) (*expr.Call, error) {
	if len(args) != 1 {
		return nil, expr.ErrArguments
	}
	args = typed(args, stringType)
	if err := value.JSONWritable("JSON_STRING", args[0].Type()); err != nil {
		return nil, err
	}
	raw := expr.IsRawJSON(args[0])
	return &expr.Call{Args: args, T: stringResult(args), Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			dst, err := appendJSONOperand(ctx.Scratch(), args[0], int(i), raw)
			if err != nil {
				return err
			}
			out.Str[i] = ctx.Keep(dst)
		}
		return nil
	}}, nil
}

// resolveJSONRaw is JSON(s). That it stands in JSON_OBJECT or JSON_ARRAY the
// planner sees to.
func resolveJSONRaw(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 1, false, isText); err != nil {
		return nil, err
	}
	return &expr.Call{Args: typed(args, stringType), T: str(true), Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var d jsonDoc
		for i := range expr.Rows(sel, out.Len) {
			s := trimJava(args[0].Str[i])
			switch {
			case s == "":
				out.SetNull(int(i))
			case !d.read(s):
				return diag.New(diag.BadValue, diag.Span{}, "JSON(s) needs valid JSON, but '%s' is not: %s", args[0].Str[i], d.why())
			default:
				out.Str[i] = ctx.Keep(d.append(ctx.Scratch(), 0))
			}
		}
		return nil
	}}, nil
}

// trimJava is String.trim: everything up to the blank goes.
func trimJava(s string) string {
	for s != "" && s[0] <= ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// jsonText is the Resolve of a function from text to text.
func jsonText(f func(d *jsonDoc, dst []byte, s string) ([]byte, error)) func(args []expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isText); err != nil {
			return nil, err
		}
		args = typed(args, stringType)
		return &expr.Call{Args: args, T: stringResult(args), Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			var d jsonDoc
			for i := range expr.Rows(sel, out.Len) {
				dst, err := f(&d, ctx.Scratch(), args[0].Str[i])
				if err != nil {
					return err
				}
				out.Str[i] = ctx.Keep(dst)
			}
			return nil
		}}, nil
	}
}

// appendJSONUnquoted takes quotes and escapes off what begins with a string of
// JSON and ends with a quote.
func appendJSONUnquoted(d *jsonDoc, dst []byte, s string) ([]byte, error) {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' || !d.read(s) {
		return append(dst, s...), nil
	}
	for rest := s[1 : len(s)-1]; rest != ""; {
		n := 1
		if rest[0] != '\\' {
			dst = append(dst, rest[0])
		} else if dst, n = appendUnescaped(dst, rest); n == 0 {
			return dst, diag.New(diag.BadValue, diag.Span{}, "JSON_UNQUOTE does not know an escape in '%s'", s)
		}
		rest = rest[n:]
	}
	return dst, nil
}
