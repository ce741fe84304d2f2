package shell

import "errors"

// Editor reads statements from a person. Everything that is peculiar to a
// library for line editing stays behind it.
//
// It is used by one goroutine, but for Printf.
type Editor interface {
	// ReadStatement reads lines until look says that they are a whole
	// statement. start is text that stands already (""). It returns the lines
	// joined by line breaks; io.EOF when the person leaves; errInterrupt on
	// Ctrl-C, which drops what was typed. Pasted lines are not looked at before
	// the paste has ended and Enter was pressed.
	ReadStatement(start string, look func(text string) Look) (string, error)
	// SetCompleter says what Tab does; nil: nothing.
	SetCompleter(Completer)
	// SetPainter says how text is coloured; nil: not at all.
	SetPainter(Painter)
	// AddHistory adds a statement to those that the arrow keys recall.
	AddHistory(statement string)
	// Printf prints above the line that is being edited, or at once when none
	// is. It may be called by any goroutine. The text ends with a line break.
	Printf(format string, args ...any)
	// Close gives the terminal back.
	Close() error
}

// Look is what there is to say about the lines so far.
type Look struct {
	Done   bool
	Prompt string // of the next line
}

// Completer finds what may stand at a place of the text.
type Completer func(text string, at int) Completion

// Completion are the candidates for the text from From to the place that was
// asked for.
type Completion struct {
	From  int
	Items []Item
}

// Item is one candidate.
type Item struct {
	Text string // replaces the text
	Show string // in the list; "": Text
	// After follows when it is the only candidate: the blank behind a word.
	After string
}

// Painter colours a text in which the cursor stands at a place: pieces in order,
// without overlap.
type Painter func(text string, cursor int) []Paint

// Paint is the style of a piece of text, as the parameters of an SGR sequence.
type Paint struct {
	Start, End int
	Style      string
}

var errInterrupt = errors.New("interrupted")
