package builtin

import (
	bin "encoding/binary"
	"math"
	"strconv"
	"strings"

	"fsql/expr"
	"fsql/internal/diag"
	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// variants are the functions of the type VARIANT.
func variants() []*expr.Func {
	return []*expr.Func{
		{Name: "PARSE_JSON", Doc: "The VARIANT that a text of JSON describes; text that is not JSON fails the job, and so does a repeated key unless the second operand is TRUE.",
			Example: `JSON_STRING(PARSE_JSON('{"a": 1}')) = '{"a":1}'`, Syntax: "PARSE_JSON(s [, allowDuplicateKeys])", BareNull: true,
			Resolve: func(args []expr.Node) (*expr.Call, error) { return resolveParseJSON(args, false) }},
		{Name: "TRY_PARSE_JSON", Doc: "As PARSE_JSON, but NULL where that fails.", Example: `TRY_PARSE_JSON('{') IS NULL`, Syntax: "TRY_PARSE_JSON(s [, allowDuplicateKeys])",
			Resolve: func(args []expr.Node) (*expr.Call, error) { return resolveParseJSON(args, true) }},
	}
}

func resolveParseJSON(args []expr.Node, try bool) (*expr.Call, error) {
	if err := takes(args, 1, false, isText, isBool); err != nil {
		return nil, err
	}
	args = typed(args, stringType)
	return &expr.Call{Args: args, T: of(types.Variant, try || nullable(args...)), Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		m := variantMaker{}
		m.doc.verbatim = true
		for i := range expr.Rows(sel, out.Len) {
			s := args[0].Str[i]
			why := ""
			switch ok := m.doc.read(s); {
			case !ok:
				why = "it is not valid JSON: " + m.doc.why()
			case m.doc.hasTwice && !(len(args) == 2 && args[1].Bool[i]):
				why = "the key '" + m.doc.twice + "' is there more than once"
			default:
				m.dictionary(0)
				out.Str[i] = m.make(ctx, 0)
				continue
			}
			if !try {
				return diag.New(diag.BadValue, diag.Span{}, "PARSE_JSON cannot read '%s': %s", s, why).WithHint("TRY_PARSE_JSON gives NULL instead")
			}
			out.SetNull(int(i))
		}
		return nil
	}}, nil
}

// variantMaker makes VARIANTs of documents. What identifies one is, as in
// Flink, the keys of the whole document in the order in which they appear, also
// when it is a part of that document, and the value: numbers with their type
// and the zeros of their fraction, members in their order.
type variantMaker struct {
	doc   jsonDoc
	names []byte
	known map[string]bool
	text  []byte
	ident []byte
}

// dictionary collects the keys of the document.
func (m *variantMaker) dictionary(at int32) {
	m.names = m.names[:0]
	if m.known == nil {
		m.known = map[string]bool{}
	}
	clear(m.known)
	m.collect(at)
}

func (m *variantMaker) collect(at int32) {
	n := m.doc.nodes[at]
	for i := n.first; i >= 0; i = m.doc.nodes[i].next {
		if key := m.doc.nodes[i].key; n.kind == jsonObject && !m.known[key] {
			m.known[key] = true
			m.names = append(bin.AppendUvarint(m.names, uint64(len(key))), key...)
		}
		m.collect(i)
	}
}

func (m *variantMaker) make(ctx *expr.Ctx, at int32) string {
	m.ident = bin.AppendUvarint(m.ident[:0], uint64(len(m.names)))
	m.ident = append(m.ident, m.names...)
	m.ident = m.append(m.ident, at, false)
	m.text = m.append(m.text[:0], at, true)
	return ctx.Keep(value.AppendVariant(ctx.Scratch(), m.text, m.ident))
}

// append writes a value as it is printed, or as it is told from others.
func (m *variantMaker) append(dst []byte, at int32, print bool) []byte {
	d := &m.doc
	n := d.nodes[at]
	switch n.kind {
	case jsonWhole, jsonDecimal:
		return appendVariantNumber(dst, n.text, print)
	case jsonArray, jsonObject:
	default:
		return d.append(dst, at)
	}
	open, end := byte('['), byte(']')
	if n.kind == jsonObject {
		open, end = '{', '}'
	}
	dst = append(dst, open)
	first := true
	add := func(i int32) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if n.kind == jsonObject {
			dst = append(value.AppendJSONString(dst, d.nodes[i].key), ':')
		}
		dst = m.append(dst, i, print)
	}
	if n.kind == jsonObject && print {
		for _, i := range d.sorted(at) {
			add(i)
		}
		return append(dst, end)
	}
	for i := n.first; i >= 0; i = d.nodes[i].next {
		add(i)
	}
	return append(dst, end)
}

// appendVariantNumber: a number is an integer, a DECIMAL of up to 38 digits, or
// else a DOUBLE, which for itself is written with an exponent.
func appendVariantNumber(dst []byte, s string, print bool) []byte {
	if !strings.ContainsAny(s, "eE") {
		if b, ok := value.ParseBigDecimal(s); ok && b.Scale <= 38 && len(b.Digits) <= 38 {
			for print && b.Scale > 0 && strings.HasSuffix(b.Digits, "0") {
				b.Digits, b.Scale = b.Digits[:len(b.Digits)-1], b.Scale-1
			}
			if print && b.Digits == "" {
				return append(dst, '0')
			}
			return b.AppendPlain(dst)
		}
	}
	f, _ := strconv.ParseFloat(s, 64)
	switch {
	case print:
		return value.AppendDouble(dst, f)
	case math.IsInf(f, 1):
		return append(dst, "1e999"...)
	case math.IsInf(f, -1):
		return append(dst, "-1e999"...)
	}
	return strconv.AppendFloat(dst, f, 'e', -1, 64)
}

// resolveVariantItem is v['key'] and v[index], the first element being 1: NULL
// where there is none, a failure where v is no object or no array.
func resolveVariantItem(args []expr.Node) (*expr.Call, error) {
	t := args[1].Type()
	if !t.IsString() && !t.IsInteger() {
		return nil, expr.ErrArguments
	}
	if !t.IsString() {
		var err error
		if args, err = to(args, anyType, bigType); err != nil {
			return nil, err
		}
	}
	byKey := t.IsString()
	return &expr.Call{Args: args, T: of(types.Variant, true), Text: "{}[{}]", Eval: func(ctx *expr.Ctx, call *expr.Call, args []*row.Vec, sel []int32, out *row.Vec) error {
		m := variantMaker{}
		m.doc.verbatim = true
		for i := range expr.Rows(sel, out.Len) {
			m.open(args[0].Str[i])
			root := &m.doc.nodes[0]
			at := int32(-1)
			switch {
			case byKey && root.kind != jsonObject:
				return diag.New(diag.BadValue, diag.Span{}, "the key '%s' needs a VARIANT that is an object, but it is %s", args[1].Str[i], value.VariantText(args[0].Str[i]))
			case byKey:
				at = m.doc.member(0, args[1].Str[i])
			case root.kind != jsonArray:
				return diag.New(diag.BadValue, diag.Span{}, "the index %d needs a VARIANT that is an array, but it is %s", args[1].I64[i], value.VariantText(args[0].Str[i]))
			default:
				n := args[1].I64[i]
				if n >= 1 && n <= int64(root.count) {
					for at = root.first; n > 1; n-- {
						at = m.doc.nodes[at].next
					}
				}
			}
			if at < 0 {
				out.SetNull(int(i))
				continue
			}
			out.Str[i] = m.make(ctx, at)
		}
		return nil
	}}, nil
}

// open reads a VARIANT back.
func (m *variantMaker) open(v string) {
	ident := value.VariantIdentity(v)
	n, at := bin.Uvarint([]byte(ident[:min(len(ident), bin.MaxVarintLen64)]))
	m.names = append(m.names[:0], ident[at:at+int(n)]...)
	m.doc.read(ident[at+int(n):])
}
