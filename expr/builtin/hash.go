package builtin

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"math"
	"unicode/utf16"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

func hashes() []*expr.Func {
	out := []*expr.Func{sha2(), hashCode()}
	for _, h := range []struct {
		name    string
		n       int32
		example string
		sum     func(dst []byte, s []byte) []byte
	}{
		{"MD5", 32, "MD5('') = 'd41d8cd98f00b204e9800998ecf8427e'", func(dst, s []byte) []byte { h := md5.Sum(s); return hex.AppendEncode(dst, h[:]) }},
		{"SHA1", 40, "SHA1('') = 'da39a3ee5e6b4b0d3255bfef95601890afd80709'", func(dst, s []byte) []byte { h := sha1.Sum(s); return hex.AppendEncode(dst, h[:]) }},
		{"SHA224", 56, "CHAR_LENGTH(SHA224('a')) = 56", sha(224)}, {"SHA256", 64, "CHAR_LENGTH(SHA256('a')) = 64", sha(256)},
		{"SHA384", 96, "CHAR_LENGTH(SHA384('a')) = 96", sha(384)}, {"SHA512", 128, "CHAR_LENGTH(SHA512('a')) = 128", sha(512)},
	} {
		out = append(out, &expr.Func{Name: h.name, Doc: "The " + h.name + " hash in hexadecimal digits.", Example: h.example, Syntax: h.name + "(s)",
			Resolve: func(args []expr.Node) (*expr.Call, error) {
				if err := takes(args, 1, false, isTextual); err != nil {
					return nil, err
				}
				return &expr.Call{Args: args, T: types.CharOf(h.n).NotNull().OrNull(nullable(args...)), Eval: expr.Text1(func(dst []byte, s string) ([]byte, bool) {
					return hashed(dst, s, h.sum), true
				})}, nil
			}})
	}
	return out
}

// hashed appends a hash of s; the bytes of s lie where the hash comes, so that
// they take no memory of their own.
func hashed(dst []byte, s string, sum func(dst, s []byte) []byte) []byte {
	n := len(dst)
	dst = append(dst, s...)
	return sum(dst[:n], dst[n:])
}

func sha(bits int32) func(dst, s []byte) []byte {
	switch bits {
	case 224:
		return func(dst, s []byte) []byte { h := sha256.Sum224(s); return hex.AppendEncode(dst, h[:]) }
	case 256:
		return func(dst, s []byte) []byte { h := sha256.Sum256(s); return hex.AppendEncode(dst, h[:]) }
	case 384:
		return func(dst, s []byte) []byte { h := sha512.Sum384(s); return hex.AppendEncode(dst, h[:]) }
	case 512:
		return func(dst, s []byte) []byte { h := sha512.Sum512(s); return hex.AppendEncode(dst, h[:]) }
	}
	return nil
}

func sha2() *expr.Func {
	return &expr.Func{Name: "SHA2", Doc: "The SHA-2 hash of 224, 256, 384 or 512 bits in hexadecimal digits.", Example: "SHA2('a', 256) = SHA256('a')", Syntax: "SHA2(s, bits)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 2, false, isTextual, isWhole); err != nil {
				return nil, err
			}
			if bits, ok := expr.ConstInt(args[1]); ok && sha(int32(bits)) == nil {
				return nil, noHash(bits)
			}
			args, err := to(args, anyType, intType)
			if err != nil {
				return nil, err
			}
			return &expr.Call{Args: args, T: varchar(128, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				for i := range expr.Rows(sel, out.Len) {
					f := sha(args[1].I32[i])
					if f == nil {
						return noHash(int64(args[1].I32[i]))
					}
					out.Str[i] = c.Keep(hashed(c.Scratch(), args[0].Str[i], f))
				}
				return nil
			}}, nil
		}}
}

func noHash(bits int64) error {
	return diag.New(diag.WrongArguments, diag.Span{}, "SHA2 has no hash of %d bits", bits).WithHint("give it 224, 256, 384 or 512")
}

// hashCode is the hashCode of the Java value.
func hashCode() *expr.Func {
	ok := func(t types.Type) bool {
		return t.IsNumeric() || t.IsString() || t.Kind == types.Boolean || t.IsTemporal() && t.Kind != types.TimestampLTZ
	}
	return &expr.Func{Name: "HASH_CODE", Doc: "The hash code of the value in Java.", Example: "HASH_CODE('ab') = 3105", Syntax: "HASH_CODE(x)",
		Resolve: func(args []expr.Node) (*expr.Call, error) {
			if err := takes(args, 1, false, ok); err != nil {
				return nil, err
			}
			t := args[0].Type()
			return &expr.Call{Args: args, T: of(types.Int, nullable(args...)), Eval: func(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
				a := args[0]
				for i := range expr.Rows(sel, out.Len) {
					if t.IsTimestamp() {
						ms, nano := moment(a, i)
						out.I32[i] = 31*fold64(uint64(ms)) + nano
						continue
					}
					switch t.Layout() {
					case types.LayoutBool:
						out.I32[i] = 1237
						if a.Bool[i] {
							out.I32[i] = 1231
						}
					case types.LayoutI64:
						out.I32[i] = fold64(uint64(a.I64[i]))
					case types.LayoutF32:
						out.I32[i] = int32(math.Float32bits(a.F32[i]))
					case types.LayoutF64:
						out.I32[i] = fold64(math.Float64bits(a.F64[i]))
						if math.IsNaN(a.F64[i]) {
							out.I32[i] = 0x7ff80000 // Java has one NaN
						}
					case types.LayoutDec:
						out.I32[i] = hashDec(a.Dec[i], t.Scale)
					case types.LayoutStr:
						if out.I32[i] = hashText(a.Str[i]); out.I32[i] < 0 {
							out.I32[i] = -out.I32[i] // Flink takes it without its sign
						}
					default:
						out.I32[i] = a.I32[i]
					}
				}
				return nil
			}}, nil
		}}
}

func fold64(v uint64) int32 { return int32(v ^ v>>32) }

// hashDec is 31 times the hash of the unscaled number (its 32-bit words from
// the top, negative for a negative number) plus the scale.
func hashDec(d types.Dec, scale int32) int32 {
	neg := value.DecSign(d) < 0
	if neg {
		d = value.DecNeg(d)
	}
	h := int32(0)
	for _, w := range [...]uint32{uint32(uint64(d.Hi) >> 32), uint32(d.Hi), uint32(d.Lo >> 32), uint32(d.Lo)} {
		h = 31*h + int32(w)
	}
	if neg {
		h = -h
	}
	return 31*h + scale
}

func hashText(s string) int32 {
	h := int32(0)
	for _, r := range s {
		if r < 1<<16 {
			h = 31*h + int32(r)
			continue
		}
		hi, lo := utf16.EncodeRune(r)
		h = 31*(31*h+int32(hi)) + int32(lo)
	}
	return h
}
