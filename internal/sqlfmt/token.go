package sqlfmt

import (
	"reflect"
	"strings"

	"fsql/internal/diag"
	"fsql/sql/ast"
	"fsql/sql/lex"
)

// token is a token of the script with the comments around it.
type token struct {
	lex.Token
	text  string    // as it is printed
	word  string    // in capitals, if it is a keyword here and no name
	glued bool      // no blank stood before it
	typed bool      // part of a type
	kept  bool      // keeps the blanks around it
	blank bool      // an empty line stood above it, or above its comments
	above []comment // on lines of their own
	after []comment // behind it on its line
}

type comment struct {
	text  string
	blank bool // an empty line stood above it
}

// line says that the comment reaches to the end of its line.
func (c comment) line() bool {
	return !strings.HasPrefix(c.text, "/*") || strings.Contains(c.text, "\n")
}

// attach hands out the comments of the gap in front of t: what stands on the
// line of the token before belongs to that one, the rest to t.
func attach(out *printer, before []token, gap string, t token) token {
	t.glued = gap == ""
	own := len(before) == 0 && out.Len() == 0 // a line has ended since the last token
	ends := 0                                 // lines that ended since the last comment
	for gap != "" {
		switch {
		case strings.HasPrefix(gap, "--"), strings.HasPrefix(gap, "//"), strings.HasPrefix(gap, "/*"):
			end := strings.IndexAny(gap, "\r\n")
			if gap[:2] == "/*" {
				end = strings.Index(gap[2:], "*/") + 4
			}
			if end < 0 {
				end = len(gap)
			}
			c := comment{strings.TrimRight(gap[:end], " \t"), ends > 1}
			switch {
			case own:
				t.above = append(t.above, c)
			case len(before) > 0:
				before[len(before)-1].after = append(before[len(before)-1].after, c)
			default:
				out.trail(c)
			}
			gap, ends = gap[end:], 0
		case gap[0] == '\n':
			own = true
			gap, ends = gap[1:], ends+1
		default:
			gap = gap[1:]
		}
	}
	t.blank = ends > 1
	if len(t.above) > 0 {
		t.blank = t.above[0].blank
		// What stands between the last comment and the token.
		t.above = append(t.above, comment{"", ends > 1})
	}
	return t
}

// words finds the keywords of a statement: every keyword that the tree does not
// take for a name. They are printed in capitals, others as written.
func words(s ast.Statement, toks []token, capitals bool) {
	names, typed := map[int]bool{}, []diag.Span{}
	places(reflect.ValueOf(s), names, &typed)
	hint := false
	for i := range toks {
		t := &toks[i]
		hint = t.Kind == lex.HintBegin || hint && t.Kind != lex.HintEnd
		for _, span := range typed {
			t.typed = t.typed || t.Start >= span.Start && t.End <= span.End
		}
		if t.Kind != lex.Word || t.Key == "" || hint {
			continue
		}
		argument := i+1 < len(toks) && toks[i+1].Is("=>")
		field := t.typed && !lex.IsReserved(t.text) && !(i+1 < len(toks) && toks[i+1].Is("<"))
		t.word, t.text = "", t.Token.Text
		if !names[t.Start] && !argument && !field {
			if t.word = t.Key; capitals {
				t.text = t.Key
			}
		}
	}
	markSigns(toks)
	markPatterns(toks)
}

// places collects where the tree has names and types.
func places(v reflect.Value, names map[int]bool, typed *[]diag.Span) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			places(v.Elem(), names, typed)
		}
	case reflect.Slice:
		for i := range v.Len() {
			places(v.Index(i), names, typed)
		}
	case reflect.Struct:
		switch x := v.Interface().(type) {
		case ast.Name:
			if x.Text != "" {
				names[x.Pos.Start] = true
			}
			return
		case ast.Path:
			// Its parts need not have places of their own.
			for at := x.Pos.Start; at < x.Pos.End; at++ {
				names[at] = true
			}
		case ast.TypeName:
			*typed = append(*typed, x.Pos)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				places(v.Field(i), names, typed)
			}
		}
	}
}
