package builtin

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

func patterns() []*expr.Func {
	return []*expr.Func{
		{Name: "LIKE", Doc: "TRUE if the whole text fits the pattern: % is any text, _ one character but no line break; there is no escape character unless ESCAPE names one.",
			Example: "'flink' LIKE 'f%k'", Syntax: "s LIKE pattern [ESCAPE 'c']", Resolve: resolveLike},
		{Name: "SIMILAR TO", Doc: "TRUE if the whole text fits the SQL pattern: % and _ as in LIKE, | * + ? {n} ( ) [ ] as in regular expressions.",
			Example: "'flink' SIMILAR TO 'f(l|x)%'", Syntax: "s SIMILAR TO pattern [ESCAPE 'c']", Resolve: resolveSimilar},
	}
}

// matcher decides one text.
type matcher func(s string) bool

func resolveLike(args []expr.Node) (*expr.Call, error) { return resolvePattern(args, "LIKE", newLike) }

func resolveSimilar(args []expr.Node) (*expr.Call, error) {
	return resolvePattern(args, "SIMILAR TO", newSimilar)
}

// resolvePattern compiles a constant pattern once; other patterns are compiled
// where they change from row to row.
func resolvePattern(args []expr.Node, name string, compile func(pattern string, escape rune) (matcher, error)) (*expr.Call, error) {
	if err := takes(args, 2, false, isText, isText, isText); err != nil {
		return nil, err
	}
	escape := rune(-1)
	text := "({} " + name + " {})"
	if len(args) == 3 {
		e, ok := expr.ConstString(args[2])
		if !ok {
			return nil, diag.New(diag.WrongArguments, diag.Span{}, "ESCAPE takes a constant of one character")
		}
		if utf8.RuneCountInString(e) > 1 {
			return nil, diag.New(diag.WrongArguments, diag.Span{}, "ESCAPE '%s' must be a single character", e)
		}
		for _, r := range e {
			escape = r
		}
		text = "({} " + name + " {} ESCAPE '" + strings.ReplaceAll(e, "{}", "") + "')"
		args = args[:2]
	}
	call := &expr.Call{Args: args, T: of(types.Boolean, nullable(args...)), Text: text}
	if p, ok := expr.ConstString(args[1]); ok {
		m, err := compile(p, escape)
		if err != nil {
			return nil, err
		}
		call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			a := args[0].Str
			for i := range expr.Rows(sel, out.Len) {
				out.Bool[i] = m(a[i])
			}
			return nil
		}
		return call, nil
	}
	call.Eval = func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		var last string
		var m matcher
		for i := range expr.Rows(sel, out.Len) {
			if p := args[1].Str[i]; m == nil || p != last {
				var err error
				if m, err = compile(p, escape); err != nil {
					return err
				}
				last = p
			}
			out.Bool[i] = m(args[0].Str[i])
		}
		return nil
	}
	return call, nil
}

// part is a piece of a LIKE pattern between two %: texts and single
// characters.
type part struct {
	text string // without _: found at once
	any  []bool // with _: which characters are _
	runs []rune
}

// newLike compiles a pattern to parts: the first is anchored at the start, the
// last at the end, the ones between are found from left to right.
func newLike(pattern string, escape rune) (matcher, error) {
	parts, err := likeParts(pattern, escape)
	if err != nil {
		return nil, err
	}
	first, last := parts[0], parts[len(parts)-1]
	middle := parts
	if len(parts) > 1 {
		middle = parts[1 : len(parts)-1]
	}
	switch {
	case len(parts) == 1 && first.any == nil:
		return func(s string) bool { return s == first.text }, nil
	case len(parts) == 1:
		return func(s string) bool { n := first.prefix(s); return n == len(s) }, nil
	case len(parts) == 3 && first.text == "" && last.text == "" && plain(parts):
		return func(s string) bool { return strings.Contains(s, middle[0].text) }, nil
	}
	return func(s string) bool {
		n := first.prefix(s)
		if n < 0 {
			return false
		}
		s = s[n:]
		for _, p := range middle {
			i := p.find(s)
			if i < 0 {
				return false
			}
			s = s[i:]
		}
		return last.suffix(s)
	}, nil
}

func plain(parts []part) bool {
	for _, p := range parts {
		if p.any != nil {
			return false
		}
	}
	return true
}

func likeParts(pattern string, escape rune) ([]part, error) {
	var parts []part
	var p part
	single := false
	flush := func() {
		if single {
			p.text = ""
		} else {
			p.any, p.runs = nil, nil
		}
		parts = append(parts, p)
		p, single = part{}, false
	}
	add := func(r rune, any bool) {
		p.text += string(r)
		p.runs, p.any = append(p.runs, r), append(p.any, any)
		single = single || any
	}
	rs := []rune(pattern)
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r == escape:
			if i+1 == len(rs) {
				return nil, diag.New(diag.BadValue, diag.Span{}, "the pattern '%s' ends with its ESCAPE character: nothing follows it", pattern)
			}
			i++
			if rs[i] != '%' && rs[i] != '_' && rs[i] != escape {
				return nil, diag.New(diag.BadValue, diag.Span{}, "invalid escape sequence in the pattern '%s': after the ESCAPE character come %%, _ or the character itself", pattern)
			}
			add(rs[i], false)
		case r == '%':
			flush()
		default:
			add(r, r == '_')
		}
	}
	flush()
	return parts, nil
}

// lineBreak tells the characters that Java's dot does not match.
func lineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// prefix is the length of the start of s that fits, -1 if none does.
func (p *part) prefix(s string) int {
	if p.any == nil {
		if strings.HasPrefix(s, p.text) {
			return len(p.text)
		}
		return -1
	}
	n := 0
	for k, want := range p.runs {
		if n == len(s) {
			return -1
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if p.any[k] && lineBreak(r) || !p.any[k] && r != want {
			return -1
		}
		n += size
	}
	return n
}

// find is the end of the first place that fits, -1 if there is none.
func (p *part) find(s string) int {
	if p.any == nil {
		i := strings.Index(s, p.text)
		if i < 0 {
			return -1
		}
		return i + len(p.text)
	}
	for i := 0; i <= len(s); {
		if n := p.prefix(s[i:]); n >= 0 {
			return i + n
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		if size == 0 {
			break
		}
		i += size
	}
	return -1
}

// suffix tells whether the end of s fits.
func (p *part) suffix(s string) bool {
	if p.any == nil {
		return strings.HasSuffix(s, p.text)
	}
	n := utf8.RuneCountInString(s) - len(p.runs)
	if n < 0 {
		return false
	}
	rest := s[at(s, n):]
	return p.prefix(rest) == len(rest)
}

// newSimilar translates a SQL pattern to a regular expression, as Calcite does:
// what is special to Java alone (., ^) stays special.
func newSimilar(pattern string, escape rune) (matcher, error) {
	bad := diag.New(diag.BadValue, diag.Span{}, "invalid pattern '%s' of SIMILAR TO", pattern)
	const special = `[]()|^-+*_%?{}`
	var b strings.Builder
	b.WriteString(`\A(?:`)
	class := false
	rs := []rune(pattern)
	for i := 0; i < len(rs); i++ {
		switch r := rs[i]; {
		case r == escape:
			if i+1 == len(rs) {
				return nil, diag.New(diag.BadValue, diag.Span{}, "the pattern '%s' ends with its ESCAPE character: nothing follows it", pattern)
			}
			i++
			b.WriteString(regexp.QuoteMeta(string(rs[i])))
		case class && strings.HasPrefix(string(rs[i:]), "[:"):
			name, _, ok := strings.Cut(string(rs[i+2:]), ":]")
			set := characterClasses[strings.ToLower(name)]
			if !ok || set == "" {
				return nil, bad
			}
			b.WriteString(set)
			i += len([]rune(name)) + 3
		case class && r != ']' && r != '-' && r != '^' && strings.ContainsRune(special, r):
			return nil, bad
		case class:
			class = r != ']'
			b.WriteRune(r)
		case r == '[':
			class = true
			b.WriteRune(r)
		case r == ']':
			return nil, bad
		case r == '%':
			b.WriteString("(?s:.*)")
		case r == '_' || r == '.':
			b.WriteString(`[^\n\r\x{85}\x{2028}\x{2029}]`)
		case r == '$' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString(`)\z`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, bad
	}
	return re.MatchString, nil
}

// characterClasses are the names that may stand within brackets: [[:ALPHA:]].
var characterClasses = map[string]string{
	"alpha": "a-zA-Z", "upper": "A-Z", "lower": "a-z", "digit": "0-9", "space": " ", "whitespace": `\t\n\v\f\r `, "alnum": "a-zA-Z0-9",
}
