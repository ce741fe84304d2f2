package builtin

import (
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// jsonReaders are the functions that look into a text of JSON.
func jsonReaders() []*expr.Func {
	out := []*expr.Func{
		{Name: "JSON_EXISTS", Doc: "TRUE if there is a value at the path.", Example: `JSON_EXISTS('{"a": 1}', '$.a')`,
			Syntax: "JSON_EXISTS(json, path [TRUE|FALSE|UNKNOWN|ERROR ON ERROR])", ResolveJSON: resolveJSONExists},
		{Name: "JSON_VALUE", Doc: "The single value at the path: a STRING, unless RETURNING says BOOLEAN, INTEGER or DOUBLE.", Example: `JSON_VALUE('{"a": [1, 2]}', '$.a[1]') = '2'`,
			Syntax: "JSON_VALUE(json, path [RETURNING type] [NULL|ERROR|DEFAULT x ON EMPTY] [NULL|ERROR|DEFAULT x ON ERROR])", ResolveJSON: resolveJSONValue},
		{Name: "JSON_QUERY", Doc: "The object or array at the path as JSON, with a wrapper also a single value; RETURNING ARRAY<STRING> takes its elements apart.", Example: `JSON_QUERY('{"a": [1, 2]}', '$.a') = '[1,2]'`,
			Syntax: "JSON_QUERY(json, path [RETURNING type] [WITHOUT|WITH [CONDITIONAL|UNCONDITIONAL] [ARRAY] WRAPPER] [NULL|EMPTY ARRAY|EMPTY OBJECT|ERROR ON EMPTY] [... ON ERROR])", ResolveJSON: resolveJSONQuery},
	}
	for _, f := range out {
		f.Resolve = func(args []expr.Node) (*expr.Call, error) { return f.ResolveJSON(args, expr.JSONClauses{}) }
	}
	is := func(what, doc, example string, fits func(n *jsonNode) bool) {
		out = append(out, isJSON("IS "+what, "TRUE if the text is "+doc+".", example, true, fits),
			isJSON("IS NOT "+what, "TRUE if the text is not "+doc+".", "("+example+") = FALSE", false, fits))
	}
	is("JSON", "JSON", `'[1]' IS JSON`, func(*jsonNode) bool { return true })
	is("JSON VALUE", "JSON", `'1' IS JSON VALUE`, func(*jsonNode) bool { return true })
	is("JSON SCALAR", "a single value of JSON", `'1' IS JSON SCALAR`, (*jsonNode).scalar)
	is("JSON ARRAY", "an array of JSON", `'[1]' IS JSON ARRAY`, func(n *jsonNode) bool { return n.kind == jsonArray })
	is("JSON OBJECT", "an object of JSON", `'{}' IS JSON OBJECT`, func(n *jsonNode) bool { return n.kind == jsonObject })
	return out
}

// isJSON never is NULL: a NULL is no JSON.
func isJSON(name, doc, example string, want bool, fits func(n *jsonNode) bool) *expr.Func {
	if !want {
		example = strings.Replace(strings.TrimSuffix(example, " = FALSE"), "IS", "IS NOT", 1) + " = FALSE"
	}
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: "s " + name, Nulls: expr.NullSeen, Resolve: func(args []expr.Node) (*expr.Call, error) {
		if len(args) != 1 || !args[0].Type().IsString() {
			return nil, expr.ErrArguments
		}
		return &expr.Call{Args: args, T: of(types.Boolean, false), Text: "({} " + name + ")", Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			var d jsonDoc
			for i := range expr.Rows(sel, out.Len) {
				is := !args[0].IsNull(int(i)) && d.read(args[0].Str[i]) && fits(&d.nodes[0])
				out.Bool[i] = is == want
			}
			return nil
		}}, nil
	}}
}

// jsonPaths gives a kernel the path of each row.
type jsonPaths struct {
	fixed *jsonPath // nil: the path is a column
	last  *jsonPath
}

// jsonArgs checks document and path.
func jsonArgs(args []expr.Node) (*jsonPath, error) {
	if len(args) != 2 || !args[0].Type().IsString() || !args[1].Type().IsString() {
		return nil, expr.ErrArguments
	}
	if text, ok := expr.ConstString(args[1]); ok {
		return compileJSONPath(text)
	}
	return nil, nil
}

func (p *jsonPaths) at(v *row.Vec, i int32) (*jsonPath, error) {
	if p.fixed != nil {
		return p.fixed, nil
	}
	if p.last == nil || p.last.text != v.Str[i] {
		q, err := compileJSONPath(strings.Clone(v.Str[i]))
		if err != nil {
			return nil, err
		}
		p.last = q
	}
	return p.last, nil
}

// jsonClauseText prints the clauses of a call, which are part of what it is.
func jsonClauseText(name string, n int, c expr.JSONClauses) string {
	s := listText(name+"(", n, "")
	if c.Returning.Kind != types.Invalid {
		s += " RETURNING " + c.Returning.Short()
	}
	if c.Wrapper != "" {
		s += " " + c.Wrapper + " WRAPPER"
	}
	on := func(what string, def expr.Node, when string) {
		if what == "" {
			return
		}
		if s += " " + what; def != nil {
			s += " " + strings.NewReplacer("{}", "{ }").Replace(def.String())
		}
		s += when
	}
	on(c.OnEmpty, c.EmptyDef, " ON EMPTY")
	on(c.OnError, c.ErrorDef, " ON ERROR")
	on(c.OnNull, nil, " ON NULL")
	return s + ")"
}

func resolveJSONExists(args []expr.Node, c expr.JSONClauses) (*expr.Call, error) {
	path, err := jsonArgs(args)
	if err != nil {
		return nil, err
	}
	if path == nil {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "the path of JSON_EXISTS must be a constant").
			WithHint("JSON_QUERY(json, path WITH WRAPPER) IS NOT NULL takes a column as path")
	}
	return &expr.Call{Args: args, T: of(types.Boolean, true), Text: jsonClauseText("JSON_EXISTS", 2, c), Eval: func(_ *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var w jsonWalk
		for i := range expr.Rows(sel, out.Len) {
			f := w.find(path, args[0].Str[i])
			switch {
			case f.fails == "" || f.none:
				out.Bool[i] = !f.none
			case c.OnError == "ERROR":
				return jsonFailure("JSON_EXISTS", f.fails, args[0].Str[i])
			case c.OnError == "UNKNOWN":
				out.SetNull(int(i))
			default:
				out.Bool[i] = c.OnError == "TRUE"
			}
		}
		return nil
	}}, nil
}

// jsonFailure is what ERROR ON EMPTY and ERROR ON ERROR raise.
func jsonFailure(name, why, document string) error {
	const most = 60
	if r := []rune(document); len(r) > most {
		document = string(r[:most]) + "..."
	}
	return diag.New(diag.BadValue, diag.Span{}, "%s fails for %s: %s", name, document, why)
}

func resolveJSONValue(args []expr.Node, c expr.JSONClauses) (*expr.Call, error) {
	path, err := jsonArgs(args)
	if err != nil {
		return nil, err
	}
	t := types.String()
	if c.Returning.Kind != types.Invalid {
		t = c.Returning
	}
	switch t.Kind {
	case types.VarChar, types.Boolean, types.Int, types.Double:
	default:
		return nil, diag.New(diag.NotSupported, diag.Span{}, "JSON_VALUE does not support RETURNING %s", t.Short()).
			WithHint("RETURNING takes STRING, BOOLEAN, INTEGER or DOUBLE: CAST(JSON_VALUE(json, path) AS %s) converts the text", t.Short())
	}
	empty, err := jsonDefault(c.EmptyDef, t)
	if err != nil {
		return nil, err
	}
	failed, err := jsonDefault(c.ErrorDef, t)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: t.AsNullable(), Text: jsonClauseText("JSON_VALUE", 2, c), Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		w, paths := jsonWalk{}, jsonPaths{fixed: path}
		for i := range expr.Rows(sel, out.Len) {
			p, err := paths.at(args[1], i)
			if err != nil {
				return err
			}
			f := w.find(p, args[0].Str[i])
			if f.fails == "" && !w.doc.nodes[f.at].scalar() {
				f = jsonFound{none: p.lax, fails: "the value at the path '" + p.text + "' is an object or array, not a scalar value"}
			}
			what, def, when := c.OnError, failed, " ON ERROR"
			switch {
			case f.fails == "":
				if err := setJSON(ctx, out, i, &w.doc.nodes[f.at]); err != nil {
					return err
				}
				continue
			case f.none:
				what, def, when = c.OnEmpty, empty, " ON EMPTY"
			}
			switch what {
			case "ERROR":
				return jsonFailure("JSON_VALUE (ERROR"+when+")", f.fails, args[0].Str[i])
			case "DEFAULT":
				out.Copy(int(i), def, 0)
			default:
				out.SetNull(int(i))
			}
		}
		return nil
	}}, nil
}

// jsonDefault is the value of DEFAULT x, which must be constant.
func jsonDefault(x expr.Node, t types.Type) (*row.Vec, error) {
	if x == nil {
		return nil, nil
	}
	from := x.Type()
	fits := t.Kind == types.VarChar || t.Kind == from.Kind || t.Kind == types.Double && from.IsNumeric()
	if from.Kind == types.Null || !fits {
		return nil, diag.New(diag.TypeMismatch, diag.Span{}, "the DEFAULT of JSON_VALUE is %s, but the function returns %s", from.Short(), t.Short())
	}
	x, err := expr.Coerce(x, t)
	if err == nil {
		x, err = expr.Fold(x, nil)
	}
	if err != nil {
		return nil, err
	}
	lit, ok := expr.IsConst(x)
	if !ok {
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "the DEFAULT of JSON_VALUE must be a constant").
			WithHint("COALESCE(JSON_VALUE(json, path), x) takes the value of a column")
	}
	return lit.Value, nil
}

// setJSON stores a single value. Where RETURNING names a type, the value must
// be of just that kind: Flink fails the job otherwise, whatever ON ERROR says.
func setJSON(ctx *expr.Ctx, out *row.Vec, i int32, n *jsonNode) error {
	is := "a text"
	switch n.kind {
	case jsonTrue, jsonFalse:
		is = "a BOOLEAN"
	case jsonWhole:
		is = "a whole number"
	case jsonDecimal:
		is = "a number with fraction or exponent"
	}
	switch out.Type.Kind {
	case types.VarChar:
		out.Str[i] = ctx.Keep(append(ctx.Scratch(), n.text...))
		return nil
	case types.Boolean:
		if n.kind == jsonTrue || n.kind == jsonFalse {
			out.Bool[i] = n.kind == jsonTrue
			return nil
		}
	case types.Int:
		if n.kind == jsonWhole {
			v, err := strconv.ParseInt(n.text, 10, 32)
			if out.I32[i] = int32(v); err == nil {
				return nil
			}
			is = "a number beyond its range"
		}
	case types.Double:
		if n.kind == jsonDecimal {
			out.F64[i], _ = strconv.ParseFloat(n.text, 64)
			return nil
		}
	}
	return diag.New(diag.BadValue, diag.Span{}, "JSON_VALUE RETURNING %s cannot convert the value %s: it is %s", jsonTypeName(out.Type), n.text, is).
		WithHint("TRY_CAST(JSON_VALUE(json, path) AS %s) converts the text and gives NULL where it cannot", jsonTypeName(out.Type))
}

func jsonTypeName(t types.Type) string {
	if t.Kind == types.Int {
		return "INTEGER"
	}
	return t.Short()
}

func resolveJSONQuery(args []expr.Node, c expr.JSONClauses) (*expr.Call, error) {
	path, err := jsonArgs(args)
	if err != nil {
		return nil, err
	}
	t := types.String()
	if c.Returning.Kind != types.Invalid {
		t = c.Returning
	}
	list := t.Kind == types.Array
	switch {
	case list && t.Elem().Kind != types.VarChar, !list && t.Kind != types.VarChar:
		return nil, diag.New(diag.NotSupported, diag.Span{}, "JSON_QUERY does not support RETURNING %s", t.Short()).
			WithHint("RETURNING takes STRING or ARRAY<STRING>")
	case list && (c.OnEmpty == "EMPTY OBJECT" || c.OnError == "EMPTY OBJECT"):
		return nil, diag.New(diag.WrongArguments, diag.Span{}, "JSON_QUERY RETURNING %s cannot give an EMPTY OBJECT", t.Short()).
			WithHint("write EMPTY ARRAY")
	}
	q := jsonQuery{path: path, clauses: c, list: list}
	return &expr.Call{Args: args, T: t.AsNullable(), Text: jsonClauseText("JSON_QUERY", 2, c), Eval: q.eval}, nil
}

type jsonQuery struct {
	path    *jsonPath
	clauses expr.JSONClauses
	list    bool // RETURNING ARRAY<STRING>
}

func (q jsonQuery) eval(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	w, paths := jsonWalk{}, jsonPaths{fixed: q.path}
	for i := range expr.Rows(sel, out.Len) {
		p, err := paths.at(args[1], i)
		if err != nil {
			return err
		}
		f := w.find(p, args[0].Str[i])
		if f.fails == "" {
			f = q.wrap(&w, p, f)
		}
		if f.fails == "" {
			q.set(ctx, &w.doc, f.at, out, i)
			continue
		}
		what, when := q.clauses.OnError, " ON ERROR"
		if f.none {
			what, when = q.clauses.OnEmpty, " ON EMPTY"
		}
		switch {
		case what == "ERROR":
			return jsonFailure("JSON_QUERY (ERROR"+when+")", f.fails, args[0].Str[i])
		case what == "EMPTY ARRAY" && q.list:
			out.Off[i], out.Size[i] = int32(out.Kids[0].Len), 0
		case what == "EMPTY ARRAY":
			out.Str[i] = "[]"
		case what == "EMPTY OBJECT":
			out.Str[i] = "{}"
		default:
			out.SetNull(int(i))
		}
	}
	return nil
}

// wrap puts the value into an array as the wrapper says; then it must be an
// object or array.
func (q jsonQuery) wrap(w *jsonWalk, p *jsonPath, f jsonFound) jsonFound {
	kind := w.doc.nodes[f.at].kind
	if q.clauses.Wrapper == "UNCONDITIONAL" || q.clauses.Wrapper == "CONDITIONAL" && kind != jsonArray {
		f.at = w.list(jsonArray, []int32{f.at})
		kind = jsonArray
	}
	if kind < jsonArray {
		return jsonFound{none: p.lax, fails: "the value at the path '" + p.text + "' is a scalar, not an object or array"}
	}
	if q.list && kind != jsonArray {
		return jsonFound{fails: "the value at the path '" + p.text + "' is an object, not an array"}
	}
	return f
}

func (q jsonQuery) set(ctx *expr.Ctx, d *jsonDoc, at int32, out *row.Vec, i int32) {
	if !q.list {
		out.Str[i] = ctx.Keep(d.append(ctx.Scratch(), at))
		return
	}
	kid := out.Kids[0]
	from := kid.Len
	kid.AppendNull(int(d.nodes[at].count))
	out.Off[i], out.Size[i] = int32(from), d.nodes[at].count
	for j := d.nodes[at].first; j >= 0; j = d.nodes[j].next {
		switch n := &d.nodes[j]; {
		case n.kind == jsonNull:
		case n.scalar():
			kid.Valid.Set(from)
			kid.Str[from] = ctx.Keep(append(ctx.Scratch(), n.text...))
		default:
			kid.Valid.Set(from)
			kid.Str[from] = ctx.Keep(d.append(ctx.Scratch(), j))
		}
		from++
	}
}
