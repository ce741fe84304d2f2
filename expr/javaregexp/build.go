package javaregexp

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// inst is one step of a program.
type inst struct {
	op       op
	set      *set
	lit      string // opText
	fold     folding
	x, y     int // targets, slots, bounds
	min, max int
	neg      bool
	unix     bool
}

type op uint8

const (
	opMatch  op = iota
	opText      // the literal text
	opChar      // one character of set
	opLoop      // characters of set, min to max (-1: any number), as many as possible; x says how they are given back
	opSplit     // x first, then y
	opJump      // to x
	opSave      // the place into slot x
	opEnter     // the place into slot x: a round of a loop begins
	opRound     // out to y if the round that began at slot x was empty
	opAtomic    // the program behind it up to its opDone, then x
	opAhead     // the same as a condition
	opBehind    // the same for what ends here, min to max characters long
	opDone      // the end of a part
	opBack      // what group x has matched
	opNever     // no match
	opBegin     // places
	opLineBegin
	opEnd
	opFinal
	opLineEnd
	opWord
	opNotWord
	opLast
)

var errTooLarge = errors.New("the expression is too large")

const maxProgram = 100000

type builder struct {
	prog  []inst
	slots int
	err   error
}

func build(n *node, groups int) (*Regexp, error) {
	b := &builder{slots: 2 * (groups + 1)}
	b.node(n)
	b.add(inst{op: opMatch})
	if b.err != nil {
		return nil, b.err
	}
	re := &Regexp{prog: b.prog, groups: groups, slots: b.slots}
	re.start()
	return re, nil
}

func (b *builder) add(i inst) int {
	if len(b.prog) >= maxProgram {
		b.err = errTooLarge
		return 0
	}
	b.prog = append(b.prog, i)
	return len(b.prog) - 1
}

// here is the place of the next instruction.
func (b *builder) here() int { return len(b.prog) }

func (b *builder) node(n *node) {
	if b.err != nil {
		return
	}
	switch n.kind {
	case kindChar:
		b.char(n)
	case kindSet:
		b.add(inst{op: opChar, set: n.set})
	case kindSeq:
		b.sequence(n.kids)
	case kindAlt:
		b.alternatives(n.kids)
	case kindCapture:
		b.add(inst{op: opSave, x: 2 * n.group})
		b.node(n.kids[0])
		b.add(inst{op: opSave, x: 2*n.group + 1})
	case kindRepeat:
		b.repeat(n)
	case kindAtomic:
		b.part(n, opAtomic)
	case kindAhead:
		b.part(n, opAhead)
	case kindBehind:
		b.part(n, opBehind)
	case kindBack:
		b.add(inst{op: opBack, x: n.group, fold: n.fold})
	case kindNever:
		b.add(inst{op: opNever})
	case kindBegin:
		b.add(inst{op: opBegin})
	case kindLineBegin:
		b.add(inst{op: opLineBegin, unix: n.unixLines})
	case kindEnd:
		b.add(inst{op: opEnd})
	case kindFinal:
		b.add(inst{op: opFinal, unix: n.unixLines})
	case kindLineEnd:
		b.add(inst{op: opLineEnd, unix: n.unixLines})
	case kindWord:
		b.add(inst{op: opWord})
	case kindNotWord:
		b.add(inst{op: opNotWord})
	case kindLast:
		b.add(inst{op: opLast})
	}
}

// sequence builds parts one after the other, neighbouring characters as one
// text.
func (b *builder) sequence(kids []*node) {
	for i := 0; i < len(kids); i++ {
		text := ""
		for i < len(kids) && kids[i].kind == kindChar && others(kids[i].lit, kids[i].fold) == nil {
			text += string(kids[i].lit)
			i++
		}
		if text != "" {
			b.add(inst{op: opText, lit: text})
		}
		if i < len(kids) {
			b.node(kids[i])
		}
	}
}

func (b *builder) char(n *node) {
	if others(n.lit, n.fold) != nil {
		b.add(inst{op: opChar, set: (&set{ranges: []rune{n.lit, n.lit}, fold: n.fold}).seal()})
		return
	}
	b.add(inst{op: opText, lit: string(n.lit)})
}

func (b *builder) alternatives(kids []*node) {
	var ends []int
	for i, k := range kids {
		if i == len(kids)-1 {
			b.node(k)
			break
		}
		split := b.add(inst{op: opSplit})
		b.prog[split].x = b.here()
		b.node(k)
		ends = append(ends, b.add(inst{op: opJump}))
		if b.err != nil {
			return
		}
		b.prog[split].y = b.here()
	}
	for _, e := range ends {
		b.prog[e].x = b.here()
	}
}

// part builds what is matched on its own: an atomic group or a condition.
func (b *builder) part(n *node, o op) {
	at := b.add(inst{op: o, neg: n.neg, min: n.min, max: n.max})
	b.node(n.kids[0])
	b.add(inst{op: opDone})
	if b.err == nil {
		b.prog[at].x = b.here()
	}
}

func (b *builder) repeat(n *node) {
	if n.how == possessive {
		inner := *n
		inner.how = greedy
		b.part(&node{kids: []*node{&inner}}, opAtomic)
		return
	}
	kid := n.kids[0]
	if s := kid.single(); s != nil && n.how == greedy {
		b.add(inst{op: opLoop, set: s, min: n.min, max: n.max})
		return
	}
	for range n.min {
		b.node(kid)
		if b.err != nil {
			return
		}
	}
	if n.max < 0 {
		b.loop(kid, n.how)
		return
	}
	var splits []int
	for i := n.min; i < n.max; i++ {
		splits = append(splits, b.add(inst{op: opSplit}))
		if b.err != nil {
			return
		}
		b.node(kid)
	}
	if b.err != nil {
		return
	}
	end := b.here()
	for _, s := range splits {
		b.branch(s, s+1, end, n.how)
	}
}

// branch sets a split between going on with a repeat and leaving it.
func (b *builder) branch(split, more, out int, how greed) {
	b.prog[split].x, b.prog[split].y = more, out
	if how == lazy {
		b.prog[split].x, b.prog[split].y = out, more
	}
}

// loop builds any number of rounds; an empty round ends it.
func (b *builder) loop(kid *node, how greed) {
	least, _ := kid.length()
	split := b.add(inst{op: opSplit})
	if least > 0 {
		b.node(kid)
		b.add(inst{op: opJump, x: split})
	} else {
		slot := b.slots
		b.slots++
		b.add(inst{op: opEnter, x: slot})
		b.node(kid)
		round := b.add(inst{op: opRound, x: slot})
		b.add(inst{op: opJump, x: split})
		if b.err == nil {
			b.prog[round].y = b.here()
		}
	}
	if b.err == nil {
		b.branch(split, split+1, b.here(), how)
	}
}

// single is the class of a part that is just one character.
func (n *node) single() *set {
	switch n.kind {
	case kindSet:
		return n.set
	case kindChar:
		return (&set{ranges: []rune{n.lit, n.lit}, fold: n.fold}).seal()
	case kindSeq:
		if len(n.kids) == 1 {
			return n.kids[0].single()
		}
	}
	return nil
}

// start finds what every match begins with.
func (re *Regexp) start() {
	var prefix strings.Builder
	for i := 0; ; i++ {
		switch in := re.prog[i]; in.op {
		case opSave:
			if prefix.Len() > 0 {
				re.prefix = prefix.String()
				return
			}
			continue
		case opText:
			prefix.WriteString(in.lit)
			continue
		case opBegin:
			re.anchored = prefix.Len() == 0
		case opChar:
			if prefix.Len() == 0 {
				re.first = in.set
			}
		case opLoop:
			if prefix.Len() == 0 && in.min > 0 {
				re.first = in.set
			}
		}
		re.prefix = prefix.String()
		return
	}
}

func index(s, prefix string) int { return strings.Index(s, prefix) }

// before is the place of the character before a byte.
func before(text string, at int) int {
	_, n := utf8.DecodeLastRuneInString(text[:at])
	return at - n
}
