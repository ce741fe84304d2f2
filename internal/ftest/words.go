package ftest

import (
	"fmt"
	"slices"
	"strings"
)

// Setting is one key=value of a directive line or a header.
type Setting struct{ Key, Value string }

// words is a directive line taken apart: plain words first, then settings, in
// the order written. A word or a value that holds blanks or quotes stands in
// double quotes, with \" and \\ inside.
type words struct {
	plain    []string
	settings []Setting
}

func parseWords(line string) (words, error) {
	var w words
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, n := "", strings.IndexAny(rest, " =\"")
		if n > 0 && rest[n] == '=' {
			key, rest = rest[:n], rest[n+1:]
		}
		value, after, err := takeWord(rest)
		if err != nil {
			return w, err
		}
		rest = after
		switch {
		case key != "":
			w.settings = append(w.settings, Setting{key, value})
		case len(w.settings) > 0:
			return w, fmt.Errorf("%s must stand before %s=", value, w.settings[0].Key)
		default:
			w.plain = append(w.plain, value)
		}
	}
	return w, nil
}

// takeWord splits off one bare or quoted word.
func takeWord(s string) (word, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		word, rest, _ = strings.Cut(s, " ")
		return word, rest, nil
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", fmt.Errorf("no closing quote: %s", s)
}

// Quote is a word or value as a directive line holds it.
func Quote(s string) string { return quoteWord(s) }

func quoteWord(s string) string {
	if s != "" && !strings.ContainsAny(s, " =\"\\") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func formatSettings(all []Setting) string {
	parts := make([]string, len(all))
	for i, s := range all {
		parts[i] = s.Key + "=" + quoteWord(s.Value)
	}
	return strings.Join(parts, " ")
}

func (w words) startWith(plain []string) bool {
	return len(w.plain) >= len(plain) && slices.Equal(w.plain[:len(plain)], plain)
}

func (w words) rest(n int) words { return words{w.plain[n:], w.settings} }

func (w words) get(key string) string { return Header{w.settings}.Get(key) }

// takeFlag removes a plain word and says whether it was there.
func (w *words) takeFlag(name string) bool {
	i := slices.Index(w.plain, name)
	if i < 0 {
		return false
	}
	w.plain = slices.Delete(slices.Clone(w.plain), i, i+1)
	return true
}

// allow refuses settings other than the given ones, and repeated ones.
func (w words) allow(keys ...string) error {
	for i, s := range w.settings {
		if !slices.Contains(keys, s.Key) {
			return fmt.Errorf("unknown setting %s; known are %s", s.Key, strings.Join(keys, ", "))
		}
		if slices.ContainsFunc(w.settings[:i], func(t Setting) bool { return t.Key == s.Key }) {
			return fmt.Errorf("%s is given twice", s.Key)
		}
	}
	return nil
}

// noPlain refuses plain words.
func (w words) noPlain() error {
	if len(w.plain) > 0 {
		return fmt.Errorf("unknown word: %s", w.plain[0])
	}
	return nil
}
