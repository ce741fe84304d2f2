package builtin

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf16"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func regexps() []*expr.Func {
	return []*expr.Func{
		{Name: "REGEXP", Doc: "TRUE if the regular expression matches anywhere; FALSE for an empty or invalid one.", Example: "REGEXP('abc', 'b+')", Syntax: "REGEXP(s, re)",
			Resolve: resolveRegexp(2, func(args []expr.Node) types.Type { return of(types.Boolean, nullable(args...)) },
				func(re *regexp.Regexp, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					out.Bool[i] = re != nil && args[1].Str[i] != "" && re.MatchString(s)
					return true
				})},
		{Name: "REGEXP_REPLACE", Doc: "The text with every match replaced; the replacement is taken literally.", Example: "REGEXP_REPLACE('a1b22', '[0-9]+', '#') = 'a#b#'",
			Syntax: "REGEXP_REPLACE(s, re, replacement)", Resolve: resolveRegexp(3, stringResult,
				func(re *regexp.Regexp, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re != nil {
						out.Str[i] = re.ReplaceAllLiteralString(s, args[2].Str[i])
					}
					return re != nil
				})},
		{Name: "REGEXP_EXTRACT", Doc: "Group g (0 is the whole match) of the first match, NULL if there is none.", Example: "REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2) = 'bar'",
			Syntax: "REGEXP_EXTRACT(s, re [, g])", Resolve: regexpGroup(func([]expr.Node) types.Type { return str(true) },
				func(re *regexp.Regexp, s string, g int, i int32, out *row.Vec) bool {
					m := re.FindStringSubmatchIndex(s)
					if m == nil || g < 0 || 2*g >= len(m) || m[2*g] < 0 {
						return false
					}
					out.Str[i] = s[m[2*g]:m[2*g+1]]
					return true
				}, 0)},
		{Name: "REGEXP_COUNT", Doc: "The number of matches.", Example: "REGEXP_COUNT('banana', 'an') = 2", Syntax: "REGEXP_COUNT(s, re)",
			Resolve: resolveRegexp(2, func([]expr.Node) types.Type { return of(types.Int, true) },
				func(re *regexp.Regexp, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re != nil {
						out.I32[i] = int32(len(re.FindAllStringIndex(s, -1)))
					}
					return re != nil
				})},
		{Name: "REGEXP_INSTR", Doc: "The position of the first match in UTF-16 units, 0 if there is none.", Example: "REGEXP_INSTR('banana', 'na') = 3", Syntax: "REGEXP_INSTR(s, re)",
			Resolve: resolveRegexp(2, func([]expr.Node) types.Type { return of(types.Int, true) },
				func(re *regexp.Regexp, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re == nil {
						return false
					}
					out.I32[i] = 0
					if m := re.FindStringIndex(s); m != nil {
						out.I32[i] = int32(utf16Length(s[:m[0]])) + 1
					}
					return true
				})},
		{Name: "REGEXP_SUBSTR", Doc: "The first match, NULL if there is none.", Example: "REGEXP_SUBSTR('a12b', '[0-9]+') = '12'", Syntax: "REGEXP_SUBSTR(s, re)",
			Resolve: resolveRegexp(2, func([]expr.Node) types.Type { return str(true) },
				func(re *regexp.Regexp, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re == nil {
						return false
					}
					m := re.FindStringIndex(s)
					if m == nil {
						return false
					}
					out.Str[i] = s[m[0]:m[1]]
					return true
				})},
		regexpExtractAll(),
	}
}

// utf16Length is the length that Java gives a text.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// javaRegexp compiles an expression of Java. nil is an invalid one; what Java
// has and this engine lacks is an error.
func javaRegexp(p string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(p)
	if err == nil {
		return re, nil
	}
	e, _ := err.(*syntax.Error)
	if e != nil && e.Code == syntax.ErrInvalidPerlOp || strings.Contains(p, "(?<") || backReference(p) {
		return nil, diag.New(diag.NotImplemented, diag.Span{}, "the regular expression '%s' uses look-around or back references, which are not implemented yet", p)
	}
	return nil, nil
}

func backReference(p string) bool {
	for i := 0; i+1 < len(p); i++ {
		if p[i] == '\\' {
			if p[i+1] >= '1' && p[i+1] <= '9' || p[i+1] == 'k' {
				return true
			}
			i++
		}
	}
	return false
}

// compiled remembers the last expression of a column of expressions.
type compiled struct {
	text string
	re   *regexp.Regexp
	set  bool
}

func (k *compiled) get(p string) (*regexp.Regexp, error) {
	if k.set && k.text == p {
		return k.re, nil
	}
	re, err := javaRegexp(p)
	if err != nil {
		return nil, err
	}
	k.text, k.re, k.set = p, re, true
	return re, nil
}

// resolveRegexp is the Resolve of f(s, re, ...) of n texts; f sets row i or
// answers false for NULL. A constant expression is compiled once.
func resolveRegexp(n int, result func([]expr.Node) types.Type, f func(re *regexp.Regexp, s string, args []*row.Vec, i int32, out *row.Vec) bool) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, n, false, []param{isText, isText, isText}[:n]...); err != nil {
			return nil, err
		}
		var fixed compiled
		if p, ok := expr.ConstString(args[1]); ok {
			if _, err := fixed.get(p); err != nil {
				return nil, err
			}
		}
		return &expr.Call{Args: args, T: result(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			k := fixed
			for i := range expr.Rows(sel, out.Len) {
				re, err := k.get(args[1].Str[i])
				if err != nil {
					return err
				}
				if !f(re, args[0].Str[i], args, i, out) {
					out.SetNull(int(i))
				}
			}
			return nil
		}}, nil
	}
}

// regexpGroup is the Resolve of f(s, re [, group]).
func regexpGroup(result func([]expr.Node) types.Type, f func(re *regexp.Regexp, s string, g int, i int32, out *row.Vec) bool, group int32) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 2, false, isText, isText, isWhole); err != nil {
			return nil, err
		}
		args, err := to(args, anyType, anyType, intType)
		if err != nil {
			return nil, err
		}
		var fixed compiled
		if p, ok := expr.ConstString(args[1]); ok {
			if _, err := fixed.get(p); err != nil {
				return nil, err
			}
		}
		return &expr.Call{Args: args, T: result(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			k := fixed
			for i := range expr.Rows(sel, out.Len) {
				g := group
				if len(args) == 3 {
					g = args[2].I32[i]
				}
				re, err := k.get(args[1].Str[i])
				if err != nil {
					return err
				}
				if re == nil || !f(re, args[0].Str[i], int(g), i, out) {
					out.SetNull(int(i))
				}
			}
			return nil
		}}, nil
	}
}

func regexpExtractAll() *expr.Func {
	return &expr.Func{Name: "REGEXP_EXTRACT_ALL", Doc: "Group g (default 1, 0 is the whole match) of every match.",
		Example: "CARDINALITY(REGEXP_EXTRACT_ALL('a1b2', '[0-9]', 0)) = 2", Syntax: "REGEXP_EXTRACT_ALL(s, re [, g])",
		Resolve: regexpGroup(func([]expr.Node) types.Type { return types.ArrayOf(types.String()) },
			func(re *regexp.Regexp, s string, g int, i int32, out *row.Vec) bool {
				if g < 0 || g > re.NumSubexp() {
					return false
				}
				kid := out.Kids[0]
				out.Off[i] = int32(kid.Len)
				for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
					part := row.NewVec(types.String(), 1)
					if m[2*g] < 0 {
						part.SetNull(0)
					} else {
						part.Str[0] = s[m[2*g]:m[2*g+1]]
					}
					kid.AppendRange(part, 0, 1)
				}
				out.Size[i] = int32(kid.Len) - out.Off[i]
				return true
			}, 1)}
}
