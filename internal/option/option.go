// Package option declares options: the WITH ('key' = 'value') keys of
// connectors and formats, and the SET keys of the session. Declaring is
// documenting: validation, defaults, docs, completion and did-you-mean all
// read the declaration.
package option

import "fsql/internal/diag"

// Type of an option's value.
type Type uint8

// The types.
const (
	String Type = iota
	Bool
	Int
	Float
	Duration // Flink's: "10 s", "500ms", "1 min"; parsed to milliseconds
	Bytes    // Flink's memory sizes: "128 mb"; parsed to bytes
	Enum
)

// Def declares one option.
type Def struct {
	Key      string // may hold one '#' for a name: "fields.#.kind"
	Type     Type
	Default  string // "" with NoDefault: not set
	Doc      string // one sentence
	Choices  []string
	From, To int64 // bounds of an Int; both 0: none
	Required bool
	Secret   bool     // masked wherever it prints
	Alias    []string // older names
	// Ignored options are accepted for the sake of scripts and have no effect
	// in fsql; Doc says why.
	Ignored bool
}

// Set is an ordered list of declarations.
type Set struct{ Defs []Def }

// Entry is one option as written, with its places.
type Entry struct {
	Key, Value       string
	KeyPos, ValuePos diag.Span
}

// Values are validated options.
type Values struct {
	set  *Set
	vals map[string]string
}
