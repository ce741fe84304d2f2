package builtin

import (
	"strings"
	"unicode/utf8"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/row"
	"fsql/types"
)

// at is the byte where character n (from 0) of s begins; len(s) beyond.
func at(s string, n int) int {
	if n <= 0 {
		return 0
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func substring(name string) *expr.Func {
	return &expr.Func{Name: name, Doc: "The characters from position i (1 is the first, negative counts from the end), n of them or all.",
		Example: name + "('flink', 2, 3) = 'lin'", Syntax: name + "(s, i [, n])",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 2, false, isText, isWhole, isWhole); err != nil {
				return nil, err
			}
			args, err := to(args, anyType, intType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: textType(args[0].Type(), true), Eval: substringKernel}, nil
		}}
}

func substringKernel(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	for i := range expr.Rows(sel, out.Len) {
		n := int32(1<<31 - 1)
		if len(args) == 3 {
			if n = args[2].I32[i]; n < 0 {
				out.SetNull(int(i))
				continue
			}
		}
		out.Str[i] = cut(args[0].Str[i], args[1].I32[i], n)
	}
	return nil
}

// cut is SUBSTRING: from 0 acts as 1, before the start is empty.
func cut(s string, from, n int32) string {
	start := int64(from) - 1
	switch {
	case from == 0:
		start = 0
	case from < 0:
		if start = int64(utf8.RuneCountInString(s)) + int64(from); start < 0 {
			return ""
		}
	}
	s = s[at(s, int(start)):]
	return s[:at(s, int(n))]
}

func side(name string) *expr.Func {
	left := name == "LEFT"
	f := &expr.Func{Name: name, Doc: "The first n characters.", Example: "LEFT('flink', 2) = 'fl'", Syntax: name + "(s, n)"}
	if !left {
		f.Doc, f.Example = "The last n characters.", "RIGHT('flink', 2) = 'nk'"
	}
	f.Resolve = textAndNumber(func(args []expr.Node) types.Type { return textType(args[0].Type(), true) },
		func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				s, n := args[0].Str[i], int(args[1].I32[i])
				switch {
				case n <= 0:
					out.Str[i] = ""
				case left:
					out.Str[i] = s[:at(s, n)]
				default:
					out.Str[i] = s[at(s, utf8.RuneCountInString(s)-n):]
				}
			}
			return nil
		})
	return f
}

func overlay() *expr.Func {
	return &expr.Func{Name: "OVERLAY", Doc: "The text with n characters from position i replaced.", Example: "OVERLAY('abcdef' PLACING 'XY' FROM 2) = 'aXYdef'",
		Syntax: "OVERLAY(s PLACING r FROM i [FOR n])",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 3, false, isText, isText, isWhole, isWhole); err != nil {
				return nil, err
			}
			t := types.VarCharOf(int32(min(int64(args[0].Type().Length)+int64(args[1].Type().Length), types.MaxLength)))
			t.Nullable = nullable(args...)
			args, err := to(args, anyType, anyType, intType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: t, Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					s, r, from := args[0].Str[i], args[1].Str[i], int(args[2].I32[i])
					n := utf8.RuneCountInString(r)
					if len(args) == 4 {
						n = int(args[3].I32[i])
					}
					length := utf8.RuneCountInString(s)
					if from <= 0 || from > length {
						out.Str[i] = s
						continue
					}
					b := append(c.Scratch(), s[:at(s, from-1)]...)
					b = append(b, r...)
					if n > 0 && from-1+n < length {
						// Flink drops the rest when nothing is replaced.
						b = append(b, s[at(s, from-1+n):]...)
					}
					out.Str[i] = c.Keep(b)
				}
				return nil
			}}, nil
		}}
}

func pad(name string) *expr.Func {
	left := name == "LPAD"
	f := &expr.Func{Name: name, Doc: "The text filled up on the left to n characters, or cut to them.", Example: "LPAD('7', 3, '0') = '007'", Syntax: name + "(s, n, fill)"}
	if !left {
		f.Doc, f.Example = "The text filled up on the right to n characters, or cut to them.", "RPAD('7', 3, '0') = '700'"
	}
	f.Resolve = func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 3, false, isText, isWhole, isText); err != nil {
			return nil, err
		}
		args, err := to(args, anyType, intType, anyType)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: stringResult(args), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				s, n, fill := args[0].Str[i], int(args[1].I32[i]), args[2].Str[i]
				if n < 0 || fill == "" {
					out.SetNull(int(i))
					continue
				}
				missing := n - utf8.RuneCountInString(s)
				if missing <= 0 {
					out.Str[i] = s[:at(s, n)]
					continue
				}
				c.Room(missing)
				b := c.Scratch()
				if !left {
					b = append(b, s...)
				}
				for whole := utf8.RuneCountInString(fill); missing > 0; missing -= whole {
					b = append(b, fill[:at(fill, missing)]...)
				}
				if left {
					b = append(b, s...)
				}
				out.Str[i] = c.Keep(b)
			}
			return nil
		}}, nil
	}
	return f
}

func ascii() *expr.Func {
	return &expr.Func{Name: "ASCII", Doc: "The first byte, as a signed number; 0 for the empty text.", Example: "ASCII('a') = 97", Syntax: "ASCII(s)",
		Resolve: simple([]param{isText}, []types.Type{anyType}, types.Int, expr.Map1(func(s string) (int32, error) {
			if s == "" {
				return 0, nil
			}
			return int32(int8(s[0])), nil
		}))}
}

func chr() *expr.Func {
	return &expr.Func{Name: "CHR", Doc: "The character of the low byte of n; empty for negative n.", Example: "CHR(65) = 'A'", Syntax: "CHR(n)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, isWhole); err != nil {
				return nil, err
			}
			args, err := to(args, bigType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: str(true), Eval: expr.Map1(func(n int64) (string, error) {
				if n < 0 {
					return "", nil
				}
				return string(rune(n & 255)), nil
			})}, nil
		}}
}

func affix(name, doc, example string, f func(s, p string) bool) *expr.Func {
	return &expr.Func{Name: name, Doc: doc, Example: example, Syntax: name + "(s, p)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if takes(args, 2, false, isText, isText) != nil && takes(args, 2, false, isBytes, isBytes) != nil {
				return nil, expr.ErrArguments
			}
			return &expr.Call{Args: args, T: of(types.Boolean, nullable(args...)), Eval: expr.Map2(func(s, p string) (bool, error) { return f(s, p), nil })}, nil
		}}
}

func elt() *expr.Func {
	return &expr.Func{Name: "ELT", Doc: "The n-th of the texts that follow, NULL when there is none.", Example: "ELT(2, 'a', 'b') = 'b'", Syntax: "ELT(n, a, ...)", Nulls: expr.NullSeen,
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if takes(args, 2, true, isWhole, isText) != nil && takes(args, 2, true, isWhole, isBytes) != nil {
				return nil, expr.ErrArguments
			}
			if n, ok := expr.ConstInt(args[0]); ok && n < 0 {
				return nil, diag.New(diag.WrongArguments, diag.Span{}, "the position in ELT is %d: positions begin at 1", n)
			}
			ts := make([]types.Type, 0, len(args)-1)
			for _, a := range args[1:] {
				ts = append(ts, a.Type())
			}
			t, err := expr.Common(ts...)
			if err != nil {
				return nil, err
			}
			if args, err = to(args, bigType, anyType); err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: t.AsNullable(), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					n := args[0].I64[i]
					if args[0].IsNull(int(i)) || n < 1 || n >= int64(len(args)) || args[n].IsNull(int(i)) {
						out.SetNull(int(i))
						continue
					}
					out.Str[i] = args[n].Str[i]
				}
				return nil
			}}, nil
		}}
}

func trimFunctions() []*expr.Func {
	return []*expr.Func{
		{Name: "TRIM", Doc: "The text without blanks at both ends.", Example: "TRIM('  a ') = 'a'", Syntax: "TRIM([BOTH | LEADING | TRAILING] [c FROM] s)", Resolve: resolveTrim(true, true)},
		{Name: "TRIM FROM", Doc: "The text without the characters of c at an end.", Example: "TRIM(LEADING 'x' FROM 'xxa') = 'a'",
			Syntax: "TRIM([BOTH | LEADING | TRAILING] [c FROM] s)", Resolve: resolveTrimFrom},
		{Name: "LTRIM", Doc: "The text without blanks, or the characters of c, on the left.", Example: "LTRIM('  a ') = 'a '", Syntax: "LTRIM(s [, c])", Resolve: resolveTrim(true, false)},
		{Name: "RTRIM", Doc: "The text without blanks, or the characters of c, on the right.", Example: "RTRIM('a  ') = 'a'", Syntax: "RTRIM(s [, c])", Resolve: resolveTrim(false, true)},
		{Name: "BTRIM", Doc: "The text without blanks, or the characters of c, at both ends.", Example: "BTRIM('xax', 'x') = 'a'", Syntax: "BTRIM(s [, c])",
			Resolve: func(args []expr.Node) (*expr.Call, error) {
				call, err := resolveTrim(true, true)(args)
				if err == nil {
					call.T = stringResult(args)
				}
				return call, err
			}},
	}
}

func resolveTrim(left, right bool) func(args []expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 1, false, isText, isText); err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: textType(args[0].Type(), nullable(args...)), Eval: trimKernel(left, right)}, nil
	}
}

// resolveTrimFrom takes the side, then c and s, or s alone.
func resolveTrimFrom(args []expr.Node) (*expr.Call, error) {
	if len(args) < 2 {
		return nil, expr.ErrArguments
	}
	where, _ := expr.ConstString(args[0])
	args = args[1:]
	text := "TRIM(" + where + " FROM {})"
	if len(args) == 2 {
		args = []expr.Node{args[1], args[0]}
		text = "TRIM(" + where + " FROM {} WITHOUT {})"
	}
	call, err := resolveTrim(where != "TRAILING", where != "LEADING")(args)
	if err == nil {
		call.Text = text
	}
	return call, err
}

func trimKernel(left, right bool) expr.Kernel {
	return func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range expr.Rows(sel, out.Len) {
			s, set := args[0].Str[i], " "
			if len(args) == 2 {
				set = args[1].Str[i]
			}
			if left {
				s = strings.TrimLeft(s, set)
			}
			if right {
				s = strings.TrimRight(s, set)
			}
			out.Str[i] = s
		}
		return nil
	}
}
