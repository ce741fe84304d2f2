package builtin

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

func findFunctions() []*expr.Func {
	return []*expr.Func{
		{Name: "POSITION", Doc: "The position of a in s, 0 if it is not there.", Example: "POSITION('b' IN 'abc') = 2", Syntax: "POSITION(a IN s [FROM n])", Resolve: resolveFind(false, 3)},
		{Name: "LOCATE", Doc: "The position of a in s from n on, 0 if it is not there.", Example: "LOCATE('b', 'abcb', 3) = 4", Syntax: "LOCATE(a, s [, n])", Resolve: resolveFind(false, 3)},
		{Name: "INSTR", Doc: "The position of the k-th a in s from n on, 0 if it is not there; a negative n searches backwards from the end.",
			Example: "INSTR('abcb', 'b', 1, 2) = 4", Syntax: "INSTR(s, a [, n [, k]])", Resolve: resolveFind(true, 4)},
		splitIndex(), splitFunc(),
	}
}

// resolveFind is the search for a text; textFirst tells the order of the
// operands.
func resolveFind(textFirst bool, most int) func([]expr.Node) (*expr.Call, error) {
	return func(args []expr.Node) (*expr.Call, error) {
		if err := takes(args, 2, false, []param{isText, isText, isWhole, isWhole}[:most]...); err != nil {
			return nil, err
		}
		args, err := to(args, anyType, anyType, intType)
		if err != nil {
			return nil, err
		}
		return &expr.Call{Args: args, T: of(types.Int, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range expr.Rows(sel, out.Len) {
				s, a := args[1].Str[i], args[0].Str[i]
				if textFirst {
					s, a = a, s
				}
				from, k := int32(1), int32(1)
				if len(args) > 2 {
					from = args[2].I32[i]
				}
				if len(args) > 3 {
					k = args[3].I32[i]
				}
				switch {
				case k < 1 || from == 0 && textFirst:
					out.I32[i] = 0
				case !textFirst && from == math.MinInt32 && a != "": // which wraps around in Flink
					out.I32[i] = 0
				case a == "" && from < 0 && textFirst:
					out.I32[i] = int32(utf8.RuneCountInString(s)) + 1
				case a == "":
					out.I32[i] = 1
				case !textFirst:
					out.I32[i] = find(s, a, max(from, 1), k)
				default:
					out.I32[i] = find(s, a, from, k)
				}
			}
			return nil
		}}, nil
	}
}

// find is the position of the k-th a in s from position from on (1 is the
// first); backwards from the end when from is negative.
func find(s, a string, from, k int32) int32 {
	if from == 0 {
		return 0
	}
	if from < 0 {
		// The occurrence begins at that character from the end or before it.
		n := utf8.RuneCountInString(s) + int(from)
		if n < 0 {
			return 0
		}
		for end := min(at(s, n)+len(a), len(s)); end >= 0; k-- {
			i := strings.LastIndex(s[:end], a)
			if i < 0 {
				return 0
			}
			if k == 1 {
				return int32(utf8.RuneCountInString(s[:i])) + 1
			}
			end = i + len(a) - 1
		}
		return 0
	}
	start := at(s, int(from)-1)
	if start == len(s) && int(from)-1 > utf8.RuneCountInString(s) {
		return 0
	}
	for {
		i := strings.Index(s[start:], a)
		if i < 0 {
			return 0
		}
		start += i
		if k == 1 {
			return int32(utf8.RuneCountInString(s[:start])) + 1
		}
		k--
		_, n := utf8.DecodeRuneInString(s[start:])
		if start += n; n == 0 {
			return 0
		}
	}
}

func splitIndex() *expr.Func {
	return &expr.Func{Name: "SPLIT_INDEX", Doc: "Part i (0 is the first) of the text split by a separator, NULL when there is none.",
		Example: "SPLIT_INDEX('a,b', ',', 1) = 'b'", Syntax: "SPLIT_INDEX(s, separator, i)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 3, false, isText, func(t types.Type) bool { return isText(t) || isWhole(t) }, isWhole); err != nil {
				return nil, err
			}
			code := args[1].Type().IsInteger()
			want := anyType
			if code {
				want = intType
			}
			args, err := to(args, anyType, want, intType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: str(true), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					var sep string
					if code {
						n := args[1].I32[i]
						if n < 1 || n > 255 {
							out.SetNull(int(i))
							continue
						}
						sep = string(rune(n))
					} else {
						sep = args[1].Str[i]
					}
					part, ok := splitPart(args[0].Str[i], sep, args[2].I32[i])
					if !ok {
						out.SetNull(int(i))
						continue
					}
					out.Str[i] = part
				}
				return nil
			}}, nil
		}}
}

// splitPart finds part n without splitting the rest. The empty text has no
// parts; an empty separator means white space, each of which parts.
func splitPart(s, sep string, n int32) (string, bool) {
	if s == "" || n < 0 {
		return "", false
	}
	if sep == "" {
		for ; n > 0; n-- {
			i := strings.IndexFunc(s, unicode.IsSpace)
			if i < 0 {
				return "", false
			}
			_, size := utf8.DecodeRuneInString(s[i:])
			s = s[i+size:]
		}
		if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
			s = s[:i]
		}
		return s, true
	}
	for ; n > 0; n-- {
		i := strings.Index(s, sep)
		if i < 0 {
			return "", false
		}
		s = s[i+len(sep):]
	}
	if i := strings.Index(s, sep); i >= 0 {
		s = s[:i]
	}
	return s, true
}

func splitFunc() *expr.Func {
	return &expr.Func{Name: "SPLIT", Doc: "The parts of the text between separators; an empty separator splits into characters.",
		Example: "CARDINALITY(SPLIT('a,b', ',')) = 2", Syntax: "SPLIT(s, separator)",
		Resolve: texts(2, 2, func(args []expr.Node) types.Type {
			return types.ArrayOf(types.String()).NotNull().OrNull(nullable(args...))
		}, func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			var parts []string
			for i := range expr.Rows(sel, out.Len) {
				s, sep := args[0].Str[i], args[1].Str[i]
				out.Off[i] = int32(len(parts))
				if s != "" {
					n := strings.Count(s, sep) + 1
					c.Room(16 * n)
					parts = slices.Grow(parts, n)
				}
				switch {
				case s == "":
				case sep == "":
					for _, r := range s {
						parts = append(parts, string(r))
					}
				default:
					for {
						before, after, found := strings.Cut(s, sep)
						parts = append(parts, before)
						if !found {
							break
						}
						s = after
					}
				}
				out.Size[i] = int32(len(parts)) - out.Off[i]
			}
			out.Kids = []*row.Vec{{Type: types.String(), Len: len(parts), Str: parts}}
			return nil
		})}
}
