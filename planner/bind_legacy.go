package planner

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
	"fsql/window"
)

// legacyWindow is a group window: GROUP BY TUMBLE(ts, size) and its kin
// (flink-sql 4.4).
type legacyWindow struct {
	by   logical.Windowing
	time expr.Node // a column
	text string    // of the arguments: the auxiliary functions repeat them
	call string    // as it is written
	// props are the properties that the query asks for.
	props []window.Prop
}

var legacyKinds = map[string]window.Kind{"TUMBLE": window.Tumble, "HOP": window.Hop, "SESSION": window.Session}

// auxiliary functions give the bounds of a group window; -1 is the processing
// time.
var auxiliary = map[string]int{"START": int(window.WindowStart), "END": int(window.WindowEnd), "ROWTIME": int(window.WindowTime), "PROCTIME": -1}

// splitAuxiliary cuts TUMBLE_START into the window and the property.
func splitAuxiliary(name string) (kind string, prop int, ok bool) {
	i := strings.IndexByte(name, '_')
	if i < 0 {
		return "", 0, false
	}
	if _, ok := legacyKinds[name[:i]]; !ok {
		return "", 0, false
	}
	prop, ok = auxiliary[name[i+1:]]
	return name[:i], prop, ok
}

// isLegacyWindow tells a group window among the items of GROUP BY.
func isLegacyWindow(e ast.Expr) bool {
	c, ok := e.(*ast.Call)
	if !ok {
		return false
	}
	_, ok = legacyKinds[functionName(c)]
	return ok
}

// bindLegacy binds the window of a GROUP BY.
func (b *binder) bindLegacy(c *ast.Call, sc *scope) (*legacyWindow, error) {
	name := functionName(c)
	want := 2
	if name == "HOP" {
		want = 3
	}
	if fix := legacySpelling(name, c); fix != "" {
		return nil, diag.New(diag.WrongArguments, c.Pos, "%s in GROUP BY takes the time column and the size, no table", name).WithHint("write %s", fix)
	}
	switch {
	case len(c.Args) > want:
		return nil, diag.New(diag.NotSupported, c.Args[want].Span(), "%s in GROUP BY takes %d arguments: an alignment (offset) is not supported", name, want).
			WithHint("the table function takes one: FROM %s(TABLE t, DESCRIPTOR(ts), size, offset)", name)
	case len(c.Args) < want:
		return nil, diag.New(diag.WrongArguments, c.Pos, "%s in GROUP BY takes %d arguments, %d are given", name, want, len(c.Args))
	}
	x := &exprs{binder: b, sc: sc, clause: "GROUP BY"}
	t, err := x.bind(c.Args[0])
	if err != nil {
		return nil, err
	}
	if err := checkTimeColumn(name, t.String(), t.Type(), c.Args[0].Span()); err != nil {
		return nil, err
	}
	w := &legacyWindow{time: t}
	w.by.Pos, w.by.Legacy = c.Pos, true
	w.by.Kind = legacyKinds[name]
	if w.by.Size, err = b.length(name, "the length", c.Args[want-1]); err != nil {
		return nil, err
	}
	if name == "HOP" {
		if w.by.Slide, err = b.length(name, "the slide", c.Args[1]); err != nil {
			return nil, err
		}
	}
	if w.text, err = x.argsText(c); err != nil {
		return nil, err
	}
	w.call, _ = unparse(c)
	w.by.Proctime = t.Type().Attr == types.Proctime
	if t.Type().Kind == types.TimestampLTZ {
		w.by.Zone = b.env.zoneName()
	}
	if err := w.by.Check(false); err != nil {
		return nil, err.At(c.Pos)
	}
	return w, nil
}

// legacySpelling is the window of a GROUP BY for one that is written as in FROM,
// with a table and DESCRIPTOR; "" for others.
func legacySpelling(name string, c *ast.Call) string {
	for i, a := range c.Args {
		if d, ok := a.(*ast.Descriptor); ok && len(d.Columns) == 1 {
			return name + "(" + dotted(d.Columns[0]) + texts(c.Args[i+1:]) + ")"
		}
	}
	return ""
}

// texts are arguments as they follow another one.
func texts(args []ast.Expr) string {
	out := ""
	for _, a := range args {
		out += ", " + written(a)
	}
	return out
}

func (x *exprs) argsText(c *ast.Call) (string, error) {
	y := *x
	y.group = nil
	args, err := y.all(c.Args)
	if err != nil {
		return "", err
	}
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = a.String()
	}
	return strings.Join(parts, ", "), nil
}

// groupFunction binds the functions that mean something over a GROUP BY only.
func (x *exprs) groupFunction(name string, c *ast.Call) (n expr.Node, done bool, err error) {
	if _, window := legacyKinds[name]; window || name == "CUMULATE" {
		return nil, true, diag.New(diag.BadWindow, c.Pos, "%s cannot stand here: it is a table function in FROM, or an item of GROUP BY", name).
			WithHint("FROM %s(TABLE t, DESCRIPTOR(ts), ...), or GROUP BY %s(ts, ...)", name, name)
	}
	if kind, prop, ok := splitAuxiliary(name); ok {
		n, err := x.auxiliary(name, kind, prop, c)
		return n, true, err
	}
	switch name {
	case "GROUPING", "GROUPING_ID", "GROUP_ID":
		n, err := x.groupingFunction(name, c)
		return n, true, err
	}
	return nil, false, nil
}

// auxiliary binds TUMBLE_START and its kin.
func (x *exprs) auxiliary(name, kind string, prop int, c *ast.Call) (expr.Node, error) {
	var w *legacyWindow
	if x.group != nil {
		w = x.group.legacy
	}
	if w == nil || w.by.Kind != legacyKinds[kind] {
		return nil, diag.New(diag.BadWindow, c.Pos, "%s needs a matching %s in GROUP BY: there is none", name, kind).
			WithHint("write GROUP BY %s", matching(kind, c))
	}
	text, err := x.argsText(c)
	if err != nil {
		return nil, err
	}
	if text != w.text {
		return nil, diag.New(diag.BadWindow, c.Pos, "%s does not match the %s of GROUP BY: its arguments differ", name, kind).
			WithHint("repeat the arguments of GROUP BY %s", w.call)
	}
	if prop < 0 {
		return x.windowProctime(w)
	}
	p := window.Prop(prop)
	if p == window.WindowTime && w.by.Proctime {
		return nil, diag.New(diag.BadWindow, c.Pos, "%s: a window over processing time has no event time (rowtime)", name).
			WithHint("use %s_PROCTIME, or window over a column with a WATERMARK", kind)
	}
	at := len(w.props)
	for i, q := range w.props {
		if q == p {
			at = i
		}
	}
	if at == len(w.props) {
		w.props = append(w.props, p)
	}
	return &later{kind: laterProp, i: at, t: logical.PropType(w.time.Type(), p), text: name + "(" + text + ")"}, nil
}

// windowProctime is the processing time of a group window: NULL over event
// time (so Flink answers).
func (x *exprs) windowProctime(w *legacyWindow) (expr.Node, error) {
	if w.by.Proctime {
		return expr.NewCall(x.env.Funcs, "PROCTIME", nil)
	}
	return expr.NullLiteral(types.TimestampLTZOf(3)), nil
}

// matching is the window in GROUP BY that a function such as TUMBLE_START
// belongs to.
func matching(kind string, c *ast.Call) string {
	window := *c
	window.Func = ast.Path{Parts: []ast.Name{{Text: kind}}}
	return written(&window)
}
