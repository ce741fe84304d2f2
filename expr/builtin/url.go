package builtin

import (
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/row"
	"fsql/types"
)

func urls() []*expr.Func {
	return []*expr.Func{
		{Name: "URL_ENCODE", Doc: "The text in form encoding.", Example: "URL_ENCODE('a b&c') = 'a+b%26c'", Syntax: "URL_ENCODE(s)",
			Resolve: texts(1, 1, func([]expr.Node) types.Type { return str(true) }, expr.Text1(urlEncode))},
		{Name: "URL_DECODE", Doc: "The text of form encoding, NULL for a malformed one.", Example: "URL_DECODE('a+b%26c') = 'a b&c'", Syntax: "URL_DECODE(s)",
			Resolve: texts(1, 1, func([]expr.Node) types.Type { return str(true) }, expr.Text1(urlDecode))},
		{Name: "PARSE_URL", Doc: "A part of a URL: HOST, PATH, QUERY, REF, PROTOCOL, AUTHORITY, FILE, USERINFO, or a key of QUERY.",
			Example: "PARSE_URL('http://a.example/p?k=1', 'QUERY', 'k') = '1'", Syntax: "PARSE_URL(url, part [, key])",
			Resolve: texts(2, 3, func([]expr.Node) types.Type { return str(true) }, parseURL)},
		{Name: "INET_ATON", Doc: "The number of an IPv4 address, NULL for other texts.", Example: "INET_ATON('127.0.0.1') = 2130706433", Syntax: "INET_ATON(s)",
			Resolve: texts(1, 1, func([]expr.Node) types.Type { return of(types.BigInt, true) }, expr.MapNull1(inetAton))},
		{Name: "INET_NTOA", Doc: "The IPv4 address of a number, NULL outside 0 to 4294967295.", Example: "INET_NTOA(2130706433) = '127.0.0.1'", Syntax: "INET_NTOA(n)",
			Resolve: func(args []expr.Node) (*expr.Call, error) {
				if err := takes(args, 1, false, isWhole); err != nil {
					return nil, err
				}
				args, err := to(args, bigType)
				if err != nil {
					return nil, err
				}
				return &expr.Call{Args: args, T: str(true), Eval: expr.Text1(func(dst []byte, n int64) ([]byte, bool) {
					if n < 0 || n > 1<<32-1 {
						return dst, false
					}
					for shift := 24; shift >= 0; shift -= 8 {
						dst = strconv.AppendInt(dst, n>>shift&255, 10)
						if shift > 0 {
							dst = append(dst, '.')
						}
					}
					return dst, true
				})}, nil
			}},
	}
}

func urlEncode(dst []byte, s string) ([]byte, bool) {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.*", c) >= 0:
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, '+')
		default:
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst, true
}

func urlDecode(dst []byte, s string) ([]byte, bool) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '+':
			dst = append(dst, ' ')
		case '%':
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return dst, false
			}
			n, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			dst = append(dst, byte(n))
			i += 2
		default:
			dst = append(dst, c)
		}
	}
	return []byte(strings.ToValidUTF8(string(dst), "\ufffd")), true
}

// urlParts are those of java.net.URL: nothing is decoded.
type urlParts struct{ protocol, authority, path, query, ref string }

func splitURL(u string) (p urlParts, hasQuery, hasRef, ok bool) {
	scheme, rest, found := strings.Cut(u, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp", "file", "jar":
	default:
		return p, false, false, false
	}
	if !found {
		return p, false, false, false
	}
	p.protocol = strings.ToLower(scheme)
	rest, p.ref, hasRef = strings.Cut(rest, "#")
	rest, p.query, hasQuery = strings.Cut(rest, "?")
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		if i := strings.IndexByte(after, '/'); i >= 0 {
			p.authority, p.path = after[:i], after[i:]
		} else {
			p.authority = after
		}
	} else {
		p.path = rest
	}
	return p, hasQuery, hasRef, true
}

func parseURL(c *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
	for i := range expr.Rows(sel, out.Len) {
		p, hasQuery, hasRef, ok := splitURL(args[0].Str[i])
		if !ok {
			out.SetNull(int(i))
			continue
		}
		part := args[1].Str[i]
		user, host, hasUser := strings.Cut(p.authority, "@")
		if !hasUser {
			user, host = "", p.authority
		}
		text, found := "", true
		switch part {
		case "HOST":
			text, _, _ = strings.Cut(host, ":")
		case "PATH":
			text = p.path
		case "QUERY":
			text, found = p.query, hasQuery
		case "REF":
			text, found = p.ref, hasRef
		case "PROTOCOL":
			text = p.protocol
		case "AUTHORITY":
			text = p.authority
		case "FILE":
			if text = p.path; hasQuery {
				text += "?" + p.query
			}
		case "USERINFO":
			text, found = user, hasUser
		default:
			found = false
		}
		if len(args) == 3 {
			if part != "QUERY" {
				found = false
			} else if found {
				text, found = queryKey(p.query, args[2].Str[i])
			}
		}
		if !found {
			out.SetNull(int(i))
			continue
		}
		out.Str[i] = text
	}
	return nil
}

func queryKey(query, key string) (string, bool) {
	for _, pair := range strings.Split(query, "&") {
		if k, v, ok := strings.Cut(pair, "="); ok && k == key {
			return v, true
		}
	}
	return "", false
}

// inetAton takes the short forms of C: the last number fills what is left.
func inetAton(s string) (int64, bool) {
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return 0, false
	}
	var out int64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 32)
		if err != nil || p[0] == '+' {
			return 0, false
		}
		if n > 255 {
			return 0, false
		}
		if i < len(parts)-1 {
			out |= int64(n) << (24 - 8*i)
			continue
		}
		out |= int64(n) // the last part is the last byte, however few there are
	}
	return out, true
}
