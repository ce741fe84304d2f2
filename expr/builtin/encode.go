package builtin

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func encodings() []*expr.Func {
	return []*expr.Func{
		{Name: "ENCODE", Doc: "The bytes of a text in a character set: US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE, UTF-16LE.", Example: "ENCODE('a', 'UTF-16BE') = x'0061'", Syntax: "ENCODE(s, charset)", Resolve: resolveEncode},
		{Name: "DECODE", Doc: "The text of bytes in a character set.", Example: "DECODE(x'61', 'US-ASCII') = 'a'", Syntax: "DECODE(bytes, charset)", Resolve: resolveDecode},
		{Name: "TO_BASE64", Doc: "The bytes of the text in base 64.", Example: "TO_BASE64('abc') = 'YWJj'", Syntax: "TO_BASE64(s)",
			Resolve: texts(1, 1, stringResult, expr.Text1(func(dst []byte, s string) ([]byte, bool) {
				return base64.StdEncoding.AppendEncode(dst, []byte(s)), true
			}))},
		{Name: "FROM_BASE64", Doc: "The text of bytes in base 64; a malformed one fails the job.", Example: "FROM_BASE64('YWJj') = 'abc'", Syntax: "FROM_BASE64(s)", Resolve: texts(1, 1, stringResult, fromBase64)},
		{Name: "UNHEX", Doc: "The bytes of hexadecimal digits, NULL when there is another character.", Example: "UNHEX('6162') = x'6162'", Syntax: "UNHEX(s)",
			Resolve: texts(1, 1, func([]expr.Node) types.Type { return of(types.VarBinary, true) }, expr.Text1(unhex))},
	}
}

func fromBase64(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	for i := range expr.Rows(sel, out.Len) {
		s := args[0].Str[i]
		enc := base64.StdEncoding
		if !strings.HasSuffix(s, "=") {
			enc = base64.RawStdEncoding
		}
		b, err := enc.AppendDecode(c.Scratch(), []byte(s))
		if err != nil || strings.ContainsAny(s, "\r\n") {
			return diag.New(diag.BadValue, diag.Span{}, "FROM_BASE64 cannot decode '%s': it is not valid base 64", s)
		}
		out.Str[i] = c.Keep(value.AppendUTF8(nil, string(b)))
	}
	return nil
}

// unhex: an odd number of digits loses the first one and begins with a zero
// byte instead.
func unhex(dst []byte, s string) ([]byte, bool) {
	if len(s)%2 == 1 {
		if !isHex(s[0]) {
			return dst, false
		}
		dst, s = append(dst, 0), s[1:]
	}
	dst, err := hex.AppendDecode(dst, []byte(s))
	return dst, err == nil
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func resolveEncode(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 2, false, isText, isText); err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: of(types.VarBinary, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			b, ok := appendEncoded(c.Scratch(), args[0].Str[i], strings.ToUpper(args[1].Str[i]))
			if !ok {
				return badCharset(args[1].Str[i])
			}
			out.Str[i] = c.Keep(b)
		}
		return nil
	}}, nil
}

func resolveDecode(args []expr.Node) (*expr.Call, error) {
	if err := takes(args, 2, false, isBytes, isText); err != nil {
		return nil, err
	}
	return &expr.Call{Args: args, T: stringResult(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			b, ok := appendDecoded(c.Scratch(), args[0].Str[i], strings.ToUpper(args[1].Str[i]))
			if !ok {
				return badCharset(args[1].Str[i])
			}
			out.Str[i] = c.Keep(b)
		}
		return nil
	}}, nil
}

func badCharset(name string) error {
	return diag.New(diag.BadValue, diag.Span{}, "unknown character set '%s'", name).
		WithHint("use US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE or UTF-16LE")
}

func appendEncoded(dst []byte, s, charset string) ([]byte, bool) {
	limit := rune(0)
	switch charset {
	case "UTF-8":
		return append(dst, s...), true
	case "US-ASCII":
		limit = 0x80
	case "ISO-8859-1":
		limit = 0x100
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		if charset == "UTF-16" && s != "" {
			dst = append(dst, 0xfe, 0xff)
		}
		for _, u := range utf16.Encode([]rune(s)) {
			if charset == "UTF-16LE" {
				dst = append(dst, byte(u), byte(u>>8))
			} else {
				dst = append(dst, byte(u>>8), byte(u))
			}
		}
		return dst, true
	default:
		return dst, false
	}
	for _, r := range s {
		if r >= limit {
			r = '?'
		}
		dst = append(dst, byte(r))
	}
	return dst, true
}

func appendDecoded(dst []byte, s, charset string) ([]byte, bool) {
	switch charset {
	case "UTF-8":
		return value.AppendUTF8(dst, s), true
	case "US-ASCII", "ISO-8859-1":
		for i := 0; i < len(s); i++ {
			r := rune(s[i])
			if r >= 0x80 && charset == "US-ASCII" {
				r = utf8.RuneError
			}
			dst = utf8.AppendRune(dst, r)
		}
		return dst, true
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		little := charset == "UTF-16LE"
		if charset == "UTF-16" && len(s) >= 2 {
			switch s[:2] {
			case "\xfe\xff":
				s = s[2:]
			case "\xff\xfe":
				s, little = s[2:], true
			}
		}
		var us []uint16
		for ; len(s) >= 2; s = s[2:] {
			u := uint16(s[0])<<8 | uint16(s[1])
			if little {
				u = uint16(s[1])<<8 | uint16(s[0])
			}
			us = append(us, u)
		}
		for _, r := range utf16.Decode(us) {
			dst = utf8.AppendRune(dst, r)
		}
		if s != "" {
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
		return dst, true
	}
	return dst, false
}

func classes() []*expr.Func {
	// Of a number the answer goes by its class in Java, where a DECIMAL is none
	// that Flink looks for.
	class := func(name, doc, example string, f func(s string) bool, others func(t types.Type) bool) *expr.Func {
		return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(s)", Nulls: expr.NullSeen,
			Resolve: func(args []expr.Node) (*expr.Call, error) {
				if err := takes(args, 1, false, func(t types.Type) bool { return isText(t) || t.IsNumeric() }); err != nil {
					return nil, err
				}
				if t := args[0].Type(); !t.IsString() {
					yes := others(t)
					return &expr.Call{Args: args, T: of(types.Boolean, false), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
						for i := range expr.Rows(sel, out.Len) {
							out.Bool[i] = yes && !args[0].IsNull(int(i))
						}
						return nil
					}}, nil
				}
				return &expr.Call{Args: args, T: of(types.Boolean, false), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
					for i := range expr.Rows(sel, out.Len) {
						out.Bool[i] = !args[0].IsNull(int(i)) && args[0].Str[i] != "" && f(args[0].Str[i])
					}
					return nil
				}}, nil
			}}
	}
	every := func(f func(rune) bool) func(string) bool {
		return func(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return !f(r) }) < 0 }
	}
	none := func(types.Type) bool { return false }
	whole := types.Type.IsInteger
	return []*expr.Func{
		class("IS_ALPHA", "TRUE if the text consists of letters.", "IS_ALPHA('abc')", every(unicode.IsLetter), none),
		class("IS_DIGIT", "TRUE if the text consists of digits.", "IS_DIGIT('123')", every(unicode.IsDigit), whole),
		class("IS_DECIMAL", "TRUE if the text is a number.", "IS_DECIMAL('1e5')", func(s string) bool {
			if every(unicode.IsDigit)(s) {
				return true
			}
			_, err := value.ParseDouble(s)
			return err == nil
		}, func(t types.Type) bool { return whole(t) || t.IsApprox() }),
	}
}
