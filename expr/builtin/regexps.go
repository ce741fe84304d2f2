package builtin

import (
	"strings"
	"unicode/utf16"

	"fsql/expr"
	"fsql/expr/javaregexp"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func regexps() []*expr.Func {
	return []*expr.Func{
		{Name: "REGEXP", Doc: "TRUE if the regular expression matches anywhere; FALSE for an empty or invalid one.", Example: "REGEXP('abc', 'b+')", Syntax: "REGEXP(s, re)",
			Resolve: resolveRegexp(2, func(args []expr.Node) types.Type { return of(types.Boolean, nullable(args...)) },
				func(re *finder, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					out.Bool[i] = re != nil && args[1].Str[i] != "" && re.find(s) != nil
					return true
				})},
		{Name: "REGEXP_REPLACE", Doc: "The text with every match replaced; the replacement is taken literally.", Example: "REGEXP_REPLACE('a1b22', '[0-9]+', '#') = 'a#b#'",
			Syntax: "REGEXP_REPLACE(s, re, replacement)", Resolve: resolveRegexp(3, stringResult,
				func(re *finder, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re != nil {
						out.Str[i] = re.replace(s, args[2].Str[i])
					}
					return re != nil
				})},
		{Name: "REGEXP_EXTRACT", Doc: "Group g (0 is the whole match) of the first match, NULL if there is none.", Example: "REGEXP_EXTRACT('foothebar', 'foo(.*?)(bar)', 2) = 'bar'",
			Syntax: "REGEXP_EXTRACT(s, re [, g])", Resolve: regexpGroup(func([]expr.Node) types.Type { return str(true) },
				func(re *finder, s string, g int, i int32, out *row.Vec) bool {
					m := re.find(s)
					if m == nil || g < 0 || 2*g >= len(m) || m[2*g] < 0 {
						return false
					}
					out.Str[i] = s[m[2*g]:m[2*g+1]]
					return true
				}, 0)},
		{Name: "REGEXP_COUNT", Doc: "The number of matches.", Example: "REGEXP_COUNT('banana', 'an') = 2", Syntax: "REGEXP_COUNT(s, re)",
			Resolve: resolveRegexp(2, func([]expr.Node) types.Type { return of(types.Int, true) },
				func(re *finder, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re != nil {
						out.I32[i] = 0
						re.all(s, func([]int) { out.I32[i]++ })
					}
					return re != nil
				})},
		{Name: "REGEXP_INSTR", Doc: "The position of the first match in UTF-16 units, 0 if there is none.", Example: "REGEXP_INSTR('banana', 'na') = 3", Syntax: "REGEXP_INSTR(s, re)",
			Resolve: resolveRegexp(2, func([]expr.Node) types.Type { return of(types.Int, true) },
				func(re *finder, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re == nil {
						return false
					}
					out.I32[i] = 0
					if m := re.find(s); m != nil {
						out.I32[i] = int32(utf16Length(s[:m[0]])) + 1
					}
					return true
				})},
		{Name: "REGEXP_SUBSTR", Doc: "The first match, NULL if there is none.", Example: "REGEXP_SUBSTR('a12b', '[0-9]+') = '12'", Syntax: "REGEXP_SUBSTR(s, re)",
			Resolve: resolveRegexp(2, func([]expr.Node) types.Type { return str(true) },
				func(re *finder, s string, args []*row.Vec, i int32, out *row.Vec) bool {
					if re == nil {
						return false
					}
					m := re.find(s)
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

// finder finds matches for one call of a kernel. The first failure stays.
type finder struct {
	m      *javaregexp.Matcher
	c      *expr.Ctx
	groups int
	err    error
}

// find is the first match, nil if there is none.
func (m *finder) find(s string) []int {
	loc, err := m.m.Find(s, 0)
	m.failed(err, s)
	return loc
}

func (m *finder) all(s string, each func(loc []int)) {
	m.failed(m.m.All(s, func(loc []int) bool { each(loc); return true }), s)
}

// replace puts a text in the place of every match.
func (m *finder) replace(s, by string) string {
	var b strings.Builder
	last := 0
	m.all(s, func(loc []int) {
		b.WriteString(s[last:loc[0]])
		b.WriteString(by)
		if last = loc[1]; b.Len() > expr.MaxValue {
			m.c.Room(b.Len())
		}
	})
	if last == 0 && b.Len() == 0 {
		return s
	}
	b.WriteString(s[last:])
	m.c.Room(b.Len())
	return b.String()
}

// split is Java's String.split: no empty parts at the end, none before an empty
// match at the start.
func (m *finder) split(s string) []string {
	var parts []string
	last := 0
	m.all(s, func(loc []int) {
		if loc[1] > 0 {
			parts = append(parts, s[last:loc[0]])
			last = loc[1]
		}
	})
	parts = append(parts, s[last:])
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// cut parts a text at the first match that is not empty at its start.
func (m *finder) cut(s string) (before, behind string, found bool) {
	err := m.m.All(s, func(loc []int) bool {
		if loc[1] == 0 {
			return true
		}
		before, behind, found = s[:loc[0]], s[loc[1]:], true
		return false
	})
	m.failed(err, s)
	return before, behind, found
}

func (m *finder) failed(err error, s string) {
	if err != nil && m.err == nil {
		m.err = diag.New(diag.BadValue, diag.Span{}, "the regular expression goes back and forth too long over a text of %d bytes", len(s)).
			WithHint("write nested repetitions possessive: (a*)*+ does not go back")
	}
}

// compiled remembers the last expression of a column of expressions; nil is an
// invalid one.
type compiled struct {
	text string
	re   *javaregexp.Regexp
	m    *finder
	set  bool
}

// get is the finder for an expression, nil for an invalid one. It belongs to
// the copy of k that it is called on.
func (k *compiled) get(c *expr.Ctx, p string) *finder {
	if !k.set || k.text != p {
		k.compile(p)
	}
	if k.m == nil && k.re != nil {
		k.m = &finder{m: k.re.Matcher(), groups: k.re.Groups(), c: c}
		k.m.m.Poll = func() { c.Work(1 << 20) }
	}
	return k.m
}

func (k *compiled) compile(p string) {
	re, err := javaregexp.Compile(p)
	if err != nil {
		re = nil
	}
	k.text, k.re, k.m, k.set = p, re, nil, true
}

// resolveRegexp is the Resolve of f(s, re, ...) of n texts; f sets row i or
// answers false for NULL. A constant expression is compiled once.
func resolveRegexp(n int, result func([]expr.Node) types.Type, f func(re *finder, s string, args []*row.Vec, i int32, out *row.Vec) bool) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, n, false, []param{isText, isText, isText}[:n]...); err != nil {
			return nil, err
		}
		var fixed compiled
		if p, ok := expr.ConstString(args[1]); ok {
			fixed.compile(p)
		}
		return &expr.Call{Args: args, T: result(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			k := fixed
			for i := range expr.Rows(sel, out.Len) {
				re := k.get(c, args[1].Str[i])
				if !f(re, args[0].Str[i], args, i, out) {
					out.SetNull(int(i))
				}
				if re != nil && re.err != nil {
					return re.err
				}
			}
			return nil
		}}, nil
	}
}

// regexpGroup is the Resolve of f(s, re [, group]).
func regexpGroup(result func([]expr.Node) types.Type, f func(re *finder, s string, g int, i int32, out *row.Vec) bool, group int32) func([]expr.Node) (*expr.Call, error) {
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
			fixed.compile(p)
		}
		return &expr.Call{Args: args, T: result(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			k := fixed
			for i := range expr.Rows(sel, out.Len) {
				g := group
				if len(args) == 3 {
					g = args[2].I32[i]
				}
				re := k.get(c, args[1].Str[i])
				if re == nil || !f(re, args[0].Str[i], int(g), i, out) {
					out.SetNull(int(i))
				}
				if re != nil && re.err != nil {
					return re.err
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
			func(re *finder, s string, g int, i int32, out *row.Vec) bool {
				if g < 0 || g > re.groups {
					return false
				}
				kid := out.Kids[0]
				out.Off[i] = int32(kid.Len)
				part := row.NewVec(types.String(), 1)
				re.all(s, func(m []int) {
					part.Reset(types.String(), 1)
					if m[2*g] < 0 {
						part.SetNull(0)
					} else {
						part.Str[0] = s[m[2*g]:m[2*g+1]]
					}
					kid.AppendRange(part, 0, 1)
				})
				out.Size[i] = int32(kid.Len) - out.Off[i]
				return true
			}, 1)}
}
