package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

func textFunctions() []*expr.Func {
	return []*expr.Func{
		concatPipes(), concat(), concatWS(), charLength("CHAR_LENGTH"), charLength("CHARACTER_LENGTH"),
		changeCase("UPPER", "The text in upper case.", "UPPER('straße') = 'STRASSE'", appendUpper),
		changeCase("LOWER", "The text in lower case.", "LOWER('ABC') = 'abc'", appendLower),
		changeCase("INITCAP", "Each word begins with an upper-case letter, the rest is lower case.", "INITCAP('hello WORLD') = 'Hello World'", appendInitcap),
		{Name: "REVERSE", Doc: "The characters in reverse order.", Example: "REVERSE('abc') = 'cba'", Syntax: "REVERSE(s)",
			Resolve: texts(1, 1, func([]expr.Node) types.Type { return str(true) }, expr.Text1(func(dst []byte, s string) ([]byte, bool) { return appendReverse(dst, s), true }))},
		substring("SUBSTRING"), substring("SUBSTR"), side("LEFT"), side("RIGHT"),
		{Name: "REPLACE", Doc: "The text with every occurrence of a replaced by b.", Example: "REPLACE('banana', 'an', 'X') = 'bXXa'", Syntax: "REPLACE(s, a, b)",
			Resolve: texts(3, 3, stringResult, replace)},
		{Name: "REPEAT", Doc: "The text n times.", Example: "REPEAT('ab', 2) = 'abab'", Syntax: "REPEAT(s, n)", Resolve: textAndNumber(stringResult, repeat)},
		translate("TRANSLATE"), translate("TRANSLATE3"),
		overlay(), pad("LPAD"), pad("RPAD"), ascii(), chr(),
		affix("STARTSWITH", "TRUE if the text begins with p.", "STARTSWITH('flink', 'fl')", strings.HasPrefix),
		affix("ENDSWITH", "TRUE if the text ends with p.", "ENDSWITH('flink', 'nk')", strings.HasSuffix),
		elt(),
	}
}

func translate(name string) *expr.Func {
	return &expr.Func{Name: name, Doc: "Characters of the second operand become those at the same place of the third, surplus ones go.",
		Example: name + "('abc', 'ac', 'x') = 'xb'", Syntax: name + "(s, from, to)", Nulls: expr.NullSeen, Resolve: resolveTranslate}
}

// stringResult is STRING, NULL where an operand is.
func stringResult(args []expr.Node) types.Type { return str(nullable(args...)) }

// sameText is the type of the first operand.
func sameText(args []expr.Node) types.Type { return args[0].Type().Plain() }

// texts is the Resolve of a function of least to most texts.
func texts(least, most int, result func([]expr.Node) types.Type, k expr.Kernel) func([]expr.Node) (*expr.Call, error) {
	params := make([]param, most)
	for i := range params {
		params[i] = isText
	}
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, least, false, params...); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: result(args), Eval: k}, nil
	}
}

// textAndNumber is the Resolve of f(s, n) with n an INT.
func textAndNumber(result func([]expr.Node) types.Type, k expr.Kernel) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 2, false, isText, isWhole); err != nil {
			return nil, err
		}
		args, err := to(args, anyType, intType)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: result(args), Eval: k}, nil
	}
}

func concatPipes() *expr.Func {
	return &expr.Func{Name: "||", Doc: "The texts one after the other.", Example: "'a' || 'bc' = 'abc'", Syntax: "string || string",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 2, false, isText, isText); err != nil {
				return nil, err
			}
			a, b := args[0].Type(), args[1].Type()
			n := int64(a.Length) + int64(b.Length)
			t := types.VarCharOf(int32(min(n, types.MaxLength)))
			if a.Kind == types.Char && b.Kind == types.Char {
				t.Kind = types.Char
			}
			return &expr.Call{Args: args, T: t.NotNull().OrNull(nullable(args...)), Text: "({} || {})", Eval: concatKernel}, nil
		}}
}

func concat() *expr.Func {
	return &expr.Func{Name: "CONCAT", Doc: "The texts one after the other.", Example: "CONCAT('a', 'b', 'c') = 'abc'", Syntax: "CONCAT(a, ...)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, true, isText); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: stringResult(args), Eval: concatKernel}, nil
		}}
}

func concatKernel(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	for i := range expr.Rows(sel, out.Len) {
		b := c.Scratch()
		for _, a := range args {
			if len(b)+len(a.Str[i]) > expr.MaxValue {
				c.Room(expr.MaxValue + 1)
			}
			b = append(b, a.Str[i]...)
		}
		out.Str[i] = c.Keep(b)
	}
	return nil
}

func concatWS() *expr.Func {
	return &expr.Func{Name: "CONCAT_WS", Doc: "The texts with a separator between them; NULLs are left out.", Example: "CONCAT_WS('-', 'a', 'b') = 'a-b'",
		Syntax: "CONCAT_WS(separator, a, ...)", Nulls: expr.NullSeen,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, true, isText); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: str(nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					if args[0].IsNull(int(i)) {
						out.SetNull(int(i))
						continue
					}
					b, first := c.Scratch(), true
					for _, a := range args[1:] {
						if a.IsNull(int(i)) {
							continue
						}
						if !first {
							b = append(b, args[0].Str[i]...)
						}
						b, first = append(b, a.Str[i]...), false
					}
					out.Str[i] = c.Keep(b)
				}
				return nil
			}}, nil
		}}
}

func charLength(name string) *expr.Func {
	return &expr.Func{Name: name, Doc: "The number of characters.", Example: name + "('äb') = 2", Syntax: name + "(s)",
		Resolve: simple([]param{isText}, []types.Type{anyType}, types.Int, func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				out.I32[i] = int32(utf8.RuneCountInString(args[0].Str[i]))
			}
			return nil
		})}
}

func changeCase(name, doc, example string, f func([]byte, string) []byte) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(s)",
		Resolve: texts(1, 1, sameText, expr.Text1(func(dst []byte, s string) ([]byte, bool) { return f(dst, s), true }))}
}

func appendUpper(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z':
			dst = append(dst, byte(r-'a'+'A'))
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
		case r == 'ß':
			dst = append(dst, "SS"...) // Java's special casing; Go has none
		case r == 'ŉ':
			dst = append(dst, "ʼN"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToUpper(r))
		}
	}
	return dst
}

func appendLower(dst []byte, s string) []byte {
	for i, r := range s {
		switch {
		case 'A' <= r && r <= 'Z':
			dst = append(dst, byte(r-'A'+'a'))
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
		case r == 'İ':
			dst = append(dst, "i̇"...)
		case r == 'Σ' && finalSigma(s, i):
			dst = append(dst, "ς"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// finalSigma tells whether the sigma at i ends a word.
func finalSigma(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+len("Σ"):])
	return unicode.IsLetter(before) && !unicode.IsLetter(after)
}

// appendInitcap changes ASCII letters only and lets only ASCII letters and
// digits make a word, as Flink's byte-wise loop does.
func appendInitcap(dst []byte, s string) []byte {
	start := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if letter && start {
			c &^= 0x20
		} else if letter {
			c |= 0x20
		}
		start = !letter && (c < '0' || c > '9')
		dst = append(dst, c)
	}
	return dst
}

func appendReverse(dst []byte, s string) []byte {
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		dst = append(dst, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return dst
}

func replace(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	for i := range expr.Rows(sel, out.Len) {
		s, from := args[0].Str[i], args[1].Str[i]
		if !strings.Contains(s, from) {
			out.Str[i] = s
			continue
		}
		to := args[2].Str[i]
		if len(to) > len(from) {
			room(c, strings.Count(s, from), len(to)-len(from))
		}
		out.Str[i] = strings.ReplaceAll(s, from, to)
		c.Room(len(out.Str[i]))
	}
	return nil
}

// room refuses n parts of a length that would be too large together.
func room(c *expr.Ctx, length, n int) {
	if length > 0 && n > expr.MaxValue/length {
		c.Room(expr.MaxValue + 1)
	}
}

// asString is a text of bytes that nobody changes any more.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func repeat(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	for i := range expr.Rows(sel, out.Len) {
		s, n := args[0].Str[i], max(args[1].I32[i], 0)
		room(c, len(s), int(n))
		b := c.Bytes(len(s) * int(n))
		for at := copy(b, s); at < len(b); at *= 2 {
			copy(b[at:], b[:at])
		}
		out.Str[i] = asString(b)
	}
	return nil
}

func resolveTranslate(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 3, false, isText, isText, isText); err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: str(nullable(args[0])), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			if args[0].IsNull(int(i)) {
				out.SetNull(int(i))
				continue
			}
			s := args[0].Str[i]
			if args[1].IsNull(int(i)) {
				out.Str[i] = s
				continue
			}
			var to []rune
			if !args[2].IsNull(int(i)) {
				to = []rune(args[2].Str[i])
			}
			from := []rune(args[1].Str[i])
			b := c.Scratch()
			for _, r := range s {
				k := 0
				for k < len(from) && from[k] != r {
					k++
				}
				switch {
				case k == len(from):
					b = utf8.AppendRune(b, r)
				case k < len(to):
					b = utf8.AppendRune(b, to[k])
				}
			}
			out.Str[i] = c.Keep(b)
		}
		return nil
	}}, nil
}
