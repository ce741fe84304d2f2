package expr

import (
	"errors"

	"fsql/internal/diag"
)

// What kernels may make is bounded. Java's texts end at 2^31 characters, in
// practice at the heap; here a value that a function makes has at most MaxValue
// bytes, so that a batch's values can be encoded with places of 32 bits and a slip
// such as REPEAT(REPEAT(s, 100000), 100000) is an error and not the end of the
// machine. An array has at most MaxElements, which are as many bytes.
const (
	MaxValue    = 128 << 20
	MaxElements = MaxValue / 8
)

// TooLarge is the error for a value that would be larger than values may be.
func TooLarge() error {
	return diag.New(diag.ValueTooLarge, diag.Span{}, "a value would be larger than 128 MiB or have more than %d elements", MaxElements).
		WithHint("that is the most that a function makes; make it of fewer or shorter parts")
}

// ErrMuch tells that the values of a batch together passed the Budget: it has to be
// evaluated in parts.
var ErrMuch = errors.New("the values of the batch take too much memory at once")

// abort is how an evaluation is left from within a kernel.
type abort struct{ err error }

// workBetween is how much is done between two looks at Stop: bytes, or comparisons.
const workBetween = 1 << 20

// Room is called before n bytes are made for one value.
func (c *Ctx) Room(n int) {
	if n > MaxValue || n < 0 {
		panic(abort{TooLarge()})
	}
	c.made += n
	if c.Budget > 0 && c.made > c.Budget {
		panic(abort{ErrMuch})
	}
	c.Work(n)
}

// Work is called by kernels that may do much for one value, with about as many
// steps as they have done since.
func (c *Ctx) Work(n int) {
	if c.work += n; c.work < workBetween {
		return
	}
	c.work = 0
	if c.Stop != nil {
		if err := c.Stop(); err != nil {
			panic(abort{err})
		}
	}
}

// bounded runs f, which may be left by an abort; then undo is called.
func bounded(undo func(), f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case abort:
			undo()
			err = p.err
		default:
			panic(p)
		}
	}()
	return f()
}

// begin starts an evaluation; what it returns takes the state back that an
// evaluation in parts would have changed twice.
func (c *Ctx) begin(p *Program) (undo func()) {
	c.made = 0
	var rand Rand
	if c.Rand != nil {
		rand = *c.Rand
	}
	var seeded map[*Call]JavaRand
	if len(c.seeded) > 0 {
		seeded = make(map[*Call]JavaRand, len(c.seeded))
		for k, v := range c.seeded {
			seeded[k] = *v
		}
	}
	return func() {
		p.sels.depth, p.argv = 0, p.argv[:0]
		if c.Rand != nil {
			*c.Rand = rand
		}
		for k, v := range c.seeded {
			if old, ok := seeded[k]; ok {
				*v = old
			} else {
				delete(c.seeded, k)
			}
		}
	}
}
