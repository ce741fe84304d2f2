package expr

import (
	"errors"
	"strings"
	"unicode/utf8"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// toString converts anything to CHAR(n) or VARCHAR(n): cut to n characters,
// CHAR filled up with blanks.
func (k caster) toString() (conversion, bool) {
	n, pad := int(k.to.Length), k.to.Kind == types.Char
	if k.from.IsString() {
		same := k.from.Length <= k.to.Length && (!pad || k.from.Kind == types.Char && k.from.Length == k.to.Length)
		if same {
			return conversion{safe: true}, true
		}
		return conversion{eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			for i := range each(sel, out.Len) {
				out.Str[i] = fit(c, args[0].Str[i], n, pad)
			}
			return nil
		}}, true
	}
	if k.from.Kind == types.Variant {
		return conversion{}, false
	}
	zone := hasZone(k.from)
	return conversion{zone: zone, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		z := c.SessionZone()
		for i := range each(sel, out.Len) {
			s := c.Keep(value.AppendString(c.Scratch(), args[0], int(i), z))
			if n < types.MaxLength {
				s = fit(c, s, n, pad)
			}
			out.Str[i] = s
		}
		return nil
	}}, true
}

func hasZone(t types.Type) bool {
	if t.Kind == types.TimestampLTZ {
		return true
	}
	for _, f := range t.Fields {
		if hasZone(f.Type) {
			return true
		}
	}
	return false
}

// fit cuts s to n characters or, with pad, fills it up.
func fit(c *Ctx, s string, n int, pad bool) string {
	if len(s) > n {
		count := 0
		for i := range s {
			if count == n {
				return s[:i]
			}
			count++
		}
	}
	if pad {
		if have := utf8.RuneCountInString(s); have < n {
			c.Room(len(s) + n - have)
			return s + strings.Repeat(" ", n-have)
		}
	}
	return s
}

// toBinary converts strings (their UTF-8 bytes) and binaries: cut to n bytes,
// BINARY filled up with zeros.
func (k caster) toBinary() (conversion, bool) {
	if !k.from.IsString() && !k.from.IsBinary() {
		return conversion{}, false
	}
	n, pad := int(k.to.Length), k.to.Kind == types.Binary
	if n == types.MaxLength {
		return conversion{safe: true}, true
	}
	return conversion{eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		for i := range each(sel, out.Len) {
			s := args[0].Str[i]
			if len(s) > n {
				s = s[:n]
			} else if pad && len(s) < n {
				c.Room(n)
				s += strings.Repeat("\x00", n-len(s))
			}
			out.Str[i] = s
		}
		return nil
	}}, true
}

// why puts a parser's reason into words.
func why(err error, t types.Type) string {
	if errors.Is(err, value.ErrRange) {
		if t.Kind == types.Decimal {
			return "it has too many digits (overflow)"
		}
		return "it is out of range"
	}
	return "the text is no " + t.Short()
}

// fromString reads texts.
func (k caster) fromString() (conversion, bool) {
	t := k.to
	switch t.Kind {
	case types.Boolean:
		return conversion{eval: parse(k, func(out *row.Vec, i int32, s string) (ok bool) {
			out.Bool[i], ok = value.ParseBool(s)
			return ok
		})}, true
	case types.TinyInt, types.SmallInt, types.Int:
		bits := map[types.Kind]int{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32}[t.Kind]
		return conversion{eval: parseErr(k, func(out *row.Vec, i int32, s string) error {
			n, err := value.ParseInt(s, bits)
			out.I32[i] = int32(n)
			return err
		})}, true
	case types.BigInt:
		return conversion{eval: parseErr(k, func(out *row.Vec, i int32, s string) (err error) {
			out.I64[i], err = value.ParseInt(s, 64)
			return err
		})}, true
	case types.Float:
		return conversion{eval: parseErr(k, func(out *row.Vec, i int32, s string) (err error) {
			out.F32[i], err = value.ParseFloat(s)
			return err
		})}, true
	case types.Double:
		return conversion{eval: parseErr(k, func(out *row.Vec, i int32, s string) (err error) {
			out.F64[i], err = value.ParseDouble(s)
			return err
		})}, true
	case types.Decimal:
		p, s := int(t.Precision), int(t.Scale)
		return conversion{eval: parseErr(k, func(out *row.Vec, i int32, text string) (err error) {
			out.Dec[i], err = value.ParseDec(text, p, s)
			return err
		})}, true
	case types.Date:
		return conversion{eval: parse(k, func(out *row.Vec, i int32, s string) (ok bool) {
			out.I32[i], ok = value.ParseDate(s)
			return ok
		})}, true
	case types.TimeOfDay:
		return conversion{eval: parse(k, func(out *row.Vec, i int32, s string) (ok bool) {
			ms, ok := value.ParseTime(s)
			out.I32[i] = cutTime(ms, t.Precision)
			return ok
		})}, true
	case types.Timestamp:
		return conversion{eval: parse(k, func(out *row.Vec, i int32, s string) bool {
			ms, nano, ok := value.ParseTimestamp(s)
			setTime(out, i, ms, nano, t.Precision)
			return ok
		})}, true
	case types.TimestampLTZ:
		return conversion{zone: true, eval: func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
			z := c.SessionZone()
			return parse(k, func(out *row.Vec, i int32, s string) bool {
				ms, nano, ok := value.ParseTimestamp(s)
				setTime(out, i, z.UTC(ms), nano, t.Precision)
				return ok
			})(c, call, args, sel, out)
		}}, true
	}
	return conversion{}, false
}

func parse(k caster, f func(out *row.Vec, i int32, s string) bool) Kernel {
	return parseErr(k, func(out *row.Vec, i int32, s string) error {
		if f(out, i, s) {
			return nil
		}
		return value.ErrSyntax
	})
}

func parseErr(k caster, f func(out *row.Vec, i int32, s string) error) Kernel {
	return func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		a := args[0].Str
		for i := range each(sel, out.Len) {
			if err := f(out, i, a[i]); err != nil {
				if err := k.bad(out, i, a[i], why(err, k.to)); err != nil {
					return err
				}
			}
		}
		return nil
	}
}
