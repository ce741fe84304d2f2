package planner

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/relop"
	"fsql/row"
	"fsql/sql/ast"
	"fsql/types"
)

// A changelog function turns changes into rows or back (flink-sql 4.20). Its
// arguments in positional order; those behind op_mapping belong to every table
// function of this kind.
var changelogParams = []string{"input", "op", "op_mapping", "on_time", "uid"}

// changelogCall are the arguments of a changelog function.
type changelogCall struct {
	name  string
	usage string
	call  *ast.Call
	given map[string]ast.Expr
}

func (b *binder) changelogFunction(name string, c *ast.Call) (*result, error) {
	f := &changelogCall{
		name: name, call: c,
		usage: name + "(input => TABLE t [, op => DESCRIPTOR(op)] [, op_mapping => MAP['INSERT', 'I', ..]])",
	}
	if name == "FROM_CHANGELOG" {
		f.usage = name + "(input => TABLE t [, op => DESCRIPTOR(op)] [, op_mapping => MAP['I', 'INSERT', ..]])"
	}
	if err := f.sort(); err != nil {
		return nil, err
	}
	in, sc, err := b.changelogInput(f)
	if err != nil {
		return nil, err
	}
	if t := f.given["on_time"]; t != nil {
		return nil, diag.New(diag.NotSupported, t.Span(), "%s does not take on_time, as it takes or gives changes", name).WithHint("leave it out")
	}
	if err := f.uid(); err != nil {
		return nil, err
	}
	if name == "TO_CHANGELOG" {
		return b.toChangelog(f, in, sc)
	}
	return b.fromChangelog(f, in, sc)
}

// sort gives each argument its name.
func (f *changelogCall) sort() error {
	f.given = map[string]ast.Expr{}
	for i, a := range f.call.Args {
		param := ""
		switch {
		case f.call.ArgNames != nil && f.call.ArgNames[i] == "":
			return diag.New(diag.WrongArguments, a.Span(), "%s: named and positional arguments cannot be mixed", f.name).WithHint("%s", f.usage)
		case f.call.ArgNames != nil:
			param = f.call.ArgNames[i]
			if !contains(changelogParams, param) {
				e := diag.New(diag.WrongArguments, a.Span(), "%s has no argument '%s'; there are %s (names are case-sensitive)", f.name, param, join(changelogParams))
				if near := diag.Nearest(param, changelogParams); near != "" {
					e.WithLabel("did you mean %s?", near)
				}
				return e
			}
		case i < len(changelogParams):
			param = changelogParams[i]
		default:
			return diag.New(diag.WrongArguments, a.Span(), "too many arguments: %s takes no more than %d", f.name, len(changelogParams)).WithHint("%s", f.usage)
		}
		if f.given[param] != nil {
			return diag.New(diag.WrongArguments, a.Span(), "%s: the argument %s is given twice", f.name, param)
		}
		if _, ok := a.(*ast.Default); ok {
			continue
		}
		f.given[param] = a
	}
	return nil
}

// changelogInput binds the table. It is taken row by row: an order or a
// partition of it would mean nothing.
func (b *binder) changelogInput(f *changelogCall) (logical.Node, *scope, error) {
	x := f.given["input"]
	if x == nil {
		return nil, nil, diag.New(diag.WrongArguments, f.call.Pos, "%s: the argument input is missing", f.name).WithHint("%s", f.usage)
	}
	arg, ok := x.(*ast.TableArg)
	if !ok {
		return nil, nil, diag.New(diag.WrongArguments, x.Span(), "the argument input of %s must be a table: TABLE t", f.name).
			WithHint("write input => TABLE %s", written(x))
	}
	switch {
	case len(arg.PartitionBy) > 0:
		return nil, nil, diag.New(diag.NotSupported, arg.Pos, "%s does not take PARTITION BY: it takes its table row by row", f.name).WithHint("leave it out")
	case len(arg.OrderBy) > 0:
		return nil, nil, diag.New(diag.NotSupported, arg.Pos, "%s does not take ORDER BY: it takes its table row by row", f.name).WithHint("leave it out")
	}
	return b.tableArg(arg)
}

// uid checks the name that Flink keeps state by; fsql finds state without it.
func (f *changelogCall) uid() error {
	e := f.given["uid"]
	if isNull(e) || e == nil {
		return nil
	}
	text, ok := textLiteral(e)
	for i, r := range text {
		ok = ok && (r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && (r == '-' || r >= '0' && r <= '9'))
	}
	if !ok || text == "" {
		return diag.New(diag.WrongArguments, e.Span(), "the argument uid of %s must be a text of letters, digits, '_' and '-' that begins with a letter or '_'", f.name)
	}
	return nil
}

// opColumn is the column that op names, "op" if it is not given.
func (f *changelogCall) opColumn() (ast.Name, error) {
	e := f.given["op"]
	if e == nil || isNull(e) {
		return ast.Name{At: ast.At{Pos: f.call.Pos}, Text: "op"}, nil
	}
	d, ok := e.(*ast.Descriptor)
	if !ok {
		return ast.Name{}, diag.New(diag.WrongArguments, e.Span(), "the argument op of %s must be DESCRIPTOR(column)", f.name).WithHint("%s", f.usage)
	}
	if len(d.Columns) != 1 || len(d.Columns[0].Parts) != 1 {
		return ast.Name{}, diag.New(diag.WrongArguments, e.Span(), "the argument op of %s must be a DESCRIPTOR of exactly one column", f.name)
	}
	n := d.Columns[0].Parts[0]
	n.Pos = d.Columns[0].Pos
	return n, nil
}

// pair is an entry of op_mapping.
type pair struct {
	key, value string
	at, to     diag.Span
}

// mapping reads op_mapping, which must be written as a MAP of texts. A key that
// comes again replaces the value, as in any MAP. ok is false if it is not given.
func (b *binder) mapping(f *changelogCall) (pairs []pair, ok bool, err error) {
	e := f.given["op_mapping"]
	if e == nil || isNull(e) {
		return nil, false, nil
	}
	m, isMap := e.(*ast.Map)
	if !isMap {
		if b.nullMap(e) {
			return nil, false, nil
		}
		return nil, false, f.notMap(e)
	}
	if len(m.Elems) == 0 {
		return nil, false, f.notMap(e)
	}
	for i := 0; i+1 < len(m.Elems); i += 2 {
		k, okKey := textLiteral(m.Elems[i])
		v, okVal := textLiteral(m.Elems[i+1])
		if !okKey || !okVal {
			return nil, false, f.notMap(e)
		}
		p := pair{k, v, m.Elems[i].Span(), m.Elems[i+1].Span()}
		again := false
		for j := range pairs {
			if pairs[j].key == k {
				pairs[j], again = p, true
			}
		}
		if !again {
			pairs = append(pairs, p)
		}
	}
	return pairs, true, nil
}

// nullMap tells CAST(NULL AS MAP<..>).
func (b *binder) nullMap(e ast.Expr) bool {
	n, err := (&exprs{binder: b, sc: &scope{schema: &types.Schema{}}, quiet: true}).bind(e)
	if err != nil || n.Type().Kind != types.Map {
		return false
	}
	folded, err := expr.Fold(n, b.zone)
	if err != nil {
		return false
	}
	l, ok := expr.IsConst(folded)
	return ok && l.IsNull()
}

func (f *changelogCall) notMap(e ast.Expr) error {
	return diag.New(diag.WrongArguments, e.Span(), "the argument op_mapping of %s must be a MAP of texts, written out", f.name).WithHint("%s", f.usage)
}

func textLiteral(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.Literal)
	if !ok || !l.Type.IsString() {
		return "", false
	}
	return l.Text, true
}

// listed are the words of a comma list; a comma at its end is none.
func listed(s string) []string {
	words := strings.Split(s, ",")
	for len(words) > 1 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

func (f *changelogCall) kind(word string, at diag.Span) (row.Kind, error) {
	k, ok := relop.KindNamed(word)
	if ok {
		return k, nil
	}
	all := []string{"INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"}
	e := diag.New(diag.WrongArguments, at, "%s: '%s' in op_mapping is no kind of change; there are %s", f.name, word, join(all))
	if near := diag.Nearest(strings.ToUpper(word), all); near != "" {
		e.WithLabel("did you mean '%s'?", near)
	}
	return 0, e
}

func (f *changelogCall) twice(what string, at diag.Span) *diag.Error {
	return diag.New(diag.WrongArguments, at, "%s: '%s' stands twice in op_mapping", f.name, what)
}

func (b *binder) toChangelog(f *changelogCall, in logical.Node, sc *scope) (*result, error) {
	op, err := f.opColumn()
	if err != nil {
		return nil, err
	}
	names := sc.rels[0].names
	if contains(names, op.Text) {
		return nil, diag.New(diag.DuplicateName, op.Pos, "TO_CHANGELOG adds the column '%s', but the table has one of that name", op.Text).
			WithHint("give the new one another name: op => DESCRIPTOR(kind)")
	}
	pairs, given, err := b.mapping(f)
	if err != nil {
		return nil, err
	}
	var codes [4]*string
	for k := range codes {
		if !given {
			name := relop.KindName(row.Kind(k))
			codes[k] = &name
		}
	}
	for _, p := range pairs {
		for _, w := range listed(p.key) {
			k, err := f.kind(w, p.at)
			if err != nil {
				return nil, err
			}
			if codes[k] != nil {
				return nil, f.twice(w, p.at)
			}
			code := p.value
			codes[k] = &code
		}
	}
	taken := map[string]bool{}
	for _, c := range in.Schema().Columns {
		taken[c.Name] = true
	}
	n := logical.NewToChangelog(in, logical.UniqueName(op.Text, taken), codes)
	return &result{node: n, names: append([]string{op.Text}, names...)}, nil
}

func (b *binder) fromChangelog(f *changelogCall, in logical.Node, sc *scope) (*result, error) {
	op, err := f.opColumn()
	if err != nil {
		return nil, err
	}
	names := sc.rels[0].names
	n := logical.FromChangelog{Input: in, Code: -1, Kinds: map[string]row.Kind{}, Pos: f.call.Pos}
	var rest []string
	for i, name := range names {
		if name == op.Text && n.Code < 0 {
			n.Code = i
		} else {
			rest = append(rest, name)
		}
	}
	if n.Code < 0 {
		e := diag.New(diag.UnknownColumn, op.Pos, "FROM_CHANGELOG: the table has no column '%s' that says what change a row is", op.Text)
		if near := diag.Nearest(op.Text, names); near != "" {
			e.WithLabel("did you mean '%s'?", near)
		}
		return nil, e.WithHint("columns are %s; op => DESCRIPTOR(column) names another one", join(names))
	}
	if t := in.Schema().Columns[n.Code].Type; !t.IsString() {
		return nil, diag.New(diag.TypeMismatch, op.Pos, "FROM_CHANGELOG: the column '%s' must be a text, it is %s", op.Text, t.Plain().Short()).
			WithHint("convert it before: SELECT CAST(%s AS STRING) AS op, ..", op.Text)
	}
	pairs, given, err := b.mapping(f)
	if err != nil {
		return nil, err
	}
	if !given {
		for k := range row.Kind(4) {
			pairs = append(pairs, pair{key: relop.KindName(k), value: relop.KindName(k)})
		}
	}
	seen := row.Kinds(0)
	for _, p := range pairs {
		k, err := f.kind(p.value, p.to)
		if err != nil {
			return nil, err
		}
		if seen.Has(k) {
			e := f.twice(p.value, p.to)
			return nil, e.WithHint("a comma parts the codes of one kind: MAP['c, r', 'INSERT']")
		}
		seen |= 1 << k
		for _, w := range listed(p.key) {
			if _, there := n.Kinds[w]; there {
				return nil, f.twice(w, p.at)
			}
			n.Kinds[w] = k
			n.Names = append(n.Names, w)
		}
	}
	switch {
	case seen.Has(row.UpdateAfter) && !seen.Has(row.UpdateBefore):
		return nil, diag.New(diag.NotSupported, f.given["op_mapping"].Span(), "FROM_CHANGELOG needs a code for UPDATE_BEFORE: it does not read updates without the rows that they replace").
			WithHint("map new rows to INSERT and old ones to DELETE")
	case len(rest) == 0:
		return nil, diag.New(diag.NotSupported, op.Pos, "FROM_CHANGELOG: the table has no column but '%s'", op.Text)
	}
	return &result{node: logical.NewFromChangelog(n), names: rest}, nil
}
