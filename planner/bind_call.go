package planner

import (
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/types"
)

// functionName is the name of a call when it is not qualified, in upper case:
// names of built-in functions do not depend on case.
func functionName(c *ast.Call) string {
	if len(c.Func.Parts) != 1 {
		return ""
	}
	return strings.ToUpper(c.Func.Parts[0].Text)
}

// function binds a call: of an aggregate, of one of the functions that belong
// to GROUP BY, or of a scalar function.
func (x *exprs) function(c *ast.Call) (expr.Node, error) {
	name := functionName(c)
	if f, found := x.env.Catalog.Function(partsOf(c.Func)); found && x.env.Funcs.Lookup(name) == nil {
		return nil, diag.New(diag.NotSupported, c.Func.Pos, "function '%s' is the class '%s', which cannot be loaded: fsql has no Java virtual machine", f.Path.Name, f.Identifier)
	}
	if name == "" {
		return nil, diag.New(diag.UnknownFunction, c.Func.Pos, "function '%s' does not exist", dotted(c.Func))
	}
	if c.Over != nil {
		return x.over(name, c)
	}
	if x.match != nil {
		if n, done, err := x.match.function(x, name, c); done {
			return n, err
		}
	}
	if f := x.aggregate(name); f != nil {
		if x.match != nil && x.group == nil {
			return x.match.aggregate(x, f, c)
		}
		return x.aggCall(f, c)
	}
	if n, done, err := x.groupFunction(name, c); done {
		return n, err
	}
	if c.Distinct || c.Star || c.Filter != nil {
		return nil, diag.New(diag.WrongArguments, c.Pos, "%s is not an aggregate function: *, DISTINCT and FILTER do not go with it", name)
	}
	if c.ArgNames != nil {
		return nil, diag.New(diag.NotSupported, c.Pos, "named arguments work for table functions only, not for %s", name)
	}
	if name == "SOURCE_WATERMARK" {
		return nil, diag.New(diag.NotSupported, c.Pos, "SOURCE_WATERMARK() is a declaration: it can only stand in WATERMARK FOR of CREATE TABLE")
	}
	if name == "CURRENT_DATABASE" && len(c.Args) == 0 {
		// What is current when the query is planned stays so while it runs.
		_, database := x.env.Catalog.Current()
		return expr.NewLiteral(types.String().NotNull(), database)
	}
	if batchOnly[name] {
		return nil, diag.New(diag.NotSupported, c.Pos, "%s works in batch mode only", name)
	}
	if err := x.noBareNull(name, c); err != nil {
		return nil, err
	}
	args, err := x.operands(name, c)
	if err != nil {
		return nil, err
	}
	if c.JSON != nil {
		return x.jsonCall(name, c, args)
	}
	if name == "TRIM" && len(c.Words) == 0 && len(args) == 2 {
		// TRIM(c FROM s) is TRIM(BOTH c FROM s).
		return expr.NewUnitCall(x.env.Funcs, name, "BOTH", args)
	}
	if len(c.Words) > 0 {
		return x.wordCall(name, c, args)
	}
	return expr.NewCall(x.env.Funcs, name, args)
}

// batchOnly are functions that Flink offers in batch mode alone.
var batchOnly = map[string]bool{"LEAD": true, "NTILE": true, "CUME_DIST": true, "PERCENT_RANK": true, "APPROX_COUNT_DISTINCT": true}

// noBareNull refuses NULL where Flink cannot give it a type (flink-sql 5.1).
func (x *exprs) noBareNull(name string, c *ast.Call) error {
	switch name {
	case "IF", "GREATEST", "LEAST":
		for _, a := range c.Args {
			if isNull(a) {
				return bareNull(a)
			}
		}
	}
	return nil
}

func isNull(e ast.Expr) bool {
	l, ok := e.(*ast.Literal)
	return ok && l.Type.Kind == types.Null
}

func dotted(p ast.Path) string {
	parts := make([]string, len(p.Parts))
	for i, n := range p.Parts {
		parts[i] = n.Text
	}
	return strings.Join(parts, ".")
}

func join(names []string) string { return strings.Join(names, ", ") }

func joinWith(names []string, sep string) string { return strings.Join(names, sep) }
