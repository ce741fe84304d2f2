package shell

import (
	"slices"
	"testing"
)

// What a terminal sends, cut at any place, gives the same keys.
func TestKeys(t *testing.T) {
	for name, c := range map[string]struct {
		in     string
		out    []string // one piece per line
		pasted []string
	}{
		"letters":         {"ab\rc", []string{"ab\r", "c"}, nil},
		"tab":             {"a\t", []string{"a" + string(keyTab)}, nil},
		"home and end":    {"\x1b[1~\x1b[4~\x1b[7~\x1b[8~\x1bOH\x1bOF", []string{"\x1b[H\x1b[F\x1b[H\x1b[F\x1b[H\x1b[F"}, nil},
		"ctrl and arrows": {"\x1b[1;5D\x1b[1;5C\x1b[1;3D\x1bb", []string{"\x1bb\x1bf\x1bb\x1bb"}, nil},
		"arrows":          {"\x1b[A\x1bOB", []string{"\x1b[A\x1b[B"}, nil},
		"delete":          {"\x1b[3~", []string{string(keyDelete)}, nil},
		"unknown":         {"x\x1b[15~\x1b[I\x1b[<0;1;2My", []string{"xy"}, nil},
		"interrupt":       {"ab\x03c", []string{"ab\x03", "c"}, nil},
		"paste":           {"\x1b[200~a\tb\rc\x1b[201~!", []string{string(keyPaste) + "\r", string(keyPaste) + "!"}, []string{"a\tb" + string(pasteMark), "c"}},
		"paste of CRLF":   {"\x1b[200~a\r\n\r\nb\x1b[201~", []string{string(keyPaste) + "\r", string(keyPaste) + "\r", string(keyPaste)}, []string{"a" + string(pasteMark), string(pasteMark), "b"}},
		"control in it":   {"\x1b[200~a\x03\x1b[31mb\u0091\x1b[201~", []string{string(keyPaste)}, []string{"a[31mb"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cut := range []int{len(c.in), 1} {
				k := &keys{}
				var out []string
				line := ""
				for i := 0; i < len(c.in); i += cut {
					k.feed([]byte(c.in[i:min(i+cut, len(c.in))]))
					for {
						piece, ok := k.next(nil)
						if !ok {
							break
						}
						line += string(piece)
						if last := piece[len(piece)-1]; last == '\r' || last == ctrlC {
							out, line = append(out, line), ""
						}
					}
				}
				if line != "" {
					out = append(out, line)
				}
				if !slices.Equal(out, c.out) {
					t.Errorf("in pieces of %d: %q, want %q", cut, out, c.out)
				}
				if !slices.Equal(k.pasted, c.pasted) {
					t.Errorf("in pieces of %d: pasted %q, want %q", cut, k.pasted, c.pasted)
				}
			}
		})
	}
}
