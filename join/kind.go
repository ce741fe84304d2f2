package join

// Kind is the kind of a join.
type Kind uint8

// The kinds. Semi and Anti give left rows only: those that have a partner, or
// have none.
const (
	Inner Kind = iota
	LeftOuter
	RightOuter
	FullOuter
	Semi
	Anti
)

// The sides, as operators number their inputs.
const (
	left  = 0
	right = 1
)

// String is the name in SQL.
func (k Kind) String() string {
	return [...]string{"INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI"}[k]
}

// Pads tells that the rows of a side come out with NULLs beside them while
// they have no partner.
func (k Kind) Pads(side int) bool {
	return k == FullOuter || k == LeftOuter && side == left || k == RightOuter && side == right
}

// LeftOnly tells that the output has no columns of the right side.
func (k Kind) LeftOnly() bool { return k == Semi || k == Anti }
