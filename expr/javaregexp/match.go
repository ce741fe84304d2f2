package javaregexp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// entry is something to go back to: another way on (pc >= 0) at a place, which
// moves back to low where it is the end of a loop, or a slot to restore (pc
// < 0).
type entry struct{ pc, at, low int }

const (
	maxSteps = 100_000_000
	maxStack = 5_000_000
)

func (m *Matcher) push(e entry) {
	if len(m.stack) >= maxStack {
		m.err = ErrTooLong
		return
	}
	m.stack = append(m.stack, e)
}

// save sets a slot and remembers what it was.
func (m *Matcher) save(slot, at int) {
	m.push(entry{pc: -1 - slot, at: m.caps[slot]})
	m.caps[slot] = at
}

const pollEvery = 1 << 20

func (m *Matcher) poll() {
	m.look = m.steps + pollEvery
	if m.steps > maxSteps {
		m.err = ErrTooLong
	}
	if m.Poll != nil {
		m.Poll()
	}
}

// run follows the program from pc at a place to opMatch or opDone and returns
// where that was, -1 if no way leads there. An end that is not -1 must be met
// by opDone. What it leaves on the stack restores slots, or leads to other
// ways.
func (m *Matcher) run(pc, at, end int) int {
	base := len(m.stack)
	for {
		if m.steps++; m.steps >= m.look {
			m.poll()
		}
		if m.err != nil {
			return -1
		}
		in := &m.re.prog[pc]
		ok := true
		switch in.op {
		case opMatch:
			return at
		case opDone:
			if end < 0 || at == end {
				return at
			}
			ok = false
		case opText:
			if ok = strings.HasPrefix(m.text[at:], in.lit); ok {
				at += len(in.lit)
			}
		case opChar:
			if ok = at < len(m.text); ok {
				r, n := utf8.DecodeRuneInString(m.text[at:])
				if ok = in.set.has(r); ok {
					at += n
				}
			}
		case opLoop:
			at, ok = m.loop(in, pc, at)
		case opSplit:
			m.push(entry{pc: in.y, at: at, low: -1})
			pc = in.x
			continue
		case opJump:
			pc = in.x
			continue
		case opSave, opEnter:
			m.save(in.x, at)
		case opRound:
			if m.caps[in.x] == at {
				pc = in.y
				continue
			}
		case opAtomic:
			stop := m.part(pc+1, at, -1, true)
			if ok = stop >= 0; ok {
				at, pc = stop, in.x
				continue
			}
		case opAhead:
			if ok = m.part(pc+1, at, -1, !in.neg) >= 0 != in.neg; ok {
				pc = in.x
				continue
			}
		case opBehind:
			if ok = m.behind(in, pc, at) != in.neg; ok {
				pc = in.x
				continue
			}
		case opBack:
			at, ok = m.back(in, at)
		default:
			ok = m.place(in, at)
		}
		if ok {
			pc++
			continue
		}
		if pc, at = m.retreat(base); pc < 0 {
			return -1
		}
	}
}

// retreat goes back to the last way that was left open; pc is -1 if none is.
func (m *Matcher) retreat(base int) (pc, at int) {
	for len(m.stack) > base {
		top := &m.stack[len(m.stack)-1]
		if top.pc < 0 {
			m.caps[-1-top.pc] = top.at
			m.stack = m.stack[:len(m.stack)-1]
			continue
		}
		pc = top.pc
		if top.low >= 0 { // a loop gives a character back
			top.at = before(m.text, top.at)
		}
		if at = top.at; at <= top.low || top.low < 0 {
			m.stack = m.stack[:len(m.stack)-1]
		}
		return pc, at
	}
	return -1, 0
}

// loop takes characters of a class, as many as there are.
func (m *Matcher) loop(in *inst, pc, at int) (int, bool) {
	n, low := 0, at
	for at < len(m.text) && (in.max < 0 || n < in.max) {
		r, size := utf8.DecodeRuneInString(m.text[at:])
		if !in.set.has(r) {
			break
		}
		at += size
		if n++; n == in.min {
			low = at
		}
	}
	m.steps += n
	if n < in.min {
		return at, false
	}
	if at > low {
		m.push(entry{pc: pc + 1, at: at, low: low})
	}
	return at, true
}

// part matches a part on its own. Its other ways are given up; what it has
// captured stays if keep is set and it has matched.
func (m *Matcher) part(pc, at, end int, keep bool) int {
	base := len(m.stack)
	stop := m.run(pc, at, end)
	if stop >= 0 && keep {
		kept := m.stack[:base]
		for _, e := range m.stack[base:] {
			if e.pc < 0 {
				kept = append(kept, e)
			}
		}
		m.stack = kept
		return stop
	}
	for i := len(m.stack) - 1; i >= base; i-- {
		if e := m.stack[i]; e.pc < 0 {
			m.caps[-1-e.pc] = e.at
		}
	}
	m.stack = m.stack[:base]
	return stop
}

// behind tells whether a part matches what ends here; the shortest is tried
// first, as in Java.
func (m *Matcher) behind(in *inst, pc, at int) bool {
	from := at
	for n := 0; n <= in.max; n++ {
		if n >= in.min && m.part(pc+1, from, at, !in.neg) >= 0 {
			return true
		}
		if from == 0 {
			break
		}
		from = before(m.text, from)
	}
	return false
}

// back goes over what a group has matched.
func (m *Matcher) back(in *inst, at int) (int, bool) {
	from, to := m.caps[2*in.x], m.caps[2*in.x+1]
	if from < 0 || to < from {
		return at, false
	}
	want := m.text[from:to]
	if strings.HasPrefix(m.text[at:], want) {
		return at + len(want), true
	}
	if in.fold == exact {
		return at, false
	}
	for _, w := range want {
		r, n := utf8.DecodeRuneInString(m.text[at:])
		if at >= len(m.text) || r != w && !contains(others(w, in.fold), r) {
			return at, false
		}
		at += n
	}
	return at, true
}

func contains(rs []rune, r rune) bool {
	for _, o := range rs {
		if o == r {
			return true
		}
	}
	return false
}

// place tells whether a condition on the place holds.
func (m *Matcher) place(in *inst, at int) bool {
	switch in.op {
	case opBegin:
		return at == 0
	case opEnd:
		return at == len(m.text)
	case opFinal:
		n := breakAt(m.text, at, in.unix)
		return at == len(m.text) || n > 0 && at+n == len(m.text) && !inBreak(m.text, at, in.unix)
	case opLineBegin:
		return at == 0 || at < len(m.text) && endsBreak(m.text, at, in.unix)
	case opLineEnd:
		return at == len(m.text) || breakAt(m.text, at, in.unix) > 0 && !inBreak(m.text, at, in.unix)
	case opWord, opNotWord:
		left, right := false, false
		if at > 0 {
			r, _ := utf8.DecodeLastRuneInString(m.text[:at])
			left = wordChar(r)
		}
		if at < len(m.text) {
			r, _ := utf8.DecodeRuneInString(m.text[at:])
			right = wordChar(r)
		}
		return (left != right) == (in.op == opWord)
	case opLast:
		return at == m.last
	}
	return false
}

// wordChar is what \b takes for a part of a word: more than \w.
func wordChar(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// breakAt is the length of the line break at a place, 0 if there is none.
func breakAt(text string, at int, unix bool) int {
	if at >= len(text) {
		return 0
	}
	switch r, n := utf8.DecodeRuneInString(text[at:]); {
	case r == '\n':
		return 1
	case unix:
	case r == '\r':
		if strings.HasPrefix(text[at+1:], "\n") {
			return 2
		}
		return 1
	case r == 0x85, r == 0x2028, r == 0x2029:
		return n
	}
	return 0
}

// inBreak tells a place between \r and \n.
func inBreak(text string, at int, unix bool) bool {
	return !unix && at > 0 && at < len(text) && text[at-1] == '\r' && text[at] == '\n'
}

// endsBreak tells whether a line break ends at a place.
func endsBreak(text string, at int, unix bool) bool {
	if inBreak(text, at, unix) {
		return false
	}
	p := before(text, at)
	return breakAt(text, p, unix) > 0
}
