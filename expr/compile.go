package expr

import (
	"fmt"
	"strings"

	"fsql/internal/diag"
	"fsql/types"
)

// A Program is compiled into a list of instructions over numbered registers,
// one column each. Operands of lazy functions that must not run for every row
// have lists of their own (blocks), run under a selection.

type opcode uint8

const (
	opColumn opcode = iota
	opLiteral
	opKernel
	opAlias // the operand's column under the call's type
	opField // a child of the operand's column
	opAnd
	opOr
	opCase
)

type instr struct {
	op    opcode
	out   int
	call  *Call
	args  []int
	index int      // of the column
	lit   *Literal // of opLiteral
	// blocks of the operands of a lazy function, nil where the operand was
	// computed before the instruction.
	blocks []*block
	fresh  bool // the result leaves the program: a new column every time
}

type block struct {
	code   []instr
	result int
}

// compiler assigns registers. A register computed in a block is known there
// and in blocks inside it, not outside, where its rows would be missing.
type compiler struct {
	regs int
	keys map[Node]string
	safe map[Node]bool
}

type scope struct {
	outer *scope
	known map[string]int
}

func (s *scope) find(key string) (int, bool) {
	for ; s != nil; s = s.outer {
		if r, ok := s.known[key]; ok {
			return r, true
		}
	}
	return 0, false
}

func newCompiler() *compiler {
	return &compiler{keys: map[Node]string{}, safe: map[Node]bool{}}
}

func newScope(outer *scope) *scope { return &scope{outer: outer, known: map[string]int{}} }

// key is a text that equal expressions share; Column names play no part in it.
func (c *compiler) key(n Node) string {
	if k, ok := c.keys[n]; ok {
		return k
	}
	var k string
	switch n := n.(type) {
	case *Column:
		k = fmt.Sprintf("$%d", n.Index)
	case *Literal:
		k = n.T.String() + ":" + n.String()
	case *Call:
		var b strings.Builder
		fmt.Fprintf(&b, "%s|%s|%s(", n.Fn.Name, n.Text, n.T)
		for _, a := range n.Args {
			b.WriteString(c.key(a))
			b.WriteByte(',')
		}
		b.WriteByte(')')
		k = b.String()
	}
	c.keys[n] = k
	return k
}

// volatile tells whether n holds a function that must run anew for every use.
func volatile(n Node) bool {
	if call, ok := n.(*Call); ok && call.Fn.Volatile {
		return true
	}
	for _, k := range n.Children() {
		if volatile(k) {
			return true
		}
	}
	return false
}

// isSafe tells whether n may run for rows that do not need it.
func (c *compiler) isSafe(n Node) bool {
	call, ok := n.(*Call)
	if !ok {
		return true
	}
	if s, ok := c.safe[n]; ok {
		return s
	}
	s := (call.Safe || call.Fn.Nulls == NullLazy) && !call.Fn.Volatile
	for _, a := range call.Args {
		s = s && c.isSafe(a)
	}
	c.safe[n] = s
	return s
}

// node appends the code of n to b and returns its register.
func (c *compiler) node(n Node, b *block, sc *scope) int {
	key := c.key(n)
	shared := !volatile(n)
	if shared {
		if r, ok := sc.find(key); ok {
			return r
		}
	}
	in := instr{}
	switch n := n.(type) {
	case *Column:
		in.op, in.index = opColumn, n.Index
	case *Literal:
		in.op, in.lit = opLiteral, n
	case *Call:
		in.call = n
		in.op = opKernel
		switch {
		case n.Fn == fieldFunc:
			in.op = opField
		case n.Eval == nil && n.Fn.Lazy == NotLazy:
			in.op = opAlias
		}
		switch n.Fn.Lazy {
		case LazyAnd:
			in.op = opAnd
		case LazyOr:
			in.op = opOr
		case LazyCase:
			in.op = opCase
		}
		c.operands(n, &in, b, sc)
	}
	in.out = c.regs
	c.regs++
	b.code = append(b.code, in)
	if shared {
		sc.known[key] = in.out
	}
	return in.out
}

func (c *compiler) operands(n *Call, in *instr, b *block, sc *scope) {
	in.args = make([]int, len(n.Args))
	if n.Fn.Lazy != NotLazy {
		in.blocks = make([]*block, len(n.Args))
	}
	inner := sc
	for i, a := range n.Args {
		if i == 0 || n.Fn.Lazy == NotLazy || c.isSafe(a) {
			in.args[i] = c.node(a, b, sc)
			continue
		}
		// What one operand computed the next one may use only where the
		// selections shrink: the conditions of a CASE. Keep it simple.
		inner = newScope(sc)
		sub := &block{}
		sub.result = c.node(a, sub, inner)
		in.args[i] = sub.result
		if len(sub.code) > 0 {
			in.blocks[i] = sub
		}
	}
}

// Compile makes a program that computes the nodes over batches of a schema.
func Compile(nodes []Node, in *types.Schema) (*Program, error) {
	for _, n := range nodes {
		if err := check(n, in); err != nil {
			return nil, err
		}
	}
	p := &Program{nodes: nodes}
	c := newCompiler()
	sc := newScope(nil)
	root := &block{}
	p.outs = make([]int, len(nodes))
	for i, n := range nodes {
		p.outs[i] = c.node(n, root, sc)
	}
	leave(root.code, p.outs)
	p.root = root
	if len(nodes) == 1 && nodes[0].Type().Kind == types.Boolean {
		// The parts of a conjunction are run one after another, each for the
		// rows that are left: what one computed holds for the next.
		sc := newScope(nil)
		for _, part := range conjuncts(nodes[0], nil) {
			b := &block{}
			b.result = c.node(part, b, sc)
			p.filter = append(p.filter, b)
		}
	}
	p.regs = make([]register, c.regs)
	p.vecs = make([]*vec, c.regs)
	return p, nil
}

// leave marks the values that leave the program, and those whose memory they
// share: what an alias stands for, and the parts of nested values.
func leave(code []instr, outs []int) {
	gone := map[int]bool{}
	for _, r := range outs {
		gone[r] = true
	}
	for i := len(code) - 1; i >= 0; i-- {
		in := &code[i]
		if !gone[in.out] {
			continue
		}
		in.fresh = true
		if in.op == opAlias || in.op == opField || in.call != nil && in.call.T.IsNested() {
			for _, r := range in.args {
				gone[r] = true
			}
		}
	}
}

func conjuncts(n Node, dst []Node) []Node {
	if c, ok := n.(*Call); ok && c.Fn.Lazy == LazyAnd {
		for _, a := range c.Args {
			dst = conjuncts(a, dst)
		}
		return dst
	}
	return append(dst, n)
}

// check finds columns that the schema does not have: a defect of a plan.
func check(n Node, in *types.Schema) error {
	if c, ok := n.(*Column); ok {
		if c.Index < 0 || c.Index >= len(in.Columns) || in.Columns[c.Index].Type.Layout() != c.T.Layout() {
			return diag.New(diag.Internal, diag.Span{}, "column %d (%s %s) does not fit the input", c.Index, c.Name, c.T)
		}
	}
	for _, k := range n.Children() {
		if err := check(k, in); err != nil {
			return err
		}
	}
	return nil
}
