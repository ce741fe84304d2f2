package expr

import (
	"unsafe"

	"fsql/internal/value"
	"fsql/row"
	"fsql/types"
)

// Func is one SQL function: everything that planner, evaluator and documents
// need to know about it, in one value in one place.
type Func struct {
	Name string // upper case, as users write it; operators by their symbol: "+", "AND", "IS NULL"
	Doc  string // one sentence
	// Example is an expression with its value, executed by a test:
	// "SUBSTRING('flink', 2, 3) = 'lin'".
	Example string
	// Syntax shows the call for messages: "SUBSTRING(s, from [, length])".
	Syntax string
	// Resolve checks the operands, inserts implicit casts, derives the type
	// and picks the kernel. An error is a *diag.Error without a span.
	Resolve func(args []Node) (*Call, error)
	// ResolveJSON does it for a call with the clauses of a JSON function.
	ResolveJSON func(args []Node, c JSONClauses) (*Call, error)
	Nulls       NullRule
	// BareNull functions take a NULL that has no type of its own as operand;
	// for others Flink calls it an illegal use of NULL.
	BareNull bool
	// Lazy says how the operands of a NullLazy function are evaluated.
	Lazy Lazy
	// Volatile functions (RAND, UUID, NOW) are never folded and never shared.
	Volatile bool
	// Dynamic functions depend on the session or on time but not on a
	// hidden state; they are not folded at planning.
	Dynamic bool
}

// NullRule says what the framework does with NULL operands before a kernel
// sees them.
type NullRule uint8

// The rules.
const (
	// NullPropagates: any NULL operand gives NULL; the kernel gets a
	// selection without these rows.
	NullPropagates NullRule = iota
	// NullSeen: the kernel sees NULLs and sets the validity of its output.
	NullSeen
	// NullLazy: the kernel is given unevaluated operands (AND, OR, CASE,
	// COALESCE, IF): see Lazy.
	NullLazy
)

// Lazy is the order of evaluation of a function that does not need every
// operand for every row. There are no others: IF, NULLIF and BETWEEN resolve
// to these. (Flink's COALESCE and IFNULL evaluate all operands.)
type Lazy uint8

// The lazy functions.
const (
	NotLazy  Lazy = iota
	LazyAnd       // the second operand where the first is not FALSE
	LazyOr        // the second operand where the first is not TRUE
	LazyCase      // condition, value, ..., value
)

// Kernel computes one call for the rows in sel (ascending; nil: all) into out,
// which has the length of the batch and the call's type. Values at rows
// outside sel are undefined and must not be read. A kernel is one loop over
// typed slices: no call and no allocation per value where it can be helped;
// strings it makes go through Ctx.Bytes. An error fails the job.
type Kernel func(c *Ctx, call *Call, args []*row.Vec, sel []int32, out *row.Vec) error

// Ctx is what kernels may know besides their operands. One per operator
// subtask.
type Ctx struct {
	Zone      Zone              // session time zone
	Now       func() types.Time // processing time of the event
	Watermark types.Time        // of the operator, for CURRENT_WATERMARK; types.MinTime before the first
	Rand      *Rand             // of the subtask, seeded
	Database  string            // the current one
	// Stop is asked now and then whether to give up: the error that ends the
	// evaluation; nil: nobody asks.
	Stop func() error
	// Budget bounds the bytes that one evaluation makes, which then fails with
	// ErrMuch; 0: no bound.
	Budget  int
	made    int // bytes, in this evaluation
	work    int // since the last look at Stop
	arena   []byte
	scratch []byte
	seeded  map[*Call]*JavaRand
}

// Zone converts between instants and wall clocks, both in milliseconds.
type Zone interface {
	// Local is the wall clock at an instant.
	Local(utc int64) int64
	// UTC is the instant of a wall clock: one that does not exist moves
	// forward by the gap, one that comes twice means the first.
	UTC(local int64) int64
	String() string
}

// Bytes returns n bytes that live as long as the strings made of them: the way
// for kernels to build strings without one allocation each.
func (c *Ctx) Bytes(n int) []byte {
	if c.Room(n); len(c.arena) < n {
		c.arena = make([]byte, max(n, 16<<10))
	}
	b := c.arena[:n:n]
	c.arena = c.arena[n:]
	return b
}

// Scratch returns an empty buffer to build one value in; what it holds is kept
// by Keep before the next call.
func (c *Ctx) Scratch() []byte { return c.scratch[:0] }

// Keep makes a string of bytes that were appended to Scratch.
func (c *Ctx) Keep(b []byte) string {
	if cap(b) > cap(c.scratch) {
		c.scratch = b
	}
	if len(b) == 0 {
		return ""
	}
	s := c.Bytes(len(b))
	copy(s, b)
	return unsafe.String(&s[0], len(s))
}

// Random is the next random number of the subtask.
func (c *Ctx) Random() uint64 {
	if c.Rand == nil {
		c.Rand = NewRand(0)
	}
	return c.Rand.Uint64()
}

// Seeded is the sequence of a call that has a seed.
func (c *Ctx) Seeded(call *Call, seed int32) *JavaRand {
	r := c.seeded[call]
	if r == nil {
		if c.seeded == nil {
			c.seeded = map[*Call]*JavaRand{}
		}
		r = NewJavaRand(int64(seed))
		c.seeded[call] = r
	}
	return r
}

// SessionZone is the time zone of the session, UTC when none is set.
func (c *Ctx) SessionZone() Zone {
	if c.Zone == nil {
		return value.UTC()
	}
	return c.Zone
}

// Rand is a small deterministic generator (splitmix64).
type Rand struct{ state uint64 }

// NewRand returns a generator for a seed.
func NewRand(seed uint64) *Rand { return &Rand{state: seed} }

// Uint64 returns the next value.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
