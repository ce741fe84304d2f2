// Package ast is the syntax tree of a script: statements, queries and scalar
// expressions, each with its span in the text. It says what was written, not
// what it means: names are unresolved, types only where they were written.
package ast

import (
	"fsql/internal/diag"
	"fsql/types"
)

// Node is any part of the tree.
type Node interface{ Span() diag.Span }

// At is embedded by every node: its place in the script.
type At struct{ Pos diag.Span }

// Span returns the place of the node.
func (a At) Span() diag.Span { return a.Pos }

// Name is one identifier as written (without back-quotes, case kept).
type Name struct {
	At
	Text   string
	Quoted bool
}

// Path is a dotted name: table, column, function.
type Path struct {
	At
	Parts []Name
}

// TypeName is a type as written, already resolved to a SQL type (the type
// grammar needs no catalog). Nullable is false only after NOT NULL.
type TypeName struct {
	At
	Type types.Type
}

// Script is what the statements of one file are.
type Script struct{ Statements []Statement }
