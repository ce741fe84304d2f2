package planner

import (
	"errors"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/planner/logical"
	"fsql/sql/ast"
	"fsql/types"
	"fsql/window"
)

// tvf describes a window table function: its arguments after the table and
// the descriptor, by name and in positional order.
type tvf struct {
	kind   window.Kind
	params []string
	needed int // how many of params must be given
}

var tvfs = map[string]tvf{
	"TUMBLE":   {window.Tumble, []string{"SIZE", "OFFSET"}, 1},
	"HOP":      {window.Hop, []string{"SLIDE", "SIZE", "OFFSET"}, 2},
	"CUMULATE": {window.Cumulate, []string{"STEP", "SIZE", "OFFSET"}, 2},
	"SESSION":  {window.Session, []string{"GAP"}, 1},
}

// tableFunction binds TABLE(f(..)) and f(..) in FROM.
func (b *binder) tableFunction(t *ast.TableFunc) (logical.Node, *scope, error) {
	name := functionName(t.Call)
	f, ok := tvfs[name]
	if name == "TO_CHANGELOG" || name == "FROM_CHANGELOG" {
		r, err := b.changelogFunction(name, t.Call)
		if err != nil {
			return nil, nil, place(err, t.Call.Pos)
		}
		return b.aliased(r, t.Alias, nil, "")
	}
	if !ok {
		if b.env.Funcs.Lookup(name) != nil {
			return nil, nil, diag.New(diag.WrongArguments, t.Pos, "%s gives a value, not a table", name)
		}
		if !processFunctions[name] {
			e := diag.New(diag.UnknownFunction, t.Call.Func.Pos, "table function '%s' does not exist", dotted(t.Call.Func))
			if near := diag.Nearest(name, tableFunctionNames); near != "" {
				e.WithLabel("did you mean %s?", near)
			}
			return nil, nil, e.WithHint("table functions are %s", join(tableFunctionNames))
		}
		return nil, nil, notYet(tableFunctions, t.Pos)
	}
	n, err := b.windowFunction(name, f, t.Call)
	if err != nil {
		return nil, nil, place(err, t.Call.Pos)
	}
	return b.aliased(n, t.Alias, nil, "")
}

// tableFunctionNames are the functions that stand in FROM.
var tableFunctionNames = []string{"TUMBLE", "HOP", "CUMULATE", "SESSION", "TO_CHANGELOG", "FROM_CHANGELOG"}

// processFunctions are the built-in functions of tables that fsql does not have.
var processFunctions = map[string]bool{"ML_PREDICT": true, "VECTOR_SEARCH": true}

// windowArgs sorts the arguments of a window function.
func windowArgs(name string, f tvf, c *ast.Call) (table, column ast.Expr, rest map[string]ast.Expr, err error) {
	all := append([]string{"DATA", "TIMECOL"}, f.params...)
	usage := name + "(TABLE t, DESCRIPTOR(ts)"
	for i, p := range f.params {
		if i < f.needed {
			usage += ", " + p
		} else {
			usage += " [, " + p + "]"
		}
	}
	usage += ")"
	if len(c.Args) > 1 && c.ArgNames == nil {
		// TUMBLE(ts, INTERVAL '1' MINUTE), the window of a GROUP BY.
		lit, size := c.Args[1].(*ast.Literal)
		size = size && lit.Type.IsInterval()
		if _, table := c.Args[0].(*ast.TableArg); size && !table {
			return nil, nil, nil, diag.New(diag.WrongArguments, c.Pos, "%s in FROM takes a table, its time column and the size", name).
				WithHint("write %s(TABLE t, %s%s)", name, descriptor(c.Args[0]), texts(c.Args[1:]))
		}
	}
	given := map[string]ast.Expr{}
	for i, a := range c.Args {
		param := ""
		if c.ArgNames != nil {
			param = c.ArgNames[i]
			if param == "" {
				return nil, nil, nil, diag.New(diag.WrongArguments, a.Span(), "%s: named and positional arguments cannot be mixed", name)
			}
			if !contains(all, param) {
				e := diag.New(diag.WrongArguments, a.Span(), "%s has no argument '%s'; there are %s (names are case-sensitive)", name, param, join(all))
				if near := diag.Nearest(param, all); near != "" {
					e.WithLabel("did you mean %s?", near)
				}
				return nil, nil, nil, e
			}
			if param == "DATA" && i > 0 {
				return nil, nil, nil, diag.New(diag.WrongArguments, a.Span(), "%s: the argument DATA must be the first one", name).WithHint("%s", usage)
			}
		} else if i < len(all) {
			param = all[i]
		} else {
			return nil, nil, nil, diag.New(diag.WrongArguments, a.Span(), "too many arguments: %s takes no more than %d", name, len(all)).WithHint("%s", usage)
		}
		if given[param] != nil {
			return nil, nil, nil, diag.New(diag.WrongArguments, a.Span(), "%s: the argument %s is given twice", name, param)
		}
		given[param] = a
	}
	for _, p := range all[:2+f.needed] {
		if given[p] == nil {
			return nil, nil, nil, diag.New(diag.WrongArguments, c.Pos, "%s: the argument %s is missing", name, p).WithHint("%s", usage)
		}
	}
	return given["DATA"], given["TIMECOL"], given, nil
}

func (b *binder) windowFunction(name string, f tvf, c *ast.Call) (*result, error) {
	table, column, args, err := windowArgs(name, f, c)
	if err != nil {
		return nil, err
	}
	arg, ok := table.(*ast.TableArg)
	if !ok {
		return nil, diag.New(diag.WrongArguments, table.Span(), "the first argument of %s must be a table: TABLE t", name).
			WithHint("write %s(TABLE %s, %s%s)", name, written(table), descriptor(column), lengths(f, args))
	}
	in, sc, err := b.tableArg(arg)
	if err != nil {
		return nil, err
	}
	by := logical.Windowing{Pos: c.Pos}
	by.Kind = f.kind
	if by.Time, err = timeColumn(name, column, sc); err != nil {
		sayWatermark(err, arg, column)
		return nil, err
	}
	for _, p := range f.params {
		if args[p] == nil {
			continue
		}
		ms, err := b.length(name, p, args[p])
		if err != nil {
			return nil, err
		}
		switch p {
		case "SIZE", "GAP":
			by.Size = ms
		case "SLIDE", "STEP":
			by.Slide = ms
		case "OFFSET":
			by.Offset = ms
		}
	}
	b.clock(&by, in)
	if err := by.Check(false); err != nil {
		return nil, err.At(lengthsSpan(f, args))
	}
	if by.Keys, err = b.sessionKeys(name, f, arg, sc); err != nil {
		return nil, err
	}
	n := logical.NewWindow(in, by)
	return &result{node: n, names: append(append([]string(nil), sc.rels[0].names...), logical.WindowColumns[:]...)}, nil
}

func lengthsSpan(f tvf, args map[string]ast.Expr) diag.Span {
	var s diag.Span
	for _, p := range f.params {
		if a := args[p]; a != nil {
			s = s.Join(a.Span())
		}
	}
	return s
}

// clock says by which clock windows over column by.Time run.
func (b *binder) clock(by *logical.Windowing, in logical.Node) {
	t := in.Schema().Columns[by.Time].Type
	by.Proctime = t.Attr == types.Proctime
	if t.Kind == types.TimestampLTZ {
		by.Zone = b.env.zoneName()
	}
}

func (b *binder) tableArg(a *ast.TableArg) (logical.Node, *scope, error) {
	if a.Query != nil {
		return b.from(&ast.Derived{At: a.At, Query: a.Query}, nil)
	}
	return b.from(&ast.Table{At: a.At, Path: a.Table}, nil)
}

// descriptor is the second argument of a window function as it should be
// written.
func descriptor(e ast.Expr) string {
	if _, ok := e.(*ast.Descriptor); ok {
		return written(e)
	}
	return "DESCRIPTOR(" + written(e) + ")"
}

// lengths are the arguments behind the descriptor as they are written.
func lengths(f tvf, args map[string]ast.Expr) string {
	s := ""
	for _, p := range f.params {
		if args[p] != nil {
			s += ", " + written(args[p])
		}
	}
	return s
}

// timeColumn finds the column that DESCRIPTOR names and checks that it is a
// time attribute.
func timeColumn(name string, e ast.Expr, sc *scope) (int, error) {
	d, ok := e.(*ast.Descriptor)
	if !ok || len(d.Columns) == 0 {
		return 0, diag.New(diag.WrongArguments, e.Span(), "the second argument of %s must be DESCRIPTOR(time column)", name).
			WithHint("write %s", descriptor(e))
	}
	p := d.Columns[0]
	n, err := sc.column(&ast.Column{At: p.At, Parts: p.Parts}, "")
	if err != nil {
		return 0, err
	}
	at := logical.AsRef(n)
	if at < 0 {
		return 0, diag.New(diag.BadTimeColumn, p.Pos, "%s needs a column of the table, '%s' is a field inside one", name, dotted(p))
	}
	err = checkTimeColumn(name, dotted(p), n.Type(), p.Pos)
	if d, ok := err.(*diag.Error); ok && d.Hint == "" && sc.timeAttribute() != "" {
		d.WithHint("write DESCRIPTOR(%s)", sc.timeAttribute())
	}
	return at, err
}

// timeAttribute is the name of a column that windows can use, "" if there is
// none.
func (s *scope) timeAttribute() string {
	for _, c := range s.schema.Columns {
		if c.Type.Attr != types.NoAttr {
			return c.Name
		}
	}
	return ""
}

func checkTimeColumn(name, col string, t types.Type, at diag.Span) error {
	switch {
	case !t.IsTimestamp():
		return diag.New(diag.BadTimeColumn, at, "%s needs a time attribute of type TIMESTAMP or TIMESTAMP_LTZ, column '%s' is %s", name, col, t.Short())
	case t.Attr == types.NoAttr:
		return diag.New(diag.BadTimeColumn, at, "%s needs a time attribute, but column '%s' is a plain %s", name, col, t.Short()).
			WithHint("%s", plainTimestamp)
	}
	return nil
}

const plainTimestamp = "only a column with a WATERMARK, passed on as it is, is one; expressions, CAST and GROUP BY make a plain timestamp of it"

// sayWatermark adds to an error about a plain timestamp of a table how it
// becomes a time attribute.
func sayWatermark(err error, arg *ast.TableArg, column ast.Expr) {
	var e *diag.Error
	d, ok := column.(*ast.Descriptor)
	if arg.Query != nil || !ok || len(d.Columns) != 1 || !errors.As(err, &e) || e.Hint != plainTimestamp {
		return
	}
	if col := dotted(d.Columns[0]); plainName(col) {
		e.WithHint("%s; CREATE TABLE declares it with WATERMARK FOR %s AS %s - INTERVAL '5' SECOND", e.Hint, col, col)
	}
}

// length is a constant interval in milliseconds.
func (b *binder) length(name, param string, e ast.Expr) (types.Time, error) {
	x := &exprs{binder: b, sc: &scope{schema: &types.Schema{}}, clause: "an argument of " + name}
	n, err := x.bind(e)
	if err != nil {
		return 0, err
	}
	if n.Type().Kind != types.IntervalMillis {
		return 0, diag.New(diag.BadWindow, e.Span(), "%s: %s must be an interval of days to seconds, it is %s", name, param, n.Type().Short()).
			WithHint("for instance INTERVAL '5' MINUTE")
	}
	f, err := expr.Fold(n, b.zone)
	if err != nil {
		return 0, place(err, e.Span())
	}
	l, ok := expr.IsConst(f)
	if !ok || l.Value.IsNull(0) {
		return 0, diag.New(diag.BadWindow, e.Span(), "%s: %s must be a constant", name, param)
	}
	return types.Time(l.Value.I64[0]), nil
}

// sessionKeys are the columns of SESSION(TABLE t PARTITION BY ..).
func (b *binder) sessionKeys(name string, f tvf, a *ast.TableArg, sc *scope) ([]int, error) {
	if len(a.PartitionBy) == 0 {
		return nil, nil
	}
	if f.kind != window.Session {
		return nil, diag.New(diag.NotSupported, a.Pos, "%s does not take PARTITION BY, only SESSION does", name).
			WithHint("leave it out: GROUP BY says what is counted apart")
	}
	var keys []int
	for _, e := range a.PartitionBy {
		for _, k := range elements(e) {
			x := &exprs{binder: b, sc: sc, clause: "PARTITION BY"}
			n, err := x.bind(k)
			if err != nil {
				return nil, err
			}
			c := logical.AsRef(n)
			if c < 0 {
				return nil, diag.New(diag.NotSupported, k.Span(), "PARTITION BY in SESSION takes columns only")
			}
			keys = append(keys, c)
		}
	}
	return keys, nil
}
